//! Status and metrics of the server.

use std::collections::HashMap;

use serde_json::json;

use crate::fixture::{options, Running};
use bucketwheel_server_kit::circuits::{witness, INPUTS};
use bucketwheel_server_kit::client::{BYTES, JSON};

#[test]
fn the_status_lists_circuits_and_times() {
    let server = Running::new(options());
    let mut client = server.client();
    let status = client.get("/v1/status").json();
    assert_eq!(status["queue"], json!({ "waiting": 0, "capacity": 64, "running": 0, "workers": 2 }));
    let names: Vec<_> =
        status["circuits"].as_array().unwrap().iter().map(|circuit| circuit["name"].clone()).collect();
    assert_eq!(names, ["other", "power", "sum"]);
    let sum = json!({ "name": "sum", "curve": "bn128", "signals": 5, "public": 1, "domain_size": 4, "inputs": true, "retained": 0 });
    assert_eq!(status["circuits"][2], sum);
    assert_eq!(client.post("/v1/prove/sum", JSON, INPUTS.as_bytes()).status, 200);
    server.wait_for("a proof", |status| status["requests"]["done"] == 1);
    let status = client.get("/v1/status").json();
    let stages: Vec<_> =
        status["stages"].as_array().unwrap().iter().map(|stage| stage["stage"].clone()).collect();
    let order =
        ["queue", "witness", "rows", "quotient", "msm A", "msm B", "msm C", "msm H", "verify", "proof"];
    assert_eq!(stages, order);
}

#[test]
fn metrics_are_prometheus_text() {
    let server = Running::new(options());
    let mut client = server.client();
    for _ in 0..3 {
        assert_eq!(client.post("/v1/prove/sum", JSON, INPUTS.as_bytes()).status, 200);
    }
    assert_eq!(client.post("/v1/prove/sum", BYTES, &witness([1, 24, 3, 16, 4])).status, 422);
    assert_eq!(client.post("/v1/prove/none", JSON, INPUTS.as_bytes()).status, 404);
    let reply = client.get("/metrics");
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let mut typed = HashMap::new();
    let mut samples = HashMap::new();
    for line in reply.text().lines() {
        if let Some(family) = line.strip_prefix("# TYPE ") {
            let (name, kind) = family.split_once(' ').unwrap();
            assert!(typed.insert(name, kind).is_none(), "{line}");
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let family = name.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|end| family.strip_suffix(end))
                .unwrap_or(family);
            assert!(typed.contains_key(family), "{line}");
            assert!(samples.insert(name, value.parse::<f64>().unwrap()).is_none(), "{line}");
        }
    }
    let value = |name: &str| samples[&*format!("bucketwheel_{name}")];
    assert_eq!(value("requests_total{kind=\"prove\",circuit=\"sum\",outcome=\"done\"}"), 3.0);
    assert_eq!(value("requests_total{kind=\"prove\",circuit=\"sum\",outcome=\"failed\"}"), 1.0);
    assert_eq!(value("responses_total{code=\"200\"}"), 3.0);
    assert_eq!(value("responses_total{code=\"404\"}"), 1.0);
    assert_eq!(value("workers"), 2.0);
    assert_eq!(value("stage_seconds_count{stage=\"proof\"}"), 3.0);
    assert_eq!(value("stage_seconds_bucket{stage=\"proof\",le=\"+Inf\"}"), 3.0);
    assert!(value("stage_seconds_sum{stage=\"proof\"}") > 0.0);
}
