//! Access control: an address that others reach needs a token, and no page of another site may use a browser of this
//! machine.
//! machine.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::connections::Exchange;
use crate::refusal::Refusal;
use crate::token::Token;
use crate::Error;

/// Returns an error for an address that others reach, without a token.
///
/// # Errors
/// [`Error::Open`].
pub fn check_address(address: SocketAddr, token: Option<&Token>) -> Result<(), Error> {
    match address.ip().is_loopback() || token.is_some() {
        true => Ok(()),
        false => Err(Error::Open { address }),
    }
}

/// Conditions that every request must meet.
pub struct Guard {
    /// The token that requests need, if there is one.
    pub token: Option<Token>,
    /// Host names of the server, beside localhost and its addresses.
    pub hosts: Vec<String>,
}

impl Guard {
    /// Checks that a request may go on.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // If a page of another site made its own name lead to this server, the request shows the page's name. An
        // address as the host shows that no page did so.
        let host = self.host(headers)?;
        let same = |origin: &HeaderValue| {
            let origin = origin.to_str().unwrap_or_default();
            let authority = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host.as_str()))
        };
        if !headers.get_all(ORIGIN).iter().all(same) {
            return Err(Refusal::Origin);
        }
        match &self.token {
            Some(token) if !token.is_in(one(headers, &AUTHORIZATION)) => Err(Refusal::Token),
            _ => Ok(()),
        }
    }

    fn host(&self, headers: &HeaderMap) -> Result<Authority, Refusal> {
        let host = one(headers, &HOST).ok_or(Refusal::Host("missing, or there are several"))?;
        let authority: Option<Authority> = host.to_str().ok().and_then(|host| host.parse().ok());
        let authority = authority.ok_or(Refusal::Host("not readable"))?;
        let name = authority.host();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = address.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        match known {
            true => Ok(authority),
            false => Err(Refusal::Host("an unknown name")),
        }
    }
}

/// Returns the header of this name, if there is exactly one.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())
}

/// Checks every request before any other code, and refuses requests that must not pass.
pub async fn check(
    State(guard): State<std::sync::Arc<Guard>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    guard.check(request.headers())?;
    if let (Some(_), Some(exchange)) = (&guard.token, request.extensions().get::<Exchange>()) {
        exchange.know();
    }
    Ok(next.run(request).await)
}
