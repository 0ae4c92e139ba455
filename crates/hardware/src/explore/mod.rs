//! Sweeps of all designs' parameters over a board: times in closed form, resources, and the Pareto front.
//!
//! A time in closed form takes microseconds, and a simulation takes seconds. The tests compare both; docs/explore.md states the
//! deviations. Nothing is placed: the clock is an assumption.
//!
//! ```
//! use bucketwheel_hardware::boards::Board;
//! use bucketwheel_hardware::explore::{explore, Request};
//! use bucketwheel_hardware::resources::Density;
//! use bucketwheel_hardware::Curve;
//!
//! let request = Request {
//!     points: 1 << 20,
//!     curve: Curve::Bls12_377,
//!     board: Board::named("U250").unwrap(),
//!     density: Density::Papers,
//!     clock_mhz: None,
//!     fill: 1.0,
//! };
//! let found = explore(&request);
//! let fastest = &found.front[0];
//! println!("{}: {:.1} ms, {:.0} % of the LUTs", fastest.design.name(), fastest.ms, fastest.luts.percent);
//! assert!(found.front.iter().all(|point| point.ms >= fastest.ms && point.luts.percent <= 100.0));
//!
//! let slower = &found.front[1];
//! assert!(!fastest.dominates(slower) && fastest.costs()[0] < slower.costs()[0]);
//!
//! // The same time by the design's own method.
//! let reclaimer = bucketwheel_hardware::reclaimer::Parameters::default();
//! println!("{:.1} ms with three adders", reclaimer.estimated_ms(1 << 20)?);
//!
//! // Parameters for `simulate` and `configure`, and a reason for each machine that the board has no room for.
//! assert!(!fastest.settings.is_empty());
//! assert!(found.infeasible[0].reason.contains("U250 has"), "{}", found.infeasible[0].reason);
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

mod lack;
mod machine;
mod point;
mod request;
mod sweep;

use std::cmp::Ordering;

use serde::Serialize;

use self::lack::largest;
pub use self::lack::{Infeasible, Resource};
use self::machine::Machine;
pub use self::point::{Amount, Point};
pub use self::request::Request;
use crate::Design;

/// The result of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct Exploration {
    /// Number of machines that the board has room for.
    pub feasible: usize,
    /// Machines that no other machine dominates, the fastest first.
    pub front: Vec<Point>,
    /// Machines that the board has no room for.
    pub infeasible: Vec<Infeasible>,
    /// Designs that do not compute on the curve.
    pub missing: Vec<&'static str>,
}

/// Sweeps the parameters of all designs. The [example](self) uses it.
pub fn explore(request: &Request) -> Exploration {
    let mut infeasible = Vec::new();
    let mut points = Vec::new();
    let on_curve = |design: &&Design| design.curves().contains(&request.curve);
    for &design in Design::ALL.iter().filter(on_curve) {
        for machine in sweep::machines(design, request) {
            consider(request, &machine, &mut points, &mut infeasible);
        }
    }
    let feasible = points.len();
    let missing = Design::ALL.iter().filter(|design| !on_curve(design)).map(|design| design.name()).collect();
    Exploration { feasible, front: front(points), infeasible, missing }
}

/// Adds machines of one kind, in growing number until there is no room.
fn consider(request: &Request, machine: &Machine, points: &mut Vec<Point>, infeasible: &mut Vec<Infeasible>) {
    let of_one = match &machine.demand {
        Ok(demand) => demand,
        Err(error) => return infeasible.push(Infeasible::impossible(machine, 1, error)),
    };
    for copies in 1..=machine.most_copies {
        let demand = of_one.times(copies);
        if let Some(lack) = largest(request, &demand) {
            infeasible.push(Infeasible::new(request, machine, copies, lack));
            return;
        }
        match (machine.time)(request.points.div_ceil(copies.into())) {
            Ok(ms) => points.push(Point::new(request, machine, copies, &demand, ms)),
            Err(error) => {
                infeasible.push(Infeasible::impossible(machine, copies, &error));
                return;
            }
        }
    }
}

/// Returns the points that no other point dominates, the fastest first. Of points with equal costs, the first stays.
fn front(mut points: Vec<Point>) -> Vec<Point> {
    // A point can only be dominated by points before it in this order.
    let total = |a: &f64, b: &f64| a.total_cmp(b);
    points.sort_by(|a, b| {
        let costs = a.costs().into_iter().zip(b.costs());
        costs.map(|(a, b)| total(&a, &b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let mut front: Vec<Point> = Vec::new();
    for point in points {
        if !front.iter().any(|other| other.dominates(&point) || other.costs() == point.costs()) {
            front.push(point);
        }
    }
    front
}
