//! Compares the description at `/v1/openapi.json` with a server's answers. A test of `routes.rs` checks that it has the
//! router's addresses.

use std::collections::BTreeSet;
use std::time::Duration;

use bucketwheel_server::Options;
use serde_json::{json, Map, Value};

use crate::fixture::{options, Running};
use crate::guard::{token, TOKEN};
use bucketwheel_server_kit::circuits::{witness, ENDLESS, INPUTS};
use bucketwheel_server_kit::client::{Client, Reply, BYTES, JSON};

/// Keywords of JSON Schema that [`Description::check`] knows, and annotations.
const KEYWORDS: [&str; 12] = [
    "$ref",
    "additionalProperties",
    "const",
    "description",
    "enum",
    "items",
    "maxItems",
    "minItems",
    "minimum",
    "oneOf",
    "properties",
    "required",
];
const METHODS: [&str; 7] = ["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/// A description, and the documented answers seen so far: method, path and status.
struct Description {
    document: Value,
    seen: BTreeSet<(String, String, String)>,
}

impl Description {
    fn new(document: Value) -> Self {
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
        Description { document, seen: BTreeSet::new() }
    }

    fn paths(&self) -> &Map<String, Value> {
        self.document["paths"].as_object().unwrap()
    }

    /// Follows a reference.
    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.get("$ref") {
            Some(to) => {
                let pointer = to.as_str().unwrap().strip_prefix('#').unwrap();
                self.document.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
            }
            None => value,
        }
    }

    /// Returns every method, path and status of the description, except the `default`.
    fn documented(&self) -> BTreeSet<(String, String, String)> {
        let mut all = BTreeSet::new();
        for (path, item) in self.paths() {
            for method in METHODS {
                let Some(operation) = item.get(method.to_lowercase()) else { continue };
                for status in
                    operation["responses"].as_object().unwrap().keys().filter(|key| *key != "default")
                {
                    all.insert((method.to_owned(), path.clone(), status.clone()));
                }
            }
        }
        all
    }

    /// Returns the reason why a value does not match a schema. A property that the schema does not name is an error, so
    /// that the description lacks none of the server's properties.
    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = self.resolve(schema);
        let fail = |reason: String| Err(format!("{reason}: {value} for {schema}"));
        for keyword in schema.as_object().unwrap().keys() {
            assert!(keyword == "type" || KEYWORDS.contains(&&**keyword), "the test does not know {keyword}");
        }
        if let Some(any) = schema["oneOf"].as_array() {
            let fits = any.iter().filter(|schema| self.check(schema, value).is_ok()).count();
            return if fits == 1 { Ok(()) } else { fail(format!("{fits} schemas fit instead of one")) };
        }
        let typed = match schema["type"].as_str() {
            None => true,
            Some("array") => value.is_array(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_u64() || value.is_i64(),
            Some("number") => value.is_number(),
            Some("object") => value.is_object(),
            Some("string") => value.is_string(),
            Some(other) => panic!("the test does not know the type {other}"),
        };
        if !typed {
            return fail("another type".into());
        }
        if schema.get("const").is_some_and(|only| only != value) {
            return fail("another constant".into());
        }
        if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
            return fail("not in the list".into());
        }
        if schema["minimum"].as_f64().is_some_and(|least| value.as_f64().unwrap() < least) {
            return fail("too small".into());
        }
        if let Some(items) = value.as_array() {
            let length = items.len() as u64;
            if schema["minItems"].as_u64().is_some_and(|least| length < least)
                || schema["maxItems"].as_u64().is_some_and(|most| length > most)
            {
                return fail("another length".into());
            }
            items.iter().try_for_each(|item| self.check(&schema["items"], item))?;
        }
        if let Some(object) = value.as_object() {
            for name in schema["required"].as_array().into_iter().flatten() {
                if !object.contains_key(name.as_str().unwrap()) {
                    return fail(format!("{name} is missing"));
                }
            }
            for (name, value) in object {
                match (schema["properties"].get(name), &schema["additionalProperties"]) {
                    (Some(schema), _) => self.check(schema, value)?,
                    (None, Value::Bool(true)) => {}
                    (None, more @ Value::Object(_)) => self.check(more, value)?,
                    (None, _) => return fail(format!("{name} is not described")),
                }
            }
        }
        Ok(())
    }

    /// Checks an answer to `method` at the described `path`, and remembers its status.
    fn saw(&mut self, method: &str, path: &str, status: u16, reply: &Reply) {
        let what = format!("{method} {path}: {} {}", reply.status, reply.text());
        assert_eq!(reply.status, status, "{what}");
        let responses = &self.paths()[path][method.to_lowercase()]["responses"];
        let response = responses.get(status.to_string()).unwrap_or_else(|| panic!("not described: {what}"));
        match self.resolve(response).get("content") {
            None => assert!(reply.body.is_empty(), "{what}"),
            Some(content) => {
                let kind = reply.header("content-type").unwrap().split(';').next().unwrap();
                let described =
                    content.get(kind).unwrap_or_else(|| panic!("{kind} is not described: {what}"));
                let value = if kind == JSON { reply.json() } else { json!(reply.text()) };
                self.check(&described["schema"], &value).unwrap_or_else(|error| panic!("{what}: {error}"));
            }
        }
        self.seen.insert((method.into(), path.into(), status.to_string()));
    }

    /// Sends a request to the circuit `sum`, or to the circuit that `path` names, and checks the answer.
    fn ask(
        &mut self,
        client: &mut Client,
        what: (&str, &str, &str),
        kind: &str,
        content: &[u8],
        status: u16,
    ) -> Reply {
        let (method, path, circuit) = what;
        client.ask(
            &format!("{method} {}", path.replace("{circuit}", circuit)),
            &[("content-type", kind)],
            content,
        );
        let reply = client.reply();
        self.saw(method, path, status, &reply);
        reply
    }
}

