//! The addresses under `/v1`, the metrics and the page.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::{
    HeaderValue, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::StatusCode;
use axum::middleware::{from_fn_with_state, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post, MethodRouter};
use axum::{Json, Router};
use bucketwheel_groth16::file::ProofJson;
use bucketwheel_groth16::TextClaim;
use rand::Rng;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::app::{content_type, App, Named};
use crate::circuit::{Info, Input};
use crate::connections::Exchange;
use crate::guard::{self, Guard};
use crate::metrics::{milliseconds, Outcome, StageTimes};
use crate::refusal::Refusal;

/// Times in milliseconds by their names, in order.
struct Times(Vec<(&'static str, Duration)>);

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|&(stage, time)| (stage, milliseconds(time))))
    }
}

/// A proof with snarkjs' names.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proof {
    proof: ProofJson,
    public_signals: Vec<String>,
    #[serde(rename = "times_ms")]
    times: Times,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    valid: bool,
    proofs: usize,
    /// Index of the first proof that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_bad: Option<usize>,
}

#[derive(Serialize)]
struct Status<'a> {
    version: &'static str,
    uptime_s: f64,
    draining: bool,
    queue: QueueStatus,
    requests: Requests,
    stages: Vec<StageTimes>,
    circuits: Vec<&'a Info>,
}

#[derive(Serialize)]
struct QueueStatus {
    waiting: usize,
    capacity: usize,
    running: usize,
    workers: usize,
}

#[derive(Serialize)]
struct Requests {
    done: u64,
    failed: u64,
    refused: u64,
    cancelled: u64,
    late: u64,
}

/// An address and its methods.
pub type Route = (&'static str, MethodRouter<Arc<App>>);

/// Returns the addresses that every server has.
fn routes() -> Vec<Route> {
    vec![
        ("/", get(page)),
        ("/metrics", get(metrics)),
        ("/v1/health", get(health)),
        ("/v1/openapi.json", get(openapi)),
        ("/v1/status", get(status)),
        ("/v1/prove/{circuit}", post(prove)),
        ("/v1/verify/{circuit}", post(verify)),
    ]
}

/// Returns all addresses, `more` included, behind the guard.
pub fn router(app: &Arc<App>, guard: Guard, body_limit: usize, more: Vec<Route>) -> Router {
    let routes = routes().into_iter().chain(more);
    routes
        .fold(Router::new(), |router, (path, methods)| router.route(path, methods))
        .fallback(|| async { Refusal::Route })
        .method_not_allowed_fallback(|| async { Refusal::Method })
        .layer(DefaultBodyLimit::max(body_limit))
        .layer(from_fn_with_state(Arc::new(guard), guard::check))
        .layer(from_fn_with_state(app.clone(), finish))
        .with_state(app.clone())
}

/// Counts each response, and sets the headers that all responses share.
async fn finish(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    if let (Some(exchange), route) = (extensions.get::<Exchange>(), extensions.get::<MatchedPath>()) {
        exchange.notes().route = route.cloned();
    }
    let mut response = next.run(request).await;
    app.metrics.response(response.status().as_u16());
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Returns the page. Its only script and its only style have a nonce, so no other script can run.
async fn page() -> Response {
    let nonce = format!("{:032x}", rand::thread_rng().gen::<u128>());
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let html = Html(include_str!("page.html").replace("{{nonce}}", &nonce));
    ([(CONTENT_SECURITY_POLICY, policy)], html).into_response()
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        app.metrics.text(&app.queue, app.places.len()),
    )
        .into_response()
}

/// The description of all addresses, for programs.
const OPENAPI: &str = include_str!("openapi.json");

async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Returns 200 if the server takes new requests, or 503 once it is draining.
async fn health(State(app): State<Arc<App>>) -> Response {
    match app.is_draining() {
        true => (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "draining" }))).into_response(),
        false => Json(json!({ "status": "ok" })).into_response(),
    }
}

