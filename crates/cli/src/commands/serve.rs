//! `serve`: serves proofs over HTTP.

use std::io::Write;

#[cfg(feature = "serve")]
use crate::args::LogArg;
use crate::args::ServeArgs;
use crate::error::Error;
use crate::runtime::Context;

/// Serves until Ctrl-C or a request to terminate, and then answers the waiting clients.
///
/// # Errors
/// For unusable circuits and unavailable addresses.
#[cfg(feature = "serve")]
pub fn run(args: &ServeArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    use std::time::Duration;

    use bucketwheel_server::{Circuits, Loading, Options, Server, Token};

    use crate::error::own;
    use crate::output::{visible, warn};
    use crate::runtime::available_threads;

    install(args.log);
    let token = Token::find(args.token_file.as_deref()).map_err(own)?;
    if let (Some(path), true) = (&args.token_file, token.as_ref().is_some_and(Token::is_exposed)) {
        let path = visible(path.display());
        warn(format_args!("all users of this machine may read or write {path}: expected chmod 600 {path}"));
    }
    let threads = args.threads.unwrap_or_else(available_threads);
    let circuits = Circuits::load(&args.circuits, Loading { threads, retain: args.retain }).map_err(own)?;
    let options = Options {
        listen: args.listen,
        workers: args.workers,
        queue: args.queue as usize,
        timeout: Duration::from_secs(args.timeout.into()),
        patience: Duration::from_secs(args.patience.into()),
        per_address: args.per_address.map(|count| count as usize),
        body_limit: args.body_limit.0,
        token,
        hosts: args.host.clone(),
        rapidsnark_api: args.rapidsnark_api,
    };
    let server = Server::bind(&circuits, options).map_err(own)?;
    for info in circuits.infos() {
        for warning in &info.warnings {
            warn(format_args!("{}: {warning}", info.name));
        }
        let takes = if info.inputs { "inputs or a witness" } else { "a witness" };
        let (name, curve, signals, public) = (&info.name, info.curve, info.signals, info.public);
        let log_size = info.domain_size.ilog2();
        let retained = match info.retained {
            0 => String::new(),
            bytes => format!(", retains {:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        };
        writeln!(
            out,
            "{name}: {curve}, {signals} signals, {public} public, domain of 2^{log_size}, takes {takes}{retained}"
        )?;
    }
    writeln!(out, "http://{}", server.address())?;
    out.flush()?;
    server.run(context.cancel).map_err(own)
}

/// Writes the server's log, and no other log, to standard error in this form.
#[cfg(feature = "serve")]
fn install(form: LogArg) {
    use tracing_subscriber::filter::{LevelFilter, Targets};
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;
    use tracing_subscriber::{fmt, registry, Layer};

    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    let lines = match form {
        LogArg::Json => lines.json().flatten_event(true).boxed(),
        LogArg::Text => lines.boxed(),
        LogArg::Off => return,
    };
    let server = Targets::new().with_target("bucketwheel_server", LevelFilter::INFO);
    // The call fails if a program that contains this command has its own log, which then gets the lines.
    let _ = registry().with(lines.with_filter(server)).try_init();
}

/// This build cannot serve.
#[cfg(not(feature = "serve"))]
#[derive(Debug, thiserror::Error)]
#[error(
    "this build has no server: build it with the feature serve, for example \
     cargo install --path crates/cli --features serve"
)]
struct NoServer;

/// Returns the error of a build without the server.
#[cfg(not(feature = "serve"))]
pub fn run(_: &ServeArgs, _: Context<'_>, _: &mut dyn Write) -> Result<(), Error> {
    Err(crate::error::own(NoServer))
}
