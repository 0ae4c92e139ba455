//! MSMAC: processing elements with four instructions, all windows of a point in one batch, cards and a runtime.
//!
//! The model runs the program ([`pippenger`]) on every processing element, cycle by cycle, for each sub-task. A
//! timeline of transfers and computations joins the sub-tasks.
//!
//! ```
//! use bucketwheel::Control;
//! use bucketwheel_hardware::msmac::{disassemble, pippenger_text, Parameters, Pe};
//!
//! // A processing element and its program.
//! let parameters = Parameters { window: 8, ..Default::default() };
//! let (hardware, program) = parameters.programmed(100)?;
//! assert!(disassemble(&program).lines().count() >= program.len(), "labels have lines of their own");
//! println!("{}", pippenger_text(&hardware));
//!
//! // The sums of the windows, and the counts.
//! let control = Control::new(None, None, None);
//! let (points, scalars) = ([(); 100], [[9, 0, 0, 0]; 100]);
//! let (windows, counts) = Pe::new(&hardware, &program, &points, &scalars, &control)?.run()?;
//! assert_eq!(windows.len(), hardware.windows.count() as usize);
//!
//! // The report of a task of one sub-task.
//! assert!(parameters.sub_task_size(100, 1)? > 0);
//! let report = parameters.report(100, 1, 100, vec![counts]);
//! assert_eq!((report.points, report.tasks), (100, 1));
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

mod assembly;
mod cards;
mod equations;
mod estimate;
mod fault;
mod hardware;
mod isa;
mod parameters;
mod pe;
mod program;
mod summary;

use std::ops::Range;

use bucketwheel::Control;
use rayon::prelude::*;

pub use self::assembly::{assemble, disassemble, from_bytes, to_bytes, AssemblyError, MAX_INSTRUCTIONS};
pub(crate) use self::cards::split;
pub use self::equations::{additions, best_window};
pub use self::fault::Fault;
pub use self::hardware::Hardware;
pub use self::isa::{Address, Condition, Instruction, InvalidInstruction, Operand, Padd, INSTRUCTION_BYTES};
pub use self::parameters::Parameters;
use self::parameters::MAX_ROUNDS;
pub use self::pe::{Counts, Pe};
pub use self::program::{pippenger, pippenger_text};
use crate::digits::Scalar;
use crate::group::combine;
use crate::model::{check_cancelled, check_inputs};
use crate::report::milliseconds;
use crate::{Curve, Error, Group, Model, Outcome};

impl Parameters {
    /// Returns the processing element, and Pippenger's program for it. The [example](crate::msmac) uses it.
    ///
    /// # Errors
    /// As [`hardware`](Self::hardware), and [`Error::Parameter`] for a window that instructions cannot address.
    pub fn programmed(&self, points: usize) -> Result<(Hardware, Vec<Instruction>), Error> {
        let hardware = self.hardware(points)?;
        let program = pippenger(&hardware).map_err(|error| Error::Parameter {
            name: "window",
            value: self.window.to_string(),
            expected: format!("a program that fits the instructions ({error})"),
        })?;
        Ok((hardware, program))
    }

    /// Returns the number of points of a sub-task: the parameter, or the size of least time.
    /// The [example](crate::msmac) uses it.
    ///
    /// # Errors
    /// As [`programmed`](Self::programmed).
    pub fn sub_task_size(&self, points: usize, tasks: usize) -> Result<usize, Error> {
        if self.sub_task > 0 {
            return Ok(self.sub_task);
        }
        let (hardware, program) = self.programmed(points)?;
        // The time of a sub-task beside its points is the same for all sub-tasks.
        let fixed =
            Pe::<()>::new(&hardware, &program, &[], &[], &Control::new(None, None, None))?.run()?.1.cycles;
        let ms = |cycles: u64| milliseconds(cycles, self.clock_mhz);
        let point = hardware.windows.count().max(self.point_cycles);
        let most = self.buffered_points() as usize;
        Ok(cards::best_size(self, points, tasks, ms(fixed), ms(point.into())).min(most))
    }
}

impl Model for Parameters {
    const NAME: &'static str = "msmac";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn most_points(&self) -> u64 {
        let filled = if self.sub_task > 0 { self.sub_task as u64 } else { self.buffered_points() };
        filled
            .saturating_mul(u64::from(self.cards))
            .saturating_mul(u64::from(self.pes))
            .saturating_mul(MAX_ROUNDS)
    }

    fn bucket_bytes<G: Group>(&self) -> usize {
        let buckets =
            |hardware: Hardware| hardware.buckets().saturating_mul(size_of::<G>() + size_of::<u64>());
        self.hardware(0).map_or(usize::MAX, |hardware| buckets(hardware) * rayon::current_num_threads())
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error> {
        check_inputs(points.len(), tasks, self.curve)?;
        let (hardware, program) = self.programmed(points.len())?;
        let size = self.sub_task_size(points.len(), tasks.len())?;
        let sub_tasks: Vec<(usize, Range<usize>)> = (0..tasks.len())
            .flat_map(|task| cards::split(points.len(), size).map(move |range| (task, range)))
            .collect();
        let run = |(task, range): &(usize, Range<usize>)| {
            let (points, scalars) = (&points[range.clone()], &tasks[*task][range.clone()]);
            let result = Pe::new(&hardware, &program, points, scalars, control)?.run()?;
            control.advance(range.len());
            Ok(result)
        };
        control.expect(points.len() * tasks.len());
        let results: Vec<(Vec<G>, Counts)> = sub_tasks.par_iter().map(run).collect::<Result<_, Error>>()?;
        check_cancelled(control)?;
        let mut sums = vec![G::ZERO; tasks.len()];
        for ((task, _), (windows, _)) in sub_tasks.iter().zip(&results) {
            sums[*task] = sums[*task].plus(combine(windows, self.window));
        }
        let counts = results.iter().map(|(_, counts)| *counts).collect();
        Ok(Outcome { sums, report: self.report(points.len(), tasks.len(), size, counts) })
    }
}
