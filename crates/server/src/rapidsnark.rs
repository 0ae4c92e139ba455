//! The addresses of rapidsnark's server: one proof at a time; clients ask repeatedly until it ends.

use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::Json;
use serde::Serialize;
use tokio::task::AbortHandle;

use crate::app::{App, Named};
use crate::circuit::{Input, Proven};
use crate::refusal::Refusal;
use crate::routes::Route;

/// State of the proof, in rapidsnark's words.
#[derive(Clone, Default, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Status {
    #[default]
    Ready,
    Busy,
    Aborted,
    Failed {
        error: String,
    },
    /// Both fields are JSON texts.
    Success {
        proof: String,
        #[serde(rename = "pubData")]
        public: String,
    },
}

/// The one proof of these addresses.
#[derive(Default)]
struct One {
    status: Status,
    task: Option<AbortHandle>,
}

impl One {
    /// Stops the current proof. All tasks share a thread, so an aborted task can no longer report a result.
    fn stop(&mut self) {
        if let (Status::Busy, Some(task)) = (&self.status, self.task.take()) {
            task.abort();
            self.status = Status::Aborted;
        }
    }
}

fn lock(one: &Mutex<One>) -> MutexGuard<'_, One> {
    one.lock().expect("no panic while locked")
}

/// Returns the routes, with a proof of their own.
pub fn routes() -> Vec<Route> {
    let one = Arc::new(Mutex::new(One::default()));
    let [of_status, of_input, of_cancel] = [one.clone(), one.clone(), one];
    // As in rapidsnark, these two addresses do nothing.
    let nothing = || async { StatusCode::OK };
    vec![
        ("/start", post(nothing)),
        ("/stop", post(nothing)),
        ("/status", get(|| async move { Json(lock(&of_status).status.clone()) })),
        ("/input/{circuit}", post(|app, name, request| input(of_input, app, name, request))),
        ("/cancel", post(|| async move { lock(&of_cancel).stop() })),
    ]
}

/// Starts a proof, which replaces the current proof.
async fn input(
    one: Arc<Mutex<One>>,
    State(app): State<Arc<App>>,
    Named(circuit): Named,
    request: Request,
) -> Result<StatusCode, Refusal> {
    let name = circuit.info().name.clone();
    if !circuit.info().inputs {
        return Err(Refusal::NoCalculator);
    }
    app.queue.check_room()?;
    let input = Input::Json(app.content(request).await?);
    let this = one.clone();
    let proof = async move {
        let result = app.counted("prove", &name, app.prove(circuit, input)).await;
        lock(&this).status = match result {
            Ok(proven) => success(proven),
            Err(refusal) => Status::Failed { error: refusal.to_string() },
        };
    };
    let mut one = lock(&one);
    one.stop();
    one.status = Status::Busy;
    one.task = Some(tokio::spawn(proof).abort_handle());
    Ok(StatusCode::OK)
}

/// Returns a proof in rapidsnark's form.
fn success(proven: Proven) -> Status {
    let text = |value: serde_json::Result<String>| value.expect("strings and lists, into memory");
    let proof = text(serde_json::to_string(&proven.proof.without_curve()));
    Status::Success { proof, public: text(serde_json::to_string(&proven.public)) }
}
