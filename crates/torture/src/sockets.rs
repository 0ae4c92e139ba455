//! Clients that send halves, read nothing, leave or flood, against a running `bucketwheel serve` on this machine.
//! Clients with the token must be answered, every connection must end, no work may be left behind, and the server must
//! end when it is asked to.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::Rng;
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use tempfile::TempDir;

use crate::drive::Session;
use crate::shared::Random;

const TOKEN: &str = "torture-0123456789";

/// Most connections of a case.
const MOST: usize = 300;

/// The server's time for each part of a request, in seconds. A client with the token waits no longer.
const PATIENCE: &str = "1";
const SOON: Duration = Duration::from_secs(20);

const WITNESS: &[u8] = include_bytes!("../../snarkjs/tests/data/bn254/power.wtns");
const KEY: &[u8] = include_bytes!("../../snarkjs/tests/data/bn254/power.zkey");

/// Runs cases.
///
/// # Errors
/// The first failure, or an error if the server does not start.
pub fn run(session: &Session, time: Duration, command: &Path) -> Result<String, String> {
    let circuits = tempfile::tempdir().map_err(|error| error.to_string())?;
    fs::write(circuits.path().join("power.zkey"), KEY).map_err(|error| error.to_string())?;
    let bench = Bench { command: command.to_owned(), circuits };
    if let Err(error) = Server::start(&bench) {
        return match error.contains("has no server") {
            true => Ok("sockets skipped: the command is built without the feature serve".to_owned()),
            false => Err(error),
        };
    }
    let more = format!(" --command {}", command.display());
    session.run("sockets", &more, time, Duration::from_secs(120), |rng| case(&bench, rng))
}

/// The command, and a circuit.
struct Bench {
    command: PathBuf,
    circuits: TempDir,
}

/// A running server. It is killed when it is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(bench: &Bench) -> Result<Self, String> {
        let mut command = Command::new(&bench.command);
        command.arg("serve").arg(bench.circuits.path()).args([
            "--listen",
            "127.0.0.1:0",
            "--patience",
            PATIENCE,
        ]);
        command
            .env("BUCKETWHEEL_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("no standard output")?).lines();
        let address = lines.find_map(|line| line.ok()?.strip_prefix("http://")?.parse().ok());
        match address {
            Some(address) => Ok(Server { child, address }),
            None => {
                let output = child.wait_with_output().map_err(|error| error.to_string())?;
                Err(format!("the server does not start: {}", String::from_utf8_lossy(&output.stderr)))
            }
        }
    }

    /// Sends a request with the token. Returns the answer's status and content.
    fn ask(&self, what: &str, content: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(SOON)).expect("a time");
        stream.write_all(&request(what, content, Some(TOKEN))).expect("the server reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap_or_else(|error| panic!("{what}: {error}"));
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        let head = answer.windows(4).position(|end| end == b"\r\n\r\n");
        let (Some(status), Some(head)) = (status, head) else { panic!("{what}: no answer, but {text:?}") };
        (status, answer.split_off(head + 4))
    }

    fn status(&self) -> Value {
        let (status, content) = self.ask("GET /v1/status", b"");
        assert_eq!(status, 200);
        serde_json::from_slice(&content).expect("JSON")
    }

    /// Returns the number of connections, this connection included.
    fn connections(&self) -> u64 {
        let (_, metrics) = self.ask("GET /metrics", b"");
        let metrics = String::from_utf8_lossy(&metrics);
        let count = metrics.lines().find_map(|line| line.strip_prefix("bucketwheel_connections "));
        count.and_then(|count| count.parse().ok()).expect("the number of connections")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a request that asks the server to close the connection.
fn request(what: &str, content: &[u8], token: Option<&str>) -> Vec<u8> {
    let kind = "content-type: application/octet-stream\r\nconnection: close";
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = content.len();
    let head =
        format!("{what} HTTP/1.1\r\nhost: localhost\r\n{kind}\r\n{token}content-length: {length}\r\n\r\n");
    [head.as_bytes(), content].concat()
}

/// Sends the first bytes of a client, and then sends nothing, leaves, or closes its side.
fn misbehave(address: SocketAddr, rng: &mut Random) -> Option<TcpStream> {
    let stream = stranger(address, rng)?;
    let token = rng.gen_bool(0.3).then_some(TOKEN);
    let proof = request("POST /v1/prove/power", WITNESS, token);
    let get = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let bytes = match rng.gen_range(0..8) {
        0 => Vec::new(),
        // A part of a request.
        1 => proof[..rng.gen_range(0..proof.len())].to_vec(),
        // Endless requests.
        2 => get.repeat(rng.gen_range(1..2000)),
        // A request, and a part of another request.
        3 => [&proof[..], &get[..rng.gen_range(1..get.len())]].concat(),
        // A content that the server does not want.
        4 => request("POST /nothing", &vec![b' '; rng.gen_range(0..1 << 20)], token),
        // Bytes of any kind.
        5 => (0..rng.gen_range(0..5000)).map(|_| rng.gen()).collect(),
        // A request with some changed bytes.
        6 => {
            let mut bytes = proof;
            for _ in 0..rng.gen_range(1..20) {
                let at = rng.gen_range(0..bytes.len());
                bytes[at] = rng.gen();
            }
            bytes
        }
        _ => proof,
    };
    send(&stream, &bytes);
    match rng.gen_range(0..4) {
        0 => None,
        1 => {
            let _ = stream.shutdown(std::net::Shutdown::Write);
            Some(stream)
        }
        2 => {
            // The connection ends with a reset.
            let _ = Socket::from(stream).set_linger(Some(Duration::ZERO));
            None
        }
        _ => Some(stream),
    }
}

/// Returns a connection from some address of this machine, unless the server refuses it first.
fn stranger(address: SocketAddr, rng: &mut Random) -> Option<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    if rng.gen() {
        socket.set_recv_buffer_size(4096).expect("a size");
    }
    socket
        .bind(&SocketAddr::from(([127, 0, 0, rng.gen_range(1..20)], 0)).into())
        .expect("an address of this machine");
    socket.connect(&address.into()).ok()?;
    socket.set_nonblocking(true).expect("a socket that does not wait");
    Some(socket.into())
}

