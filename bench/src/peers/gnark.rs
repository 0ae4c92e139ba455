//! gnark-crypto, in a child process for each job, so that Go's scheduler and collector have a process, a processor
//! count and a memory of their own. gnark-crypto takes field elements, so the timed region includes the conversion of
//! scalars. The child times the call itself, so the pipe does not count.

use super::library::{Job, Library, Outcome};
use crate::child::{Server, build_go};
use crate::inputs::with_input;
use crate::inputs::{AnyInput, Input, Setting, encoding};
use anyhow::{Context, Result, ensure};
use rayon::ThreadPool;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

pub struct Gnark {
    program: PathBuf,
}

impl Gnark {
    /// Compiles the Go program.
    pub fn build() -> Result<Self> {
        Ok(Self { program: build_go("gnark-peer", "gnark")? })
    }
}

impl Library for Gnark {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        with_input!(input, input => {
            let mut server = start(&self.program, input, pool.current_num_threads())
                .context("the gnark-crypto peer failed")?;
            Ok(Some(Box::new(move || {
                run(&mut server).context("the gnark-crypto peer failed")
            })))
        })
    }
}

/// A child that holds one input and computes its MSM for every line of its input.
fn start<C: Setting>(program: &PathBuf, input: Input<C>, threads: usize) -> Result<Server> {
    let mut command = Command::new(program);
    command
        .args([C::CURVE.to_string(), C::GROUP.to_string()])
        .args([input.points.len().to_string(), threads.to_string()])
        .env("GOMAXPROCS", threads.to_string());
    let mut server = Server::start(&mut command)?;
    server.send(&encoding::encode_points(input.points))?;
    server.send(&encoding::encode_scalars(input.scalars))?;
    ensure!(server.reply()? == "ready", "unexpected reply");
    Ok(server)
}

fn run(server: &mut Server) -> Result<Outcome> {
    server.send(b"run\n")?;
    let reply = server.reply()?;
    let (nanoseconds, sum) = reply.split_once(' ').context("unexpected reply")?;
    Ok(Outcome { elapsed: Duration::from_nanos(nanoseconds.parse()?), sum: hex::decode(sum)? })
}
