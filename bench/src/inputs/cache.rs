//! Generated points, kept on disk between runs.

use super::{Setting, encoding, points};
use crate::files::write_atomically;
use anyhow::{Context, Result};
use ark_ec::short_weierstrass::Affine;
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// A folder with one file of encoded points for each group and seed.
pub struct Cache {
    pub folder: PathBuf,
    pub seed: u64,
}

impl Cache {
    /// Returns the first `count` points of this group, from disk if enough of them are there. Points from disk are
    /// checked to lie on the curve.
    pub fn points<C: Setting>(&self, count: usize) -> Result<Vec<Affine<C>>> {
        let name = format!("{}-{}-seed{}.points", C::CURVE, C::GROUP, self.seed);
        let path = self.folder.join(name);
        let mut bytes = vec![0; count * encoding::point_bytes::<C>()];
        if File::open(&path).is_ok_and(|mut file| file.read_exact(&mut bytes).is_ok()) {
            return bytes
                .par_chunks_exact(encoding::point_bytes::<C>())
                .map(encoding::decode_point)
                .collect::<Option<_>>()
                .with_context(|| format!("{} is damaged; delete it", path.display()));
        }
        let points = points::generate(self.seed, count);
        write_atomically(&path, &encoding::encode_points(&points))?;
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bn254::g1::Config;

    #[test]
    fn the_disk_returns_what_the_generator_made() {
        let name = format!("bucketwheel-bench-cache-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let cache = Cache { folder: folder.clone(), seed: 5 };
        let made = cache.points::<Config>(50).unwrap();
        let read = cache.points::<Config>(40).unwrap();
        let grown = cache.points::<Config>(60).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!(made, points::generate(5, 50));
        assert_eq!(read, made[..40]);
        assert_eq!(grown[..50], made);
    }
}
