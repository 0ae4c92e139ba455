//! Tables of additions of points: their costs in products, and in time.

use super::session::Session;
use super::table::Table;
use crate::args::OperationsArgs;
use crate::machine;
use crate::operations::{self, FORMULAS, Row};
use anyhow::{Context, Result};
use bucketwheel::{AdderKind, CurveId as Curve, Summands, default_backend};

/// The columns of Table 1, and their additions.
const SUMMANDS: [(&str, Summands); 3] =
    [("affine", Summands::Affine), ("mixed", Summands::Mixed), ("full", Summands::Full)];

/// SimdMSM, Table 1: products and squares of our formulas.
pub fn simdmsm_table_1(_: &Session, table: &mut Table) -> Result<()> {
    use AdderKind::{Edwards, EdwardsUnified, Projective, Xyzz};
    for adder in [Projective, Xyzz, Edwards, EdwardsUnified] {
        for (column, summands) in SUMMANDS {
            let formula =
                FORMULAS.iter().find(|formula| formula.adder == adder && formula.summands == summands);
            let formula = formula.context("a formula is missing")?;
            let squares =
                if formula.squares == 0 { String::new() } else { format!(" + {}S", formula.squares) };
            table.set(&format!("`{adder}`"), column, format!("{}M{squares}", formula.products))?;
        }
    }
    Ok(())
}

/// Additions on BLS12-381: ours, and blst's.
struct Measured(Vec<Row>);

impl Measured {
    fn new(session: &Session) -> Result<Self> {
        let args = OperationsArgs::of(Curve::Bls12_381, default_backend()?, session.seconds);
        session.clock(machine::core_ghz());
        let rows = operations::adders(&args)?;
        session.clock(machine::core_ghz());
        Ok(Self(rows))
    }

    /// Returns the microseconds of eight additions in a group. Eight is the number of AVX-512's lanes, and the
    /// paper's unit.
    fn microseconds(&self, group: &str, library: &str, operation: &str) -> Result<f64> {
        let row = self.0.iter().find(|row| {
            row.domain == group && row.line.library == library && row.line.operation == operation
        });
        let row = row.with_context(|| format!("no {operation} of {library} in {group}"))?;
        Ok(8.0 * row.line.cost.ns.median / 1e3)
    }
}

const GROUPS: [&str; 2] = ["G1", "G2"];

/// SimdMSM, Table 2: microseconds of eight additions.
pub fn simdmsm_table_2(session: &Session, table: &mut Table) -> Result<()> {
    let (measured, ours) = (Measured::new(session)?, default_backend()?.to_string());
    let authors = session.authors.as_ref().map(|authors| authors.additions()).transpose()?.flatten();
    for group in GROUPS {
        for summands in ["affine", "mixed", "full"] {
            let row = format!("{group} {summands}");
            for adder in ["projective", "xyzz"] {
                let us = measured.microseconds(group, &ours, &format!("{adder} {summands}"))?;
                table.set(&row, &format!("`{adder}`"), format!("{us:.3}"))?;
                if adder == "xyzz" && summands != "affine" {
                    let blst = measured.microseconds(group, "blst", &format!("jacobian {summands}"))?;
                    table.set(&row, "blst / `xyzz`", format!("{:.2}", blst / us))?;
                }
            }
            let affine = measured.microseconds(group, &ours, "affine")?;
            table.set(&row, "`affine`", format!("{affine:.3}"))?;
            let paper = table.number(&row, "paper")?.context("no time of the paper")?;
            table.set(&row, "paper / `affine`", format!("{:.1}", paper / affine))?;
            if let Some(authors) = &authors {
                let us = authors.get(&row).with_context(|| format!("the authors' program has no {row}"))?;
                table.set(&row, "here: AVX-MSM", format!("{us:.3}"))?;
                table.set(&row, "here: AVX-MSM / `affine`", format!("{:.1}", us / affine))?;
            }
        }
    }
    Ok(())
}

/// The paper's "tree-like" accumulation: half an affine and half a full addition for each point instead of a mixed
/// addition.
pub fn tree_like(session: &Session, table: &mut Table) -> Result<()> {
    let (measured, ours) = (Measured::new(session)?, default_backend()?.to_string());
    for group in GROUPS {
        for adder in ["projective", "xyzz"] {
            let time = |summands: &str| measured.microseconds(group, &ours, &format!("{adder} {summands}"));
            let saved = 1.0 - (time("affine")? + time("full")?) / (2.0 * time("mixed")?);
            table.set(group, &format!("`{adder}`"), super::numbers::percent(saved, 1))?;
        }
    }
    Ok(())
}
