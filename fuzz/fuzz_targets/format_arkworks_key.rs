#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bucketwheel_fuzz::properties::format(
    bucketwheel_cli::format::FormatId::ArkworksKey,
    bytes
));
