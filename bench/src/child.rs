//! Programs in other languages, in their own processes.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// Compiles the Go program in this folder of the sources into the folder of
/// this executable.
pub fn build_go(name: &str, sources: &str) -> Result<PathBuf> {
    build_go_by(&mut Command::new("go"), name, sources, &[])
}

/// Does the same by a command that may have an environment, with options.
pub fn build_go_by(go: &mut Command, name: &str, sources: &str, options: &[&str]) -> Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name(name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
    run_tool("go", go.arg("build").args(options).arg("-o").arg(&program).current_dir(folder))
        .with_context(|| format!("cannot build {name}"))?;
    Ok(program)
}

/// Runs a tool that must exist; its own last line gives the reason of a failure.
pub fn run_tool(tool: &str, command: &mut Command) -> Result<()> {
    match command.output() {
        Ok(output) => check(&output),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("{tool} is missing: install it or leave out what needs it")
        }
        Err(error) => Err(error).with_context(|| format!("cannot run {tool}")),
    }
}

/// Returns the last line of a failed program's message.
pub fn check(output: &Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    bail!("{}: {}", output.status, message.trim_end().lines().last().unwrap_or("no message"))
}

/// A child that answers each line of its input with a line, and ends with its input.
pub struct Server {
    child: Child,
    /// Closed first when the server is dropped, which ends the child.
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Server {
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let replies = BufReader::new(child.stdout.take().context("no output")?);
        let requests = child.stdin.take();
        Ok(Self { child, requests, replies })
    }

    pub fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let requests = self.requests.as_mut().context("closed")?;
        Ok(requests.write_all(bytes)?)
    }

    pub fn reply(&mut self) -> Result<String> {
        let mut line = String::new();
        self.replies.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.requests.take());
        // The child ends at the end of its input; if it has ended already, nothing remains to be done.
        let _ = self.child.wait();
    }
}
