//! The part of HTTP that tests need. Tests can also send requests that a library would refuse to send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Content type of JSON.
pub const JSON: &str = "application/json";
/// Content type of bytes of any kind.
pub const BYTES: &str = "application/octet-stream";

/// A connection that stays open.
pub struct Client(BufReader<TcpStream>);

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    head: String,
    /// Content.
    pub body: Vec<u8>,
}

impl Reply {
    /// Returns the first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the content as text.
    ///
    /// # Panics
    /// If the content is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// Returns the content as JSON.
    ///
    /// # Panics
    /// If the content is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the message of a refusal with this status.
    pub fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

impl Client {
    /// Connects to a server. Reads wait for two minutes at most.
    ///
    /// # Panics
    /// If the server does not accept the connection.
    pub fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client(BufReader::new(stream))
    }

    /// Sends bytes of any kind.
    ///
    /// # Panics
    /// If the connection is closed.
    pub fn send(&mut self, bytes: &[u8]) {
        self.try_send(bytes).unwrap();
    }

    /// Sends bytes, unless the server takes none for a while.
    pub fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.get_mut().set_write_timeout(Some(Duration::from_secs(5)))?;
        self.0.get_mut().write_all(bytes)
    }

    /// Sends a request's head and content, at once.
    pub fn ask(&mut self, what: &str, headers: &[(&str, &str)], body: &[u8]) {
        let mut request = format!("{what} HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            request.push_str("host: localhost\r\n");
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        self.send(&[request.as_bytes(), body].concat());
    }

    /// Reads a response.
    pub fn reply(&mut self) -> Reply {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).unwrap() > 0, "the connection ends after {head:?}");
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut reply = Reply { status, head, body: Vec::new() };
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        reply.body.resize(length, 0);
        self.0.read_exact(&mut reply.body).unwrap();
        reply
    }

    /// Asks for a path and returns the response.
    pub fn get(&mut self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), &[], &[]);
        self.reply()
    }

    /// Sends a body to a path and returns the response.
    pub fn post(&mut self, path: &str, content_type: &str, body: &[u8]) -> Reply {
        self.ask(&format!("POST {path}"), &[("content-type", content_type)], body);
        self.reply()
    }

    /// Ends the client's side of the connection.
    pub fn shut(&self) {
        self.0.get_ref().shutdown(std::net::Shutdown::Write).unwrap();
    }

    /// Returns the remaining bytes from the server.
    pub fn rest(self) -> String {
        let (rest, end) = self.try_rest();
        end.unwrap();
        rest
    }

    /// Returns the remaining bytes from the server, and the way in which the connection ends.
    pub fn try_rest(mut self) -> (String, std::io::Result<usize>) {
        let mut rest = Vec::new();
        let end = self.0.read_to_end(&mut rest);
        (String::from_utf8_lossy(&rest).into_owned(), end)
    }
}

impl From<TcpStream> for Client {
    fn from(stream: TcpStream) -> Self {
        Client(BufReader::new(stream))
    }
}