const PROVE: (&str, &str, &str) = ("POST", "/v1/prove/{circuit}", "sum");
const VERIFY: (&str, &str, &str) = ("POST", "/v1/verify/{circuit}", "sum");
const INPUT: (&str, &str, &str) = ("POST", "/input/{circuit}", "sum");

#[test]
fn answers_are_as_described() {
    let server = Running::new(Options { rapidsnark_api: true, ..options() });
    let mut client = server.client();
    let reply = client.get("/v1/openapi.json");
    let mut all = Description::new(reply.json());

    // The server has exactly the described methods.
    for (path, item) in all.paths().clone() {
        for method in METHODS.iter().filter(|method| item.get(method.to_lowercase()).is_none()) {
            client.ask(&format!("{method} {}", path.replace("{circuit}", "sum")), &[], b"");
            assert!(client.reply().refusal(405).contains("method"), "{method} {path}");
        }
    }

    // Requests that succeed.
    let proven = all.ask(&mut client, PROVE, JSON, INPUTS.as_bytes(), 200).json();
    let claim = json!({ "proof": proven["proof"], "publicSignals": proven["publicSignals"] });
    all.ask(&mut client, PROVE, BYTES, &witness([1, 23, 3, 16, 4]), 200);
    let other = json!({ "proof": proven["proof"], "publicSignals": ["5"] });
    let contents = &all.document["paths"][VERIFY.1]["post"]["requestBody"]["content"][JSON]["schema"].clone();
    for content in [claim.clone(), json!([claim, other]), json!([other])] {
        all.check(contents, &content).unwrap();
        all.ask(&mut client, VERIFY, JSON, content.to_string().as_bytes(), 200);
    }
    assert!(all.check(contents, &json!([])).is_err(), "an empty list is refused below");
    for path in ["/", "/metrics", "/v1/health", "/v1/openapi.json", "/v1/status", "/status"] {
        all.ask(&mut client, ("GET", path, ""), "", b"", 200);
    }
    for path in ["/start", "/stop", "/cancel"] {
        all.ask(&mut client, ("POST", path, ""), "", b"", 200);
    }
    // The states of rapidsnark's proof.
    for (inputs, last) in [(INPUTS, "success"), ("{}", "failed"), (ENDLESS, "aborted")] {
        all.ask(&mut client, INPUT, JSON, inputs.as_bytes(), 200);
        if last == "aborted" {
            all.ask(&mut client, ("POST", "/cancel", ""), "", b"", 200);
        }
        loop {
            let status = all.ask(&mut client, ("GET", "/status", ""), "", b"", 200).json();
            if status["status"] != "busy" {
                assert_eq!(status["status"], last);
                break;
            }
        }
    }

    // Contents that are refused.
    all.ask(&mut client, PROVE, BYTES, b"no witness", 400);
    all.ask(&mut client, PROVE, BYTES, &witness([1, 24, 3, 16, 4]), 422);
    all.ask(&mut client, VERIFY, JSON, b"[]", 400);
    let mut short = claim;
    short["publicSignals"] = json!([]);
    all.ask(&mut client, VERIFY, JSON, short.to_string().as_bytes(), 422);
    all.ask(&mut client, (INPUT.0, INPUT.1, "power"), JSON, b"{}", 422);
    for work in [PROVE, VERIFY, INPUT] {
        all.ask(&mut client, (work.0, work.1, "none"), JSON, b"{}", 404);
    }
    for work in [PROVE, VERIFY] {
        all.ask(&mut client, work, "text/plain", b"{}", 415);
    }
    refusals_of_tokens_and_sites(&mut all);
    refusals_of_slow_and_long_contents(&mut all);
    refusals_of_a_busy_server(&mut all);

    // A test of `routes.rs` sees the answer of a server that is stopping.
    all.seen.insert(("GET".into(), "/v1/health".into(), "503".into()));
    assert_eq!(all.documented(), all.seen);
}

