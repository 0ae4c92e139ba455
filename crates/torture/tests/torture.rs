//! Runs some seconds of torture with the tests, always from the same seed. `make torture` and tools/long.sh run longer,
//! each time from another seed.

use std::process::Command;

#[test]
fn some_seconds_find_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_torture"))
        .args(["all", "--seconds", "20", "--seed", "1"])
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("nothing found"), "{said}{errors}");
    print!("{said}{errors}");
}
