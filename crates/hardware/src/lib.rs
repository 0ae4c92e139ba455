//! Accelerators for MSM as cycle models: CycloneMSM, MSMAC and Gypsophila, which are published, and the reclaimer, which is
//! ours.
//!
//! A model takes the digits of real scalars through the design's schedule, cycle by cycle: latencies, queues, memory
//! channels, the link to the host, the aggregation of buckets. Each property that a paper leaves open is a named
//! parameter with a documented default (`docs/hardware-models.md`). One set of parameters serves all sizes.
//!
//! One model has two speeds. Over `()`, it only schedules and counts. Over points of a curve, it also computes the
//! MSM, with every sum where the hardware has it ([`Group`]).
//!
//! ```
//! use bucketwheel::Control;
//! use bucketwheel_hardware::{cyclone, Model};
//!
//! // CycloneMSM with windows of 8 bits, for 1000 points whose scalars are 1 to 1000.
//! let model = cyclone::Parameters { window: 8, ..Default::default() };
//! let scalars: Vec<[u64; 4]> = (1..=1000).map(|k| [k, 0, 0, 0]).collect();
//! let counted = model.simulate(&[(); 1000], &[&scalars], &Control::new(None, None, None))?;
//! println!("{} cycles, {:.3} ms", counted.report.cycles, counted.report.ms);
//! assert!(counted.report.cycles > 1000);
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```
//!
//! # Parameters and programs
//! Parameters have names, as on the command line. MSMAC runs programs, which have a text and bytes.
//!
//! ```
//! use bucketwheel_hardware::{configure, cyclone, msmac, parameters};
//!
//! let settings = [("window".to_owned(), "8".to_owned())];
//! let model = configure(cyclone::Parameters::default(), &settings)?;
//! assert_eq!(parameters(&model)["window"], 8);
//!
//! let hardware = msmac::Parameters::default().hardware(1000)?;
//! let program = msmac::pippenger(&hardware)?;
//! assert_eq!(msmac::assemble(&msmac::disassemble(&program))?, program);
//! assert_eq!(msmac::from_bytes(&msmac::to_bytes(&program))?, program);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where changes go
//! - A design: its folder ([`cyclone`], [`msmac`], [`gypsophila`], [`reclaimer`]), with its parameters in `parameters.rs` and its cycles in
//!   `machine.rs` or `pe.rs`.
//! - A new design: a folder that implements [`Model`], a line here and a line in the table of designs (`designs.rs`, and
//!   `hdl/designs.txt`).
//! - The distribution of tasks over processing elements: [`runtime`].
//! - The report: `report.rs` for all designs; the counts of a design: `counts.rs` in its folder, `summary.rs` for
//!   MSMAC.
//! - A curve: `curve.rs`, and the design's line in `designs.rs`. An error: `error.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod boards;
mod curve;
pub mod cyclone;
#[macro_use]
mod designs;
mod digits;
pub mod dynamic;
mod error;
pub mod explore;
mod group;
pub mod gypsophila;
pub mod memory;
mod model;
pub mod msmac;
mod pairing;
pub mod reclaimer;
mod report;
pub mod resources;
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
