//! Tables of proofs.

use super::libsnark::{Program, seconds_of};
use super::numbers::{digits, grouped, log_size};
use super::session::Session;
use super::table::Table;
use crate::groth16::{self, CellResult, Imported, Prover};
use anyhow::{Context, Result};

/// Largest size for arkworks, which takes minutes for larger circuits.
const LARGEST_OF_ARKWORKS: u32 = 18;

/// Largest size for libsnark and AVX-ZK, whose keys take minutes for larger circuits.
const LARGEST_OF_LIBSNARK: u32 = 17;

/// The rows of Table 7, and the names of jsnark's files.
const WORKLOADS: [(&str, &str); 6] = [
    ("AES", "AES_Circuit"),
    ("SHA-256", "sha_256"),
    ("RSAEnc", "rsa2048_encryption"),
    ("Merkle-Tree", "tree_64"),
    ("RSASigVer", "rsa2048_sha256_sig_verify"),
    ("Auction", "augmented_auction_10"),
];

/// Returns the seconds of a prover.
fn seconds(result: &CellResult, prover: Prover) -> Result<f64> {
    let timing = result.timing(prover).with_context(|| format!("no time of {prover}"))?;
    Ok(timing.seconds.median)
}

/// Proves, and fills in the columns that both tables have.
fn prove(
    session: &Session,
    table: &mut Table,
    row: &str,
    imported: &Imported,
    provers: &[Prover],
) -> Result<CellResult> {
    let result = groth16::measure(&imported.workload, provers, session.seconds)?;
    session.clock(result.ghz);
    let ours = seconds(&result, Prover::Bucketwheel)?;
    table.set(row, "bucketwheel", digits(ours))?;
    for other in ["libsnark", "AVX-ZK"] {
        if let Some(theirs) = table.number(row, other)? {
            table.set(row, &format!("{other} / bucketwheel"), format!("{:.1}", theirs / ours))?;
        }
    }
    table.set(row, "key, s", digits(imported.setup))?;
    Ok(result)
}

/// Proves with libsnark and AVX-ZK, if the user names the folder of their programs.
fn libsnark(session: &Session, table: &mut Table, row: &str, program: &Program, ours: f64) -> Result<()> {
    let Some(folder) = &session.libsnark else {
        return Ok(());
    };
    for (name, library) in [("libsnark", "libsnark"), ("AVX-ZK", "avx-zk")] {
        if let Some(theirs) = seconds_of(&folder.join(library), program).with_context(|| name)? {
            table.set(row, &format!("here: {name} / bucketwheel"), format!("{:.1}", theirs / ours))?;
        }
    }
    Ok(())
}

/// SimdMSM, Table 6: chains of multiplications of libsnark's profile.
pub fn simdmsm_table_6(session: &Session, table: &mut Table) -> Result<()> {
    for row in session.wanted(table.rows()) {
        let log_size = log_size(&row)?;
        let imported = groth16::chain(log_size)?;
        let both = [Prover::Bucketwheel, Prover::Arkworks];
        let provers = if log_size <= LARGEST_OF_ARKWORKS { &both[..] } else { &both[..1] };
        let result = prove(session, table, &row, &imported, provers)?;
        if let [ours, arkworks] = provers {
            let ratio = seconds(&result, *arkworks)? / seconds(&result, *ours)?;
            table.set(&row, "here: arkworks / bucketwheel", format!("{ratio:.2}"))?;
        }
        if log_size <= LARGEST_OF_LIBSNARK {
            let ours = seconds(&result, Prover::Bucketwheel)?;
            libsnark(session, table, &row, &Program::Profile { log_size }, ours)?;
        }
    }
    Ok(())
}

/// SimdMSM, Table 7: jsnark's circuits, if the user names their folder.
pub fn simdmsm_table_7(session: &Session, table: &mut Table) -> Result<()> {
    let Some(folder) = &session.jsnark else {
        println!("SimdMSM's Table 7 is left as it is: --jsnark names the folder of its circuits");
        return Ok(());
    };
    for (row, name) in WORKLOADS {
        let imported = groth16::jsnark(folder, name)?;
        table.set(row, "constraints here", grouped(imported.workload.constraints as u64))?;
        let result = prove(session, table, row, &imported, &[Prover::Bucketwheel, Prover::Arkworks])?;
        let ours = seconds(&result, Prover::Bucketwheel)?;
        let ratio = seconds(&result, Prover::Arkworks)? / ours;
        table.set(row, "here: arkworks / bucketwheel", format!("{ratio:.2}"))?;
        libsnark(session, table, row, &Program::Circuit { folder, name }, ours)?;
    }
    Ok(())
}
