//! `msmac`: programs of the accelerator MSMAC.

use std::io::Write;
use std::path::PathBuf;

use bucketwheel_hardware::configure;
use bucketwheel_hardware::msmac::{assemble, disassemble, from_bytes, pippenger_text, to_bytes, Parameters};

use crate::args::hardware::{MsmacCommand, Setting};
use crate::error::{in_file, own, Error};
use crate::files::{map_as, Output};

/// The text is not UTF-8.
#[derive(Debug, thiserror::Error)]
#[error("{} is not UTF-8: expected a text of MSMAC's instructions", .0.display())]
struct NotText(PathBuf);

/// Assembles, or prints a program.
///
/// # Errors
/// If a file cannot be read or written, or is not a program.
pub fn run(command: &MsmacCommand, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        MsmacCommand::Asm { text: path, out } => {
            let text = map_as(path, "a text of MSMAC's instructions")?;
            let text = std::str::from_utf8(&text).map_err(|_| own(NotText(path.clone())))?;
            let program = assemble(text).map_err(in_file(path))?;
            Ok(Output::with(out, &to_bytes(&program))?.finish()?)
        }
        MsmacCommand::Disasm { program: path } => {
            let bytes = map_as(path, "a program of `bucketwheel msmac asm`")?;
            let program = from_bytes(&bytes).map_err(in_file(path))?;
            Ok(out.write_all(disassemble(&program).as_bytes())?)
        }
        MsmacCommand::Program { window, set } => {
            let mut settings = vec![("window".to_owned(), window.to_string())];
            settings.extend(set.iter().map(Setting::pair));
            let hardware = configure(Parameters::default(), &settings)?.hardware(0)?;
            Ok(out.write_all(pippenger_text(&hardware).as_bytes())?)
        }
    }
}
