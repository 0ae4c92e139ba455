//! Tokens, hosts and origins of requests.

use std::fs;

use bucketwheel_server::{Circuits, Error, Options, Server, Token};

use crate::fixture::{options, Running, ONE};
use bucketwheel_server_kit::circuits::{folder, INPUTS};
use bucketwheel_server_kit::client::{Client, Reply, JSON};

pub const TOKEN: &str = "0123456789abcdef-secret";

pub fn token() -> Token {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), format!("{TOKEN}\n")).unwrap();
    Token::find(Some(file.path())).unwrap().unwrap()
}

fn prove(client: &mut Client, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("content-type", JSON)], headers].concat();
    client.ask("POST /v1/prove/sum", &headers, INPUTS.as_bytes());
    client.reply()
}

#[test]
fn other_sites_pages_may_not_ask() {
    let server = Running::new(Options { hosts: vec!["Prover.example".into()], ..options() });
    let mut client = server.client();
    // Names of other sites, made to lead to this server.
    for host in
        ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:9080", "a b", ""]
    {
        assert!(prove(&mut client, &[("host", host)]).refusal(403).starts_with("the Host header"), "{host}");
    }
    assert_eq!(prove(&mut client, &[("host", "localhost"), ("host", "localhost")]).status, 403);
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:9080", "[::1]:9080", "10.0.0.1", "prover.example:443"]
    {
        assert_eq!(prove(&mut client, &[("host", host)]).status, 200, "{host}");
    }
    // Requests to this address from pages of other sites.
    let host = ("host", "localhost:9080");
    for origin in
        ["https://evil.example", "http://localhost", "http://localhost:9081", "null", "", "localhost:9080"]
    {
        assert!(
            prove(&mut client, &[host, ("origin", origin)]).refusal(403).contains("another site"),
            "{origin}"
        );
    }
    for origin in ["http://localhost:9080", "https://LOCALHOST:9080"] {
        assert_eq!(prove(&mut client, &[host, ("origin", origin)]).status, 200, "{origin}");
    }
}

#[test]
fn a_token_guards_all_there_is() {
    let server = Running::new(Options { token: Some(token()), rapidsnark_api: true, ..options() });
    let mut client = server.client();
    let basic =
        |text: &str| format!("Basic {}", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, text));
    let bearer = format!("Bearer {TOKEN}");
    for path in ["/", "/metrics", "/v1/health", "/v1/openapi.json", "/v1/status", "/status", "/nothing"] {
        let reply = client.get(path);
        assert!(reply.header("www-authenticate").unwrap().contains("Bearer"));
        assert!(reply.refusal(401).contains("no token, or a wrong token"), "{path}");
    }
    for wrong in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer 0123456789abcdef-secre",
        "Bearer 0123456789abcdef-secret!",
        TOKEN,
        "Basic",
        "Basic ????",
        &basic(TOKEN),
        &basic(&format!("{TOKEN}:")),
        &basic("user:0123456789abcdef-Secret"),
    ] {
        assert_eq!(prove(&mut client, &[("authorization", wrong)]).status, 401, "{wrong}");
    }
    assert_eq!(prove(&mut client, &[("authorization", &bearer), ("authorization", &bearer)]).status, 401);
    for right in [
        bearer.clone(),
        format!("bearer {TOKEN}"),
        basic(&format!("user:{TOKEN}")),
        basic(&format!(":{TOKEN}")),
    ] {
        assert_eq!(prove(&mut client, &[("authorization", &right)]).status, 200, "{right}");
    }
    // The token does not admit pages of other sites.
    let evil = [("authorization", bearer.as_str()), ("origin", "https://evil.example")];
    assert_eq!(prove(&mut client, &evil).status, 403);
}

#[test]
fn an_address_that_others_reach_takes_a_token() {
    let circuits = Circuits::load(folder(), ONE).unwrap();
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let open = Server::bind(&circuits, Options { listen: listen.parse().unwrap(), ..options() });
        assert!(matches!(open, Err(Error::Open { .. })), "{listen}");
    }
    let listen = "0.0.0.0:0".parse().unwrap();
    assert!(Server::bind(&circuits, Options { listen, token: Some(token()), ..options() }).is_ok());
}

#[test]
fn tokens_are_long_and_in_one_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for bad in [
        "",
        "short",
        "0123456789abcde",
        "0123456789abcdef 0123456789abcdef",
        "0123456789\nabcdef0",
        "0123456789abcdéf",
    ] {
        fs::write(file.path(), bad).unwrap();
        let error = Token::find(Some(file.path())).unwrap_err();
        assert!(matches!(error, Error::Token { .. }), "{bad}: {error}");
        // The text must not contain the token, which is a secret.
        assert!(bad.is_empty() || !error.to_string().contains(bad), "{error}");
    }
    assert_eq!(format!("{:?}", token()), "Token");
}
