//! Compares the table of designs with the models, and with the copy in `hdl/`.

use std::path::Path;

use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::{match_design, Design, Model};

#[test]
fn the_table_is_that_of_the_models() {
    for &design in Design::ALL {
        macro_rules! name {
            ($parameters:ty; $($curve:ident => $config:ty),+) => {
                <$parameters>::NAME
            };
        }
        assert_eq!(match_design!(design, name), design.name());
        let curve = model(design, &[]).unwrap().curve();
        assert!(design.curves().contains(&curve), "{}", design.name());
        for curve in design.curves() {
            model(design, &[("curve".to_owned(), curve.to_string())]).unwrap();
        }
        let cards = design.cards().map(|name| (name, "2"));
        let settings = design.one_sum().iter().copied().chain(cards);
        let settings: Vec<_> = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        assert_eq!(model(design, &settings).unwrap().concurrent_tasks(), 1, "{}", design.name());
    }
}

#[test]
fn the_hardware_folder_has_the_same_designs() {
    let hdl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl");
    let table = include_str!("../../../../hdl/designs.txt");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let mut copied: Vec<_> = lines.filter_map(|line| line.split_once(' ')).collect();
    copied.retain(|&(name, _)| cfg!(feature = "reclaimer") || name != "reclaimer");
    let mut designs: Vec<_> = Design::ALL.iter().copied().map(Design::name).collect();
    designs.sort_unstable();
    copied.sort_unstable();
    assert_eq!(copied.iter().map(|(name, _)| *name).collect::<Vec<_>>(), designs);
    for (name, top) in copied {
        assert!(hdl.join("rtl/pe").join(top).with_extension("sv").exists(), "{name}: rtl/pe/{top}.sv");
    }
}
