//! A run of the command.

use super::authors::Authors;
use super::document::documents;
use super::here::Here;
use super::numbers::log_size;
use crate::args::ReproduceArgs;
use crate::machine;
use anyhow::{Context, Result};
use std::cell::Cell;
use std::path::PathBuf;

/// A run of the command: what is asked for of tables, and what is told of the machine.
pub struct Session {
    /// Logarithms of the sizes to make; all if `None`.
    pub log_sizes: Option<Vec<u32>>,
    /// Seconds to spend on a cell that is measured.
    pub seconds: f64,
    /// The folder of jsnark's circuits.
    pub jsnark: Option<PathBuf>,
    /// SimdMSM's own programs.
    pub authors: Option<Authors>,
    /// The lowest and the highest core clock that was measured for the table under way, in GHz.
    pub clocks: Cell<Option<(f64, f64)>>,
}

impl Session {
    pub fn new(args: &ReproduceArgs) -> Result<Self> {
        let authors = args.simdmsm.as_deref().map(|folder| {
            let windows =
                documents(&args.docs)?.iter().find_map(|document| document.table("simdmsm-table-3").ok());
            Authors::new(folder, windows.context("no table of windows")?)
        });
        Ok(Self {
            log_sizes: args.log_sizes.as_ref().map(|sizes| sizes.0.clone()),
            seconds: args.seconds,
            jsnark: args.jsnark.clone(),
            authors: authors.transpose()?,
            clocks: Cell::new(None),
        })
    }

    /// Returns true if rows or columns of 2^`log_size` are asked for.
    pub fn wants(&self, log_size: u32) -> bool {
        self.log_sizes.as_ref().is_none_or(|sizes| sizes.contains(&log_size))
    }

    /// Those of some names of rows or columns that are sizes which are asked for.
    pub fn wanted(&self, names: Vec<String>) -> Vec<String> {
        names.into_iter().filter(|name| log_size(name).is_ok_and(|size| self.wants(size))).collect()
    }

    /// Takes note of a core clock.
    pub fn clock(&self, ghz: f64) {
        let (low, high) = self.clocks.get().unwrap_or((ghz, ghz));
        self.clocks.set(Some((low.min(ghz), high.max(ghz))));
    }

    /// Where the table under way was measured.
    pub fn here(&self) -> Here {
        let (low, high) = self.clocks.get().unwrap_or_else(|| [machine::core_ghz(); 2].into());
        Here::new(low, high)
    }
}
