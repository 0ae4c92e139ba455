//! The length of randomised tests.

/// Returns the number of rounds of a test that usually has `usual`. With the environment variable `BUCKETWHEEL_TEST_ONE_ROUND_IN`, one
/// round in this number is left, for emulators; Miri, which is slower, tries one.
pub fn rounds(usual: usize) -> usize {
    if cfg!(miri) {
        return 1;
    }
    let one_in = std::env::var("BUCKETWHEEL_TEST_ONE_ROUND_IN").map_or(1, |n| n.parse().expect("a number"));
    usual.div_ceil(one_in)
}
