//! The page in a headless browser, if one is installed. The DevTools protocol drives it over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bucketwheel_groth16::Bn254;
use serde_json::{json, Value};
use tempfile::TempDir;

use crate::fixture::{options, Running};
use bucketwheel_server_kit::circuits::{folder, holds, ENDLESS, INPUTS};

const NAMES: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

struct Browser {
    process: Child,
    commands: u64,
    _profile: TempDir,
}

impl Browser {
    fn find() -> Option<Self> {
        let works = |name: &&str| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        };
        let Some(name) = NAMES.into_iter().find(works) else {
            eprintln!("skipped: there is no headless Chromium; on Debian, apt-get install chromium adds it");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        let process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", name])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Some(Browser { process, commands: 0, _profile: profile })
    }

    /// Gives a command and waits for its result.
    fn command(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.commands += 1;
        let mut command = json!({ "id": self.commands, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let message = [command.to_string().as_bytes(), b"\0"].concat();
        self.process.stdin.as_mut().unwrap().write_all(&message).unwrap();
        let mut answers = BufReader::with_capacity(1, self.process.stdout.as_mut().unwrap());
        loop {
            let mut answer = Vec::new();
            assert!(answers.read_until(0, &mut answer).unwrap() > 0, "the browser is gone");
            answer.pop();
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            // Events have no number.
            if answer["id"] == self.commands {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Opens an address, and waits until the page has loaded.
    fn open(&mut self, url: &str) -> String {
        let target = self.command(None, "Target.createTarget", json!({ "url": url }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.command(None, "Target.attachToTarget", attach);
        let session = session["sessionId"].as_str().unwrap().to_owned();
        for _ in 0..600 {
            let there = "location.protocol === 'http:' && document.readyState === 'complete'";
            let result = self.command(Some(&session), "Runtime.evaluate", json!({ "expression": there }));
            if result["result"]["value"] == true {
                return session;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{url} does not open");
    }

    /// Runs an asynchronous function in a page.
    fn run(&mut self, session: &str, body: &str) -> Value {
        const HELP: &str = "const $ = id => document.getElementById(id);
            const until = async (what, condition) => {
                for (let i = 0; i < 600; i++) {
                    if (condition()) return;
                    await new Promise(resolve => setTimeout(resolve, 50));
                }
                throw new Error(`${what}: ${document.body.innerText}`);
            };";
        let expression = format!("(async () => {{ {HELP} {body} }})()");
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.command(Some(session), "Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{:#}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "takes a browser"]
fn people_can_try_an_input() {
    let Some(mut browser) = Browser::find() else { return };
    let server = Running::new(options());
    let page = browser.open(&format!("http://{}/", server.address));
    let tried = browser.run(
        &page,
        &format!(
            "await until('the circuits', () => $('circuit').options.length === 3);
            $('circuit').value = 'sum';
            const prove = inputs => {{ $('inputs').value = inputs; $('prove').click(); }};
            const outcome = text => until(text, () => $('outcome').textContent.startsWith(text));
            prove({INPUTS:?});
            await outcome('proved in ');
            $('verify').click();
            await outcome('the proof holds');
            const result = $('result').textContent;
            prove('{{ \"a\": 1 }}');
            await outcome('2 input values are missing');
            prove({ENDLESS:?});
            await until('work', () => $('running').textContent === '1 / 2');
            $('cancel').click();
            await outcome('cancelled');
            await until('no work', () => $('running').textContent === '0 / 2');
            await until('the times', () => $('stages').innerText.includes('msm A'));
            const style = getComputedStyle(document.body);
            return {{
                result, done: $('done').textContent, failed: $('failed').textContent,
                cancelled: $('cancelled').textContent, circuits: $('circuits').innerText, width: style.maxWidth,
            }};"
        ),
    );
    let result: Value = serde_json::from_str(tried["result"].as_str().unwrap()).unwrap();
    assert!(holds::<Bn254>(&folder().join("sum.zkey"), &result));
    // The proof and its verification.
    assert_eq!([&tried["done"], &tried["failed"], &tried["cancelled"]], ["2", "1", "1"], "{tried}");
    assert!(tried["circuits"].as_str().unwrap().contains("inputs or a witness"), "{tried}");
    // The page's style is applied.
    assert_eq!(tried["width"], "960px");

    // On a phone, each bar is fully visible.
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    browser.command(Some(&page), "Emulation.setDeviceMetricsOverride", phone);
    let bars = browser.run(
        &page,
        "const bars = [...document.querySelectorAll('meter')].map(bar => bar.getBoundingClientRect());
        const room = document.querySelector('meter').closest('section').getBoundingClientRect();
        return { width: innerWidth, bars: bars.map(bar => bar.width > 20 && bar.right <= room.right) };",
    );
    assert_eq!(bars["width"], 390);
    let bars = bars["bars"].as_array().unwrap();
    assert!(bars.len() > 5 && bars.iter().all(|whole| whole == true), "{bars:?}");

    // A page of another origin: another server of this test, whose address has another port.
    let elsewhere = Running::new(options());
    let other = browser.open(&format!("http://{}/v1/health", elsewhere.address));
    let posts = format!(
        "for (const path of ['/v1/prove/sum', '/v1/verify/sum'])
            await fetch('http://{}' + path, {{ method: 'POST', mode: 'no-cors', body: '{{}}' }});",
        server.address
    );
    browser.run(&other, &posts);
    let metrics = server.client().get("/metrics");
    assert!(metrics.text().contains("bucketwheel_responses_total{code=\"403\"} 2"), "{}", metrics.text());
}
