//! `serve`, as a separate process.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};

use bucketwheel_cli::args::{Args, ServeArgs};
use bucketwheel_groth16::Bn254;
use bucketwheel_server_kit::circuits::{folder, holds, witness, ENDLESS, INPUTS, SLOW};
use bucketwheel_server_kit::client::{Client, JSON};
use clap::Parser;

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

/// A server that prints its address.
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

    /// Asks the server to terminate.
    fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Returns the server's exit code, and its output so far.
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
    // The log contains nothing from the requests.
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

/// The session of docs/server.md.
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
    fs::write(at.path().join("witness.wtns"), witness([1, 23, 3, 16, 4])).unwrap();
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/server.md");
    let docs = fs::read_to_string(docs).unwrap();
    let session = docs.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
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

const TOKEN: &str = "0123456789abcdef-secret";

/// Returns a file with the token, which these users may read.
fn token_file(mode: u32) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
    file
}

#[test]
fn the_log_has_a_line_for_each_request() {
    let token = token_file(0o600);
    let path = token.path().to_str().unwrap();
    let process = Process::start(serve(folder(), &["--log", "json", "--token-file", path]));
    let bearer = format!("Bearer {TOKEN}");
    let ask = |what: &str, kind: &str, content: &[u8]| {
        let mut client = process.client();
        client.ask(what, &[("authorization", &bearer), ("content-type", kind)], content);
        client.reply()
    };
    assert_eq!(process.client().get("/v1/health").status, 401);
    let inputs = r#"{ "a": 3000111222, "b": ["5000333444", "4"] }"#;
    let reply = ask("POST /v1/prove/sum", JSON, inputs.as_bytes());
    assert_eq!((reply.status, reply.header("x-request-id")), (200, Some("2")));
    let sent = reply.body.len();
    assert_eq!(ask("POST /v1/prove/stranger", JSON, b"{}").status, 404);
    assert_eq!(ask("FROBNICATE /made/up", JSON, b"").status, 404);
    assert_eq!(ask("POST /v1/prove/sum", JSON, br#"{ "wrongname": 1 }"#).status, 422);
    let mut gone = process.client();
    gone.ask("POST /v1/prove/sum", &[("authorization", &bearer), ("content-type", JSON)], ENDLESS.as_bytes());
    let load = || ask("GET /v1/status", JSON, b"").json()["queue"]["running"].clone();
    while load() != 1 {}
    drop(gone);
    while load() != 0 {}
    process.terminate();
    let (code, log) = process.end();
    assert_eq!(code, Some(0));
    for secret in ["3000111222", "5000333444", "stranger", "FROBNICATE", "made", "wrongname", TOKEN, "9000"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |id: u64| lines.iter().find(|line| line["id"] == id).unwrap();
    assert_eq!(
        (&of(1)["route"], &of(1)["status"], &of(1)["method"]),
        (&"/v1/health".into(), &401.into(), &"GET".into())
    );
    let proof = of(2);
    assert_eq!((&proof["route"], &proof["circuit"]), (&"/v1/prove/{circuit}".into(), &"sum".into()));
    assert_eq!((&proof["received_bytes"], &proof["sent_bytes"]), (&inputs.len().into(), &sent.into()));
    for time in ["ms", "queue_ms", "witness_ms", "proof_ms"] {
        assert!(proof[time].as_f64().is_some_and(|time| time >= 0.0), "{time}: {proof}");
    }
    assert_eq!((&of(3)["circuit"], &of(3)["status"]), (&serde_json::Value::Null, &404.into()));
    assert_eq!((&of(4)["route"], &of(4)["method"]), (&serde_json::Value::Null, &"other".into()));
    assert_eq!((&of(5)["circuit"], &of(5)["status"]), (&"sum".into(), &422.into()));
    assert_eq!(
        (&of(6)["message"], &of(6)["status"]),
        (&"ended without an answer".into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_token_that_all_may_read_gets_a_warning() {
    for (mode, warns) in [(0o600, false), (0o640, false), (0o644, true)] {
        let token = token_file(mode);
        let path = token.path().to_str().unwrap();
        let process = Process::start(serve(folder(), &["--token-file", path]));
        process.terminate();
        let (code, said) = process.end();
        assert_eq!(code, Some(0));
        match warns {
            true => assert!(
                said.starts_with("warning: ") && said.contains("chmod 600") && said.contains(path),
                "{said}"
            ),
            false => assert_eq!(said, ""),
        }
    }
}

/// Devices, and files that are longer than any valid file.
#[test]
fn files_without_end_are_refused() {
    for arguments in [
        [Path::new("/dev/zero"), "--log".as_ref(), "off".as_ref()],
        [folder(), "--token-file".as_ref(), "/dev/zero".as_ref()],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bucketwheel"));
        let output = command.arg("serve").args(arguments).args(["--listen", "127.0.0.1:0"]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.starts_with("error: cannot read /dev/zero: it has more than "), "{message}");
    }
}

fn deploy(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)).unwrap()
}

fn serve_args<'a>(words: impl IntoIterator<Item = &'a str>) -> ServeArgs {
    match Args::try_parse_from(words).unwrap().command {
        bucketwheel_cli::args::Command::Serve(args) => args,
        other => panic!("{other:?}"),
    }
}

#[test]
fn deployments_name_flags_that_there_are() {
    let unit = deploy("bucketwheel.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let args = serve_args(start.split_whitespace());
    assert!(args.listen.ip().is_loopback() && args.token_file.is_some());
    let stop =
        unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")).unwrap().parse::<u32>().unwrap();
    assert!(stop > args.timeout + 4 * args.patience);

    let dockerfile = deploy("Dockerfile");
    let entry = dockerfile.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).unwrap();
    let words: Vec<String> = serde_json::from_str(entry).unwrap();
    assert!(serve_args(words.iter().map(String::as_str)).token_file.is_some());
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")).unwrap();
    let version =
        manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert!(dockerfile.contains(&format!("FROM rust:{version}-")), "{version}");

    // The proxy must wait longer than the server before it gives up, and end idle connections sooner.
    let (proxy, defaults) = (deploy("nginx.conf"), serve_args(["bucketwheel", "serve", "circuits"]));
    let seconds = |name: &str| {
        let line = proxy.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap();
        line.trim().trim_end_matches("s;").parse::<u32>().unwrap()
    };
    assert!(
        seconds("proxy_read_timeout") > defaults.timeout && seconds("keepalive_timeout") < defaults.patience
    );
    assert!(proxy.contains(&format!("client_max_body_size {}m;", defaults.body_limit.0 >> 20)));
    assert!(proxy.contains(&format!("server {};", defaults.listen)));
}

#[test]
fn systemd_understands_the_unit() {
    let at = tempfile::tempdir().unwrap();
    let unit = at.path().join("bucketwheel.service");
    let text = deploy("bucketwheel.service")
        .replace("/usr/local/bin/bucketwheel", env!("CARGO_BIN_EXE_bucketwheel"));
    fs::write(&unit, text).unwrap();
    let Ok(output) = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unit).output() else {
        eprintln!("skipped: there is no systemd-analyze");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("bucketwheel.service"), "{said}");
}
