//! `msmac`: programs of the accelerator MSMAC.

use std::io::Write;
use std::path::Path;

use bucketwheel_hardware::configure;
use bucketwheel_hardware::msmac::{
    assemble, disassemble, from_bytes, pippenger_text, to_bytes, AssemblyError, Parameters,
};

use crate::args::hardware::{MsmacArgs, MsmacCommand, Setting};
use crate::error::Error;
use crate::files::{map_as, Output};

/// Assembles, or prints.
///
/// # Errors
/// If a file cannot be read or written, or is no program.
pub fn run(args: &MsmacArgs, out: &mut dyn Write) -> Result<(), Error> {
    let located = |path: &Path, source: AssemblyError| Error::Assembly { path: path.into(), source };
    match &args.what {
        MsmacCommand::Asm { text: path, out } => {
            let text = map_as(path, "a text of MSMAC's instructions")?;
            let text = std::str::from_utf8(&text).map_err(|_| Error::NotText { path: path.clone() })?;
            let program = assemble(text).map_err(|source| located(path, source))?;
            Output::with(out, &to_bytes(&program))?.finish()
        }
        MsmacCommand::Disasm { program: path } => {
            let bytes = map_as(path, "a program of `bucketwheel msmac asm`")?;
            let program = from_bytes(&bytes).map_err(|source| located(path, source))?;
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
