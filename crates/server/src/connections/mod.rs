//! Connections: how many there may be, how long each of their states may last, how they end.

mod exchange;
mod places;
mod visit;
mod wire;

use std::future::{poll_fn, Future};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use bucketwheel::Cancel;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{watch, Semaphore};
use tokio::time::{sleep, sleep_until, timeout, Instant};

use crate::app::App;
pub use exchange::Exchange;
pub use places::{Limits, Places};
pub use visit::Cut;

use places::{Full, Place};
use visit::Visit;
use wire::Wire;

/// Most connections at once.
pub const CONNECTIONS: usize = 256;

/// Places that only clients with the token may take, if the server has a token.
pub const KEPT: usize = CONNECTIONS / 4;

/// Connections at once from one address, unless the options say otherwise.
pub const PER_ADDRESS: usize = CONNECTIONS / 4;

/// Most bytes of a request's head.
const HEAD_BYTES: usize = 1 << 15;

/// Time between two checks of `stop`, and pause after an error of the system.
const LOOK: Duration = Duration::from_millis(50);

/// Most connections that are answered at once with a refusal for lack of a place.
const REFUSALS: usize = 16;

/// Part of a client's time after which the server cuts it off if it sends nothing behind the last answer.
const LINGER_PART: u32 = 5;

/// The state that all connections share.
struct House {
    router: TowerToHyperService<Router>,
    app: Arc<App>,
    patience: Duration,
}

/// Serves connections until `stop` is set, then finishes the requests that have arrived, in `drain` at most.
pub async fn serve(listener: TcpListener, router: Router, app: Arc<App>, stop: &Cancel, drain: Duration) {
    let patience = app.patience;
    let house = Arc::new(House { router: TowerToHyperService::new(router), app: app.clone(), patience });
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    let (closing, closed) = watch::channel(());
    while !stop.is_cancelled() {
        match timeout(LOOK, listener.accept()).await {
            Ok(Ok((stream, peer))) => match app.places.enter(peer.ip()) {
                Ok(place) => drop(tokio::spawn(connection(stream, place, house.clone(), closed.clone()))),
                Err(full) => {
                    app.metrics.cut(Cut::Refused);
                    // If too many refusals are under way, the server closes the connection without an answer.
                    if let Ok(turn) = refusals.clone().try_acquire_owned() {
                        tokio::spawn(async move {
                            refuse(&stream, 503, &full.to_string()).await;
                            let _ = timeout(LOOK, linger(&stream, patience)).await;
                            drop(turn);
                        });
                    }
                }
            },
            // Too many files are open, or the client has left: both pass.
            Ok(Err(_)) => sleep(LOOK).await,
            Err(_) => {}
        }
    }
    // The system refuses connections from now on.
    drop(listener);
    app.drain();
    drop(closed);
    let _ = closing.send(());
    // Each connection has a receiver. A client that does not take its answer by then loses it.
    let _ = timeout(drain + 4 * patience, closing.closed()).await;
}

/// Serves a connection to its end.
async fn connection(stream: TcpStream, place: Place, house: Arc<House>, mut closed: watch::Receiver<()>) {
    // Answers are short, so they should not wait to be merged.
    let _ = stream.set_nodelay(true);
    let (stream, visit) = (Arc::new(stream), place.visit.clone());
    let cut = exchanges(&stream, &visit, &house, &mut closed).await;
    if let Some(cut) = cut {
        house.app.metrics.cut(cut);
    }
    match cut {
        Some(Cut::Head) if visit.is_owed() => {
            refuse(&stream, 408, "the request's head has not arrived in time: expected the whole head").await;
        }
        Some(Cut::Displaced) if visit.is_owed() => refuse(&stream, 503, &Full::Server.to_string()).await,
        _ => {}
    }
    match cut {
        // Otherwise the rest of the answers would stay in the system's memory.
        Some(Cut::Response | Cut::Left) => drop(stream.set_zero_linger()),
        Some(Cut::Displaced) if !visit.is_owed() => drop(stream.set_zero_linger()),
        Some(Cut::Displaced) => {}
        _ => {
            let mut rest = pin!(linger(&stream, house.patience));
            poll_fn(|context| match visit.poll_displaced(context) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => rest.as_mut().poll(context),
            })
            .await;
        }
    }
    drop(place);
}

/// Answers a connection's requests. Returns the reason if the server ends it before its client does.
async fn exchanges(
    stream: &Arc<TcpStream>,
    visit: &Arc<Visit>,
    house: &House,
    closed: &mut watch::Receiver<()>,
) -> Option<Cut> {
    let service = service_fn(|request| exchange::answer(request, &house.router, house.app.next_id(), visit));
    let mut http = http1::Builder::new();
    // Where this code notices the end of a client's side, hyper need not end a connection whose answer follows at once.
    http.max_buf_size(HEAD_BYTES).half_close(cfg!(target_os = "linux"));
    let io = TokioIo::new(Wire { stream: stream.clone(), visit: visit.clone() });
    let mut connection = pin!(http.serve_connection(io, service));
    let (mut closing, mut open) = (pin!(closed.changed()), true);
    let (mut ended, mut alarm) = (pin!(wire::ended(stream.clone())), pin!(sleep_until(Instant::now())));
    poll_fn(|context| {
        if open && closing.as_mut().poll(context).is_ready() {
            open = false;
            connection.as_mut().graceful_shutdown();
        }
        if connection.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        if visit.poll_displaced(context).is_ready() {
            return Poll::Ready(Some(Cut::Displaced));
        }
        if visit.is_working() && ended.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Cut::Left));
        }
        if !open && visit.is_quiet() {
            return Poll::Ready(None);
        }
        if let Some((deadline, cut)) = visit.deadline(house.patience) {
            let deadline = Instant::from_std(deadline);
            if alarm.deadline() != deadline {
                alarm.as_mut().reset(deadline);
            }
            if alarm.as_mut().poll(context).is_ready() {
                return Poll::Ready(Some(cut));
            }
        }
        Poll::Pending
    })
    .await
}

/// Writes an answer without hyper, to a client that takes it at once.
async fn refuse(stream: &TcpStream, status: u16, reason: &str) {
    let content = json!({ "error": reason }).to_string();
    let reason = match status {
        408 => "Request Timeout",
        _ => "Service Unavailable\r\nretry-after: 1",
    };
    let answer = format!(
        "HTTP/1.1 {status} {reason}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{content}",
        content.len()
    );
    if timeout(LOOK, stream.writable()).await.is_ok_and(|ready| ready.is_ok()) {
        let _ = stream.try_write(answer.as_bytes());
    }
}

/// Reads and drops the rest of the client's bytes. If a connection is closed with unread bytes, the system resets it,
/// and the client may lose the answer. Ends when the client ends, after `patience`, or after a part of `patience`
/// without a byte.
async fn linger(stream: &TcpStream, patience: Duration) {
    let rest = async {
        wire::shut(stream)?;
        let mut bytes = [0; 1 << 14];
        loop {
            let Ok(ready) = timeout(patience / LINGER_PART, stream.readable()).await else { return Ok(()) };
            ready?;
            match stream.try_read(&mut bytes) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                _ => {}
            }
        }
    };
    // The way in which the client ends does not matter.
    let _: Result<std::io::Result<()>, _> = timeout(patience, rest).await;
}

/// Listens on an address at once, so that a caller who asks for any port learns its number.
pub fn listen(address: SocketAddr) -> std::io::Result<std::net::TcpListener> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
