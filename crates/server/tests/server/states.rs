//! Each state of a connection has a time limit, and strangers take no places from clients with a token.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use bucketwheel_server::Options;
use socket2::{Domain, Socket, Type};

use crate::fixture::{options, Running};
use crate::guard::{token, TOKEN};
use bucketwheel_server_kit::circuits::{ENDLESS, INPUTS};
use bucketwheel_server_kit::client::{Client, JSON};

const PATIENCE: Duration = Duration::from_millis(300);
const SOON: Duration = Duration::from_secs(3);

const HEAD: &[u8] = b"POST /v1/prove/sum HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n";

fn hasty() -> Running {
    Running::new(Options { patience: PATIENCE, ..options() })
}

/// Returns a connection from an address of this machine, with little room for answers.
fn narrow(from: [u8; 4], to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    socket.connect(&to.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// Sends requests until the server takes no more, and reads no answer.
fn pipeline(stream: &mut TcpStream) {
    let requests = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1000);
    stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
    for _ in 0..100 {
        if stream.write_all(requests.as_bytes()).is_err() {
            return;
        }
    }
}

/// Sends a byte now and then, as long as the server listens. Returns the elapsed time, and the answer.
fn trickle(mut stream: TcpStream, bytes: &[u8]) -> (Duration, String) {
    let start = Instant::now();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let (mut answer, mut buffer, mut rest) = (Vec::new(), [0; 4096], bytes.iter().cycle());
    while start.elapsed() < Duration::from_secs(30) {
        let sent = stream.write_all(&[*rest.next().unwrap()]);
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => answer.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock && sent.is_ok() => {}
            _ if sent.is_ok() => {}
            _ => break,
        }
    }
    (start.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

/// Returns the number of connections that the server has ended for this reason.
fn cut(server: &Running, reason: &str) -> u64 {
    let metrics = server.client().get("/metrics");
    let name = format!("bucketwheel_connections_cut_total{{reason=\"{reason}\"}} ");
    metrics.text().lines().find_map(|line| line.strip_prefix(&name)).map_or(0, |count| count.parse().unwrap())
}

#[test]
fn a_head_has_its_time() {
    let server = hasty();
    let (time, answer) = trickle(TcpStream::connect(server.address).unwrap(), b"GET /aaaaaaaaaaaaaaaaaaaaa");
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("head has not arrived"), "{answer}");
    assert!(time >= PATIENCE && time < SOON, "{time:?}");
    let start = Instant::now();
    let answer = server.client().rest();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(start.elapsed() >= PATIENCE && start.elapsed() < SOON);
    assert_eq!(cut(&server, "head"), 2);
}

#[test]
fn a_content_has_its_time() {
    let server = hasty();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(HEAD).unwrap();
    let (time, answer) = trickle(stream, b" ");
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("within 0.3 s"), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    assert!(time >= PATIENCE && time < SOON, "{time:?}");
}

#[test]
fn an_answer_has_its_time() {
    let server = hasty();
    let mut stream = narrow([127, 0, 0, 1], server.address);
    pipeline(&mut stream);
    let start = Instant::now();
    while cut(&server, "response") == 0 {
        assert!(start.elapsed() < SOON);
        std::thread::sleep(Duration::from_millis(10));
    }
    // Bytes in the system's memory are lost with the connection.
    let error = std::iter::repeat_with(|| stream.read(&mut [0; 4096])).find_map(Result::err);
    assert_eq!(error.map(|error| error.kind()), Some(std::io::ErrorKind::ConnectionReset));
}

#[test]
fn an_idle_connection_has_its_time() {
    let server = hasty();
    let mut client = server.client();
    let start = Instant::now();
    assert_eq!(client.get("/v1/health").status, 200);
    assert_eq!(client.rest(), "");
    assert!(start.elapsed() >= PATIENCE && start.elapsed() < SOON);
    assert_eq!(cut(&server, "idle"), 1);
}

/// After an answer that comes before the content, the server still takes the content for a while.
#[test]
fn an_unread_content_has_its_time() {
    let server = hasty();
    let head = String::from_utf8_lossy(HEAD).replace("/sum", "/none");
    for chatty in [true, false] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let (start, answer) = match chatty {
            true => (Instant::now(), trickle(stream, b" ").1),
            false => {
                let (start, mut answer) = (Instant::now(), String::new());
                stream.read_to_string(&mut answer).unwrap();
                (start, answer)
            }
        };
        assert!(
            answer.starts_with("HTTP/1.1 404 ") && answer.contains("\r\nconnection: close\r\n"),
            "{answer}"
        );
        assert!(start.elapsed() < SOON, "{chatty}: {:?}", start.elapsed());
    }
}

