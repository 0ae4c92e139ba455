//! Answers that come before the content, and addresses that are not readable.

use bucketwheel_server::Options;

use crate::fixture::{options, Running};
use crate::guard::token;
use bucketwheel_server_kit::circuits::INPUTS;
use bucketwheel_server_kit::client::{BYTES, JSON};

/// Requests whose answer comes before the content is read: request, type of the content, and the answer's status.
const EARLY: [(&str, &str, u16); 6] = [
    ("POST /v1/prove/none", JSON, 404),
    ("POST /nothing", JSON, 404),
    ("POST /v1/prove/sum", "text/plain", 415),
    ("POST /v1/verify/sum", BYTES, 415),
    ("POST /v1/prove/power", JSON, 422),
    ("PUT /v1/prove/sum", JSON, 405),
];

#[test]
fn early_answers_say_that_the_connection_ends() {
    let server = Running::new(options());
    let guarded = Running::new(Options { token: Some(token()), ..options() });
    let full = Running::new(Options { body_limit: 10, ..options() });
    let early = EARLY.map(|(what, kind, status)| (&server, what, kind, status));
    let more = [(&guarded, "POST /v1/prove/sum", JSON, 401), (&full, "POST /v1/prove/sum", JSON, 413)];
    for (server, what, kind, status) in early.into_iter().chain(more) {
        // The server reads a short content that has arrived, and the connection continues.
        let mut client = server.client();
        for _ in 0..2 {
            client.ask(what, &[("content-type", kind)], INPUTS.as_bytes());
            let reply = client.reply();
            assert_eq!((reply.status, reply.header("connection")), (status, None), "{what}");
        }
        // The server does not read a content that is still to come, or long.
        let head = format!("{what} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n");
        let long = vec![b' '; 1 << 20];
        let chunked = [&b"transfer-encoding: chunked\r\n\r\n100000\r\n"[..], &long].concat();
        let told = [&b"content-length: 4194304\r\n\r\n"[..], &long].concat();
        for content in [b"content-length: 50\r\n\r\nhalf of it".to_vec(), chunked, told] {
            let mut client = server.client();
            client.send(head.as_bytes());
            client.send(&content);
            let reply = client.reply();
            assert_eq!((reply.status, reply.header("connection")), (status, Some("close")), "{what}");
            assert!(reply.json()["error"].is_string());
            assert_eq!(client.rest(), "");
        }
    }
}

#[test]
fn all_refusals_are_json() {
    let server = Running::new(Options { rapidsnark_api: true, ..options() });
    let mut client = server.client();
    for name in
        ["%ff", "%c3%28", "%00", "%2e%2e%2f", "a%2fb", "%", "%zz", "none", "%F0%9F%98%80", ";", "..", ""]
    {
        for verb in ["v1/prove", "v1/verify", "input"] {
            let reply = client.post(&format!("/{verb}/{name}"), JSON, INPUTS.as_bytes());
            let message = reply.refusal(404);
            assert!(message.contains("expected"), "{verb} {name}: {message}");
        }
    }
    for what in ["GET /v1/prove/%ff", "DELETE /", "OPTIONS /v1/status", "TRACE /v1/health"] {
        client.ask(what, &[], b"");
        assert!(client.reply().refusal(405).contains("method"), "{what}");
    }
}