fn refusals_of_tokens_and_sites(all: &mut Description) {
    let server = Running::new(Options { token: Some(token()), rapidsnark_api: true, ..options() });
    let mut client = server.client();
    let bearer = format!("Bearer {TOKEN}");
    for (method, path, status) in all.documented() {
        let what = format!("{method} {}", path.replace("{circuit}", "sum"));
        let headers: &[(&str, &str)] = match &*status {
            "401" => &[],
            "403" => &[("authorization", &bearer), ("origin", "https://evil.example")],
            _ => continue,
        };
        client.ask(&what, headers, b"");
        all.saw(&method, &path, status.parse().unwrap(), &client.reply());
    }
}

fn refusals_of_slow_and_long_contents(all: &mut Description) {
    let patience = Duration::from_millis(300);
    let server = Running::new(Options { patience, body_limit: 100, rapidsnark_api: true, ..options() });
    for work in [PROVE, VERIFY, INPUT] {
        all.ask(&mut server.client(), work, JSON, &[b' '; 101], 413);
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {JSON}\r\ncontent-length: 99\r\n\r\n{{",
            work.1.replace("{circuit}", work.2)
        );
        let mut slow = server.client();
        slow.send(head.as_bytes());
        all.saw(work.0, work.1, 408, &slow.reply());
        let mut cut = server.client();
        cut.send(head.as_bytes());
        cut.shut();
        all.saw(work.0, work.1, 400, &cut.reply());
    }
}

fn refusals_of_a_busy_server(all: &mut Description) {
    let ask = |server: &Running| {
        let mut client = server.client();
        client.ask("POST /v1/prove/sum", &[("content-type", JSON)], ENDLESS.as_bytes());
        client
    };
    let full = Running::new(Options { workers: 1, queue: 0, rapidsnark_api: true, ..options() });
    let _runs = ask(&full);
    full.wait_for_load(1, 0);
    for work in [PROVE, VERIFY, INPUT] {
        let reply = all.ask(&mut full.client(), work, JSON, b"{}", 429);
        assert!(reply.header("retry-after").is_some());
    }
    // A verification waits behind a proof until both are late. The worker may take the verification first, or stop the proof before
    // the verification is late: then the test sends both again.
    let timeout = Duration::from_millis(300);
    let busy = Running::new(Options { workers: 1, timeout, ..options() });
    let both_are_late = |all: &mut Description| {
        let (mut runs, mut waits) = (ask(&busy), busy.client());
        waits.ask("POST /v1/verify/sum", &[("content-type", JSON)], b"{}");
        let late = waits.reply();
        all.saw(VERIFY.0, VERIFY.1, late.status, &late);
        all.saw(PROVE.0, PROVE.1, 504, &runs.reply());
        late.status == 504
    };
    assert!((0..100).any(|_| both_are_late(all)));
}
