//! Documents with tables between marks: `<!-- reproduce: NAME -->` and `<!-- end -->`, each a line of its own.

use super::table::Table;
use crate::files::write_atomically;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- reproduce: ";
const BEGIN_END: &str = " -->\n";
const END: &str = "<!-- end -->";

/// A Markdown file.
pub struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// Returns the names of its tables.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.text.split(BEGIN).skip(1).filter_map(|rest| Some(rest.split_once(BEGIN_END)?.0))
    }

    /// Returns a table by its name.
    pub fn table(&self, name: &str) -> Result<Table> {
        let (from, to) = self.place(name)?;
        Table::parse(&self.text[from..to]).with_context(|| name.to_owned())
    }

    /// Replaces the table of this name.
    pub fn replace(&mut self, name: &str, table: &Table) -> Result<()> {
        let (from, to) = self.place(name)?;
        self.text.replace_range(from..to, &table.to_string());
        Ok(())
    }

    pub fn write(&self) -> Result<()> {
        write_atomically(&self.path, self.text.as_bytes())
    }

    /// Returns the range of a table's lines.
    fn place(&self, name: &str) -> Result<(usize, usize)> {
        let begin = format!("{BEGIN}{name}{BEGIN_END}");
        let missing = || format!("{}: no {} and {END} behind it", self.path.display(), begin.trim_end());
        let from = self.text.find(&begin).with_context(missing)? + begin.len();
        let len = self.text[from..].find(END).with_context(missing)?;
        Ok((from, from + len))
    }
}

/// The documents that have tables, in their folder.
const DOCUMENTS: [&str; 3] = ["reproduction.md", "schedulers.md", "edwards.md"];

/// Reads all documents that have tables.
pub fn documents(folder: &Path) -> Result<Vec<Document>> {
    DOCUMENTS.iter().map(|name| Document::read(&folder.join(name))).collect()
}

/// Returns the document that has a table.
pub fn holder<'a>(documents: &'a mut [Document], name: &str) -> Result<&'a mut Document> {
    let document = documents.iter_mut().find(|document| document.tables().any(|table| table == name));
    document.with_context(|| format!("no document has the table {name}: {}", DOCUMENTS.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| | a |\n|---|---:|\n| b | 1 |\n";

    fn document() -> Document {
        let text =
            format!("# Text\n\n{BEGIN}one -->\n{TABLE}{END}\n\nMore.\n\n{BEGIN}two -->\n{TABLE}{END}\n");
        Document { path: "x.md".into(), text }
    }

    #[test]
    fn a_table_takes_the_place_of_the_one_of_its_name() {
        let mut document = document();
        assert_eq!(document.tables().collect::<Vec<_>>(), ["one", "two"]);
        let mut table = document.table("two").unwrap();
        table.set("b", "a", 2).unwrap();
        document.replace("two", &table).unwrap();
        assert_eq!(document.table("one").unwrap().to_string(), TABLE);
        assert_eq!(document.table("two").unwrap().to_string(), TABLE.replace('1', "2"));
        assert!(document.text.contains("# Text\n") && document.text.contains("\n\nMore.\n"));
    }

    #[test]
    fn a_table_that_is_not_there_is_an_error_with_its_name() {
        let error = document().table("three").unwrap_err().to_string();
        assert_eq!(error, "x.md: no <!-- reproduce: three --> and <!-- end --> behind it");
        let mut open = document();
        open.text = open.text.replace(END, "");
        assert!(open.table("one").is_err());
    }
}
