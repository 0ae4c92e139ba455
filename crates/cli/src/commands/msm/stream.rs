//! MSMs over files that are larger than memory: mapped files go through a stream, block by block.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use bucketwheel::{Error as EngineError, StreamOptions};
use bucketwheel_dynamic::{AnyPoints, AnyScalars, AnySum, DynGroups, GroupError};

use super::checkpoint::{Checkpoint, CheckpointError, Hashers, Run};
use super::error::MsmError;
use super::input::{blame, points_of, Input};
use super::reader::{Piece, Reader, PIECE, PIECES};
use super::report::{Outcome, Streamed};
use super::scalars::ScalarsInput;
use crate::args::msm::MsmArgs;
use crate::error::{in_file, own, Error};
use crate::files::Output;
use crate::measure::{milliseconds, Bytes, Memory};
use crate::output::Sum;
use crate::runtime::{Context, Pool};

/// Inputs and resources of streamed MSMs.
pub struct Stage<'a> {
    pub groups: &'a dyn DynGroups,
    pub args: &'a MsmArgs,
    pub input: &'a Input<'a>,
    pub pool: &'a Pool,
    pub context: Context<'a>,
    /// The memory to compute in, in bytes.
    pub memory: usize,
}

impl Stage<'_> {
    /// Computes the MSM with these scalars.
    pub fn run(&self, scalars: &ScalarsInput<'_>, memory: &Memory) -> Result<Outcome, Error> {
        let Stage { groups, args, input, pool, context, .. } = *self;
        let bar = context.bar_of("sum", scalars.path);
        let msm = args.msm().cancel(context.cancel).progress(&bar);
        let start = Instant::now();
        let mut stream =
            pool.install(|| groups.start(msm, self.options())).map_err(|error| self.too_little(error))?;
        let (plan, backend) = (stream.plan(), stream.backend());

        let mut saved = Saved::new(args, input)?;
        let mut position = 0;
        if let Some((checkpoint, sums)) = saved.load(input, scalars, context)? {
            position = checkpoint.position;
            let parts = input.group.parts().iter().scan(&sums[..], |rest, &group| {
                let (sum, behind) = rest.split_at(input.curve.point_bytes(group));
                *rest = behind;
                Some(AnyPoints::integers(sum))
            });
            let resumed = stream.resume(position, &parts.collect::<Vec<_>>());
            stream = resumed.map_err(|error| saved.refuse(CheckpointError::Sum(error)))?;
        }
        let reader =
            Reader { groups, input, scalars, pool, block: plan.block, hashers: saved.hashers.take() };
        std::thread::scope(|scope| {
            // The channel holds the waiting piece; the reader and the engine hold one piece each.
            let (sender, pieces) = sync_channel(PIECES - 2);
            scope.spawn(move || reader.run(position, sender));
            for piece in pieces {
                let piece: Piece<'_> = piece?;
                context.check()?;
                let update = || stream.update(&points_of(&piece.parts), AnyScalars::integers(piece.scalars));
                pool.install(update).map_err(|error| self.blame(scalars, piece.range.start, error))?;
                if saved.is_due() && piece.range.end < input.count {
                    let sums = pool.install(|| stream.flush())?;
                    saved.save(&piece, &sums)?;
                }
            }
            Ok::<_, Error>(())
        })?;
        let sums = pool.install(|| stream.flush())?;
        Ok(Outcome {
            scalars: scalars.path.display().to_string(),
            curve: input.curve,
            group: input.group,
            size: input.count,
            sum: Sum::new(input.curve, &sums),
            ms: milliseconds(start.elapsed()),
            window: plan.window,
            bucket_sets: plan.windows,
            backend: backend.name(),
            threads: pool.threads(),
            deduplication: None,
            memory_bound_bytes: plan.memory_bytes + self.pieces_bytes(),
            // The measurement would include pages of mapped files.
            memory_bytes: None,
            peak_memory_bytes: memory.peak_bytes(),
            streamed: Some(Streamed {
                block: plan.block,
                resumed_at: (position > 0).then_some(position),
                checkpoints: saved.count,
            }),
        })
    }

    fn options(&self) -> StreamOptions {
        let options = StreamOptions::new()
            .points(self.input.count)
            .check(self.args.trust.check.into())
            .memory(self.memory.saturating_sub(self.pieces_bytes()));
        self.args.engine.backend.wanted.map_or(options, |backend| options.backend(backend))
    }

    /// Returns the number of bytes of decoded pieces in memory at once; 0 if nothing is decoded.
    fn pieces_bytes(&self) -> usize {
        if self.input.is_ours() {
            return 0;
        }
        PIECES * PIECE.min(self.input.count) * self.input.point_bytes()
    }

    fn too_little(&self, error: EngineError) -> Error {
        match error {
            EngineError::Memory { least, .. } => {
                let least = Bytes(least + self.pieces_bytes());
                own(MsmError::Memory { bytes: Bytes(self.memory), least })
            }
            error => error.into(),
        }
    }

    /// Returns the error of points or scalars behind the first `start` points.
    fn blame(&self, scalars: &ScalarsInput<'_>, start: usize, error: GroupError) -> Error {
        match error.error {
            error @ EngineError::ScalarRange { .. } => scalars.blame(start, error),
            _ => blame(self.input.path, start, error),
        }
    }
}

