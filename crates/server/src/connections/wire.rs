//! The socket that hyper uses. It notes when bytes arrive and when the client takes no more.

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

    /// If hyper may write parts at once, it keeps the next answer until the socket has taken this answer.
    fn is_write_vectored(&self) -> bool {
        true
    }

    /// hyper flushes after the socket has taken all of hyper's bytes.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.visit.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(shut(&self.stream))
    }
}

/// Ends the server's side of the connection.
pub fn shut(stream: &TcpStream) -> Result<(), Error> {
    SockRef::from(stream).shutdown(Shutdown::Write)
}

/// Returns when the client has ended its side of the connection, even behind unread bytes.
#[cfg(target_os = "linux")]
pub async fn ended(stream: Arc<TcpStream>) {
    // The kernel never signals this interest. Only the end of the connection makes it ready, because tokio reports the
    // end with each interest in reading.
    let _ = stream.ready(tokio::io::Interest::PRIORITY).await;
}

/// Never returns: on other systems, only hyper notices the end, unless there are unread bytes before it.
#[cfg(not(target_os = "linux"))]
pub async fn ended(_: Arc<TcpStream>) {
    std::future::pending().await
}
