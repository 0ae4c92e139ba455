//! The parameters of each design that a sweep tries, and the design's time and resources.

use super::machine::{paces, settings, Machine, Pace};
use super::request::Request;
use crate::digits::Windows;
#[cfg(feature = "reclaimer")]
use crate::reclaimer;
use crate::{cyclone, gypsophila, msmac, Curve, Design};

/// Largest number of machines on a card.
const MOST_COPIES: u32 = 8;

/// Stages at two clocks (CycloneMSM 4.3): 96 at 250 MHz, 65 at 125 MHz.
const CYCLONE: [Pace; 2] = [Pace { stages: 96, clock_mhz: 250.0 }, Pace { stages: 65, clock_mhz: 125.0 }];
/// Stages of CycloneMSM's multipliers at these clocks; 28 at 125 MHz is ours.
const MULTIPLIERS: [u32; 2] = [39, 28];
/// MSMAC 5.1; the stages are fitted to its Table 3.
const MSMAC: [Pace; 1] = [Pace { stages: 100, clock_mhz: 250.0 }];
/// Gypsophila, Table 1; the stages are the RTL's on BLS12-377. On BN254 the RTL has 90, which changes little.
const GYPSOPHILA: [Pace; 1] = [Pace { stages: 123, clock_mhz: 200.0 }];
/// CycloneMSM's multipliers.
#[cfg(feature = "reclaimer")]
const RECLAIMER: [Pace; 2] =
    [Pace { stages: MULTIPLIERS[0], clock_mhz: 250.0 }, Pace { stages: MULTIPLIERS[1], clock_mhz: 125.0 }];

impl Design {
    /// Returns the name of a machine's parts that its K counts.
    pub(super) fn elements(self) -> &'static str {
        match self {
            Design::Msmac => "elements",
            _ => "adders",
        }
    }
}

/// Returns the machines of a design.
pub fn machines(design: Design, request: &Request) -> Vec<Machine> {
    match design {
        Design::Cyclone => cyclone(request),
        Design::Msmac => msmac(request),
        Design::Gypsophila => gypsophila(request),
        #[cfg(feature = "reclaimer")]
        Design::Reclaimer => reclaimer(request),
    }
}

fn cyclone(request: &Request) -> Vec<Machine> {
    let memory = request.board.memory().map(|memory| memory.kind);
    let mut machines = Vec::new();
    for (pace, multiplier_stages) in paces(request, &CYCLONE).into_iter().zip(MULTIPLIERS) {
        let base = cyclone::Parameters {
            memory,
            pipeline_stages: pace.stages,
            multiplier_stages,
            clock_mhz: pace.clock_mhz,
            ..Default::default()
        };
        let rates = base.rates();
        for (window, segments) in (8..=18).flat_map(|window| [(window, 1), (window, 64)]) {
            let parameters = cyclone::Parameters { window, segments, ..base.clone() };
            machines.push(Machine {
                design: Design::Cyclone,
                elements: 1,
                window,
                stages: pace.stages,
                segments: Some(segments),
                clock_mhz: pace.clock_mhz,
                most_copies: MOST_COPIES,
                demand: parameters.demand(request.density, request.board.family),
                settings: settings(&parameters),
                time: match cyclone::Estimate::new(parameters, rates) {
                    Ok(estimate) => Box::new(move |points| estimate.ms(points)),
                    Err(error) => Box::new(move |_| Err(error.clone())),
                },
            });
        }
    }
    machines
}

fn msmac(request: &Request) -> Vec<Machine> {
    let mut machines = Vec::new();
    for pace in paces(request, &MSMAC) {
        for (window, segments) in (7..=14).flat_map(|window| [(window, 1), (window, 4)]) {
            let windows = Windows::new(window, Curve::Bn254.scalar_bits());
            for pes in 1..=MOST_COPIES {
                let parameters = msmac::Parameters {
                    window,
                    segments,
                    pes,
                    latency: pace.stages,
                    clock_mhz: pace.clock_mhz,
                    // The board's UltraRAMs limit them.
                    card_buckets: u64::from(pes * windows.count()) * windows.buckets() as u64,
                    ..Default::default()
                };
                machines.push(Machine {
                    design: Design::Msmac,
                    elements: pes,
                    window,
                    stages: pace.stages,
                    segments: Some(segments),
                    clock_mhz: pace.clock_mhz,
                    most_copies: 1,
                    demand: parameters.demand(request.density, request.board.family),
                    settings: settings(&parameters),
                    time: Box::new(move |points| parameters.estimated_ms(points)),
                });
            }
        }
    }
    machines
}

fn gypsophila(request: &Request) -> Vec<Machine> {
    let mut machines = Vec::new();
    for pace in paces(request, &GYPSOPHILA) {
        for window in 6..=16 {
            let parameters = gypsophila::Parameters {
                window,
                curve: request.curve,
                pipeline_stages: pace.stages,
                clock_mhz: pace.clock_mhz,
                count_aggregation: true,
                ..Default::default()
            };
            machines.push(Machine {
                design: Design::Gypsophila,
                elements: 1,
                window,
                stages: pace.stages,
                segments: None,
                clock_mhz: pace.clock_mhz,
                most_copies: MOST_COPIES,
                demand: parameters.demand(request.density, request.board.family),
                settings: settings(&parameters),
                time: Box::new(move |points| parameters.estimated_ms(points)),
            });
        }
    }
    machines
}

#[cfg(feature = "reclaimer")]
fn reclaimer(request: &Request) -> Vec<Machine> {
    let mut machines = Vec::new();
    for pace in paces(request, &RECLAIMER) {
        for (window, adders) in
            (9..=18).flat_map(|window| (1..=MOST_COPIES).map(move |adders| (window, adders)))
        {
            let with_batch = |batch| reclaimer::Parameters {
                curve: request.curve,
                window,
                adders,
                batch,
                multiplier_stages: pace.stages,
                clock_mhz: pace.clock_mhz,
                ..Default::default()
            };
            // More adders have a larger root, which takes a longer batch.
            let parameters = [1024, 2048].map(with_batch).into_iter().find(|it| it.latency().is_ok());
            let parameters = parameters.unwrap_or(with_batch(4096));
            machines.push(Machine {
                design: Design::Reclaimer,
                elements: adders,
                window,
                stages: pace.stages,
                segments: None,
                clock_mhz: pace.clock_mhz,
                most_copies: MOST_COPIES,
                demand: parameters.demand(request.density, request.board.family),
                settings: settings(&parameters),
                time: Box::new(move |points| parameters.estimated_ms(points)),
            });
        }
    }
    machines
}