/// Sends bytes until the system takes no more.
fn send(mut stream: &TcpStream, mut bytes: &[u8]) {
    while let Ok(count @ 1..) = stream.write(bytes) {
        bytes = &bytes[count..];
    }
}

fn case(bench: &Bench, rng: &mut Random) {
    let mut server = Server::start(bench).unwrap_or_else(|error| panic!("{error}"));
    let mut clients = Vec::new();
    let count = rng.gen_range(1..=MOST);
    let honest: Vec<usize> = (0..rng.gen_range(1..4)).map(|_| rng.gen_range(0..count)).collect();
    for index in 0..count {
        clients.extend(misbehave(server.address, rng));
        if honest.contains(&index) {
            let start = Instant::now();
            let (status, answer) = server.ask("POST /v1/prove/power", WITNESS);
            // Other clients with the token fill the queue.
            assert!([200, 429].contains(&status), "{status}: {}", String::from_utf8_lossy(&answer));
            assert!(start.elapsed() < SOON, "answered after {:?}", start.elapsed());
        }
    }
    // Some clients continue for a while.
    for _ in 0..rng.gen_range(0..75) {
        for mut stream in &clients {
            match rng.gen_range(0..4) {
                0 => send(stream, b"G"),
                1 => {
                    let _ = stream.read(&mut [0; 64]);
                }
                _ => {}
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    if rng.gen_bool(0.7) {
        // All clients are idle now, so each connection must end.
        let start = Instant::now();
        while server.connections() > 1 {
            assert!(start.elapsed() < SOON, "{} connections are left", server.connections());
            std::thread::sleep(Duration::from_millis(20));
        }
        let queue = server.status()["queue"].clone();
        assert!(queue["running"] == 0 && queue["waiting"] == 0, "work is left: {queue}");
    }
    let start = Instant::now();
    let asked = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()), "no kill");
    let end = loop {
        match server.child.try_wait().expect("a child") {
            Some(end) => break end,
            None => std::thread::sleep(Duration::from_millis(10)),
        }
        assert!(start.elapsed() < SOON, "it does not end");
    };
    assert!(end.success(), "it ends with {end}");
}
