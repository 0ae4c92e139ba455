//! Programs in C and Python that write one file from many threads and are killed at any moment. Readers see the old file or a
//! whole table, leftover files do not disturb the next writer, and permissions and links stay.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::Rng;
use tempfile::TempDir;

use crate::drive::Session;
use crate::files::output;
use crate::shared::Random;

/// Files of points. Their tables have the same length and differ everywhere.
const FILES: usize = 3;
const POINTS: usize = 3000;

/// Content of the file before the first table.
const OLD: &[u8] = b"what was there before";

/// A program that writes tables.
struct Writer {
    words: Vec<PathBuf>,
    /// Folder of the package, for Python.
    package: Option<PathBuf>,
}

/// The writers, and their inputs.
struct Bench {
    folder: TempDir,
    writers: Vec<Writer>,
    /// The tables that undisturbed writers make.
    tables: BTreeSet<Vec<u8>>,
}

/// Runs cases with the libraries that lie beside this program or in `deps` there.
///
/// # Errors
/// The first failure, or an error if a writer does not work.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut skipped = String::new();
    let mut writers = Vec::new();
    for writer in [compile_c(folder.path()), install_python(folder.path())] {
        match writer {
            Ok(writer) => writers.push(writer),
            Err(reason) => skipped += &format!(" ({reason})"),
        }
    }
    if writers.is_empty() {
        return Ok(format!("writers skipped{skipped}"));
    }
    let bench = Bench::new(folder, writers).map_err(|error| format!("undisturbed: {error}"))?;
    let count = session.run("writers", "", time, Duration::from_secs(60), |rng| case(&bench, rng))?;
    Ok(count + &skipped)
}

/// Returns the path of a library of this build.
fn library(name: &str) -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let places = [program.with_file_name(name), program.with_file_name("deps").join(name)];
    places.into_iter().find(|path| path.exists()).ok_or(format!("no {name} beside this program"))
}

