//! The socket as hyper has it: it notes when bytes arrive and when the client takes no more.

use std::io::{Error, ErrorKind, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::visit::Visit;

/// A connection's socket.
pub struct Wire {
    pub stream: Arc<TcpStream>,
    pub visit: Arc<Visit>,
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    if count > 0 {
                        self.visit.hear();
                    }
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        loop {
            if self.stream.poll_write_ready(context)?.is_pending() {
                self.visit.stick();
                return Poll::Pending;
            }
            match self.stream.try_write_vectored(parts) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result),
            }
        }
    }

    /// hyper keeps the next answer until the socket has this one, if it may write parts at once.
    fn is_write_vectored(&self) -> bool {
        true
    }

    /// hyper flushes when the socket has taken all that it has.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.visit.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(shut(&self.stream))
    }
}

/// Sends no more.
pub fn shut(stream: &TcpStream) -> Result<(), Error> {
    SockRef::from(stream).shutdown(Shutdown::Write)
}

/// Returns when the client has ended its side of the connection, also behind bytes that nobody has read.
#[cfg(target_os = "linux")]
pub async fn ended(stream: Arc<TcpStream>) {
    // This interest is never registered: only the end makes it ready, which tokio tells with each interest to read.
    let _ = stream.ready(tokio::io::Interest::PRIORITY).await;
}

/// Never returns: elsewhere hyper alone notices the end, unless there are bytes in front of it.
#[cfg(not(target_os = "linux"))]
pub async fn ended(_: Arc<TcpStream>) {
    std::future::pending().await
}
