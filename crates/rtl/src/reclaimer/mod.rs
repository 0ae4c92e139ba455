//! The reclaimer (`hdl/rtl/pe/reclaimer_top.sv`) and its surroundings: the host and its streams, with or without pauses.

mod curve;
mod device;
mod registers;

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ff::PrimeField;
use bucketwheel_hardware::reclaimer::Parameters;
use bucketwheel_hardware::{combine, Curve, Scalar, Windows};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::curve::{decode, encode};
pub use self::registers::{
    named, BATCHES, BUSY, CONTROL, COUNTS, DONE, MISFRAMED, REFUSED, RESTART, SHAPE, SIZE, START, WINDOWS,
};
use crate::bus::Access;
use crate::stream::Sender;
use crate::{Bench, Bus, Fault, Inputs, Reply, Request, Watch};

/// State of the reset wire in a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Reset,
    Released,
}

/// Returns the sum from the parts of all windows of this many bits, the lowest window first.
///
/// # Panics
/// Panics if a window lacks parts.
pub fn combine_parts<C: SWCurveConfig>(parts: &[Projective<C>], window: u32) -> Projective<C> {
    // A window has a part for each bit of a bucket's number, and one for all buckets: bucket b counts b + 1 times.
    let sum = |parts: &[Projective<C>]| {
        let (all, bits) = parts.split_last().expect("a window has parts");
        combine(bits, 1) + all
    };
    let sums: Vec<_> = parts.chunks(window as usize).map(sum).collect();
    combine(&sums, window)
}

/// A simulated reclaimer with its host.
pub struct Reclaimer {
    bench: Bench,
    curve: Curve,
    /// Bits of a window.
    window: u32,
    adders: u32,
    /// Beats of the stream of points, once a pass.
    beats: Vec<Vec<u32>>,
    points: Sender,
    /// The parts that arrived, each with a flag for the last one.
    pub parts: Vec<(Vec<u32>, bool)>,
    /// Share of the cycles in which the host offers or takes a word.
    pub pace: f64,
    /// Cancellation and progress.
    pub watch: Watch,
    rng: ChaCha8Rng,
    input: Vec<u32>,
}

impl Reclaimer {
    /// Opens a bench of `tb_reclaimer` by its name in `benches.rs`.
    ///
    /// # Errors
    /// If the machine's registers do not answer.
    ///
    /// # Panics
    /// Panics if the bench does not exist.
    pub fn new(bench: &str) -> Result<Self, Fault> {
        let mut this = Reclaimer {
            bench: Bench::new(bench),
            curve: Curve::Bls12_377,
            window: 0,
            adders: 0,
            beats: Vec::new(),
            points: Sender::default(),
            parts: Vec::new(),
            pace: 1.0,
            watch: Watch::default(),
            rng: ChaCha8Rng::seed_from_u64(1),
            // Enough cycles for the bus.
            input: vec![0; 3],
        };
        let [adders, _, window, curve] = this.read(SHAPE)?.to_le_bytes();
        this.window = window.into();
        this.adders = adders.into();
        this.curve = match curve {
            0 => Curve::Bls12_377,
            1 => Curve::Bn254,
            _ => Curve::Bls12_381,
        };
        let limbs = this.curve.coordinate_bytes() as usize / 4;
        this.input = vec![0; 3 + 2 * limbs + size_of::<Scalar>() / 4];
        // The buckets are swept after a reset.
        this.reset();
        Ok(this)
    }

    /// Returns the bench, to see its failures.
    pub fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// Returns the cycle model of the same hardware, from the registers and the benches' queues.
    ///
    /// # Errors
    /// If the registers do not answer.
    pub fn model(&mut self) -> Result<Parameters, Fault> {
        let [adders, banks, window, _] = self.read(SHAPE)?.to_le_bytes().map(u32::from);
        let [batch, chains, stages, _] = self.read(BATCHES)?.to_le_bytes().map(u32::from);
        Ok(Parameters {
            curve: self.curve,
            window,
            adders,
            batch: 1 << batch,
            chains: 1 << chains,
            multiplier_stages: stages,
            banks: 1 << banks,
            ..Parameters::default()
        })
    }

    /// Returns the windows of scalars, and the passes over the points.
    ///
    /// # Errors
    /// [`Fault::Input`] if the parameters make no machine.
    pub fn passes(&self, model: &Parameters) -> Result<(Windows, usize), Fault> {
        let windows = model.windows()?;
        Ok((windows, windows.count().div_ceil(self.adders) as usize))
    }

    /// Computes `sum scalar * point`.
    ///
    /// # Errors
    /// [`Fault::Refused`] for windows that the machine lacks, [`Fault::Input`] if cancelled; other faults if the hardware is
    /// broken. After an error, the machine is restarted.
    ///
    /// # Panics
    /// Panics if the coordinates are not of the bench's curve.
    pub fn msm<C: SWCurveConfig<BaseField: PrimeField>>(
        &mut self,
        scalars: &[Scalar],
        points: &[Projective<C>],
        windows: Windows,
    ) -> Result<Projective<C>, Fault> {
        self.compute(self.encode(scalars, points, windows), windows.count() as usize)?;
        let parts: Vec<Projective<C>> =
            self.parts.iter().map(|(part, _)| decode(part)).collect::<Result<_, _>>()?;
        Ok(combine_parts(&parts, self.window))
    }

