//! MSMs over files that are larger than memory: the files are mapped and go through a stream, block by block.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use bucketwheel::{Cancel, Error as EngineError, GroupId, StreamOptions};

use super::checkpoint::{Checkpoint, CheckpointError, Hashers, Run};
use super::groups::Groups;
use super::input::Input;
use super::reader::{Piece, Reader, ScalarsInput, PIECE, PIECES};
use super::{format_error, Outcome, Streamed};
use crate::args::msm::Bytes;
use crate::args::msm::MsmArgs;
use crate::commands::check_cancelled;
use crate::error::Error;
use crate::files::Output;
use crate::format::FormatError;
use crate::measure::{milliseconds, Memory};
use crate::runtime::{Bar, Pool};

/// What a run computes with.
pub struct Stage<'a> {
    pub args: &'a MsmArgs,
    pub input: &'a Input<'a>,
    pub pool: &'a Pool,
    pub cancel: &'a Cancel,
    /// The bytes to compute in.
    pub memory: usize,
}

impl Stage<'_> {
    /// The MSM with these scalars.
    pub fn run<D: Groups>(&self, scalars: &ScalarsInput<'_>, memory: &Memory) -> Result<Outcome, Error> {
        let Stage { args, input, pool, cancel, .. } = *self;
        let bar = Bar::of(scalars.path);
        let msm = args.msm().cancel(cancel).progress(&bar);
        let start = Instant::now();
        let mut stream = pool
            .install(|| D::start(msm, self.options::<D>()))
            .map_err(|error| self.too_little::<D>(error))?;
        let (plan, backend) = D::plan(&stream);

        let mut saved = Saved::new(args, input)?;
        let mut position = 0;
        if let Some((checkpoint, sums)) = saved.load::<D>(input, scalars, cancel)? {
            position = checkpoint.position;
            stream = D::resume(stream, position, sums);
        }
        let reader = Reader { input, scalars, pool, block: plan.block, hashers: saved.hashers.take() };
        std::thread::scope(|scope| {
            // The waiting piece; the other two are in the hands of either side.
            let (sender, pieces) = sync_channel(PIECES - 2);
            scope.spawn(move || reader.run::<D>(position, sender));
            for piece in pieces {
                let piece: Piece<'_, D> = piece?;
                check_cancelled(cancel)?;
                let update = || D::update(&mut stream, &piece.parts, &piece.scalars, args.check.into());
                pool.install(update).map_err(|error| self.blame(piece.range.start, error))?;
                if saved.is_due() && piece.range.end < input.count {
                    let sums = pool.install(|| D::flush(&mut stream))?;
                    saved.save::<D>(&piece, sums)?;
                }
            }
            Ok::<_, Error>(())
        })?;
        let sums = pool.install(|| D::flush(&mut stream))?;
        Ok(Outcome {
            scalars: scalars.path.display().to_string(),
            curve: input.curve,
            group: input.group,
            size: input.count,
            sum: D::sum(sums),
            ms: milliseconds(start.elapsed()),
            window: plan.window,
            bucket_sets: plan.windows,
            backend: backend.name(),
            threads: pool.threads(),
            deduplication: None,
            memory_bound_bytes: plan.memory_bytes + self.pieces_bytes::<D>(),
            // Pages of mapped files would count.
            memory_bytes: None,
            peak_memory_bytes: memory.peak_bytes(),
            streamed: Some(Streamed {
                block: plan.block,
                resumed_at: (position > 0).then_some(position),
                checkpoints: saved.count,
            }),
        })
    }

    fn options<D: Groups>(&self) -> StreamOptions {
        let options = StreamOptions::new()
            .points(self.input.count)
            .check(self.args.check.into())
            .memory(self.memory.saturating_sub(self.pieces_bytes::<D>()));
        self.args.engine.backend.map_or(options, |backend| options.backend(backend))
    }

    /// What the pieces take that are in memory at once.
    fn pieces_bytes<D: Groups>(&self) -> usize {
        if self.input.is_ours() {
            return 0;
        }
        PIECES * PIECE.min(self.input.count) * D::point_bytes()
    }

    fn too_little<D: Groups>(&self, error: EngineError) -> Error {
        match error {
            EngineError::Memory { least, .. } => {
                Error::Memory { bytes: Bytes(self.memory), least: Bytes(least + self.pieces_bytes::<D>()) }
            }
            error => error.into(),
        }
    }

    /// The error of points behind the first `start`.
    fn blame(&self, start: usize, (group, error): (GroupId, EngineError)) -> Error {
        let path = self.input.path;
        let bad = |source| Error::Points { path: path.into(), group, source };
        match error {
            EngineError::NotOnCurve { index } => bad(EngineError::NotOnCurve { index: start + index }),
            EngineError::NotInSubgroup { index } => bad(EngineError::NotInSubgroup { index: start + index }),
            EngineError::CoordinateRange { index } => {
                format_error(path, FormatError::Coordinate { group, index: start + index })
            }
            error => error.into(),
        }
    }
}

/// The checkpoint of a run, if there is to be one.
struct Saved<'a> {
    path: Option<&'a Path>,
    run: Run,
    every: Duration,
    last: Instant,
    /// How many were written.
    count: usize,
    /// Of what was consumed before.
    hashers: Option<Hashers>,
}

impl<'a> Saved<'a> {
    fn new(args: &'a MsmArgs, input: &Input<'_>) -> Result<Self, Error> {
        let path = args.stream.checkpoint.as_deref();
        let check = format!("{:?}", args.check).to_lowercase();
        Ok(Saved {
            path,
            run: Run::new(input, check),
            every: args.stream.every,
            last: Instant::now(),
            count: 0,
            hashers: path.map(|_| Hashers::new(input.bodies.len())),
        })
    }

    /// The checkpoint to go on from, if there is one, and its sums.
    fn load<D: Groups>(
        &mut self,
        input: &Input<'_>,
        scalars: &ScalarsInput<'_>,
        cancel: &Cancel,
    ) -> Result<Option<(Checkpoint, D::Sums)>, Error> {
        let (Some(path), Some(hashers)) = (self.path, &mut self.hashers) else {
            return Ok(None);
        };
        let Some(checkpoint) = Checkpoint::load(path)? else {
            // Better now than after a minute: is there room for one?
            return Output::create_private(path).map(|_| None);
        };
        let refuse = |source| Error::Checkpoint { path: path.into(), source };
        checkpoint.check_run(&self.run).map_err(refuse)?;
        for start in (0..checkpoint.position).step_by(PIECE) {
            check_cancelled(cancel)?;
            hashers.consume(input, &scalars.file, &(start..checkpoint.position.min(start + PIECE)));
        }
        checkpoint.check_digests(&hashers.digests()).map_err(refuse)?;
        let sums = checkpoint.sums().and_then(|bytes| D::decode(&bytes));
        let sums = sums.ok_or_else(|| refuse(CheckpointError::Damaged))?;
        Ok(Some((checkpoint, sums)))
    }

    /// Whether it is time for the next one.
    fn is_due(&self) -> bool {
        self.path.is_some() && self.last.elapsed() >= self.every
    }

    fn save<D: Groups>(&mut self, piece: &Piece<'_, D>, sums: D::Sums) -> Result<(), Error> {
        if let (Some(path), Some(digests)) = (self.path, &piece.digests) {
            let run = self.run.clone();
            Checkpoint::new(run, piece.range.end, digests.clone(), &D::encode(sums)?).save(path)?;
            self.count += 1;
            self.last = Instant::now();
        }
        Ok(())
    }
}
