//! A run of the command.

use super::authors::Authors;
use super::here::Here;
use super::numbers::log_size;
use crate::args::ReproduceArgs;
use crate::machine;
use anyhow::Result;
use std::cell::Cell;
use std::path::PathBuf;

/// A run of the command: the requested tables, and facts about the machine.
pub struct Session {
    /// Logarithms of the sizes to make; all if `None`.
    pub log_sizes: Option<Vec<u32>>,
    /// Seconds to spend on a measured cell.
    pub seconds: f64,
    /// The folder of jsnark's circuits.
    pub jsnark: Option<PathBuf>,
    /// SimdMSM's own programs.
    pub authors: Option<Authors>,
    /// The folder of libsnark's and AVX-ZK's programs.
    pub libsnark: Option<PathBuf>,
    /// The lowest and the highest core clock measured for the current table, in GHz.
    pub clocks: Cell<Option<(f64, f64)>>,
}

impl Session {
    pub fn new(args: &ReproduceArgs) -> Result<Self> {
        Ok(Self {
            log_sizes: args.log_sizes.as_ref().map(|sizes| sizes.0.clone()),
            seconds: args.seconds,
            jsnark: args.jsnark.clone(),
            authors: args.simdmsm.as_deref().map(Authors::new).transpose()?,
            libsnark: args.libsnark.clone(),
            clocks: Cell::new(None),
        })
    }

    /// Returns true if rows or columns of 2^`log_size` are requested.
    pub fn wants(&self, log_size: u32) -> bool {
        self.log_sizes.as_ref().is_none_or(|sizes| sizes.contains(&log_size))
    }

    /// Returns the names of rows or columns that are requested sizes.
    pub fn wanted(&self, names: Vec<String>) -> Vec<String> {
        names.into_iter().filter(|name| log_size(name).is_ok_and(|size| self.wants(size))).collect()
    }

    /// Records a core clock.
    pub fn clock(&self, ghz: f64) {
        let (low, high) = self.clocks.get().unwrap_or((ghz, ghz));
        self.clocks.set(Some((low.min(ghz), high.max(ghz))));
    }

    /// Returns the machine of the current table.
    pub fn here(&self) -> Here {
        let (low, high) = self.clocks.get().unwrap_or_else(|| [machine::core_ghz(); 2].into());
        Here::new(low, high)
    }
}
