//! A Markdown table whose cells are found by the names of their row and column.

use super::here::Here;
use anyhow::{Context, Result, bail, ensure};
use std::fmt;

/// A table. The first column has the rows' names.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    head: Vec<String>,
    /// Alignment of the columns.
    rule: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The machine of the measurement.
    pub here: Option<Here>,
}

impl Table {
    /// Parses lines that all begin and end with a bar, and optionally an empty line and the machine's line.
    pub fn parse(text: &str) -> Result<Self> {
        let (text, here) = text.split_once("\n\n").unwrap_or((text, ""));
        let here = if here.is_empty() { None } else { Some(here.trim_end().parse()?) };
        let mut lines = text.lines().map(|line| {
            let cells = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
            let cells = cells.with_context(|| format!("no line of a table: {line}"))?;
            Ok(cells.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>())
        });
        let mut next = || lines.next().context("no table")?;
        let (head, rule) = (next()?, next()?);
        let rows = lines.collect::<Result<Vec<_>>>()?;
        for row in rows.iter().chain([&rule]) {
            ensure!(row.len() == head.len(), "{} cells in {row:?}: expected {}", row.len(), head.len());
        }
        Ok(Self { head, rule, rows, here })
    }

    /// Returns the names of the rows.
    pub fn rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row[0].clone()).collect()
    }

    /// Returns the names of the other columns.
    pub fn columns(&self) -> Vec<String> {
        self.head[1..].to_vec()
    }

    /// Returns the text of a cell.
    pub fn get(&self, row: &str, column: &str) -> Result<&str> {
        let (row, column) = self.place(row, column)?;
        Ok(&self.rows[row][column])
    }

    /// Returns the number at the beginning of a cell, if any; marks of bold text do not count.
    pub fn number(&self, row: &str, column: &str) -> Result<Option<f64>> {
        let text = self.get(row, column)?.replace(['*', ','], "");
        Ok(text.split_whitespace().next().and_then(|word| word.parse().ok()))
    }

    /// Changes a cell.
    pub fn set(&mut self, row: &str, column: &str, text: impl fmt::Display) -> Result<()> {
        let (row, column) = self.place(row, column)?;
        self.rows[row][column] = text.to_string();
        Ok(())
    }

    fn place(&self, row: &str, column: &str) -> Result<(usize, usize)> {
        let only = |names: &mut dyn Iterator<Item = &String>, name: &str| {
            let mut places = names.enumerate().filter(|(_, other)| *other == name).map(|(place, _)| place);
            match (places.next(), places.next()) {
                (Some(place), None) => Ok(place),
                (None, _) => bail!("the table has no {name:?}"),
                (Some(_), Some(_)) => bail!("the table has {name:?} twice"),
            }
        };
        Ok((only(&mut self.rows.iter().map(|row| &row[0]), row)?, only(&mut self.head.iter(), column)?))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, cells: &[String]| {
            cells.iter().try_for_each(|cell| match cell.is_empty() {
                true => write!(f, "| "),
                false => write!(f, "| {cell} "),
            })?;
            writeln!(f, "|")
        };
        line(f, &self.head)?;
        writeln!(f, "|{}|", self.rule.join("|"))?;
        self.rows.iter().try_for_each(|row| line(f, row))?;
        self.here.iter().try_for_each(|here| write!(f, "\n{here}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "| | a | a / b |\n|---|---:|---:|\n| 2^15 | **1,204** | 3.5 % |\n| 2^16 |  | |\n";

    #[test]
    fn cells_have_names() {
        let mut table = Table::parse(TEXT).unwrap();
        assert_eq!(
            (table.rows(), table.columns()),
            (vec!["2^15".into(), "2^16".into()], vec!["a".into(), "a / b".into()])
        );
        assert_eq!(table.number("2^15", "a").unwrap(), Some(1204.0));
        assert_eq!(table.number("2^15", "a / b").unwrap(), Some(3.5));
        assert_eq!(table.number("2^16", "a").unwrap(), None);
        table.set("2^16", "a", 7).unwrap();
        assert_eq!(table.get("2^16", "a").unwrap(), "7");
        for (row, column) in [("2^17", "a"), ("2^15", "b")] {
            assert!(table.set(row, column, "").unwrap_err().to_string().contains("has no"));
        }
    }

    #[test]
    fn names_that_are_there_twice_are_errors() {
        let text = TEXT.replace("a / b", "a").replace("2^16", "2^15");
        let table = Table::parse(&text).unwrap();
        assert!(table.get("2^15", "a").unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let table = Table::parse(TEXT).unwrap();
        assert_eq!(table.to_string(), TEXT.replace("|  |", "| |"));
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
        let measured = format!("{table}\nHere: a machine, 3.90 to 4.40 GHz.\n");
        assert_eq!(Table::parse(&measured).unwrap().to_string(), measured);
    }

    #[test]
    fn what_is_no_table_is_an_error() {
        for text in ["", "| a |", "| a |\n|---|\n| b", "| a |\n|---|\n| b | c |"] {
            assert!(Table::parse(text).is_err(), "{text}");
        }
    }
}
