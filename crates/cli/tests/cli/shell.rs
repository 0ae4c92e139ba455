//! The help, examples, suggestions, completions and manual pages of the command.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use bucketwheel_cli::error::EXIT_CODES;
use bucketwheel_cli::help::{command as description, parse, GROUPS};

use crate::{command, generated, run, succeed};

/// Calls `visit` with each command that users see, and with its words.
fn visit_all(command: &clap::Command, words: &str, visit: &mut dyn FnMut(&clap::Command, &str)) {
    visit(command, words);
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        visit_all(inner, format!("{words} {}", inner.get_name()).trim(), visit);
    }
}

#[test]
fn every_command_is_in_one_group() {
    let known: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let all = description();
    let visible = all.get_subcommands().filter(|command| !command.is_hide_set());
    let expected: HashSet<_> = visible.map(|command| command.get_name()).chain(["help"]).collect();
    assert_eq!(known.iter().copied().collect::<HashSet<_>>(), expected);
    assert_eq!(known.len(), expected.len());
}

/// Each example must be a command line that the parser accepts.
#[test]
fn every_command_has_an_example() {
    visit_all(&description(), "", &mut |command, words| {
        let text = command.get_after_help().unwrap_or_else(|| panic!("{words} has no example")).to_string();
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert!(!lines.is_empty(), "{words}");
        for line in lines {
            assert!(line.trim().starts_with(format!("bucketwheel {words}").trim()), "{line}");
            let arguments = line.split(" > ").next().unwrap().split_whitespace().map(OsString::from);
            if let Err(error) = parse(arguments.collect()) {
                assert!(!error.use_stderr(), "{line}: {error}");
            }
        }
    });
}

#[test]
#[cfg(unix)]
fn help_fits_the_terminal() {
    let directory = tempfile::tempdir().unwrap();
    for columns in [80, 120] {
        let mut lines = Vec::new();
        visit_all(&description(), "", &mut |_, words| lines.push(words.to_owned()));
        // The Python package shows this help.
        for line in lines.iter().filter(|words| *words != "cluster") {
            for form in ["-h", "--help"] {
                let (shown, status) =
                    crate::terminal::show(directory.path(), columns, &format!("{line} {form}"), |command| {
                        command.env("NO_COLOR", "1");
                    });
                assert!(status.success(), "{line}");
                // clap does not break usages and lists of values.
                let long = shown.lines().find(|line| {
                    line.chars().count() > columns.into()
                        && !line.starts_with("Usage:")
                        && !line.starts_with("  bucketwheel")
                });
                assert_eq!(long, None, "{line} {form}");
            }
        }
    }
}

