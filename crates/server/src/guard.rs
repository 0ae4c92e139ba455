//! Access control: an address that others reach takes a token, and no page of another site may use a browser of this
//! machine.

use std::fmt;
use std::fs::Metadata;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use base64::prelude::{Engine, BASE64_STANDARD};
use subtle::ConstantTimeEq;

use crate::connections::Exchange;
use crate::refusal::Refusal;
use crate::{bounded, Error};

/// The variable that may have the token.
pub const TOKEN_VARIABLE: &str = "BUCKETWHEEL_TOKEN";

/// Shorter ones can be guessed; longer ones do not fit a header.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 16..=4096;

/// The longest file with a token, which may have spaces around it.
const TOKEN_FILE: u64 = 8192;

/// Secret by which clients prove that they may ask.
#[derive(Clone)]
pub struct Token {
    secret: Vec<u8>,
    exposed: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// The token of a file, or else of the environment.
    ///
    /// # Errors
    /// [`Error::Token`], [`Error::Read`].
    pub fn find(file: Option<&Path>) -> Result<Option<Self>, Error> {
        if let Some(path) = file {
            let read = |source| Error::Read { path: path.into(), expected: "a file with a token", source };
            let (text, metadata) = bounded::text(path, TOKEN_FILE).map_err(read)?;
            let token = Token::new(&text, &path.display().to_string())?;
            return Ok(Some(Token { exposed: is_open(&metadata), ..token }));
        }
        match std::env::var_os(TOKEN_VARIABLE) {
            None => Ok(None),
            Some(text) => Token::new(&text.to_string_lossy(), TOKEN_VARIABLE).map(Some),
        }
    }

    fn new(text: &str, place: &str) -> Result<Self, Error> {
        let token = text.trim();
        match TOKEN_LENGTH.contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Token { secret: token.into(), exposed: false }),
            false => Err(Error::Token { place: place.into() }),
        }
    }

    /// True if all users of the machine may read or write the file of the token.
    pub fn is_exposed(&self) -> bool {
        self.exposed
    }

    /// Returns true if it is the one in this header, as a bearer or as a browser's password. The time that takes tells
    /// its length alone.
    fn is_in(&self, header: Option<&HeaderValue>) -> bool {
        let Some((scheme, given)) = header.and_then(|header| header.to_str().ok()?.split_once(' ')) else {
            return false;
        };
        match scheme.to_ascii_lowercase().as_str() {
            "bearer" => self.is(given.trim().as_bytes()),
            "basic" => {
                let decoded = BASE64_STANDARD.decode(given.trim()).unwrap_or_default();
                let mut parts = decoded.splitn(2, |&byte| byte == b':');
                parts.nth(1).is_some_and(|password| self.is(password))
            }
            _ => false,
        }
    }

    fn is(&self, given: &[u8]) -> bool {
        self.secret.ct_eq(given).into()
    }
}

/// Returns true if all users may read or write this file.
#[cfg(unix)]
fn is_open(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.is_file() && metadata.permissions().mode() & 0o006 != 0
}

/// Returns false: only Unix says who may read a file in a way that is known here.
#[cfg(not(unix))]
fn is_open(_: &Metadata) -> bool {
    false
}

/// An error for an address that others reach, without a token.
///
/// # Errors
/// [`Error::Open`].
pub fn check_address(address: SocketAddr, token: Option<&Token>) -> Result<(), Error> {
    match address.ip().is_loopback() || token.is_some() {
        true => Ok(()),
        false => Err(Error::Open { address }),
    }
}

/// Conditions that every request has to meet.
pub struct Guard {
    /// The token that it has to have.
    pub token: Option<Token>,
    /// The names that the server has, beside localhost and its addresses.
    pub hosts: Vec<String>,
}

impl Guard {
    /// Checks that a request may go on.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // A page of another site whose name was made to lead here shows that name. An address shows that there was none.
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
            false => Err(Refusal::Host("a name that is not known")),
        }
    }
}

/// The header of this name, if there is one and no more.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())
}

/// Refuses requests that may not go on, before anything else.
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