async fn status(State(app): State<Arc<App>>) -> Response {
    let (load, total) = (app.queue.load(), |outcome| app.metrics.total(outcome));
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        uptime_s: app.metrics.uptime().as_secs_f64(),
        draining: app.is_draining(),
        queue: QueueStatus {
            waiting: load.waiting,
            capacity: app.queue.capacity(),
            running: load.running,
            workers: app.queue.workers(),
        },
        requests: Requests {
            done: total(Outcome::Done),
            failed: total(Outcome::Failed),
            refused: total(Outcome::Refused),
            cancelled: total(Outcome::Cancelled),
            late: total(Outcome::Late),
        },
        stages: app.metrics.times(),
        circuits: app.circuits().map(|circuit| circuit.info()).collect(),
    })
    .into_response()
}

async fn prove(
    State(app): State<Arc<App>>,
    Named(circuit): Named,
    request: Request,
) -> Result<Response, Refusal> {
    let name = circuit.info().name.clone();
    let exchange = request.extensions().get::<Exchange>().cloned();
    let result = async {
        // Checks before the content is read, so that a full server wastes little work.
        app.queue.check_room()?;
        let input = match content_type(request.headers()).as_str() {
            "application/json" if circuit.info().inputs => Input::Json,
            "application/json" => return Err(Refusal::NoCalculator),
            "application/octet-stream" => Input::Witness,
            _ => {
                return Err(Refusal::ContentType(
                    "application/json for inputs or application/octet-stream for a witness",
                ))
            }
        };
        let input = input(app.content(request).await?);
        app.prove(circuit, input).await
    };
    let proven = app.counted("prove", &name, result).await?;
    if let Some(exchange) = exchange {
        exchange.notes().stages.clone_from(&proven.stages);
    }
    let times = Times(proven.stages);
    Ok(Json(Proof { proof: proven.proof, public_signals: proven.public, times }).into_response())
}

async fn verify(
    State(app): State<Arc<App>>,
    Named(circuit): Named,
    request: Request,
) -> Result<Json<Verdict>, Refusal> {
    let name = circuit.info().name.clone();
    let result = async {
        app.queue.check_room()?;
        if content_type(request.headers()) != "application/json" {
            return Err(Refusal::ContentType("application/json"));
        }
        let content = app.content(request).await?;
        app.run(move |cancel| {
            let claims = TextClaim::parse_all(&content)?;
            let first_bad = circuit.verify(&claims, cancel)?;
            Ok(Verdict { valid: first_bad.is_none(), proofs: claims.len(), first_bad })
        })
        .await
    };
    app.counted("verify", &name, result).await.map(Json)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use axum::extract::State;
    use serde_json::Value;

    use super::{health, routes, OPENAPI};
    use crate::app::App;
    use crate::connections::{Limits, Places};
    use crate::queue::Queue;
    use crate::{rapidsnark, Options};

    /// The tests over connections check methods, statuses and contents.
    #[test]
    fn the_description_has_the_addresses_of_the_router() {
        let described: Value = serde_json::from_str(OPENAPI).unwrap();
        let described: BTreeSet<_> =
            described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let routed: BTreeSet<_> =
            routes().into_iter().chain(rapidsnark::routes()).map(|(path, _)| path).collect();
        assert_eq!(described, routed);
    }

    /// A test over connections cannot see this status: a stopping server takes no more requests on most connections.
    #[test]
    fn health_is_503_while_the_server_stops() {
        let limits = Limits { all: 1, kept: 0, per_address: 0 };
        let app = App::new(&[], Queue::new(1, 1).unwrap(), Places::new(limits), &Options::default());
        app.drain();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (status, content) = runtime.block_on(async {
            let response = health(State(Arc::new(app))).await;
            (response.status().as_u16(), axum::body::to_bytes(response.into_body(), 100).await.unwrap())
        });
        assert_eq!((status, &content[..]), (503, &br#"{"status":"draining"}"#[..]));
    }
}