/// Set BUCKETWHEEL_BLESS=1 to write the help again, and read the difference.
#[test]
#[cfg(unix)]
fn help_is_as_it_was_read() {
    let directory = tempfile::tempdir().unwrap();
    for columns in [80, 120] {
        let mut shown = String::new();
        for line in ["--help", "msm -h", "prove -h", "zkey -h"] {
            let plain = |command: &mut Command| {
                command.env("NO_COLOR", "1");
            };
            shown += &format!(
                "$ bucketwheel {line}\n{}\n",
                crate::terminal::show(directory.path(), columns, line, plain).0
            );
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/help/{columns}.txt"));
        if std::env::var_os("BUCKETWHEEL_BLESS").is_some() {
            fs::write(&file, &shown).unwrap();
        }
        assert_eq!(shown, fs::read_to_string(&file).unwrap());
    }
}

#[test]
fn the_name_with_the_fewest_typing_errors_is_suggested() {
    let directory = tempfile::tempdir().unwrap();
    for (line, name) in [
        ("mms", "subcommand exists: 'msm'"),
        ("veryfi", "subcommand exists: 'verify'"),
        ("prov", "subcommand exists: 'prove'"),
        ("zkey inof k", "subcommand exists: 'info'"),
        ("msm p s --curve bn245", "value exists: 'bn254'"),
        ("msm p s --scheduler teer", "value exists: 'tree'"),
        ("msm p s --thread 2", "'--threads'"),
    ] {
        let errors = String::from_utf8(run(directory.path(), line).stderr).unwrap();
        assert!(errors.contains(name), "{line}: {errors}");
    }
    let errors = String::from_utf8(run(directory.path(), "frobnicate").stderr).unwrap();
    assert!(!errors.contains("exists:"), "{errors}");
}

#[test]
fn quiet_and_verbose_change_standard_error_only() {
    let directory = generated("--curve bn254 --log-size 8");
    let at = directory.path();
    let plain = succeed(at, "msm points scalars --json");
    let sum = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap()[0]["x"].clone();
    let verbose = run(at, "-v msm points scalars --json");
    assert_eq!(sum(&verbose.stdout), sum(plain.as_bytes()));
    let stages = String::from_utf8(verbose.stderr).unwrap();
    let found: Vec<_> = stages.lines().map(|line| line.split_once(" ms  ").unwrap()).collect();
    assert!(found.iter().all(|(ms, _)| ms.trim().parse::<f64>().unwrap() >= 0.0), "{stages}");
    assert!(found.iter().any(|(_, stage)| *stage == "sum scalars"), "{stages}");
    assert_eq!(run(at, "msm points scalars -q -v").status.code(), Some(2));
    // A broken profile in the cache is a warning.
    let profile = |words: &[&str]| {
        let mut command = command(at);
        command.env_remove("BUCKETWHEEL_PROFILE").env("XDG_CACHE_HOME", at.join("cache"));
        String::from_utf8(command.args(words).output().unwrap().stderr).unwrap()
    };
    let name = bucketwheel_cli::profile::file_name(&bucketwheel_cli::profile::cpu());
    fs::create_dir_all(at.join("cache/bucketwheel")).unwrap();
    fs::write(at.join("cache/bucketwheel").join(format!("{name}.profile")), "?").unwrap();
    assert!(profile(&["msm", "points", "scalars"]).starts_with("warning: "));
    assert_eq!(profile(&["msm", "points", "scalars", "-q"]), "");
}

/// Runs a script that sources the completions `$1`; `None` if the shell is not installed.
fn in_shell(shell: &str, arguments: &[&str], script: &str, completions: &Path) -> Option<String> {
    let run = Command::new(shell).args(arguments).args(["-c", script]).env("FILE", completions).output();
    let Ok(output) = run else {
        eprintln!("skipped: {shell} is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{shell}: {errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn shells_take_their_completions() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let file = |shell: &str| {
        let path = at.join(shell);
        fs::write(&path, succeed(at, &format!("completions {shell}"))).unwrap();
        path
    };
    let bash =
        "source $FILE; COMP_WORDS=(bucketwheel ms); COMP_CWORD=1; _bucketwheel bucketwheel ms bucketwheel; \
                echo ${COMPREPLY[@]}";
    let zsh = "autoload -U compinit; compinit -u -d $FILE.dump; source $FILE; echo ${_comps[bucketwheel]}";
    let fish = "source $FILE; complete -C 'bucketwheel ms'";
    let pwsh = ". $env:FILE; (TabExpansion2 'bucketwheel ms' 14).CompletionMatches.CompletionText";
    let elvish = "eval (slurp < $E:FILE); keys $edit:completion:arg-completer";
    for (shell, command, arguments, script) in [
        ("bash", "bash", &["--norc"][..], bash),
        ("zsh", "zsh", &["-f"], zsh),
        ("fish", "fish", &["--no-config"], fish),
        ("powershell", "pwsh", &["-NoProfile"], pwsh),
        ("elvish", "elvish", &["-norc"], elvish),
    ] {
        let path = file(shell);
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains("bucketwheel") && text.contains("msmac") && text.contains("threads-by"),
            "{shell}"
        );
        let Some(found) = in_shell(command, arguments, script, &path) else { continue };
        match shell {
            "zsh" => assert_eq!(found.trim(), "_bucketwheel"),
            "elvish" => assert!(found.contains("bucketwheel"), "{found}"),
            _ => assert!(found.contains("msm") && found.contains("msmac"), "{shell}: {found}"),
        }
    }
    assert_eq!(run(at, "completions csh").status.code(), Some(2));
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    succeed(at, "man .");
    let mut expected = HashSet::new();
    visit_all(&description(), "", &mut |_, words| {
        expected.insert(format!("bucketwheel {words}").trim().replace(' ', "-") + ".1");
    });
    let found = fs::read_dir(at).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<HashSet<_>>(), expected);
    for name in expected {
        let page = fs::read_to_string(at.join(&name)).unwrap();
        for part in [".TH ", ".SH EXAMPLES", ".SH \"EXIT STATUS\"", ".SH ENVIRONMENT"] {
            assert!(page.contains(part), "{name}: {part}: {page}");
        }
        assert!(EXIT_CODES.iter().all(|(code, _)| page.contains(&format!("\\fB{code}\\fR"))), "{name}");
        let groff = Command::new("groff").args(["-man", "-Tascii", "-ww", "-z"]).arg(at.join(&name)).output();
        let Ok(groff) = groff else { continue };
        assert!(
            groff.status.success() && groff.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&groff.stderr)
        );
    }
    assert!(run(at, "man missing").status.code() == Some(1));
}

/// The document must list the codes in the manual's words.
#[test]
fn exit_codes_are_documented() {
    let document = include_str!("../../../../docs/command.md");
    for (code, meaning) in EXIT_CODES {
        assert!(document.contains(&format!("| {code} | {meaning} |")), "{code}: {meaning}");
    }
}