/// 300 connections without a token that ask for ever and read nothing.
#[test]
fn a_crowd_of_strangers_blocks_nobody_with_a_token() {
    let server = Running::new(Options { token: Some(token()), ..options() });
    let bearer = format!("Bearer {TOKEN}");
    let with_token = [("authorization", bearer.as_str()), ("content-type", JSON)];
    let mut early = server.client();
    early.ask("GET /v1/health", &with_token, b"");
    assert_eq!(early.reply().status, 200);
    let mut crowd = Vec::new();
    for _ in 0..300 {
        let mut stream = narrow([127, 0, 0, 1], server.address);
        stream.set_nonblocking(true).unwrap();
        // The client sends as much as the server takes, in parts; the server's deadlines end the connection.
        let requests = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1000);
        let _ = stream.write(requests.as_bytes());
        crowd.push(stream);
    }
    for _ in 0..5 {
        let start = Instant::now();
        let mut client = server.client();
        client.ask("POST /v1/prove/sum", &with_token, INPUTS.as_bytes());
        assert_eq!(client.reply().status, 200);
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    }
    // A client that has shown the token has a place that no stranger gets.
    early.ask("GET /metrics", &with_token, b"");
    let reply = early.reply();
    let displaced = "bucketwheel_connections_cut_total{reason=\"displaced\"} ";
    let displaced = reply.text().lines().find_map(|line| line.strip_prefix(displaced)).unwrap();
    assert!(displaced.parse::<u64>().unwrap() >= 100, "{displaced}");
}

#[test]
fn an_address_has_its_share() {
    let server = Running::new(Options {
        workers: 1,
        per_address: Some(3),
        patience: Duration::from_secs(60),
        ..options()
    });
    let ask = || {
        let mut client = Client::from(narrow([127, 0, 0, 2], server.address));
        client.ask("POST /v1/prove/sum", &[("content-type", JSON)], ENDLESS.as_bytes());
        client
    };
    let working = [ask(), ask(), ask()];
    server.wait_for_load(1, 2);
    let refusal = Client::from(narrow([127, 0, 0, 2], server.address)).rest();
    assert!(
        refusal.starts_with("HTTP/1.1 503 ") && refusal.contains("this address has 3 connections"),
        "{refusal}"
    );
    // Other addresses are not affected, and silent connections give way to new connections from their address.
    drop(working);
    server.wait_for_load(0, 0);
    let mut silent: Vec<Client> =
        (0..4).map(|_| Client::from(narrow([127, 0, 0, 2], server.address))).collect();
    assert_eq!(silent[3].get("/v1/health").status, 200);
    assert!(silent.remove(0).rest().starts_with("HTTP/1.1 503 "));
}

/// A byte behind the request does not hide the client's end.
#[test]
fn who_leaves_behind_more_bytes_costs_no_worker() {
    let server = Running::new(options());
    let start = Instant::now();
    let clients = [b"G".to_vec(), b"\r\n".to_vec(), vec![b' '; 1 << 15]].map(|more| {
        let mut client = server.client();
        client.ask("POST /v1/prove/sum", &[("content-type", JSON)], ENDLESS.as_bytes());
        client.try_send(&more).unwrap();
        client
    });
    server.wait_for_load(2, 1);
    drop(clients);
    server.wait_for("three cancelled", |status| status["requests"]["cancelled"] == 3);
    server.wait_for_load(0, 0);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// The server assumes that a client that ends its side has left, except if the answer follows at once.
#[test]
fn half_a_connection_is_for_short_answers() {
    let server = Running::new(options());
    let mut client = server.client();
    client.ask("GET /v1/health", &[], b"");
    client.shut();
    assert!(client.rest().starts_with("HTTP/1.1 200 "));
    for more in ["", "G"] {
        let mut client = server.client();
        client.ask("POST /v1/prove/sum", &[("content-type", JSON)], ENDLESS.as_bytes());
        client.send(more.as_bytes());
        server.wait_for_load(1, 0);
        client.shut();
        assert_eq!(client.try_rest().0, "");
        server.wait_for_load(0, 0);
    }
    server.wait_for("two cancelled", |status| status["requests"]["cancelled"] == 2);
}

/// The server does not wait for clients that have left, have sent half a head, are idle, or read nothing.
#[test]
fn stopping_waits_for_work_alone() {
    let server = Running::new(Options { patience: Duration::from_secs(1), ..options() });
    let mut left = server.client();
    left.ask("POST /v1/prove/sum", &[("content-type", JSON)], ENDLESS.as_bytes());
    left.send(b"G");
    server.wait_for_load(1, 0);
    let mut half = server.client();
    half.send(&HEAD[..20]);
    let mut idle = server.client();
    assert_eq!(idle.get("/v1/health").status, 200);
    let mut deaf = narrow([127, 0, 0, 1], server.address);
    pipeline(&mut deaf);
    let start = Instant::now();
    server.stop();
    drop(left);
    assert_eq!((idle.rest(), half.rest()), (String::new(), String::new()));
    drop(server);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}
