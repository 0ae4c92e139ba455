//! gnark-crypto, in a child process for each job, so that Go's scheduler and
//! collector have a process, a processor count and a memory of their own. It
//! takes field elements, so the conversion of scalars is inside the timed
//! region; the child times the call itself, so the pipe is not.

use super::{Job, Library, Outcome};
use crate::inputs::{AnyInput, Input, Setting, encoding};
use crate::with_input;
use anyhow::{Context, Result, bail, ensure};
use rayon::ThreadPool;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

pub struct Gnark {
    program: PathBuf,
}

impl Gnark {
    /// Compiles the Go program into the folder of this executable.
    pub fn build() -> Result<Self> {
        let program = std::env::current_exe()?.with_file_name("gnark-peer");
        let output = Command::new("go")
            .args(["build", "-o"])
            .arg(&program)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/gnark"))
            .output();
        match output {
            Ok(output) if output.status.success() => Ok(Self { program }),
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                let line = message.lines().last().unwrap_or("no message");
                bail!("go cannot build the gnark-crypto peer: {line}")
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                bail!("the gnark-crypto peer needs Go: install it or choose --peers without it")
            }
            Err(error) => Err(error).context("cannot run go"),
        }
    }
}

impl Library for Gnark {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        with_input!(input, input => {
            let mut server = Server::start(&self.program, input, pool.current_num_threads())
                .context("the gnark-crypto peer failed")?;
            Ok(Some(Box::new(move || {
                server.run().context("the gnark-crypto peer failed")
            })))
        })
    }
}

/// A child that holds one input and computes its MSM for every line it gets.
struct Server {
    child: Child,
    /// Closed first when the job is dropped, which ends the child.
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Server {
    fn start<C: Setting>(program: &PathBuf, input: Input<C>, threads: usize) -> Result<Self> {
        let mut child = Command::new(program)
            .args([C::CURVE.to_string(), C::GROUP.to_string()])
            .args([input.points.len().to_string(), threads.to_string()])
            .env("GOMAXPROCS", threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let replies = BufReader::new(child.stdout.take().context("no output")?);
        let requests = child.stdin.take();
        let mut server = Self { child, requests, replies };
        server.send(&encoding::encode_points(input.points))?;
        server.send(&encoding::encode_scalars(input.scalars))?;
        ensure!(server.reply()? == "ready", "unexpected reply");
        Ok(server)
    }

    fn run(&mut self) -> Result<Outcome> {
        self.send(b"run\n")?;
        let reply = self.reply()?;
        let (nanoseconds, sum) = reply.split_once(' ').context("unexpected reply")?;
        Ok(Outcome { elapsed: Duration::from_nanos(nanoseconds.parse()?), sum: from_hex(sum)? })
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let requests = self.requests.as_mut().context("closed")?;
        Ok(requests.write_all(bytes)?)
    }

    fn reply(&mut self) -> Result<String> {
        let mut line = String::new();
        self.replies.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.requests.take());
        // The child ends at the end of its input; if it is gone already, there
        // is nothing left to do.
        let _ = self.child.wait();
    }
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?)).collect()
}
