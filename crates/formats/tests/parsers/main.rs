//! The parsers: valid files, files with one thing wrong, and damaged files.

mod fuzz;
mod whole;
