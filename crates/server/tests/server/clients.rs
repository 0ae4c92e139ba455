//! Clients that ask for too much, leave, or send bytes that are not a request: none may cost a worker.

use std::time::{Duration, Instant};

use crate::fixture::{options, Running};
use bucketwheel_server_kit::circuits::{ENDLESS, INPUTS, SLOW};
use bucketwheel_server_kit::client::{Client, BYTES, JSON};

fn ask(server: &Running, inputs: &str) -> Client {
    let mut client = server.client();
    client.ask("POST /v1/prove/sum", &[("content-type", JSON)], inputs.as_bytes());
    client
}

#[test]
fn a_full_queue_refuses() {
    let server = Running::new(bucketwheel_server::Options { workers: 1, queue: 1, ..options() });
    let runs = ask(&server, ENDLESS);
    server.wait_for_load(1, 0);
    let waits = ask(&server, ENDLESS);
    server.wait_for_load(1, 1);
    let reply = ask(&server, INPUTS).reply();
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert!(reply.refusal(429).starts_with("1 requests are waiting already"));
    assert_eq!(server.client().post("/v1/verify/sum", JSON, b"{}").status, 429);
    // A client that leaves the queue, or a worker, makes room.
    drop(waits);
    server.wait_for_load(1, 0);
    let mut waits = ask(&server, INPUTS);
    server.wait_for_load(1, 1);
    drop(runs);
    assert_eq!(waits.reply().status, 200);
    server.wait_for("two cancelled, two refused", |status| {
        status["requests"]["cancelled"] == 2 && status["requests"]["refused"] == 2
    });
}

#[test]
fn no_place_to_wait_is_enough_for_idle_workers() {
    let server = Running::new(bucketwheel_server::Options { workers: 1, queue: 0, ..options() });
    assert_eq!(ask(&server, INPUTS).reply().status, 200);
    let _runs = ask(&server, ENDLESS);
    server.wait_for_load(1, 0);
    assert_eq!(ask(&server, INPUTS).reply().status, 429);
}

#[test]
fn what_takes_too_long_ends() {
    let timeout = Duration::from_millis(300);
    let server = Running::new(bucketwheel_server::Options { workers: 1, timeout, ..options() });
    let (mut runs, mut waits) = (ask(&server, ENDLESS), ask(&server, ENDLESS));
    for client in [&mut runs, &mut waits] {
        assert!(client.reply().refusal(504).starts_with("there is no result after 0.3 s"));
    }
    server.wait_for_load(0, 0);
    assert_eq!(ask(&server, INPUTS).reply().status, 200);
}

#[test]
fn long_contents_are_refused() {
    let server = Running::new(bucketwheel_server::Options { body_limit: 1000, ..options() });
    let message = server.client().post("/v1/prove/sum", BYTES, &[0; 1001]).refusal(413);
    assert!(message.contains("1000 bytes"), "{message}");
    // A chunked content does not state its length.
    let mut client = server.client();
    client.send(
        b"POST /v1/prove/sum HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n",
    );
    client.send(b"transfer-encoding: chunked\r\n\r\n3e9\r\n");
    client.send(&[0; 1001]);
    client.send(b"\r\n0\r\n\r\n");
    assert!(client.reply().refusal(413).contains("1000 bytes"));
    // The server reads a content of this length.
    let message = server.client().post("/v1/prove/sum", BYTES, &[0; 1000]).refusal(400);
    assert!(message.contains("wtns"), "{message}");
}

#[test]
fn garbage_is_no_request() {
    let server = Running::new(options());
    // Longer than the server reads; the client sends the whole head before it looks at the answer.
    let long = [b"GET / HTTP/1.1\r\nhost: ", &[b'a'; 1 << 22][..]].concat();
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1000));
    for (garbage, status) in [
        (&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], "400"),
        (b"\0\0\0\0\r\n\r\n", "400"),
        (b"hello, server\r\n\r\n", "400"),
        (b"GET /v1/status HTTP/9.9\r\n\r\n", "400"),
        (b"POST /v1/prove/sum HTTP/1.1\r\nhost: localhost\r\ncontent-length: many\r\n\r\n", "400"),
        (&long, "431"),
        (many.as_bytes(), "431"),
    ] {
        let mut client = server.client();
        client.send(garbage);
        client.shut();
        let reply = client.rest();
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{}: {reply}", garbage.escape_ascii());
    }
    assert_eq!(ask(&server, INPUTS).reply().status, 200);
}

/// Requests that never end: half of a content, half of a head, nothing.
#[test]
fn half_a_request_costs_no_worker() {
    let patience = Duration::from_secs(1);
    let server = Running::new(bucketwheel_server::Options { workers: 1, queue: 0, patience, ..options() });
    let head = b"POST /v1/prove/sum HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    // The other half never comes, and the client says so.
    let mut cut = server.client();
    cut.send(head);
    cut.shut();
    let reply = cut.rest();
    assert!(reply.starts_with("HTTP/1.1 400 ") && reply.contains("has not arrived"), "{reply}");
    // The other half is still to come.
    let start = Instant::now();
    let mut halves: Vec<Client> = [&head[..], &head[..20], b""]
        .map(|half| {
            let mut client = server.client();
            client.send(half);
            client
        })
        .into();
    let mut idle = server.client();
    assert_eq!(idle.get("/v1/health").status, 200);
    assert_eq!(ask(&server, INPUTS).reply().status, 200);
    server.wait_for_load(0, 0);
    let body = halves.remove(0).reply().refusal(408);
    assert!(body.starts_with("the content has not arrived within 1 s"), "{body}");
    for half in halves {
        let reply = half.rest();
        assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
    }
    // A connection that has had a request ends without an answer.
    assert_eq!(idle.rest(), "");
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// Both requests were sent before the server stops; one of them still waits.
#[test]
fn who_has_asked_gets_an_answer() {
    let server = Running::new(bucketwheel_server::Options { workers: 1, ..options() });
    let mut idle = server.client();
    assert_eq!(idle.get("/v1/health").json()["status"], "ok");
    let (mut runs, mut waits) = (ask(&server, SLOW), ask(&server, INPUTS));
    server.wait_for_load(1, 1);
    server.stop();
    assert_eq!(runs.reply().status, 200);
    assert_eq!(waits.reply().status, 200);
    // An idle connection ends, and the server takes no new connections.
    assert_eq!(idle.rest(), "");
    let address = server.address;
    drop(server);
    assert!(std::net::TcpStream::connect(address).is_err());
}
