//! Tables of the documentation that compare the papers' figures with ours. The documents have the papers' figures;
//! this module computes ours.
//!
//! A run fills in a table of a document. It finds cells by the names of their row and column, and leaves all other
//! cells. So a table can be made in pieces.

mod additions;
mod authors;
mod document;
mod here;
mod libsnark;
mod models;
mod numbers;
mod proofs;
mod schedulers;
mod session;
mod sums;
mod table;

use crate::args::ReproduceArgs;
use anyhow::{Context, Result, bail};
use document::{documents, holder};
use here::Coverage;
use session::Session;
use table::Table;

/// A table of a document and its recipe.
struct Recipe {
    name: &'static str,
    /// True if its values are timed on this machine.
    is_measured: bool,
    make: fn(&Session, &mut Table) -> Result<()>,
}

const RECIPES: [Recipe; 28] = {
    const fn counted(name: &'static str, make: fn(&Session, &mut Table) -> Result<()>) -> Recipe {
        Recipe { name, is_measured: false, make }
    }
    const fn measured(name: &'static str, make: fn(&Session, &mut Table) -> Result<()>) -> Recipe {
        Recipe { name, is_measured: true, make }
    }
    [
        counted("simdmsm-table-1", additions::simdmsm_table_1),
        measured("simdmsm-table-2", additions::simdmsm_table_2),
        measured("simdmsm-tree-like", additions::tree_like),
        counted("simdmsm-table-3", schedulers::windows),
        measured("simdmsm-table-4", sums::simdmsm_table_4),
        measured("simdmsm-table-5", sums::simdmsm_table_5),
        measured("simdmsm-table-6", proofs::simdmsm_table_6),
        measured("simdmsm-table-7", proofs::simdmsm_table_7),
        measured("cyclone-table-4", sums::cyclone_table_4),
        measured("edmsm-figure-3", sums::edmsm_figure_3),
        measured("edmsm-backends", sums::edmsm_backends),
        measured("edmsm-pair", sums::edmsm_pair),
        measured("strategies", sums::strategies),
        counted("cyclone-table-3", models::cyclone_table_3),
        counted("cyclone-segments", models::cyclone_segments),
        counted("cyclone-statements", models::cyclone_statements),
        counted("cyclone-pipeline", schedulers::pipeline),
        counted("batches", schedulers::batches),
        counted("msmac-table-3", models::msmac_table_3),
        measured("msmac-table-3-cpu", sums::msmac_table_3_cpu),
        counted("msmac-table-4", models::msmac_table_4),
        counted("msmac-figure-9", models::msmac_figure_9),
        counted("msmac-figure-11", models::msmac_figure_11),
        counted("msmac-figure-11-large", models::msmac_figure_11_large),
        counted("msmac-segments", models::msmac_segments),
        counted("gypsophila-table-2", models::gypsophila_table_2),
        counted("gypsophila-table-3", models::gypsophila_table_3),
        counted("gypsophila-adders", models::gypsophila_shared_adders),
    ]
};

/// Makes the requested tables, prints them, and puts them into the documents if requested.
pub fn run(args: &ReproduceArgs) -> Result<()> {
    let known = || RECIPES.map(|recipe| recipe.name).join(", ");
    if let Some(name) = args.tables.iter().find(|name| RECIPES.iter().all(|recipe| recipe.name != **name)) {
        bail!("no table {name}: expected {}", known());
    }
    let session = Session::new(args)?;
    let mut documents = documents(&args.docs)?;
    for recipe in RECIPES
        .iter()
        .filter(|recipe| args.tables.is_empty() || args.tables.contains(&recipe.name.to_owned()))
    {
        let document = holder(&mut documents, recipe.name)?;
        let mut table = document.table(recipe.name)?;
        let before = table.clone();
        session.clocks.set(None);
        (recipe.make)(&session, &mut table).with_context(|| recipe.name)?;
        if recipe.is_measured && table != before {
            let here = session.here();
            let run = if session.log_sizes.is_none() { Coverage::Whole } else { Coverage::Part };
            table.here = Some(here.joined(before.here, run).with_context(|| recipe.name)?);
        }
        println!("\n## {}\n\n{table}", recipe.name);
        if args.write {
            document.replace(recipe.name, &table)?;
            document.write()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::numbers::{digits, grouped, percent};
    use super::*;
    use std::cell::Cell;
    use std::path::Path;

    const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

    fn session(log_sizes: Option<Vec<u32>>) -> Session {
        Session {
            log_sizes,
            seconds: 0.0,
            jsnark: None,
            authors: None,
            libsnark: None,
            clocks: Cell::new(None),
        }
    }

    /// Tables that are made today must equal the tables of the documents.
    fn check(session: &Session) {
        let mut documents = documents(Path::new(DOCS)).unwrap();
        for recipe in RECIPES.iter().filter(|recipe| !recipe.is_measured) {
            let found = holder(&mut documents, recipe.name).unwrap().table(recipe.name).unwrap();
            let mut made = found.clone();
            (recipe.make)(session, &mut made).unwrap();
            assert_eq!(
                made.to_string(),
                found.to_string(),
                "{}: `cargo run --release -- reproduce --tables {} --write` in bench/ mends it",
                recipe.name,
                recipe.name
            );
        }
    }

    #[test]
    fn small_rows_of_counted_tables_are_made_as_the_documents_have_them() {
        check(&session(Some((8..=18).collect())));
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn counted_tables_are_made_as_the_documents_have_them() {
        check(&session(None));
    }

    #[test]
    fn every_table_of_the_documents_has_a_recipe_and_every_recipe_a_table() {
        let documents = documents(Path::new(DOCS)).unwrap();
        let mut found: Vec<_> = documents.iter().flat_map(|document| document.tables()).collect();
        let mut known = RECIPES.map(|recipe| recipe.name);
        found.sort_unstable();
        known.sort_unstable();
        assert_eq!(found, known);
    }

    #[test]
    fn rows_are_chosen_by_their_size() {
        let names = ["2^9", "paper", "2^10", "2^10, two threads", "2^11"].map(str::to_owned).to_vec();
        assert_eq!(session(Some(vec![10])).wanted(names.clone()), ["2^10", "2^10, two threads"]);
        assert_eq!(session(None).wanted(names).len(), 4);
    }

    #[test]
    fn numbers_have_three_digits_that_count() {
        assert_eq!(
            [0.034421, 0.1, 1.834, 21.44, 123.4, 12345.6].map(digits),
            ["0.0344", "0.100", "1.83", "21.4", "123", "12346"]
        );
        assert_eq!([0, 999, 1000, 7_012_003].map(grouped), ["0", "999", "1,000", "7,012,003"]);
        assert_eq!(percent(0.1364, 1), "13.6 %");
    }

    #[test]
    fn the_clocks_of_a_table_are_a_range() {
        let session = session(None);
        [4.1, 3.9, 4.0].into_iter().for_each(|ghz| session.clock(ghz));
        assert_eq!(session.clocks.get(), Some((3.9, 4.1)));
    }
}
