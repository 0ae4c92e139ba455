//! One request and its answer: the content as it arrives, the rest of an unread content, a line of the log.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::MatchedPath;
use axum::http::header::{HeaderValue, CONNECTION};
use axum::http::{Method, Request, Response};
use axum::Router;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::time::timeout;

use super::visit::{Arrived, Visit};
use crate::metrics::milliseconds;
use crate::stages::{PROOF, QUEUE, WITNESS};

/// Most bytes of an unwanted content that are read to keep the connection, and the longest time for it.
const UNWANTED_BYTES: u64 = 1 << 16;
const UNWANTED_TIME: Duration = Duration::from_millis(20);

/// A request, shared by all code that works on it: it is among the request's extensions.
#[derive(Clone)]
pub struct Exchange {
    visit: Arc<Visit>,
    notes: Arc<Mutex<Notes>>,
}

/// Facts about a request for the log.
#[derive(Default)]
pub struct Notes {
    /// Pattern of the address. The log does not show the address itself, because strangers choose it.
    pub route: Option<MatchedPath>,
    /// Name of an existing circuit.
    pub circuit: Option<String>,
    /// Time of each stage of a proof, by the stage's name.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Exchange {
    /// Notes that the request has the server's token.
    pub fn know(&self) {
        self.visit.know();
    }

    /// Returns the facts for the log.
    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().expect("no panic while locked")
    }
}

/// A line of the log. It is written when the request ends, even without an answer.
struct Line {
    id: u64,
    method: &'static str,
    start: Instant,
    exchange: Exchange,
    content: Content,
    status: Option<u16>,
    sent: Option<u64>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let notes = self.exchange.notes();
        let route = notes.route.as_ref().map(MatchedPath::as_str);
        let of =
            |name| notes.stages.iter().find(|(stage, _)| *stage == name).map(|&(_, time)| milliseconds(time));
        tracing::info!(
            id = self.id,
            method = self.method,
            route,
            circuit = notes.circuit.as_deref(),
            status = self.status,
            received_bytes = self.content.lock().bytes,
            sent_bytes = self.sent,
            ms = milliseconds(self.start.elapsed()),
            queue_ms = of(QUEUE),
            witness_ms = of(WITNESS),
            proof_ms = of(PROOF),
            "{}",
            if self.status.is_some() { "answered" } else { "ended without an answer" }
        );
    }
}

/// Returns the name of a known method; an invented method becomes a fixed name.
fn name_of(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
    KNOWN.into_iter().find(|&known| known == method.as_str()).unwrap_or("other")
}

/// Answers the server's request number `id`.
pub async fn answer(
    request: Request<Incoming>,
    router: &TowerToHyperService<Router>,
    id: u64,
    visit: &Arc<Visit>,
) -> Result<Response<Body>, Infallible> {
    let (mut parts, body) = request.into_parts();
    let content = Content::new(body, visit.clone());
    let exchange = Exchange { visit: visit.clone(), notes: Arc::default() };
    let mut line = Line {
        id,
        method: name_of(&parts.method),
        start: Instant::now(),
        exchange: exchange.clone(),
        content: content.clone(),
        status: None,
        sent: None,
    };
    parts.extensions.insert(exchange);
    let mut response = router.call(Request::from_parts(parts, content.clone())).await?;
    if !content.is_over() {
        // hyper closes the connection if it sends an answer before the content has arrived.
        let _ = timeout(UNWANTED_TIME, content.skip()).await;
        if !content.is_over() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
    response.headers_mut().insert("x-request-id", line.id.into());
    (line.status, line.sent) = (Some(response.status().as_u16()), response.body().size_hint().exact());
    visit.answered();
    Ok(response.map(Body::new))
}

/// Content of a request. It stays readable when the handler has dropped it.
#[derive(Clone)]
struct Content(Arc<Shared>);

struct Shared {
    visit: Arc<Visit>,
    arriving: Mutex<Arriving>,
}

struct Arriving {
    body: Incoming,
    bytes: u64,
    /// True when the whole content has been read.
    over: bool,
}

impl Content {
    fn new(body: Incoming, visit: Arc<Visit>) -> Self {
        let over = body.is_end_stream();
        visit.begin(if over { Arrived::All } else { Arrived::Head });
        Content(Arc::new(Shared { visit, arriving: Mutex::new(Arriving { body, bytes: 0, over }) }))
    }

    fn lock(&self) -> MutexGuard<'_, Arriving> {
        self.0.arriving.lock().expect("no panic while locked")
    }

    fn is_over(&self) -> bool {
        self.lock().over
    }

    /// Reads the rest, unless it is long.
    async fn skip(&self) {
        let mut content = self.clone();
        while self.lock().bytes < UNWANTED_BYTES {
            match std::future::poll_fn(|context| Pin::new(&mut content).poll_frame(context)).await {
                Some(Ok(_)) => {}
                _ => return,
            }
        }
    }
}

impl HttpBody for Content {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut arriving = self.lock();
        let frame = std::task::ready!(Pin::new(&mut arriving.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame {
            arriving.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        if !arriving.over && (frame.is_none() || arriving.body.is_end_stream()) {
            arriving.over = true;
            self.0.visit.received();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().body.size_hint()
    }
}
