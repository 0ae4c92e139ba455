//! Answers to requests without a result.

use std::time::Duration;

use axum::http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use bucketwheel::Error as EngineError;
use bucketwheel_circuit::Error as CircuitError;
use bucketwheel_groth16::witness::WitnessError;
use bucketwheel_groth16::Error as Groth16Error;
use serde_json::json;

/// Reason why a request gets no result: the fault, and the expected value.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("this address does not exist: expected an address of docs/server.md, for example /v1/status")]
    Route,
    #[error("this address does not take this method: expected GET to read and POST to prove and verify")]
    Method,
    #[error("there is no circuit of this name: expected a circuit that /v1/status lists")]
    Circuit,
    #[error("the type of the content is missing or unknown: expected Content-Type: {0}")]
    ContentType(&'static str),
    #[error("the circuit has no witness calculator: expected a witness, with Content-Type: application/octet-stream")]
    NoCalculator,
    #[error("the content is longer than {limit} bytes: expected a shorter content")]
    TooLong { limit: usize },
    #[error("the content has not arrived within {} s: expected the whole content", .0.as_secs_f64())]
    Slow(Duration),
    #[error("the content has not arrived: {0}; expected the whole content")]
    Cut(String),
    #[error("{0}")]
    Input(Groth16Error),
    #[error("proof {index}: {source}")]
    Claim { index: usize, source: Groth16Error },
    #[error("{waiting} requests are waiting already: expected fewer; try again later")]
    Full { waiting: usize },
    #[error("there is no result after {} s: try again when /v1/status shows less to do", .0.as_secs_f64())]
    Late(Duration),
    #[error(
        "the Host header is {0}: expected an address, localhost, or a name that the server was started with"
    )]
    Host(&'static str),
    #[error("the Origin header names another site: expected a request of this server's own page, or no Origin header")]
    Origin,
    #[error("the request has no token, or a wrong token: expected Authorization: Bearer TOKEN")]
    Token,
    #[error("internal error: {0}")]
    Own(Groth16Error),
    #[error("internal error: {0}")]
    Loaded(CircuitError),
    #[error("internal error; please report it, with what the server wrote to its standard error")]
    Lost,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Refusal::Route | Refusal::Circuit => StatusCode::NOT_FOUND,
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::TooLong { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::Slow(_) => StatusCode::REQUEST_TIMEOUT,
            Refusal::Cut(_) => StatusCode::BAD_REQUEST,
            Refusal::NoCalculator => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Input(source) | Refusal::Claim { source, .. } => match source {
                Groth16Error::File(_)
                | Groth16Error::NoProofs
                | Groth16Error::Witness(WitnessError::Json(_)) => StatusCode::BAD_REQUEST,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            },
            Refusal::Full { .. } => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Late(_) => StatusCode::GATEWAY_TIMEOUT,
            Refusal::Host(_) | Refusal::Origin => StatusCode::FORBIDDEN,
            Refusal::Token => StatusCode::UNAUTHORIZED,
            Refusal::Own(_) | Refusal::Loaded(_) | Refusal::Lost => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// Converts an error of a proof to the status of the party that caused it.
impl From<Groth16Error> for Refusal {
    fn from(error: Groth16Error) -> Self {
        match error {
            Groth16Error::Witness(WitnessError::Time { limit }) => Refusal::Late(limit),
            Groth16Error::Engine(EngineError::ScalarRange { .. }) => Refusal::Input(error),
            Groth16Error::Witness(WitnessError::Thread(_))
            | Groth16Error::Engine(_)
            | Groth16Error::OutOfMemory { .. }
            | Groth16Error::DamagedKey { .. } => Refusal::Own(error),
            error => Refusal::Input(error),
        }
    }
}

impl From<CircuitError> for Refusal {
    fn from(error: CircuitError) -> Self {
        match error {
            CircuitError::Groth16 { source, .. } => source.into(),
            CircuitError::NoCalculator => Refusal::NoCalculator,
            error => Refusal::Loaded(error),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status(), Json(json!({ "error": self.to_string() }))).into_response();
        let header = match self {
            Refusal::Full { .. } => Some((RETRY_AFTER, HeaderValue::from_static("1"))),
            // Offers both schemes, because browsers ask people only for the second.
            Refusal::Token => {
                Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer, Basic realm=\"bucketwheel\"")))
            }
            _ => None,
        };
        response.headers_mut().extend(header);
        response
    }
}
