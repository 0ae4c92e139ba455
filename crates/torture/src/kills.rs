//! Commands that are killed, asked to end, find the disk full, or lose the end of an input at a random moment.
//! Afterwards, the output file is missing, unchanged, or complete.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use bucketwheel::{AdderKind, SchedulerKind};
use bucketwheel_groth16::file::VerifyingKeyJson;
use rand::Rng;
use serde_json::Value;
use tempfile::TempDir;

use crate::drive::Session;
use crate::shared::Random;

/// Content of the files that a command replaces.
const OLD: &[u8] = b"what was there before";

/// A command that writes files. Words that begin with @ are inputs, which are in a separate directory.
struct Job {
    line: &'static str,
    outputs: &'static [(&'static str, Complete)],
}

/// Criterion of a complete output.
#[derive(Clone, Copy, Debug)]
enum Complete {
    /// The output has the same bytes as without a disturbance.
    Same,
    /// This command accepts the output.
    Accepts(&'static str),
    /// The output is a verifying key.
    VerifyingKey,
}

use Complete::{Accepts, Same, VerifyingKey};

const JOBS: &[Job] = &[
    Job {
        line: "generate --curve bls12-377 --group pair --size 3000 --seed 3 --points p --scalars s",
        outputs: &[("p", Same), ("s", Same)],
    },
    Job { line: "table @points --copies 8 --backend portable --out table", outputs: &[("table", Same)] },
    Job { line: "convert --to arkworks-compressed --check subgroup @points out", outputs: &[("out", Same)] },
    Job {
        line: "setup @r1cs --out key --vkey vkey",
        outputs: &[("key", Accepts("zkey check key")), ("vkey", VerifyingKey)],
    },
    Job {
        line: "prove @zkey @wtns proof public",
        outputs: &[("proof", Accepts("verify @vkey @public proof")), ("public", Same)],
    },
    Job { line: "witness @wasm @inputs wtns", outputs: &[("wtns", Same)] },
];

/// A sum with checkpoints, slow enough to be disturbed in the middle, by any scheduler and adder; the next run may have
/// others.
const MSM: &str =
    "msm @points @scalars --json --threads 1 --window 8 --backend portable --checkpoint state --every 0";

/// Returns the line of [`MSM`] with random options.
fn msm(rng: &mut Random) -> String {
    let scheduler = SchedulerKind::ALL[rng.gen_range(0..SchedulerKind::ALL.len())];
    let adder = AdderKind::ALL[rng.gen_range(0..AdderKind::ALL.len())];
    format!("{MSM} --scheduler {scheduler} --adder {adder}")
}

/// Disturbance of a command.
#[derive(Clone, Copy, Debug)]
enum Disturbance {
    /// `kill -9`.
    Kill,
    /// `kill`.
    Terminate,
    /// No file may exceed this number of blocks of 512 bytes.
    FullDisk(u64),
    /// An input loses its pages behind this share of its length.
    Shorten(f64),
}

/// Bytes of a page: a cut within a page shows as zeros.
const PAGE: f64 = 4096.0;

/// The command, and its inputs.
struct Bench {
    command: PathBuf,
    inputs: TempDir,
    /// Time of each job, and the bytes of its output files.
    undisturbed: Vec<(Duration, Vec<Vec<u8>>)>,
    /// Time of the sum, and its result.
    sum: (Duration, Value),
}

/// Runs cases.
///
/// # Errors
/// The first failure, or an error if the command does not work.
pub fn run(session: &Session, time: Duration, command: PathBuf) -> Result<String, String> {
    let bench = Bench::new(command.clone()).map_err(|error| format!("undisturbed: {error}"))?;
    let more = format!(" --command {}", command.display());
    session.run("kills", &more, time, Duration::from_secs(300), |rng| case(&bench, rng))
}

fn case(bench: &Bench, rng: &mut Random) {
    let job = rng.gen_range(0..=JOBS.len());
    match JOBS.get(job) {
        Some(job_at) => bench.disturb_job(job_at, &bench.undisturbed[job], rng),
        None => bench.disturb_sum(rng),
    }
}

impl Bench {
    fn new(command: PathBuf) -> Result<Self, String> {
        let inputs = tempfile::tempdir().map_err(|error| error.to_string())?;
        let write = |name: &str, bytes: &[u8]| {
            fs::write(inputs.path().join(name), bytes).map_err(|error| error.to_string())
        };
        write("r1cs", include_bytes!("../../snarkjs/tests/data/bn254/power.r1cs"))?;
        write("zkey", include_bytes!("../../snarkjs/tests/data/bn254/power.zkey"))?;
        write("wtns", include_bytes!("../../snarkjs/tests/data/bn254/power.wtns"))?;
        write("vkey", include_bytes!("../../snarkjs/tests/data/bn254/verification_key.json"))?;
        let circuit = wat::parse_str(include_str!("../../snarkjs/tests/witness/circuit.wat"));
        write("wasm", &circuit.map_err(|error| error.to_string())?)?;
        write("inputs", br#"{ "a": 3, "b": ["0x10", "4"] }"#)?;
        let mut bench =
            Bench { command, inputs, undisturbed: Vec::new(), sum: (Duration::ZERO, Value::Null) };
        let at = bench.inputs.path().to_owned();
        // All adders have this curve.
        bench.succeed(&at, "generate --curve bls12-377 --size 20000 --points points --scalars scalars")?;
        bench.succeed(&at, "prove zkey wtns ignored public")?;
        for job in JOBS {
            let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
            let start = Instant::now();
            bench.succeed(directory.path(), job.line)?;
            let time = start.elapsed();
            let read = |(name, _): &(&str, _)| fs::read(directory.path().join(name));
            let files = job.outputs.iter().map(read).collect::<Result<_, _>>();
            bench.undisturbed.push((time, files.map_err(|error| error.to_string())?));
        }
        let start = Instant::now();
        bench.sum.1 = sum(&bench.succeed(&at, MSM)?);
        bench.sum.0 = start.elapsed();
        Ok(bench)
    }

    /// Returns the words of a line, with inputs of this folder.
    fn words(line: &str, inputs: &Path) -> Vec<PathBuf> {
        let word = |word: &str| word.strip_prefix('@').map_or(word.into(), |name| inputs.join(name));
        line.split_whitespace().map(word).collect()
    }

    /// Copies the inputs of a line into a folder. Returns the path of the first one.
    fn copy_inputs(&self, line: &str, to: &Path) -> Option<PathBuf> {
        let names = line.split_whitespace().filter_map(|word| word.strip_prefix('@'));
        let copies = names.map(|name| {
            fs::copy(self.inputs.path().join(name), to.join(name)).expect("the disk has room");
            to.join(name)
        });
        copies.collect::<Vec<_>>().into_iter().next()
    }

    fn start(&self, program: &str, at: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(at).env_remove("BUCKETWHEEL_BACKEND").env("BUCKETWHEEL_PROFILE", "none");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the standard output of an undisturbed command.
    fn succeed(&self, at: &Path, line: &str) -> Result<Vec<u8>, String> {
        let words = Self::words(line, self.inputs.path());
        let output = self.start(&self.command.to_string_lossy(), at).args(words).output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("{line}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Runs a line and disturbs it after `delay`.
    fn disturb(&self, at: &Path, line: &str, how: Disturbance, delay: Duration) -> Output {
        // The script ignores the signal of the limit, so writes fail, as they do on a full disk.
        let script = match how {
            Disturbance::FullDisk(blocks) => format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""),
            _ => "exec \"$0\" \"$@\"".into(),
        };
        let inputs = tempfile::tempdir().expect("a temporary directory");
        let (folder, input) = match how {
            Disturbance::Shorten(_) => (inputs.path(), self.copy_inputs(line, inputs.path())),
            _ => (self.inputs.path(), None),
        };
        let mut command = self.start("sh", at);
        let mut child = command
            .arg("-c")
            .arg(script)
            .arg(&self.command)
            .args(Self::words(line, folder))
            .spawn()
            .expect("there is a shell");
        std::thread::sleep(delay);
        match how {
            Disturbance::FullDisk(_) => {}
            Disturbance::Kill => child.kill().expect("a child may be killed"),
            // If the process has already ended, nobody has waited for it, so its number is still its own.
            Disturbance::Terminate => {
                let status = Command::new("kill").arg(child.id().to_string()).status();
                assert!(status.expect("there is kill").success());
            }
            Disturbance::Shorten(part) => input.iter().for_each(|input| {
                let file = OpenOptions::new().write(true).open(input).expect("a file of its own");
                let len = file.metadata().expect("a file").len() as f64;
                file.set_len(((len * part / PAGE).floor() * PAGE) as u64).expect("a file gets shorter");
            }),
        }
        child.wait_with_output().expect("a child ends")
    }

    fn disturb_job(&self, job: &Job, (time, files): &(Duration, Vec<Vec<u8>>), rng: &mut Random) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let at = directory.path();
        let old = rng.gen();
        if old {
            job.outputs
                .iter()
                .for_each(|(name, _)| fs::write(at.join(name), OLD).expect("the disk has room"));
        }
        let longest = files.iter().map(Vec::len).max().unwrap_or_default() as u64;
        let (how, delay) = disturbance(*time, longest / 512 + 1, rng);
        let output = self.disturb(at, job.line, how, delay);
        let what = format!(
            "{}: {how:?} after {delay:?}, {}: {}",
            job.line,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let mut complete = 0;
        for ((name, kind), expected) in job.outputs.iter().zip(files) {
            match fs::read(at.join(name)) {
                Ok(bytes) if old && bytes == OLD => {}
                Ok(bytes) => {
                    assert!(self.is_complete(at, *kind, &bytes, expected), "{name} is not complete: {what}");
                    complete += 1;
                }
                Err(_) => assert!(!old, "{name} is gone: {what}"),
            }
        }
        assert!(!output.status.success() || complete == files.len(), "no error, and no output: {what}");
        check_end(at, how, &output, &what);
    }

    fn is_complete(&self, at: &Path, kind: Complete, bytes: &[u8], expected: &[u8]) -> bool {
        match kind {
            Same => bytes == expected,
            Accepts(line) => self.succeed(at, line).is_ok(),
            VerifyingKey => VerifyingKeyJson::parse(bytes).is_ok(),
        }
    }

    /// Disturbs a sum a few times. Each run continues from the checkpoint.
    fn disturb_sum(&self, rng: &mut Random) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let at = directory.path();
        for _ in 0..rng.gen_range(1..4) {
            let (how, delay) = disturbance(self.sum.0, 4, rng);
            let line = msm(rng);
            let output = self.disturb(at, &line, how, delay);
            let errors = String::from_utf8_lossy(&output.stderr);
            let what = format!("{line}: {how:?} after {delay:?}, {}: {errors}", output.status);
            if output.status.success() {
                assert_eq!(sum(&output.stdout), self.sum.1, "{what}");
            }
            check_end(at, how, &output, &what);
        }
        let line = msm(rng);
        let resumed = self.succeed(at, &line).unwrap_or_else(|error| panic!("not resumed: {error}"));
        assert_eq!(sum(&resumed), self.sum.1, "resumed: {line}");
        assert!(!at.join("state").exists(), "a checkpoint is left of what is done");
    }
}

/// Returns a random disturbance and its time, for a command that takes `time` and writes files of at most `blocks`
/// blocks.
fn disturbance(time: Duration, blocks: u64, rng: &mut Random) -> (Disturbance, Duration) {
    let how = match rng.gen_range(0..4) {
        0 => Disturbance::Kill,
        1 => Disturbance::Terminate,
        2 => Disturbance::Shorten(rng.gen_range(0.0..1.0)),
        _ => return (Disturbance::FullDisk(rng.gen_range(0..blocks)), Duration::ZERO),
    };
    (how, time.mul_f64(rng.gen_range(0.0..1.2)))
}

/// Checks that only a command without time to clean up leaves a temporary file, and that errors are one line.
fn check_end(at: &Path, how: Disturbance, output: &Output, what: &str) {
    if let Disturbance::Shorten(_) = how {
        assert!(output.status.code().is_some_and(|code| code < 2), "{what}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.lines().filter(|line| line.starts_with("error: ")).count() < 2, "{what}");
    }
    // These disturbances leave no time to remove temporary files.
    if let Disturbance::Kill | Disturbance::Shorten(_) = how {
        return;
    }
    let names = fs::read_dir(at).expect("the directory is there").flatten().map(|file| file.file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(".bucketwheel-")).collect();
    assert!(left.is_empty(), "{left:?} is left: {what}");
    if let (Disturbance::FullDisk(_), false) = (how, output.status.success()) {
        assert_eq!(output.status.code(), Some(1), "{what}");
    }
}

/// Returns the coordinates in a sum's JSON.
fn sum(json: &[u8]) -> Value {
    let outcome: Value = serde_json::from_slice(json).unwrap_or_default();
    Value::Array(["x", "y"].map(|name| outcome[0][name].clone()).into())
}
