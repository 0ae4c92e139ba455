//! Our precompiles: the functions that the command `eip2537` calls.

use anyhow::Result;
use bucketwheel::Cancel;
use bucketwheel_dynamic::precompile::{self, Precompile};

pub fn call(precompile: Precompile, input: &[u8]) -> Result<Vec<u8>> {
    Ok(precompile::call(precompile, input, &Cancel::new())?)
}
