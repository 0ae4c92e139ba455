//! Outputs of every command that writes files: the command overwrites only its outputs, and leaves nothing else behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bucketwheel_cli::args::files::Files;
use bucketwheel_cli::args::Args;
use clap::{CommandFactory, Parser};
use tempfile::TempDir;

use crate::{command, error_of, fail, run, succeed};

/// Every command that writes files named by arguments: its line, with `@` for each output, and its inputs.
const COMMANDS: [(&str, &[&str]); 16] = [
    ("generate --curve bn254 --size 4 --points @ --scalars @", &[]),
    ("msm points scalars --checkpoint @", &["points", "scalars"]),
    ("table points --out @", &["points"]),
    ("setup r1cs --out @ --vkey @", &["r1cs"]),
    ("convert --to gnark points @", &["points"]),
    ("prove zkey wtns @ @ --trace @", &["zkey", "wtns"]),
    ("witness wasm inputs @", &["wasm", "inputs"]),
    ("witness calculate wasm inputs @", &["wasm", "inputs"]),
    ("witness export-json wtns @", &["wtns"]),
    ("zkey export-vkey zkey @", &["zkey"]),
    ("zkey export-solidity zkey @", &["zkey"]),
    ("import jsnark arith in --r1cs @ --wtns @", &["arith", "in"]),
    ("compare --curve bn254 --log-sizes 4 --plot @", &[]),
    ("simulate cyclone --log-size 4 --plot @ --vcd @", &[]),
    ("explore --log-size 4 --plot @", &[]),
    ("msmac asm text --out @", &["text"]),
];

/// Makes a directory with a file of each name; no command should get as far as their content.
fn inputs() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in COMMANDS.iter().flat_map(|(_, inputs)| *inputs) {
        fs::write(directory.path().join(name), name).unwrap();
    }
    fs::create_dir(directory.path().join("folder")).unwrap();
    directory
}

/// Returns the line with these outputs in their places, and with distinct names in all other places.
fn with_outputs(line: &str, outputs: &[(usize, &str)]) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for (i, word) in words.iter_mut().filter(|word| *word == "@").enumerate() {
        let given = outputs.iter().find(|(place, _)| *place == i);
        *word = given.map_or(format!("own{i}"), |(_, name)| (*name).to_owned());
    }
    words.join(" ")
}

