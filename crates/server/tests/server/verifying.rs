//! Verification of proofs.

use serde_json::{json, Value};

use crate::fixture::{options, Running};
use bucketwheel_server_kit::client::{Client, Reply, JSON};

fn verify(client: &mut Client, content: &Value) -> Reply {
    client.post("/v1/verify/sum", JSON, content.to_string().as_bytes())
}

/// Returns a proof of the circuit `sum` in a client's form.
fn claim(client: &mut Client, a: u32) -> Value {
    let answer =
        client.post("/v1/prove/sum", JSON, json!({ "a": a, "b": [1, 2] }).to_string().as_bytes()).json();
    json!({ "proof": answer["proof"], "publicSignals": answer["publicSignals"] })
}

#[test]
fn proofs_hold_alone_and_together() {
    let server = Running::new(options());
    let mut client = server.client();
    let claims: Vec<Value> = (1..5).map(|a| claim(&mut client, a)).collect();
    assert_eq!(verify(&mut client, &claims[0]).json(), json!({ "valid": true, "proofs": 1 }));
    assert_eq!(verify(&mut client, &json!(claims)).json(), json!({ "valid": true, "proofs": 4 }));

    // Public signals of another proof; a point that is not on the curve, before or behind this proof.
    let mut other = claims.clone();
    other[2]["publicSignals"] = json!(["5"]);
    let bad = |first_bad: u32| json!({ "valid": false, "proofs": 4, "firstBad": first_bad });
    assert_eq!(verify(&mut client, &json!(other)).json(), bad(2));
    for (point, first_bad) in [(0, 0), (3, 2)] {
        let mut other = other.clone();
        other[point]["proof"]["pi_a"] = json!(["1", "1", "1"]);
        assert_eq!(verify(&mut client, &json!(other)).json(), bad(first_bad));
    }
    assert_eq!(verify(&mut client, &other[2]).json(), json!({ "valid": false, "proofs": 1, "firstBad": 0 }));
}

#[test]
fn what_is_no_proof_is_told_why() {
    let server = Running::new(options());
    let mut client = server.client();
    let good = claim(&mut client, 1);
    for content in ["", "{}", "[1]", "garbage", "{\"proof\": {}}", "{\"publicSignals\": []}", "null"] {
        let message = client.post("/v1/verify/sum", JSON, content.as_bytes()).refusal(400);
        assert!(message.contains("publicSignals"), "{content}: {message}");
    }
    let message = verify(&mut client, &json!([])).refusal(400);
    assert!(message.starts_with("there are no proofs to verify"), "{message}");
    for (signals, status, reason) in [
        (json!([]), 422, "0 public signals: expected 1"),
        (json!(null), 422, "0 public signals: expected 1"),
        (json!(["1", "2"]), 422, "2 public signals: expected 1"),
        (json!(["-1"]), 400, "not a canonical number"),
    ] {
        let mut claim = good.clone();
        claim["publicSignals"] = signals;
        let message = verify(&mut client, &json!([good, claim])).refusal(status);
        assert!(message.starts_with("proof 1: ") && message.contains(reason), "{message}");
    }
    assert!(client.post("/v1/verify/sum", "text/plain", b"{}").refusal(415).contains("application/json"));
    assert!(client.post("/v1/verify/none", JSON, b"{}").refusal(404).contains("circuit"));
    // A proof of a circuit on the other curve, which has two public signals.
    let mut claim = good;
    claim["publicSignals"] = json!(["1", "2"]);
    let other = client.post("/v1/verify/other", JSON, claim.to_string().as_bytes()).refusal(400);
    assert!(other.contains("bls12381"), "{other}");
}

/// Runs the table of `crates/snarkjs/tests/files/texts.rs`, except texts that are not JSON, because a request's content
/// cannot contain them. Accepted texts concern another circuit.
#[test]
fn texts_are_taken_or_refused_as_in_every_face() {
    let server = Running::new(options());
    let mut client = server.client();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data");
    let read = |name: &str| std::fs::read_to_string(format!("{data}/{name}")).unwrap();
    let table: Vec<Value> = serde_json::from_str(&read("texts.json")).unwrap();
    let [public, proof] = ["public", "proof"].map(|part| read(&format!("circom/mul.{part}.json")));
    for entry in table {
        let text = entry["text"].as_str().unwrap();
        let (public, proof) = match entry["part"].as_str().unwrap() {
            "public" => (text, &proof[..]),
            "proof" => (&public[..], text),
            _ => continue,
        };
        if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
            continue;
        }
        let content = format!("{{\"proof\": {proof}, \"publicSignals\": {public}}}");
        let reply = client.post("/v1/verify/sum", JSON, content.as_bytes());
        match entry["says"].as_str() {
            None => assert_eq!(reply.json()["valid"], false, "{entry}"),
            Some(says) => {
                let status = if says.contains("public signals: expected 1") { 422 } else { 400 };
                let message = reply.refusal(status);
                assert!(message.starts_with("proof 0: ") && message.contains(says), "{message}: {says}");
            }
        }
    }
}
