//! Counts and times, for people and for Prometheus. This file writes Prometheus' text format itself. Libraries for this
//! format keep their own counters in a registry, but these counts come from the queue and are also shown to people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

use crate::connections::Cut;
use crate::queue::Queue;
use crate::stages::stages;

/// The upper bounds of a histogram's buckets, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];

/// Outcome of a request for work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The request has a result.
    Done,
    /// The request has no result, because of the client's request or by a fault of the server.
    Failed,
    /// There was no place for the request.
    Refused,
    /// The client did not wait for the result.
    Cancelled,
    /// The request took too long.
    Late,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Failed => "failed",
            Outcome::Refused => "refused",
            Outcome::Cancelled => "cancelled",
            Outcome::Late => "late",
        }
    }
}

/// Work of a request: `prove` or `verify`, and the circuit.
pub type Work = (&'static str, String);

/// All counts and times.
pub struct Metrics {
    start: Instant,
    since: SystemTime,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    requests: BTreeMap<(Work, Outcome), u64>,
    responses: BTreeMap<u16, u64>,
    cuts: BTreeMap<Cut, u64>,
    stages: BTreeMap<&'static str, Histogram>,
}

#[derive(Default)]
struct Histogram {
    /// Number of times up to each bound, and above the bound before; the last entry counts times above all bounds.
    buckets: [u64; BOUNDS.len() + 1],
    sum: Duration,
    last: Duration,
}

/// The times of a stage, for people.
#[derive(Serialize)]
pub struct StageTimes {
    stage: &'static str,
    count: u64,
    mean_ms: f64,
    last_ms: f64,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics { start: Instant::now(), since: SystemTime::now(), counts: Mutex::default() }
    }
}

impl Metrics {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().expect("no panic while locked")
    }

    /// Returns the time since the server's start.
    pub fn uptime(&self) -> Duration {
        self.start.elapsed()
    }

    /// Counts a request for work.
    pub fn request(&self, work: Work, outcome: Outcome) {
        *self.lock().requests.entry((work, outcome)).or_default() += 1;
    }

    /// Counts a response.
    pub fn response(&self, status: u16) {
        *self.lock().responses.entry(status).or_default() += 1;
    }

    /// Counts a connection that the server ends.
    pub fn cut(&self, cut: Cut) {
        *self.lock().cuts.entry(cut).or_default() += 1;
    }

    /// Counts the times of a proof or a verification.
    pub fn stages(&self, times: &[(&'static str, Duration)]) {
        let mut counts = self.lock();
        for &(stage, time) in times {
            let histogram = counts.stages.entry(stage).or_default();
            let bucket = BOUNDS.iter().position(|&bound| time.as_secs_f64() <= bound);
            histogram.buckets[bucket.unwrap_or(BOUNDS.len())] += 1;
            histogram.sum += time;
            histogram.last = time;
        }
    }

    /// Returns the number of requests with this outcome.
    pub fn total(&self, outcome: Outcome) -> u64 {
        self.lock().requests.iter().filter(|((_, found), _)| *found == outcome).map(|(_, count)| count).sum()
    }

    /// Returns the times of all stages that have occurred, in the order of the stages.
    pub fn times(&self) -> Vec<StageTimes> {
        let counts = self.lock();
        let times = |stage| {
            let histogram: &Histogram = counts.stages.get(stage)?;
            let count = histogram.buckets.iter().sum::<u64>();
            let mean_ms = milliseconds(histogram.sum) / count as f64;
            Some(StageTimes { stage, count, mean_ms, last_ms: milliseconds(histogram.last) })
        };
        stages().filter_map(times).collect()
    }

    /// Returns all metrics in Prometheus' text format.
    pub fn text(&self, queue: &Queue, connections: usize) -> String {
        let (load, counts) = (queue.load(), self.lock());
        let mut text = String::new();
        family(&mut text, "start_time_seconds", "gauge", "When the server started, in Unix time.");
        let start = self.since.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        sample(&mut text, "start_time_seconds", "", start.as_secs_f64());
        let gauges = [
            ("queue_waiting", load.waiting, "Requests that wait for a worker."),
            ("queue_capacity", queue.capacity(), "Requests that may wait for a worker."),
            ("workers_busy", load.running, "Workers that prove or verify."),
            ("workers", queue.workers(), "Workers."),
            ("connections", connections, "Connections."),
        ];
        for (name, value, help) in gauges {
            family(&mut text, name, "gauge", help);
            sample(&mut text, name, "", value as f64);
        }
        family(&mut text, "requests_total", "counter", "Requests to prove and to verify, by outcome.");
        for (((kind, circuit), outcome), &count) in &counts.requests {
            // The names of circuits need no escapes.
            let labels = format!("kind=\"{kind}\",circuit=\"{circuit}\",outcome=\"{}\"", outcome.name());
            sample(&mut text, "requests_total", &labels, count as f64);
        }
        family(&mut text, "responses_total", "counter", "Responses of any kind, by their status.");
        for (code, &count) in &counts.responses {
            sample(&mut text, "responses_total", &format!("code=\"{code}\""), count as f64);
        }
        family(
            &mut text,
            "connections_cut_total",
            "counter",
            "Connections that the server has ended, by the reason.",
        );
        for (cut, &count) in &counts.cuts {
            sample(&mut text, "connections_cut_total", &format!("reason=\"{}\"", cut.name()), count as f64);
        }
        family(
            &mut text,
            "stage_seconds",
            "histogram",
            "Time in the queue, in each stage of a proof, and in total.",
        );
        for (stage, histogram) in &counts.stages {
            let mut below = 0;
            let bounds = BOUNDS.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(histogram.buckets) {
                below += count;
                let labels = format!("stage=\"{stage}\",le=\"{bound}\"");
                sample(&mut text, "stage_seconds_bucket", &labels, below as f64);
            }
            let labels = format!("stage=\"{stage}\"");
            sample(&mut text, "stage_seconds_sum", &labels, histogram.sum.as_secs_f64());
            sample(&mut text, "stage_seconds_count", &labels, below as f64);
        }
        text
    }
}

/// Returns milliseconds, the unit of times in JSON.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn family(text: &mut String, name: &str, kind: &str, help: &str) {
    // Writing into memory does not fail.
    let _ = writeln!(text, "# HELP bucketwheel_{name} {help}\n# TYPE bucketwheel_{name} {kind}");
}

fn sample(text: &mut String, name: &str, labels: &str, value: f64) {
    let _ = match labels {
        "" => writeln!(text, "bucketwheel_{name} {value}"),
        labels => writeln!(text, "bucketwheel_{name}{{{labels}}} {value}"),
    };
}
