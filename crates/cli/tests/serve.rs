//! `serve`, as a process.

#[path = "../../server/tests/server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../../server/tests/server/fixture.rs"]
#[allow(dead_code)]
mod fixture;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};

use bucketwheel_groth16::Bn254;

use client::{Client, JSON};
use fixture::{folder, holds, INPUTS, SLOW};

fn serve(circuits: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bucketwheel"));
    command.arg("serve").arg(circuits).args(["--listen", "127.0.0.1:0"]).args(arguments);
    command
        .env_remove("BUCKETWHEEL_TOKEN")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A server that says where it is.
struct Process {
    child: Child,
    lines: Vec<String>,
    out: BufReader<ChildStdout>,
    err: ChildStderr,
}

impl Process {
    fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let mut process = Process { child, lines: Vec::new(), out: BufReader::new(out), err };
        while process.lines.last().is_none_or(|line| !line.starts_with("http://")) {
            let mut line = String::new();
            assert!(process.out.read_line(&mut line).unwrap() > 0, "it ends after {:?}", process.lines);
            process.lines.push(line.trim_end().to_owned());
        }
        process
    }

    fn client(&self) -> Client {
        Client::new(self.lines.last().unwrap().strip_prefix("http://").unwrap().parse().unwrap())
    }

    /// Asks it to terminate.
    fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Its exit code, and what it has said since it was there.
    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        self.err.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn who_has_asked_when_it_is_terminated_gets_an_answer() {
    let process = Process::start(serve(folder(), &["--workers", "1"]));
    assert_eq!(
        process.lines[..3],
        [
            "other: bls12381, 7 signals, 2 public, domain of 2^3, takes a witness",
            "power: bn128, 7 signals, 2 public, domain of 2^3, takes a witness",
            "sum: bn128, 5 signals, 1 public, domain of 2^2, takes inputs or a witness",
        ]
    );
    let mut clients = [SLOW, INPUTS, INPUTS].map(|inputs| {
        let mut client = process.client();
        client.ask("POST /v1/prove/sum", &[("content-type", JSON)], inputs.as_bytes());
        client
    });
    let mut watch = process.client();
    while watch.get("/v1/status").json()["queue"]["waiting"] != 2 {}
    process.terminate();
    for client in &mut clients {
        let reply = client.reply();
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert!(holds::<Bn254>(&folder().join("sum.zkey"), &reply.json()));
    }
    // Nothing of what they sent, or of anything else.
    assert_eq!(process.end(), (Some(0), String::new()));
}

#[test]
fn errors_are_one_line() {
    let fail = |circuits: &Path, arguments: &[&str], token: Option<&str>| {
        let mut command = serve(circuits, arguments);
        command.envs(token.map(|token| ("BUCKETWHEEL_TOKEN", token)));
        let Output { status, stdout, stderr } = command.output().unwrap();
        let message = String::from_utf8(stderr).unwrap();
        assert_eq!((status.code(), stdout.len(), message.lines().count()), (Some(1), 0, 1), "{message}");
        message
    };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let message = fail(&folder().join("nothing"), &[], None);
    assert!(
        message.starts_with("error: cannot read ") && message.contains("a folder with keys"),
        "{message}"
    );
    let message = fail(folder(), &["--token-file", "nothing"], None);
    assert!(message.starts_with("error: cannot read nothing: "), "{message}");
    let message = fail(folder(), &[], Some("short"));
    assert!(message.starts_with("error: the token of BUCKETWHEEL_TOKEN is not usable"), "{message}");
    let relisten = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bucketwheel"));
        command.arg("serve").arg(folder()).args(["--listen", address]).env_remove("BUCKETWHEEL_TOKEN");
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(relisten("0.0.0.0:0").starts_with("error: 0.0.0.0:0 can be reached from other machines"));
    assert!(relisten(&taken).starts_with(&format!("error: cannot listen on {taken}: ")));
}

#[test]
fn a_token_of_the_environment_guards() {
    let mut command = serve(folder(), &[]);
    let process = Process::start({
        command.env("BUCKETWHEEL_TOKEN", "0123456789abcdef");
        command
    });
    assert_eq!(process.client().get("/v1/health").status, 401);
    let mut client = process.client();
    client.ask("GET /v1/health", &[("authorization", "Bearer 0123456789abcdef")], b"");
    assert_eq!(client.reply().status, 200);
}

/// The session of docs/faces.md.
#[test]
fn the_documented_session_proves() {
    if !Command::new("curl").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no curl");
        return;
    }
    let at = tempfile::tempdir().unwrap();
    fs::create_dir(at.path().join("circuits")).unwrap();
    for file in ["sum.zkey", "sum.wasm"] {
        fs::copy(folder().join(file), at.path().join("circuits").join(file)).unwrap();
    }
    fs::write(at.path().join("input.json"), INPUTS).unwrap();
    fs::write(at.path().join("witness.wtns"), fixture::witness([1, 23, 3, 16, 4])).unwrap();
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/faces.md");
    let docs = fs::read_to_string(docs).unwrap();
    let server = docs.split("\n# Server\n").nth(1).unwrap();
    let session = server.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let session = session.replace(
        "bucketwheel serve circuits",
        &format!("bucketwheel serve circuits --listen 127.0.0.1:{port}"),
    );
    let session = session.replace("9080", &port.to_string());
    let folder = Path::new(env!("CARGO_BIN_EXE_bucketwheel")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-euc", &session])
        .current_dir(at.path())
        .env("PATH", path)
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    for expected in
        ["\"publicSignals\":[\"23\"]", "{\"valid\":true,\"proofs\":1}", "{\"valid\":true,\"proofs\":2}"]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
