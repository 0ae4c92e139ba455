//! Connections: how many there may be, how long they may say nothing, how they end.

use std::future::{poll_fn, Future};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::{pin, Pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use bucketwheel::Cancel;
use hyper::server::conn::http1;
use hyper::service::{service_fn, Service};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{watch, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::app::{App, CONTENT_TIME};

/// The most connections at once; others wait until one ends.
const CONNECTIONS: u32 = 256;

/// The longest that a request's head may take to arrive, or that a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The most bytes of a request's head.
const HEAD_BYTES: usize = 1 << 15;

/// The time between two looks at whether to stop, and after an error of the system's.
const LOOK: Duration = Duration::from_millis(50);

/// The longest that a client's bytes are taken after the last response.
const LINGER: Duration = Duration::from_secs(2);

/// Response to a client that says nothing, or half of a request's head; not to one that has asked already and is idle.
const TIMED_OUT: &[u8] = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Serves connections until `stop` is set, then those that are there, as long as their requests may take.
pub async fn serve(listener: TcpListener, router: Router, app: Arc<App>, stop: &Cancel, drain: Duration) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS as usize));
    let (closing, closed) = watch::channel(());
    while !stop.is_cancelled() {
        match timeout(LOOK, accept(&listener, &slots)).await {
            Ok(Ok((stream, slot))) => {
                tokio::spawn(connection(stream, slot, router.clone(), closed.clone()));
            }
            // Too many open files, or a client that has left: neither is for good.
            Ok(Err(_)) => sleep(LOOK).await,
            Err(_) => {}
        }
    }
    // Connections from now on are refused by the system.
    drop(listener);
    app.drain();
    drop(closing);
    // All slots are free when there are no connections. Who has not got an answer by then does not read it.
    let _ = timeout(drain + CONTENT_TIME + HEAD_TIME + LINGER, slots.acquire_many(CONNECTIONS)).await;
}

async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let slot = slots.clone().acquire_owned().await.map_err(std::io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, slot))
}

async fn connection(
    stream: TcpStream,
    slot: OwnedSemaphorePermit,
    router: Router,
    closed: watch::Receiver<()>,
) {
    // Answers are short: they should not wait to be put together.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    let (asked, router) = (&AtomicBool::new(false), TowerToHyperService::new(router));
    let service = service_fn(|request| {
        asked.store(true, Ordering::Relaxed);
        router.call(request)
    });
    let mut connection = http.serve_connection(TokioIo::new(stream), service);
    let mut closed = pin!(closing(closed));
    let mut open = true;
    let end = poll_fn(|context| {
        if open && closed.as_mut().poll(context).is_ready() {
            open = false;
            Pin::new(&mut connection).graceful_shutdown();
        }
        Pin::new(&mut connection).poll(context)
    });
    let timed_out = end.await.is_err_and(|error| error.is_timeout());
    let rest = connection.into_parts();
    let stream = rest.io.into_inner();
    let idle = asked.load(Ordering::Relaxed) && rest.read_buf.is_empty();
    // Who does not take that much any more is not told.
    if timed_out && !idle && timeout(LOOK, stream.writable()).await.is_ok_and(|ready| ready.is_ok()) {
        let _ = stream.try_write(TIMED_OUT);
    }
    linger(stream).await;
    drop(slot);
}

/// Takes what still comes, for a while: closed with bytes that nobody has read, the system resets the connection, and
/// the client may lose the response to what it sends.
async fn linger(mut stream: TcpStream) {
    let rest = async {
        poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
        let mut bytes = [0; 4096];
        loop {
            stream.readable().await?;
            match stream.try_read(&mut bytes) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                _ => {}
            }
        }
    };
    // How it ends is nothing to anybody any more.
    let _: Result<std::io::Result<()>, _> = timeout(LINGER, rest).await;
}

/// Returns when there are no more connections to be served.
async fn closing(mut closed: watch::Receiver<()>) {
    // Nothing is ever sent: this is the end of the sender.
    let _ = closed.changed().await;
}

/// Listens on an address, at once: who asks for a port gets to know it.
pub fn listen(address: SocketAddr) -> std::io::Result<std::net::TcpListener> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
