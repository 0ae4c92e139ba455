//! The parsers: valid files, files with one thing wrong, and damaged ones.

mod fuzz;
mod whole;
