//! Three accelerators for MSM as cycle models: CycloneMSM, MSMAC and Gypsophila.
//!
//! A model takes the digits of actual scalars through the design's schedule, cycle by cycle: latencies, queues, memory
//! channels, the link to the host, the aggregation of buckets. What the papers do not say is a named parameter with a
//! documented default (`docs/hardware-models.md`); one set of parameters stands for all sizes.
//!
//! One model, two speeds: over `()` it schedules and counts only, over points of a curve it computes the MSM too, with
//! every sum where the hardware has it ([`Group`]).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod curve;
pub mod cyclone;
#[macro_use]
mod designs;
mod digits;
pub mod dynamic;
mod error;
mod group;
pub mod gypsophila;
mod model;
pub mod msmac;
mod report;
pub mod runtime;

#[doc(hidden)]
pub use bucketwheel::config;
pub use curve::Curve;
pub use designs::Design;
pub use digits::{Scalar, Windows};
pub use dynamic::DynModel;
pub use error::Error;
pub use group::{combine, Group};
pub use model::{check_inputs, configure, parameters, Model, Outcome};
pub use report::{Channel, Fifo, Phase, Published, Report};
