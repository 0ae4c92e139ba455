//! A machine of a sweep, without its parameters' type.

use super::request::Request;
use crate::resources::Demand;
use crate::{parameters, Design, Error, Model};

/// The time of a sum of a number of points in milliseconds.
pub type Time = Box<dyn Fn(u64) -> Result<f64, Error>>;

/// A machine.
pub struct Machine {
    pub design: Design,
    pub elements: u32,
    pub window: u32,
    pub stages: u32,
    pub segments: Option<u32>,
    pub clock_mhz: f64,
    /// Largest number of machines on a card that is tried.
    pub most_copies: u32,
    pub demand: Result<Demand, Error>,
    pub settings: Vec<(String, String)>,
    pub time: Time,
}

/// A pace: stages that a paper states for a clock. The first is the default.
#[derive(Clone, Copy)]
pub struct Pace {
    pub stages: u32,
    pub clock_mhz: f64,
}

/// Returns the paces, or the default's stages at the requested clock.
pub fn paces(request: &Request, paces: &[Pace]) -> Vec<Pace> {
    match request.clock_mhz {
        None => paces.to_vec(),
        Some(clock_mhz) => paces.iter().take(1).map(|pace| Pace { clock_mhz, ..*pace }).collect(),
    }
}

/// Returns the parameters that differ from the defaults, with values for [`configure`](crate::configure).
pub fn settings<M: Model>(model: &M) -> Vec<(String, String)> {
    let defaults = parameters(&M::default());
    let differs = |(name, value): &(String, serde_json::Value)| defaults.get(name) != Some(value);
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        value => value.to_string(),
    };
    let own = parameters(model).into_iter().filter(differs);
    own.map(|(name, value)| (name, text(value))).collect()
}
