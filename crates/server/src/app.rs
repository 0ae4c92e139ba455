//! State that all requests share.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use bucketwheel::Cancel;
use tokio::time::timeout;

use crate::circuit::{Circuit, Input, Proven};
use crate::connections::{Exchange, Places};
use crate::metrics::{Metrics, Outcome, Work};
use crate::options::Options;
use crate::queue::{Context, Queue};
use crate::refusal::Refusal;
use crate::stages::QUEUE;

/// The circuits, the queue, the connections and the metrics of a server.
pub struct App {
    circuits: BTreeMap<String, Arc<Circuit>>,
    pub queue: Queue,
    pub metrics: Metrics,
    pub places: Arc<Places>,
    /// Time in which a client must finish each part of a request: send its head, send its content, take the answer, ask
    /// again.
    pub patience: Duration,
    /// Longest time of a request, the time in the queue included.
    timeout: Duration,
    /// Most bytes of a request's content.
    body_limit: usize,
    draining: AtomicBool,
    /// Number of requests so far.
    requests: AtomicU64,
}

impl App {
    pub fn new(circuits: &[Arc<Circuit>], queue: Queue, places: Arc<Places>, options: &Options) -> Self {
        let named = |circuit: &Arc<Circuit>| (circuit.info().name.clone(), circuit.clone());
        let circuits = circuits.iter().map(named).collect();
        App {
            circuits,
            queue,
            metrics: Metrics::default(),
            places,
            patience: options.patience,
            timeout: options.timeout,
            body_limit: options.body_limit,
            draining: AtomicBool::new(false),
            requests: AtomicU64::new(0),
        }
    }

    /// Returns all circuits, in the order of their names.
    pub fn circuits(&self) -> impl Iterator<Item = &Arc<Circuit>> {
        self.circuits.values()
    }

    /// Returns the number of the next request, from 1.
    pub fn next_id(&self) -> u64 {
        1 + self.requests.fetch_add(1, Ordering::Relaxed)
    }

    /// Stops taking connections from now on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Returns the whole content of a request.
    pub async fn content(&self, request: Request) -> Result<Bytes, Refusal> {
        let limit = self.body_limit;
        let told =
            request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if told.is_some_and(|told: u64| told > limit as u64) {
            return Err(Refusal::TooLong { limit });
        }
        let content = timeout(self.patience, Bytes::from_request(request, &())).await;
        content.map_err(|_| Refusal::Slow(self.patience))?.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLong { limit },
            _ => Refusal::Cut(rejection.body_text()),
        })
    }

    /// Makes a worker prove.
    pub async fn prove(&self, circuit: Arc<Circuit>, input: Input) -> Result<Proven, Refusal> {
        let prove = move |context: &Context| {
            let mut proven = circuit.prove(&input, &context.cancel, context.deadline)?;
            proven.stages.insert(0, (QUEUE, context.waited));
            Ok::<Proven, Refusal>(proven)
        };
        let proven = self.queue.submit(self.timeout, prove)?.result().await??;
        self.metrics.stages(&proven.stages);
        Ok(proven)
    }

    /// Makes a worker do other work.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.queue.submit(self.timeout, move |context| work(&context.cancel))?.result().await?
    }

    /// Counts the outcome of a request for work.
    pub async fn counted<T>(
        &self,
        kind: &'static str,
        circuit: &str,
        result: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        /// Counts the request when it is dropped, also when a client leaves.
        struct Counted<'a>(&'a Metrics, Work, Outcome);

        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.request(self.1.clone(), self.2);
            }
        }

        let mut counted = Counted(&self.metrics, (kind, circuit.to_owned()), Outcome::Cancelled);
        let result = result.await;
        counted.2 = match &result {
            Ok(_) => Outcome::Done,
            Err(Refusal::Full { .. }) => Outcome::Refused,
            Err(Refusal::Late(_)) => Outcome::Late,
            Err(_) => Outcome::Failed,
        };
        result
    }
}

/// The circuit that an address names.
pub struct Named(pub Arc<Circuit>);

impl FromRequestParts<Arc<App>> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refusal> {
        // Names are ASCII, so bytes that are not UTF-8 name no circuit.
        let name = Path::<String>::from_request_parts(parts, app).await.map_err(|_| Refusal::Circuit)?;
        let circuit = app.circuits.get(&name.0).ok_or(Refusal::Circuit)?;
        if let Some(exchange) = parts.extensions.get::<Exchange>() {
            exchange.notes().circuit = Some(name.0);
        }
        Ok(Named(circuit.clone()))
    }
}

/// Returns the type of a content, without its parameters, in lower case.
pub fn content_type(headers: &HeaderMap) -> String {
    let told = headers.get(CONTENT_TYPE).and_then(|told| told.to_str().ok()).unwrap_or_default();
    told.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
