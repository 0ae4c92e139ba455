//! Proofs over HTTP by `bucketwheel serve`, for several numbers of clients, and proofs by the prover in this process.

use super::process;
use super::provers;
use super::workload::{self, Workload};
use crate::args::ServeArgs;
use crate::files::{map, write_atomically};
use crate::machine;
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
use bucketwheel_groth16::file::{ProofJson, Wtns, Zkey};
use bucketwheel_groth16::{
    self as groth16, PairingCurve, PreparedVerifyingKey, Proof, ProveOptions, with_pairing,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 5;

/// The number of the server's workers (`--workers`).
const CALLERS: usize = 2;

/// Measures workload by workload.
pub fn serve(args: &ServeArgs) -> Result<()> {
    let processors = process::processors()?;
    ensure!(
        args.threads <= processors.len(),
        "{} threads on {} processors: expected fewer",
        args.threads,
        processors.len()
    );
    let command = provers::build_command(&["--features", "serve"])?;
    let mut table = format!(
        "Proofs over HTTP on {}, {} threads: witnesses sent, proofs verified. *called*: the prover without \
         a server, by {CALLERS} callers. Medians of {REPETITIONS} interleaved rounds with their range; milliseconds that a client waits.\n\n\
         | workload | clients | proofs a second | range | of called | median ms | 99 % ms |\n|---|---:|---:|---:|---:|---:|---:|\n",
        machine::processor(),
        args.threads
    );
    print!("{table}");
    for workload in workload::find(&args.folder, &args.workloads)? {
        let server = Served::start(&command, &workload, &processors[..args.threads])?;
        let rows = with_pairing!(workload.curve, E => measure::<E>(args, &workload, &server))?;
        let rows = rows.with_context(|| workload.name.clone())?;
        print!("{rows}");
        table += &rows;
    }
    write_atomically(&args.out.join("serve.md"), table.as_bytes())
}

/// Answers within a time.
struct Round<E: PairingCurve> {
    proofs: Vec<Proof<E>>,
    /// Times of each proof, from the request to the answer.
    waited: Vec<Duration>,
    /// Time until the last answer.
    elapsed: Duration,
}

impl<E: PairingCurve> Round<E> {
    /// Runs this number of callers at once. Each asks, waits and asks again for some seconds.
    fn run<C>(
        callers: usize,
        seconds: f64,
        connect: impl Fn() -> Result<C> + Sync,
        ask: impl Fn(&mut C) -> Result<Proof<E>> + Sync,
    ) -> Result<Self> {
        let start = Instant::now();
        let caller = || -> Result<Vec<(Proof<E>, Duration)>> {
            let mut connection = connect()?;
            let mut answers = Vec::new();
            while start.elapsed().as_secs_f64() < seconds {
                let asked = Instant::now();
                let proof = ask(&mut connection)?;
                answers.push((proof, asked.elapsed()));
            }
            Ok(answers)
        };
        let answers = thread::scope(|scope| {
            let callers: Vec<_> = (0..callers).map(|_| scope.spawn(caller)).collect();
            let joined = callers.into_iter().map(|caller| caller.join().expect("a caller does not panic"));
            joined.collect::<Result<Vec<_>>>()
        })?;
        let elapsed = start.elapsed();
        let (proofs, waited) = answers.into_iter().flatten().unzip();
        Ok(Self { proofs, waited, elapsed })
    }

    fn rate(&self) -> f64 {
        self.proofs.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// Runs the prover and the server in turn, for each number of clients; the first round does not count.
fn measure<E: PairingCurve>(args: &ServeArgs, workload: &Workload, server: &Served) -> Result<String> {
    let (key, witness) = (map(&workload.key())?, map(&workload.witness())?);
    let prover = groth16::Prover::new(Zkey::<E>::parse(&key)?)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let called = || {
        Round::run(
            CALLERS,
            args.seconds,
            || Ok(()),
            |()| {
                let values = Wtns::parse(&witness)?.to_vec()?;
                Ok(pool.install(|| prover.prove(&values, ProveOptions::new()))?.proof)
            },
        )
    };
    let served = |clients| {
        Round::run(clients, args.seconds, || server.connect(), |client: &mut Client| client.prove(&witness))
    };
    let verifier = PreparedVerifyingKey::new(&workload.verifying_key.decode::<E>()?);
    let values = Wtns::parse(&witness)?;
    let public: Vec<_> = (1..=workload.public.len()).map(|i| E::ScalarField::from(values.get(i))).collect();
    let clients = args.clients.iter().map(|&clients| Some(clients));
    let mut columns: Vec<_> = [None].into_iter().chain(clients).map(Column::new).collect();
    for repetition in 0..=REPETITIONS {
        for column in &mut columns {
            let round = column.clients.map_or_else(called, served)?;
            let claims: Vec<_> = round.proofs.iter().map(|proof| (&public[..], *proof)).collect();
            ensure!(verifier.verify_many(&claims)?.is_none(), "a proof does not hold");
            if repetition > 0 {
                column.rates.push(round.rate());
                column.waited.extend(round.waited.iter().map(|waited| 1000.0 * waited.as_secs_f64()));
            }
        }
    }
    let called = Spread::range(columns[0].rates.clone()).median;
    Ok(columns.into_iter().map(|column| column.row(&workload.name, called)).collect())
}

/// Measurements with a number of clients, or of calls of the prover.
struct Column {
    clients: Option<usize>,
    /// Proofs a second in each round.
    rates: Vec<f64>,
    /// Milliseconds of each proof.
    waited: Vec<f64>,
}

impl Column {
    fn new(clients: Option<usize>) -> Self {
        Self { clients, rates: Vec::new(), waited: Vec::new() }
    }

    /// Returns a row of the table, given the prover's own rate.
    fn row(mut self, workload: &str, called: f64) -> String {
        let Spread { median, low, high } = Spread::range(self.rates);
        self.waited.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| self.waited[(share * (self.waited.len() - 1) as f64) as usize];
        format!(
            "| {workload} | {} | {median:.1} | {low:.1} to {high:.1} | {:.2} | {:.1} | {:.1} |\n",
            self.clients.map_or("called".to_owned(), |clients| clients.to_string()),
            median / called,
            quantile(0.5),
            quantile(0.99)
        )
    }
}

/// A server with one circuit; dropping it ends the server.
struct Served {
    child: Child,
    /// Kept open, so that the server can write to it.
    _output: BufReader<ChildStdout>,
    address: String,
    name: String,
}

impl Served {
    fn start(command: &Path, workload: &Workload, processors: &[usize]) -> Result<Self> {
        let list = std::env::current_exe()?.with_file_name("bench-inputs").join("serve.toml");
        let text = format!("[circuits.{:?}]\nkey = {:?}\n", workload.name, workload.key().canonicalize()?);
        write_atomically(&list, text.as_bytes())?;
        let mut server = process::pinned(command, processors);
        server.arg("serve").arg(&list).args(["--listen", "127.0.0.1:0", "--queue", "1000"]);
        let mut child = server.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(child.stdout.take().context("no output")?);
        let mut line = String::new();
        let address = loop {
            line.clear();
            ensure!(output.read_line(&mut line)? > 0, "the server ends before it has an address");
            if let Some(address) = line.trim_end().strip_prefix("http://") {
                break address.to_owned();
            }
        };
        Ok(Self { child, _output: output, address, name: workload.name.clone() })
    }

    fn connect(&self) -> Result<Client> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        Ok(Client { stream: BufReader::new(stream), path: format!("/v1/prove/{}", self.name) })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // If the server has already ended, nothing remains to be done.
        let _ = kill(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGTERM);
        let _ = self.child.wait();
    }
}

/// A connection that stays open.
struct Client {
    stream: BufReader<TcpStream>,
    path: String,
}

impl Client {
    fn prove<E: PairingCurve>(&mut self, witness: &[u8]) -> Result<Proof<E>> {
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\ncontent-length: {}\r\n\r\n",
            self.path,
            witness.len()
        );
        self.stream.get_mut().write_all(&[head.as_bytes(), witness].concat())?;
        let (mut status, mut length) = (String::new(), 0);
        self.stream.read_line(&mut status)?;
        loop {
            let mut line = String::new();
            ensure!(self.stream.read_line(&mut line)? > 0, "the server closes the connection");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse()?
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        ensure!(status.contains(" 200 "), "{} {}", status.trim_end(), String::from_utf8_lossy(&body));
        let answer: Value = serde_json::from_slice(&body)?;
        Ok(ProofJson::parse(answer["proof"].to_string().as_bytes())?.decode()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bucketwheel_groth16::Bn254;
    use std::net::TcpListener;

    #[test]
    fn rows_have_the_rate_beside_the_prover_s_own() {
        let column =
            Column { clients: Some(8), rates: vec![9.0, 12.0, 10.0], waited: vec![3.0, 1.0, 2.0, 90.0, 4.0] };
        assert_eq!(column.row("a", 20.0), "| a | 8 | 10.0 | 9.0 to 12.0 | 0.50 | 3.0 | 4.0 |\n");
        let column = Column { clients: None, rates: vec![20.0], waited: vec![5.0] };
        assert_eq!(column.row("a", 20.0), "| a | called | 20.0 | 20.0 to 20.0 | 1.00 | 5.0 | 5.0 |\n");
    }

    /// Answers requests with these texts, each request with two bytes of content.
    fn answering(answers: Vec<String>) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut stream = BufReader::new(listener.accept().unwrap().0);
            for answer in answers {
                let mut line = String::new();
                while line != "\r\n" {
                    line.clear();
                    stream.read_line(&mut line).unwrap();
                }
                stream.read_exact(&mut [0; 2]).unwrap();
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        });
        Client { stream: BufReader::new(TcpStream::connect(address).unwrap()), path: "/".to_owned() }
    }

    #[test]
    fn clients_take_proofs_and_say_why_there_is_none() {
        let proof = include_str!("../../../crates/snarkjs/tests/data/bn254/proof.json");
        let body = format!("{{\"proof\":{proof}}}");
        let good = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let full = "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\nfull".to_owned();
        let mut client = answering(vec![good.clone(), full, good]);
        let expected = ProofJson::parse(proof.as_bytes()).unwrap().decode::<Bn254>().unwrap();
        assert_eq!(client.prove::<Bn254>(b"12").unwrap(), expected);
        let error = client.prove::<Bn254>(b"12").unwrap_err().to_string();
        assert!(error.contains("429") && error.ends_with("full"), "{error}");
        assert_eq!(client.prove::<Bn254>(b"12").unwrap(), expected);
        assert!(client.prove::<Bn254>(b"12").is_err());
    }

    #[test]
    fn a_round_has_all_answers_of_all_callers() {
        let file = include_str!("../../../crates/snarkjs/tests/data/bn254/proof.json");
        let proof = ProofJson::parse(file.as_bytes()).unwrap().decode::<Bn254>().unwrap();
        let round = Round::<Bn254>::run(
            3,
            0.05,
            || Ok(()),
            |()| {
                thread::sleep(Duration::from_millis(10));
                Ok(proof)
            },
        );
        let round = round.unwrap();
        assert_eq!(round.proofs.len(), round.waited.len());
        assert!(round.proofs.len() >= 3 && round.elapsed >= Duration::from_millis(50) && round.rate() > 0.0);
        assert!(Round::<Bn254>::run(2, 0.05, || Ok(()), |()| anyhow::bail!("none")).is_err());
    }
}
