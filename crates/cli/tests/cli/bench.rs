use crate::{json, succeed};

#[test]
fn json_has_an_object_for_each_cell() {
    let directory = tempfile::tempdir().unwrap();
    for (curve, group) in [("bls12-381", "g1"), ("bn254", "g2"), ("bls12-377", "pair")] {
        let line = format!(
            "bench msm --curve {curve} --group {group} --log-sizes 4..6 --threads 1,2 --repetitions 2 --json"
        );
        let cells = json(directory.path(), &line);
        let cells = cells.as_array().unwrap();
        let found: Vec<_> =
            cells.iter().map(|cell| (cell["log_size"].as_u64(), cell["threads"].as_u64())).collect();
        let expected = [(4, 1), (4, 2), (5, 1), (5, 2), (6, 1), (6, 2)];
        assert_eq!(found, expected.map(|(log_size, threads)| (Some(log_size), Some(threads))));
        for cell in cells {
            assert_eq!((&cell["curve"], &cell["group"]), (&curve.into(), &group.into()));
            assert_eq!(cell["backend"], bucketwheel::Backend::detect().name());
            assert!(cell["scheduler"].is_string() && cell["adder"].is_string());
            let (ms, ns) = (cell["ms"].as_f64().unwrap(), cell["ns_per_point"].as_f64().unwrap());
            let size = f64::from(1 << cell["log_size"].as_u64().unwrap());
            assert!(ms > 0.0 && (ns - ms * 1e6 / size).abs() < 1e-3 * ns);
        }
    }
}

#[test]
fn choices_reach_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    let line =
        "bench msm --curve bn254 --log-sizes 5 --backend portable --scheduler serial --adder affine --json";
    let cell = &json(directory.path(), line)[0];
    assert_eq!((&cell["backend"], &cell["scheduler"]), (&"portable".into(), &"serial".into()));
    assert_eq!(cell["adder"], "affine");
    assert!(cell["window"].as_u64().unwrap() > 0);
}

#[test]
fn the_table_has_a_line_for_each_cell() {
    let directory = tempfile::tempdir().unwrap();
    let table = succeed(directory.path(), "bench msm --curve bls12-381 --log-sizes 0..2 --threads 1");
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.lines().nth(1).unwrap().contains("ns/point"));
}
