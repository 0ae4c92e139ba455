//! rapidsnark's addresses, used as its client `tools/request.js` does: post the input, ask for the status until it is
//! not busy.

use std::time::{Duration, Instant};

use bucketwheel_groth16::Bn254;
use bucketwheel_server::Options;
use serde_json::{json, Value};

use crate::fixture::{options, Running};
use bucketwheel_server_kit::circuits::{folder, holds, ENDLESS, INPUTS};
use bucketwheel_server_kit::client::{Client, JSON};

fn input(client: &mut Client, inputs: &str) {
    let reply = client.post("/input/sum", JSON, inputs.as_bytes());
    assert_eq!((reply.status, reply.text()), (200, ""));
}

/// Returns the status that follows `busy`.
fn outcome(client: &mut Client) -> Value {
    let start = Instant::now();
    loop {
        let status = client.get("/status").json();
        if status["status"] != "busy" {
            return status;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{status}");
    }
}

fn check_success(status: &Value) {
    assert_eq!(status["status"], "success", "{status}");
    assert_eq!(status["pubData"], "[\"23\"]");
    let proof: Value = serde_json::from_str(status["proof"].as_str().unwrap()).unwrap();
    let keys: Vec<_> = proof.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["pi_a", "pi_b", "pi_c", "protocol"]);
    assert!(holds::<Bn254>(&folder().join("sum.zkey"), &json!({ "proof": proof, "publicSignals": ["23"] })));
}

#[test]
fn its_clients_get_proofs() {
    let server = Running::new(Options { rapidsnark_api: true, ..options() });
    let mut client = server.client();
    assert_eq!(client.get("/status").text(), "{\"status\":\"ready\"}");
    for path in ["/start", "/stop", "/cancel"] {
        assert_eq!(client.post(path, "", b"").status, 200, "{path}");
    }
    assert_eq!(client.get("/status").text(), "{\"status\":\"ready\"}");
    input(&mut client, INPUTS);
    check_success(&outcome(&mut client));

    input(&mut client, "{ \"a\": 1 }");
    let failed = outcome(&mut client);
    assert_eq!(failed["status"], "failed");
    assert!(failed["error"].as_str().unwrap().contains("2 input values are missing"), "{failed}");

    input(&mut client, ENDLESS);
    assert_eq!(client.get("/status").text(), "{\"status\":\"busy\"}");
    // A proof that is stopped before it starts is not counted.
    server.wait_for_load(1, 0);
    assert_eq!(client.post("/cancel", "", b"").status, 200);
    assert_eq!(outcome(&mut client)["status"], "aborted");
    server.wait_for_load(0, 0);

    // The next input replaces the current input.
    input(&mut client, ENDLESS);
    server.wait_for_load(1, 0);
    input(&mut client, INPUTS);
    check_success(&outcome(&mut client));
    server.wait_for("two cancelled", |status| status["requests"]["cancelled"] == 2);

    assert_eq!(client.post("/input/none", JSON, INPUTS.as_bytes()).status, 404);
    assert_eq!(client.post("/input/power", JSON, INPUTS.as_bytes()).status, 422);
    // A proof that nobody waits for does not keep the server from stopping.
    input(&mut client, ENDLESS);
}

#[test]
fn they_are_there_when_asked_for() {
    let server = Running::new(options());
    let mut client = server.client();
    assert_eq!(client.get("/status").status, 404);
    for path in ["/start", "/stop", "/cancel", "/input/sum"] {
        assert_eq!(client.post(path, JSON, b"{}").status, 404, "{path}");
    }
}
