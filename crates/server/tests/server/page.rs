//! The page.

use crate::fixture::{options, Running};

#[test]
fn the_page_takes_nothing_from_elsewhere() {
    let server = Running::new(options());
    let reply = server.client().get("/");
    assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = reply.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'nonce-") && !policy.contains("unsafe"),
        "{policy}"
    );
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    let page = reply.text();
    assert_eq!(page.matches(&format!("nonce=\"{nonce}\"")).count(), 2);
    assert_eq!(page.matches("<script").count() + page.matches("<style").count(), 2);
    for elsewhere in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    let again = server.client().get("/");
    assert_ne!(again.header("content-security-policy"), Some(policy));
}