fn compile_c(folder: &Path) -> Result<Writer, String> {
    // The library's soname.
    let installed = folder.join("libbucketwheel.so.0");
    let (code, program) = (folder.join("writer.c"), folder.join("writer"));
    fs::copy(library("libbucketwheel_c.so")?, &installed)
        .and_then(|_| fs::write(&code, include_str!("writer.c")))
        .map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-pthread", "-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../capi/include")]);
    let rpath = format!("-Wl,-rpath,{}", folder.display());
    compiler.arg(&code).arg(&installed).arg(rpath).arg("-o").arg(&program);
    let output = compiler.output().map_err(|error| format!("no C compiler: {error}"))?;
    match output.status.success() {
        true => Ok(Writer { words: vec![program], package: None }),
        false => Err(format!("cc: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

fn install_python(folder: &Path) -> Result<Writer, String> {
    let library = library("lib_native.so")?;
    let package = folder.join("package");
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../python/python/bucketwheel"));
    let install = || {
        fs::create_dir_all(package.join("bucketwheel"))?;
        // The other part of the folder is the cluster.
        for entry in fs::read_dir(source)?.flatten().filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), package.join("bucketwheel").join(entry.file_name()))?;
        }
        fs::copy(&library, package.join("bucketwheel/_native.abi3.so"))?;
        fs::write(folder.join("writer.py"), include_str!("writer.py"))
    };
    install().map_err(|error| format!("{}: {error}", source.display()))?;
    let writer = Writer { words: vec!["python3".into(), folder.join("writer.py")], package: Some(package) };
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    match Command::new("python3").args(["-c", is_new]).status().is_ok_and(|status| status.success()) {
        true => Ok(writer),
        false => Err("no python3 from 3.11 on".into()),
    }
}

impl Bench {
    fn new(folder: TempDir, writers: Vec<Writer>) -> Result<Self, String> {
        for number in 0..FILES {
            let line = format!("generate --curve bn254 --size {POINTS} --seed {number}");
            output(folder.path(), &format!("{line} --scalars @scalars --points @points{number}"))?;
        }
        let mut bench = Bench { folder, writers, tables: BTreeSet::new() };
        let table = bench.folder.path().join("table");
        for writer in &bench.writers {
            for number in 0..FILES {
                bench.write_once(writer, &table, number)?;
                bench.tables.insert(fs::read(&table).map_err(|error| error.to_string())?);
            }
        }
        Ok(bench)
    }

    fn start(&self, writer: &Writer, table: &Path, rounds: usize, files: &[usize]) -> Child {
        let mut command = Command::new(&writer.words[0]);
        command.args(&writer.words[1..]).arg(table).arg(rounds.to_string());
        command.args(files.iter().map(|number| self.folder.path().join(format!("points{number}"))));
        if let Some(package) = &writer.package {
            command.env("PYTHONPATH", package).env("PYTHONDONTWRITEBYTECODE", "1");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program was there before")
    }

    /// Writes the table of a file, undisturbed.
    fn write_once(&self, writer: &Writer, table: &Path, number: usize) -> Result<(), String> {
        let output = self.start(writer, table, 1, &[number]).wait_with_output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Checks a reader's bytes, which may be the old file's if `is_old` is true. Returns true if they are a table.
    fn look(&self, table: &Path, is_old: bool, what: &str) -> bool {
        match fs::read(table) {
            Ok(bytes) if is_old && bytes == OLD => false,
            Ok(bytes) => {
                assert!(self.tables.contains(&bytes), "a part of a table, {} bytes: {what}", bytes.len());
                true
            }
            Err(error) => {
                assert!(!is_old, "{error}: {what}");
                false
            }
        }
    }
}

fn case(bench: &Bench, rng: &mut Random) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (target, link) = (folder.path().join("table"), folder.path().join("link"));
    let (is_old, is_linked) = (rng.gen(), rng.gen());
    let mode = [0o600, 0o640, 0o644][rng.gen_range(0..3)];
    if is_old {
        fs::write(&target, OLD).expect("the disk has room");
        fs::set_permissions(&target, Permissions::from_mode(mode)).expect("a file of its own");
    }
    if is_linked {
        symlink("table", &link).expect("the folder takes links");
    }
    let table = if is_linked { &link } else { &target };
    let start = Instant::now();
    let mut children = Vec::new();
    for _ in 0..rng.gen_range(1..4) {
        let writer = &bench.writers[rng.gen_range(0..bench.writers.len())];
        let files: Vec<usize> = (0..rng.gen_range(1..5)).map(|_| rng.gen_range(0..FILES)).collect();
        let end = Duration::from_millis(rng.gen_range(0..800));
        children.push((bench.start(writer, table, 0, &files), end));
    }
    let what = format!("{} programs, old: {is_old}, link: {is_linked}", children.len());
    while !children.is_empty() {
        bench.look(table, is_old, &what);
        children.retain_mut(|(child, end)| {
            if let Some(status) = child.try_wait().expect("a child") {
                panic!("a writer ended with {status}: {what}");
            }
            let stays = start.elapsed() < *end;
            if !stays {
                child.kill().and_then(|()| child.wait()).expect("a child may be killed");
            }
            stays
        });
    }
    bench.look(table, is_old, &what);
    let writer = &bench.writers[rng.gen_range(0..bench.writers.len())];
    bench
        .write_once(writer, table, rng.gen_range(0..FILES))
        .unwrap_or_else(|error| panic!("{error}: {what}"));
    let is_old = false;
    assert!(bench.look(table, is_old, &what), "no table: {what}");
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let expected: &[&str] = if is_linked { &["link", "table"] } else { &["table"] };
    assert_eq!(names, expected, "{what}");
    assert!(!is_linked || link.is_symlink(), "the link is gone: {what}");
    assert!(!is_old || mode_of(&target) == mode, "other permissions than {mode:o}: {what}");
}

/// Returns the permissions of a file.
fn mode_of(path: &Path) -> u32 {
    path.metadata().expect("a file").permissions().mode() & 0o777
}
