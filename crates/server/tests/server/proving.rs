//! Proofs, and requests that get no proof.

use std::fs;

use bucketwheel_groth16::{Bls12_381, Bn254};
use bucketwheel_server::Loading;

use crate::fixture::{options, Running, ONE};
use bucketwheel_server_kit::circuits::{data, folder, holds, witness, INPUTS};
use bucketwheel_server_kit::client::{BYTES, JSON};

#[test]
fn witnesses_make_proofs_on_either_curve() {
    for retain in [false, true] {
        witnesses_make_proofs(retain);
    }
}

fn witnesses_make_proofs(retain: bool) {
    let server = Running::loaded(folder(), Loading { retain, ..ONE }, options());
    let mut client = server.client();
    let of = |curve: &str| fs::read(data(&format!("data/{curve}/power.wtns"))).unwrap();
    let reply = client.post("/v1/prove/power", BYTES, &of("bn254"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(holds::<Bn254>(&folder().join("power.zkey"), &reply.json()));
    // A request on the same connection.
    let reply = client.post("/v1/prove/other", BYTES, &of("bls12-381"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let answer = reply.json();
    assert!(holds::<Bls12_381>(&folder().join("other/circuit.zkey"), &answer));
    for stage in ["queue", "rows", "quotient", "msm A", "msm B", "msm C", "msm H", "verify", "proof"] {
        assert!(answer["times_ms"][stage].as_f64().unwrap() >= 0.0, "{stage}: {answer}");
    }
    assert!(client.post("/v1/prove/other", BYTES, &of("bn254")).refusal(400).contains("bls12381"));
    for circuit in client.get("/v1/status").json()["circuits"].as_array().unwrap() {
        assert_eq!(circuit["retained"].as_u64().unwrap() > 0, retain, "{circuit}");
    }
}

#[test]
fn inputs_make_proofs() {
    let server = Running::new(options());
    let mut client = server.client();
    let reply = client.post("/v1/prove/sum", "application/json; charset=utf-8", INPUTS.as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let answer = reply.json();
    assert_eq!(answer["publicSignals"], serde_json::json!(["23"]));
    assert!(holds::<Bn254>(&folder().join("sum.zkey"), &answer));
    assert!(answer["times_ms"]["witness"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_gets_no_proof_is_told_why() {
    let server = Running::new(options());
    let mut client = server.client();
    let power = fs::read(data("data/bn254/power.wtns")).unwrap();

    assert!(client.get("/v1/nothing").refusal(404).contains("/v1/status"));
    assert!(client.get("/v1/prove/sum").refusal(405).contains("POST"));
    assert!(client.post("/v1/status", JSON, b"{}").refusal(405).contains("GET"));
    assert!(client.post("/v1/prove/none", JSON, b"{}").refusal(404).contains("/v1/status"));
    for content_type in ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"] {
        let message = client.post("/v1/prove/sum", content_type, INPUTS.as_bytes()).refusal(415);
        assert!(message.contains("application/octet-stream"), "{message}");
    }
    assert!(client.post("/v1/prove/power", JSON, b"{}").refusal(422).contains("no witness calculator"));

    for (inputs, status, reason) in [
        ("", 400, "not readable"),
        ("[]", 400, "expected a JSON object"),
        ("{ \"a\": 3", 400, "not readable"),
        ("{ \"a\": 3.5, \"b\": [1, 2] }", 422, "input a has 3.5"),
        ("{ \"a\": 3 }", 422, "2 input values are missing"),
        ("{ \"a\": 3, \"b\": [1, 2], \"c\": 4 }", 422, "no input `c`"),
        ("{ \"a\": 6, \"b\": [3, 4] }", 422, "refuses the inputs: assertion failed"),
    ] {
        let message = client.post("/v1/prove/sum", JSON, inputs.as_bytes()).refusal(status);
        assert!(message.contains(reason), "{inputs}: {message}");
    }
    for (witness, status, reason) in [
        (&[][..], 400, "expected"),
        (b"garbage", 400, "expected"),
        (&power[..power.len() - 1], 400, "expected"),
        (&power, 422, "expected 5, as many as the circuit has signals"),
        (&witness([1, 24, 3, 16, 4]), 422, "does not satisfy the circuit"),
        (&witness([2, 23, 3, 16, 4]), 422, "value 0 of the witness is not 1"),
    ] {
        let message = client.post("/v1/prove/sum", BYTES, witness).refusal(status);
        assert!(message.contains(reason), "{message}");
    }
    // All requests used one connection, which still works.
    assert_eq!(client.post("/v1/prove/sum", BYTES, &witness([1, 23, 3, 16, 4])).status, 200);
}