    /// Starts to compute a sum, without waiting for its parts.
    ///
    /// # Errors
    /// [`Fault::Refused`] for windows that the machine lacks, [`Fault::Register`] if it does not answer.
    ///
    /// # Panics
    /// Panics if the coordinates are not of the bench's curve.
    pub fn begin<C: SWCurveConfig<BaseField: PrimeField>>(
        &mut self,
        scalars: &[Scalar],
        points: &[Projective<C>],
        windows: Windows,
    ) -> Result<(), Fault> {
        self.send(self.encode(scalars, points, windows), windows.count() as usize)
    }

    fn encode<C: SWCurveConfig<BaseField: PrimeField>>(
        &self,
        scalars: &[Scalar],
        points: &[Projective<C>],
        windows: Windows,
    ) -> Vec<Vec<u32>> {
        let bits = C::BaseField::MODULUS_BIT_SIZE;
        assert_eq!(bits, self.curve.coordinate_bits(), "the curve of the bench");
        encode(points, scalars.iter().map(|scalar| windows.biased(scalar)))
    }

    /// Computes the parts of all windows from the beats of points, which come once a pass.
    ///
    /// # Errors
    /// As [`msm`](Self::msm).
    pub fn compute(&mut self, beats: Vec<Vec<u32>>, windows: usize) -> Result<(), Fault> {
        let done = self.round(beats, windows);
        if done.is_err() {
            self.restart()?;
        }
        done
    }

    fn round(&mut self, beats: Vec<Vec<u32>>, windows: usize) -> Result<(), Fault> {
        let size = beats.len();
        self.send(beats, windows)?;
        self.finish(windows * self.window as usize, self.limit(size, windows))?;
        match self.read(CONTROL)? & MISFRAMED {
            0 => Ok(()),
            _ => Err(Fault::Misaligned { what: "points" }),
        }
    }

    fn send(&mut self, beats: Vec<Vec<u32>>, windows: usize) -> Result<(), Fault> {
        let size = beats.len();
        self.load(beats, windows.div_ceil(self.adders as usize));
        self.start(size, windows)?;
        match self.read(CONTROL)? & REFUSED {
            0 => Ok(()),
            _ => Err(Fault::Refused { windows, tasks: 1, pes: 1 }),
        }
    }

    /// Returns a number of cycles that no sum ever takes: a point takes two places of an adder four times, and each level of
    /// sums takes longer than a batch.
    fn limit(&self, size: usize, windows: usize) -> u64 {
        /// More cycles than a pass waits for sums: the latency of an adder for each level of them.
        const SUMS: u64 = 1 << 18;
        let additions = 8 * (size as u64 + (1 << self.window)) + SUMS;
        (additions * windows as u64) * (1.0 / self.pace.max(1e-3)).ceil() as u64
    }

    /// Fills the stream of points.
    pub fn load(&mut self, beats: Vec<Vec<u32>>, passes: usize) {
        self.points = Sender::new(beats.len() * passes);
        self.beats = beats;
        self.parts.clear();
    }

    /// Runs a cycle with the wire's reset, with nothing to send, and waits until the buckets are swept.
    pub fn reset(&mut self) {
        self.load(Vec::new(), 0);
        self.cycle(Request::Idle, Wire::Reset);
        self.idle(1 << self.window);
    }

    /// Runs cycles without an access of the host.
    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Request::Idle, Wire::Released);
        }
    }

    fn cycle(&mut self, request: Request, wire: Wire) -> Reply {
        let reset = wire == Wire::Reset;
        let pace = self.pace;
        let mut chance = || pace >= 1.0 || self.rng.gen_bool(pace);
        let access = Access::new(request, &mut chance);
        let mut flags = access.flags;
        let takes = chance();
        flags |= u32::from(takes) << 7;
        let willing = chance();
        if self.points.offer(willing) {
            flags |= 1 << 5 | u32::from(self.points.is_last(self.beats.len())) << 6;
            let beat = &self.beats[self.points.next % self.beats.len()];
            self.input[3..].copy_from_slice(beat);
        }
        self.input[..3].copy_from_slice(&[access.address, access.data, flags]);

        let outputs = self.bench.cycle(Inputs { reset, ready: true, data: Some(&self.input) });
        let outputs = outputs.data.expect("this bench always answers");
        let has = |bit: u32| outputs[1] >> bit & 1 == 1;
        self.points.step(has(5));
        if takes && has(6) && !reset {
            self.parts.push((outputs[2..].to_vec(), has(7)));
        }
        access.reply(outputs[0], outputs[1])
    }
}