/// Returns the names in a directory.
fn names(at: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
#[cfg(unix)]
fn outputs_are_no_inputs() {
    let directory = inputs();
    let at = directory.path();
    for (line, inputs) in COMMANDS {
        for input in inputs {
            fs::hard_link(at.join(input), at.join("hard")).unwrap();
            std::os::unix::fs::symlink(input, at.join("soft")).unwrap();
            let before = names(at);
            for spelling in [*input, &format!("./folder/../{input}"), "hard", "soft"] {
                for place in 0..line.matches('@').count() {
                    let line = with_outputs(line, &[(place, spelling)]);
                    let expected = format!("the output {spelling} is the same file as the input {input}: ");
                    assert!(fail(at, &line).starts_with(&expected), "{line}");
                }
            }
            assert_eq!((names(at), fs::read_to_string(at.join(input)).unwrap()), (before, (*input).into()));
            fs::remove_file(at.join("hard")).unwrap();
            fs::remove_file(at.join("soft")).unwrap();
        }
    }
}

#[test]
#[cfg(unix)]
fn outputs_are_files_of_their_own() {
    let directory = inputs();
    let at = directory.path();
    fs::write(at.join("old"), "").unwrap();
    fs::hard_link(at.join("old"), at.join("hard")).unwrap();
    std::os::unix::fs::symlink("old", at.join("soft")).unwrap();
    std::os::unix::fs::symlink("folder", at.join("link")).unwrap();
    // Links to files that do not exist yet.
    std::os::unix::fs::symlink("folder/../new", at.join("dangling")).unwrap();
    std::os::unix::fs::symlink("../dangling", at.join("folder/dangling")).unwrap();
    let before = names(at);
    for (line, _) in COMMANDS {
        let count = line.matches('@').count();
        for (first, second) in (0..count).flat_map(|second| (0..second).map(move |first| (first, second))) {
            for (one, other) in [
                ("new", "new"),
                ("new", "./new"),
                ("folder/../new", "new"),
                ("folder/new", "link/new"),
                ("old", "./old"),
                ("old", "hard"),
                ("soft", "hard"),
                ("dangling", "new"),
                ("new", "folder/dangling"),
                ("link/dangling", "dangling"),
            ] {
                let line = with_outputs(line, &[(first, one), (second, other)]);
                let expected = format!("the output {other} is the same file as the output {one}: ");
                assert!(fail(at, &line).starts_with(&expected), "{line}");
            }
        }
    }
    assert_eq!(names(at), before);
}

/// Returns words that a command accepts, with a separate file name for each argument that names a file; also these
/// names.
fn words(path: &[String], command: &clap::Command) -> (Vec<String>, Vec<String>) {
    let in_group = |argument: &clap::Arg| {
        // Takes the first argument of each group that requires one.
        let mut groups = command.get_groups().filter(|group| group.is_required_set());
        groups.any(|group| group.get_args().next() == Some(argument.get_id()))
    };
    let (mut words, mut names) = (path.to_vec(), Vec::new());
    for argument in command.get_arguments() {
        let is_file = argument.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
        if !is_file && !argument.is_required_set() && !in_group(argument) {
            continue;
        }
        // These arguments leave out the first of the three files of `prove`; the test below covers them.
        if argument.get_long().is_some_and(|long| ["witness", "wasm", "input"].contains(&long)) {
            continue;
        }
        words.extend(argument.get_long().map(|long| format!("--{long}")));
        let value: String =
            argument.get_possible_values().first().map_or("1".into(), |value| value.get_name().into());
        for i in 0..argument.get_num_args().map_or(1, |range| range.min_values().max(1)) {
            words.push(if is_file { format!("file-{}-{i}", argument.get_id()) } else { value.clone() });
            names.extend(words.last().filter(|_| is_file).cloned());
        }
    }
    (words, names)
}

/// Collects a command and all of its subcommands.
fn commands(path: &[String], command: &clap::Command, found: &mut Vec<(Vec<String>, Vec<String>)>) {
    let path = [path, &[command.get_name().to_owned()]].concat();
    found.push(words(&path, command));
    command.get_subcommands().for_each(|command| commands(&path, command, found));
}

/// The check for equal files would miss an argument that names a file and is not in this list.
#[test]
fn all_files_of_all_commands_are_known() {
    let mut found = Vec::new();
    commands(&[], &Args::command(), &mut found);
    found.retain(|(_, names)| !names.is_empty());
    assert!(found.len() >= 20, "{found:?}");
    for (words, mut names) in found {
        let args = Args::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        let Files { inputs, outputs } = args.command.files(None);
        let mut known: Vec<_> =
            inputs.into_iter().chain(outputs).map(|path| path.to_str().unwrap()).collect();
        known.sort_unstable();
        names.sort();
        assert_eq!(known, names, "{words:?}");
    }
    for (option, inputs) in
        [("--wasm w --input i", ["k", "w", "i"].as_slice()), ("--witness w", ["k", "w"].as_slice())]
    {
        let line = format!("bucketwheel prove k p x {option}");
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        let Files { inputs: found, outputs } = args.command.files(None);
        assert_eq!(found, inputs.iter().map(Path::new).collect::<Vec<_>>());
        assert_eq!(outputs, ["p", "x"].map(Path::new));
    }
}

#[test]
fn the_profile_in_use_is_an_input() {
    let directory = inputs();
    let at = directory.path();
    let text = "bucketwheel profile 1\n";
    fs::write(at.join("own"), text).unwrap();
    for (line, _) in COMMANDS {
        let line = with_outputs(line, &[(0, "./own")]);
        let mut command = command(at);
        let output = command.env("BUCKETWHEEL_PROFILE", "own").args(line.split(' ')).output().unwrap();
        let message = error_of(&output, 1);
        assert!(message.starts_with("the output ./own is the same file as the input own: "), "{message}");
    }
    assert_eq!(fs::read_to_string(at.join("own")).unwrap(), text);
}

#[test]
fn equal_names_in_different_folders_differ() {
    let directory = inputs();
    let at = directory.path();
    succeed(at, "generate --curve bn254 --size 4 --points new --scalars folder/new");
    assert!(at.join("new").exists() && at.join("folder/new").exists());
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_may_be_named_twice() {
    let directory = inputs();
    let at = directory.path();
    assert!(std::process::Command::new("mkfifo").arg(at.join("pipe")).status().unwrap().success());
    let line =
        |path: &str| format!("generate --curve bn254 --size 4 --seed 1 --points {path} --scalars {path}");
    succeed(at, &line("/dev/null"));
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    let reader = std::thread::spawn({
        let pipe = at.join("pipe");
        move || fs::read(pipe).unwrap()
    });
    succeed(at, &line("pipe"));
    let written = reader.join().unwrap();
    succeed(at, "generate --curve bn254 --size 4 --seed 1 --points p --scalars s");
    let expected = [fs::read(at.join("p")).unwrap(), fs::read(at.join("s")).unwrap()].concat();
    assert!(written == expected);
    let printed = run(at, &line("/dev/stdout"));
    assert!(printed.status.success() && printed.stdout.starts_with(&expected));
    let error = fail(at, &line("/dev/full"));
    assert!(error.starts_with("cannot write /dev/full: No space left on device"), "{error}");
    assert_eq!(fail(at, &line("folder")), fail(at, &line("folder/")).replace("folder/:", "folder:"));
}

/// Secret files stay secret, and links stay links.
#[test]
#[cfg(unix)]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("p"), "").unwrap();
    fs::set_permissions(at.join("p"), fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("p", at.join("link")).unwrap();
    // The temporary file is beside the file, not in the folder for temporary files.
    let mut command = command(at);
    let line = "generate --curve bn254 --size 4 --points link --scalars s";
    let output = command.env("TMPDIR", at.join("missing")).args(line.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(at.join("link").symlink_metadata().unwrap().is_symlink());
    let metadata = at.join("p").metadata().unwrap();
    assert!(metadata.len() > 0 && metadata.permissions().mode() & 0o777 == 0o600);
}

#[test]
#[cfg(unix)]
fn what_killed_runs_leave_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let short = "generate --curve bn254 --size 4 --points p --scalars s";
    let mut long = command(at);
    long.args("generate --curve bls12-377 --group g2 --log-size 22 --points q --scalars r".split(' '));
    let mut long = long.stdout(Stdio::null()).spawn().unwrap();
    while names(at).len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // By now the long command has created both files, and still writes them.
    std::thread::sleep(Duration::from_millis(100));
    let temporaries = names(at);
    succeed(at, short);
    assert_eq!(names(at), [&temporaries[..], &["p".into(), "s".into()]].concat());
    long.kill().unwrap();
    long.wait().unwrap();
    assert_eq!(names(at).len(), 4);
    succeed(at, short);
    assert_eq!(names(at), ["p", "s"]);
}

#[test]
#[cfg(unix)]
fn only_what_killed_runs_leave_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::create_dir(at.join(".bucketwheel-folder.tmp")).unwrap();
    std::os::unix::fs::symlink("a.tmp", at.join(".bucketwheel-linked.tmp")).unwrap();
    let others = [".bucketwheel-a1B2c.tmp", ".bucketwheel-a1B2c_.tmp", ".bucketwheel-a1B2c3", "a.tmp"];
    others.iter().for_each(|name| fs::write(at.join(name), "").unwrap());
    let written = File::create(at.join(".bucketwheel-a1B2c3.tmp")).unwrap();
    written.lock().unwrap();
    let before = names(at);
    let line = "generate --curve bn254 --size 4 --points p --scalars s";
    succeed(at, line);
    assert_eq!(names(at), [&before[..], &["p".into(), "s".into()]].concat());
    drop(written);
    succeed(at, line);
    assert!(!at.join(".bucketwheel-a1B2c3.tmp").exists());
    assert_eq!(names(at).len(), before.len() + 1);
}

/// Errors name the file of the argument, not the temporary file.
#[test]
#[cfg(unix)]
fn temporaries_are_not_named() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    // Files are limited to one block; a process that ignores the signal gets an error.
    let line =
        "trap '' XFSZ; ulimit -f 1; exec \"$0\" generate --curve bn254 --size 1000 --points p --scalars s";
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(at).env("BUCKETWHEEL_PROFILE", "none").args(["-c", line]);
    let message = error_of(&shell.arg(env!("CARGO_BIN_EXE_bucketwheel")).output().unwrap(), 1);
    assert!(
        message.starts_with("cannot write p: File too large (os error 27); expected a path"),
        "{message}"
    );
    let message = fail(at, "generate --curve bn254 --size 4 --points no/where --scalars s");
    assert!(
        message.starts_with("cannot write no/where: No such file or directory (os error 2);"),
        "{message}"
    );
    assert!(names(at).is_empty());
}

/// Witnesses are secrets.
#[test]
#[cfg(all(unix, feature = "witness"))]
fn witnesses_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("arith"), "total 3\ninput 0\nnizkinput 1\nmul in 2 <0 1> out 1 <2>\noutput 2\n")
        .unwrap();
    fs::write(at.join("in"), "0 6\n1 7\n").unwrap();
    fs::write(at.join("w"), "").unwrap();
    let output = run(at, "import jsnark arith in --r1cs r --wtns w");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wat = include_str!("../../../snarkjs/tests/witness/circuit.wat");
    fs::write(at.join("wasm"), wat::parse_str(wat).unwrap()).unwrap();
    fs::write(at.join("inputs"), r#"{ "a": 3, "b": [16, 4] }"#).unwrap();
    let output = run(at, "witness wasm inputs calculated");
    // The circuit's own messages are not an output.
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b"sum 23\n"[..]));
    let mode = |name: &str| fs::metadata(at.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("w"), mode("calculated")), (0o600, 0o600));
}
