//! The header is generated from the crate.

use std::env;
use std::fs;
use std::path::Path;

use bucketwheel::CurveId;
use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

/// Text ahead of the declarations.
const TOP: &str = "\
/* Bucketwheel's multi-scalar multiplication (MSM): sums of scalars times points of elliptic curves. docs/c.md has a program.
 *
 * The test `header` generates this file from crates/capi; UPDATE_HEADER=1 writes it again.
 *
 * Errors. Functions return BW_OK or an error; bw_error_message() returns its message on the same thread. A call that fails has
 * written nothing. Wrong points, scalars, files, numbers or codes are an error, and never make a call crash.
 *
 * Pointers. A pointer may be NULL only if the comment allows it; otherwise NULL is an error. Other pointers point to the object
 * that their type or the comment names, at any address. Handles come from this library and are not freed yet. Nobody changes
 * memory that a call reads before the call returns.
 *
 * Threads. Any number of threads may call all functions at once, also with the same bw_bases and bw_cancel. Only one thread at
 * a time may use a bw_stream. The library has its own threads, one for each CPU that the process may use, or RAYON_NUM_THREADS
 * threads. They start with the first call that needs them and do not survive a fork; after a fork, a call that needs the threads
 * returns BW_ERROR_FORKED.
 *
 * Time depends on scalars and points. Do not use this library if an attacker who measures time must not learn the scalars. */";

/// Constants of the value `usize::MAX`, which cbindgen cannot read.
const AFTER_INCLUDES: &str = "
// Value of `bw_error_index` for an error without an index.
#define BW_NO_INDEX SIZE_MAX

// Zero bytes for the option `memory`, where 0 stands for the default. A proof takes little memory, without a bound: proofs with
// large keys take 1.1 to 1.2 times as long, proofs with small keys up to 1.8 times. Bases have no table. A stream is an error that
// names the least number of bytes.
#define BW_MEMORY_LEAST SIZE_MAX";

#[test]
fn curves_are_those_of_the_catalogue() {
    let header = include_str!("../include/bucketwheel.h");
    let declared = header.lines().filter_map(|line| line.strip_prefix("#define BW_CURVE_"));
    let of = |curve: &CurveId| format!("{} {}", curve.name().to_uppercase().replace('-', "_"), curve.code());
    assert_eq!(declared.collect::<Vec<_>>(), CurveId::ALL.iter().map(of).collect::<Vec<_>>());
}

#[test]
fn crates_pass_on_the_features_of_all_curves() {
    let capi = include_str!("../Cargo.toml");
    let all = capi.lines().find(|line| line.starts_with("all-curves = [")).unwrap();
    for curve in CurveId::ALL {
        let feature = curve.feature();
        assert!(all.contains(&format!("\"{feature}\"")), "{feature}: {all}");
        let line = format!("{feature} = [");
        for manifest in
            [capi, include_str!("../../dynamic/Cargo.toml"), include_str!("../../formats/Cargo.toml")]
        {
            assert!(manifest.lines().any(|found| found.starts_with(&line)), "{line}\n{manifest}");
        }
    }
}

#[test]
fn the_header_is_made_from_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = Config {
        language: Language::C,
        cpp_compat: true,
        style: Style::Both,
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::C99,
        include_guard: Some("BUCKETWHEEL_H".into()),
        header: Some(TOP.into()),
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        after_includes: Some(AFTER_INCLUDES.into()),
        ..Config::default()
    };
    // bucketwheel_blst.h declares these functions.
    config.export.exclude =
        ["bw_blst_p1s_mult_pippenger", "bw_blst_p2s_mult_pippenger"].map(Into::into).into();
    let builder = Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    let header = folder.join("include/bucketwheel.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, &made).unwrap();
    }
    assert!(
        fs::read_to_string(&header).unwrap() == made,
        "include/bucketwheel.h is not what the crate has: run this test with UPDATE_HEADER=1"
    );
}

/// Removes the `# Safety` sections for callers in Rust, because the top of the header has the contract for all
/// functions.
fn without_safety(made: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_contract = false;
    for line in made.lines() {
        is_contract = line == "// # Safety" || is_contract && line.starts_with("//");
        match is_contract {
            false => kept.push(line),
            // Removes the empty line before the section, too.
            true if kept.last() == Some(&"//") => drop(kept.pop()),
            true => {}
        }
    }
    kept.join("\n") + "\n"
}
