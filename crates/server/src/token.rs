//! The secret that clients show: its source, and the check of requests.

use std::fmt;
use std::fs::Metadata;
use std::path::Path;

use axum::http::HeaderValue;
use base64::prelude::{Engine, BASE64_STANDARD};
use subtle::ConstantTimeEq;

use crate::error::TOKEN_VARIABLE;
use crate::{bounded, Error};

/// Lengths of tokens. A shorter token can be guessed; a longer token does not fit into a header.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 16..=4096;

/// Most bytes of a file with a token, which may have spaces around it.
const TOKEN_FILE: u64 = 8192;

/// Secret that shows that a client may use the server.
///
/// ```no_run
/// use bucketwheel_server::{Token, TOKEN_VARIABLE};
///
/// match Token::find(Some("token.txt".as_ref()))? {
///     Some(token) if token.is_exposed() => eprintln!("token.txt: others may read it; run chmod 600 token.txt"),
///     Some(token) => assert!(!token.is_in(None)),
///     None => eprintln!("neither a file nor {TOKEN_VARIABLE} has a token"),
/// }
/// # Ok::<(), bucketwheel_server::Error>(())
/// ```
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
    /// Returns the token of a file, otherwise of the environment.
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

    /// Returns true if all users of the machine may read or write the file of the token. The [example](Self) uses it.
    pub fn is_exposed(&self) -> bool {
        self.exposed
    }

    /// Returns true if this header holds the token, as a bearer token or as a browser's password. The time of the check
    /// reveals only the token's length. The [example](Self) uses it.
    pub fn is_in(&self, header: Option<&HeaderValue>) -> bool {
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

/// Returns false, because the library knows file permissions only on Unix.
#[cfg(not(unix))]
fn is_open(_: &Metadata) -> bool {
    false
}
