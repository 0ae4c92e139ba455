//! State of one connection, which its socket, its requests and the server's places share.

use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// Party that the server waits for on a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    /// The client: the head of a request is due, or the client is idle.
    Waiting,
    /// The client: the content of a request is on its way.
    Receiving,
    /// The server: the whole request has arrived.
    Working,
}

/// Part of a request that has arrived.
#[derive(Clone, Copy)]
pub enum Arrived {
    /// The head; the content is still to come.
    Head,
    /// The whole request.
    All,
}

/// Reason why the server ends a connection before the client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// The head of a request did not arrive in time.
    Head,
    /// No request arrived for too long.
    Idle,
    /// The client did not take an answer in time.
    Response,
    /// The client left while the server worked for it.
    Left,
    /// Another connection took the place of this connection.
    Displaced,
    /// There was no place for the connection.
    Refused,
}

impl Cut {
    /// Returns the label in the metrics.
    pub fn name(self) -> &'static str {
        match self {
            Cut::Head => "head",
            Cut::Idle => "idle",
            Cut::Response => "response",
            Cut::Left => "left",
            Cut::Displaced => "displaced",
            Cut::Refused => "refused",
        }
    }
}

/// State of one connection.
pub struct Visit(Mutex<State>);

struct State {
    activity: Activity,
    /// Time at which the activity started.
    since: Instant,
    /// Time at which the first byte since the last answer arrived.
    heard: Option<Instant>,
    /// Time at which the socket stopped taking the answer.
    stuck: Option<Instant>,
    /// True once a request has arrived.
    asked: bool,
    /// True once a request had the token.
    known: bool,
    displaced: bool,
    /// Waker of the connection's task.
    waker: Option<Waker>,
}

impl Visit {
    pub fn new() -> Self {
        Visit(Mutex::new(State {
            activity: Activity::Waiting,
            since: Instant::now(),
            heard: None,
            stuck: None,
            asked: false,
            known: false,
            displaced: false,
            waker: None,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic while locked")
    }

    fn set(&self, activity: Activity) {
        let mut state = self.lock();
        (state.activity, state.since, state.heard) = (activity, Instant::now(), None);
    }

    /// Notes that a request has arrived, or its head alone.
    pub fn begin(&self, arrived: Arrived) {
        self.set(match arrived {
            Arrived::Head => Activity::Receiving,
            Arrived::All => Activity::Working,
        });
        self.lock().asked = true;
    }

    /// Notes that all of a request's content has arrived.
    pub fn received(&self) {
        self.set(Activity::Working);
    }

    /// Notes that a request has its answer.
    pub fn answered(&self) {
        self.set(Activity::Waiting);
    }

    /// Notes that bytes have arrived.
    pub fn hear(&self) {
        let mut state = self.lock();
        if state.activity == Activity::Waiting {
            state.heard.get_or_insert_with(Instant::now);
        }
    }

    /// Notes that the socket takes no more of the answer for now.
    pub fn stick(&self) {
        self.lock().stuck.get_or_insert_with(Instant::now);
    }

    /// Notes that the socket has taken all answers.
    pub fn flushed(&self) {
        self.lock().stuck = None;
    }

    /// Notes that the client has the token.
    pub fn know(&self) {
        self.lock().known = true;
    }

    pub fn is_known(&self) -> bool {
        self.lock().known
    }

    /// Returns true while the server works on a request, so that only the client's end can stop it.
    pub fn is_working(&self) -> bool {
        let state = self.lock();
        state.activity == Activity::Working && state.stuck.is_none()
    }

    /// Returns true if every request that has arrived has its whole answer.
    pub fn is_quiet(&self) -> bool {
        let state = self.lock();
        state.activity == Activity::Waiting && state.stuck.is_none()
    }

    /// Returns true if the client gets an answer when its connection ends: it has sent part of a request, or never
    /// asked.
    pub fn is_owed(&self) -> bool {
        let state = self.lock();
        state.activity == Activity::Waiting
            && state.stuck.is_none()
            && (state.heard.is_some() || !state.asked)
    }

    /// Returns the time since which the server waits only for the client, so that the connection may lose its place.
    pub fn waits_since(&self) -> Option<Instant> {
        let state = self.lock();
        state.stuck.or((state.activity == Activity::Waiting).then_some(state.since))
    }

    /// Returns the time when the connection ends unless the client does its part, and the reason. The time limits of
    /// content and work are elsewhere.
    pub fn deadline(&self, patience: Duration) -> Option<(Instant, Cut)> {
        let state = self.lock();
        let (since, cut) = match (state.stuck, state.activity, state.heard) {
            (Some(stuck), ..) => (stuck, Cut::Response),
            (None, Activity::Waiting, Some(heard)) => (heard, Cut::Head),
            (None, Activity::Waiting, None) if state.asked => (state.since, Cut::Idle),
            (None, Activity::Waiting, None) => (state.since, Cut::Head),
            (None, Activity::Receiving | Activity::Working, _) => return None,
        };
        Some((since + patience, cut))
    }

    /// Takes the connection's place away.
    pub fn displace(&self) {
        let mut state = self.lock();
        state.displaced = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    /// Returns ready once the connection has lost its place.
    pub fn poll_displaced(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.displaced {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