/// The checkpoint of a run, if the user wants one.
struct Saved<'a> {
    path: Option<&'a Path>,
    run: Run,
    every: Duration,
    last: Instant,
    /// Number of checkpoints written.
    count: usize,
    /// Hashers of the inputs consumed before, until the reader takes them.
    hashers: Option<Hashers>,
}

impl<'a> Saved<'a> {
    fn new(args: &'a MsmArgs, input: &Input<'_>) -> Result<Self, Error> {
        let path = args.stream.checkpoint.as_deref();
        let check = format!("{:?}", args.trust.check).to_lowercase();
        Ok(Saved {
            path,
            run: Run::new(input, check),
            every: args.stream.every,
            last: Instant::now(),
            count: 0,
            hashers: path.map(|_| Hashers::new(input.bodies.len())),
        })
    }

    /// Returns the checkpoint to continue from, if it exists, and its sums.
    fn load(
        &mut self,
        input: &Input<'_>,
        scalars: &ScalarsInput<'_>,
        context: Context<'_>,
    ) -> Result<Option<(Checkpoint, Vec<u8>)>, Error> {
        let (Some(path), Some(hashers)) = (self.path, &mut self.hashers) else {
            return Ok(None);
        };
        let Some(checkpoint) = Checkpoint::load(path)? else {
            // Checks now, and not after a minute, that a checkpoint can be written.
            Output::create_private(path)?;
            return Ok(None);
        };
        let refuse = in_file(path);
        checkpoint.check_run(&self.run).map_err(refuse)?;
        for start in (0..checkpoint.position).step_by(PIECE) {
            context.check()?;
            hashers.consume(input, &scalars.file, &(start..checkpoint.position.min(start + PIECE)));
        }
        checkpoint.check_digests(&hashers.digests()).map_err(refuse)?;
        let size = input.point_bytes();
        let sums = checkpoint.sums().filter(|sums| sums.len() == size);
        let sums = sums.ok_or_else(|| refuse(CheckpointError::Damaged))?;
        Ok(Some((checkpoint, sums)))
    }

    /// Returns the error of a checkpoint that was loaded.
    fn refuse(&self, error: CheckpointError) -> Error {
        in_file(self.path.unwrap_or(Path::new("")))(error)
    }

    /// Returns true if it is time for the next checkpoint.
    fn is_due(&self) -> bool {
        self.path.is_some() && self.last.elapsed() >= self.every
    }

    fn save(&mut self, piece: &Piece<'_>, sums: &[AnySum]) -> Result<(), Error> {
        if let (Some(path), Some(digests)) = (self.path, &piece.digests) {
            let run = self.run.clone();
            let sums: Vec<u8> = sums.iter().flat_map(|sum| sum.integers.iter().copied()).collect();
            Checkpoint::new(run, piece.range.end, digests.clone(), &sums).save(path)?;
            self.count += 1;
            self.last = Instant::now();
        }
        Ok(())
    }
}
