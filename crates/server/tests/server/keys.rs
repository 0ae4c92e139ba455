//! Keys whose files change while the server runs.

use std::fs;

use bucketwheel_groth16::Bn254;
use bucketwheel_server::Loading;

use crate::fixture::{options, Running, ONE};
use bucketwheel_server_kit::circuits::{data, holds};
use bucketwheel_server_kit::client::BYTES;

/// `cp new.zkey circuits/` first truncates the file, which ends a process that has mapped it.
#[test]
fn a_key_that_is_overwritten_goes_on_proving() {
    for retain in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("power.zkey");
        fs::copy(data("data/bn254/power.zkey"), &key).unwrap();
        let server = Running::loaded(folder.path(), Loading { retain, ..ONE }, options());
        fs::write(&key, b"").unwrap();
        let witness = fs::read(data("data/bn254/power.wtns")).unwrap();
        let reply = server.client().post("/v1/prove/power", BYTES, &witness);
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert!(holds::<Bn254>(&data("data/bn254/power.zkey"), &reply.json()));
    }
}
