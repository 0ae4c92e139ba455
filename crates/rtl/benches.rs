/// A bench of `hdl/tb` with its parameters set: one model, one name.
#[derive(Debug)]
pub struct Bench {
    pub name: &'static str,
    /// The file in `hdl/tb`, and its module.
    pub top: &'static str,
    /// `NAME=value`; a value that begins with a letter is a name.
    pub parameters: &'static [&'static str],
    /// True if the bench can write waveforms, which makes it slower to compile.
    pub traced: bool,
    /// True if the bench takes minutes to compile or to run. The tests use it only if `RTL_LONG` is set.
    pub long: bool,
}

impl Bench {
    /// Returns true if the bench is a whole machine that computes MSMs, and not a block for tests: its top is `tb_` with the
    /// name of a design.
    pub fn is_machine(&self) -> bool {
        self.is_of(include_str!("../../hdl/designs.txt"))
    }

    /// Returns true if the bench is a machine with its memory: its top is `tb_` with the name of a card.
    pub fn is_card(&self) -> bool {
        self.is_of(include_str!("../../hdl/cards.txt"))
    }

    fn is_of(&self, table: &str) -> bool {
        let mut names = table.lines().filter_map(|line| line.split(' ').next());
        self.top.strip_prefix("tb_").is_some_and(|top| names.any(|name| name == top))
    }

    /// Returns true if the bench computes MSMs: a machine, a card, or CycloneMSM for its authors' host.
    pub fn computes_sums(&self) -> bool {
        self.is_machine() || self.is_card() || self.top == "tb_cyclone_f1"
    }

    /// Returns true if the bench's sums are models, too, as in a machine whose multipliers are models, and in a card. Other
    /// benches have sums in segments, as in hardware.
    pub fn has_whole_sums(&self) -> bool {
        let is_built = self.parameters.iter().any(|parameter| parameter.starts_with("KIND="));
        self.is_card() || self.computes_sums() && !is_built
    }
}

const fn bench(name: &'static str, top: &'static str, parameters: &'static [&'static str]) -> Bench {
    Bench { name, top, parameters, traced: false, long: false }
}

const fn traced(bench: Bench) -> Bench {
    Bench { traced: true, ..bench }
}

const fn long(bench: Bench) -> Bench {
    Bench { long: true, ..bench }
}

pub const BENCHES: &[Bench] = &[
    // The bench that takes longest to compile comes first.
    long(bench("cyclone_rtl", "tb_cyclone", &["BUCKET_WIDTH=4", "KIND=1"])),
    bench("te_madd", "tb_curve", &["BLOCK=te_madd"]),
    long(bench("reclaimer_rtl", "tb_reclaimer", &["CURVE=1", "KIND=2", "WINDOW=12"])),
    long(bench("gypsophila_rtl", "tb_gypsophila", &["KIND=1"])),
    bench("gypsophila_16", "tb_gypsophila", &["PES=16", "ADDERS=8"]),
    long(bench("gypsophila_16_6", "tb_gypsophila", &["PES=16", "ADDERS=4", "WINDOW=6"])),
    bench("msmac_true_rtl", "tb_msmac", &["WINDOW=8", "KIND=2"]),
    bench("karatsuba_384_3", "tb_mul", &["WIDTH=384", "KIND=1", "LAYERS=3"]),
    bench("karatsuba_384_4", "tb_mul", &["WIDTH=384", "KIND=1", "LAYERS=4"]),
    bench("karatsuba_37_2", "tb_mul", &["WIDTH=37", "KIND=1", "LAYERS=2", "LEAF=4"]),
    bench("hybrid_256", "tb_mul", &["WIDTH=256", "KIND=2", "LAYERS=3", "LEAF=7"]),
    bench("hybrid_low_256", "tb_mul", &["BLOCK=mul_hybrid_low", "WIDTH=256", "KIND=2", "LAYERS=3", "LEAF=5"]),
    bench(
        "hybrid_high_256",
        "tb_mul",
        &["BLOCK=mul_hybrid_high", "WIDTH=256", "KIND=2", "LAYERS=3", "LEAF=6"],
    ),
    bench("short_84", "tb_mul", &["BLOCK=mul_short", "WIDTH=84"]),
    bench(
        "constant_97",
        "tb_mul",
        &["BLOCK=const_mul", "WIDTH=97", "CONSTANT=1024'h1deadbeef0badc0de12345677"],
    ),
    bench("montgomery_377_3", "tb_field", &["LAYERS=3"]),
    bench("montgomery_377_model", "tb_field", &["KIND=0"]),
    bench("montgomery_254_hybrid", "tb_field", &["FIELD=1", "KIND=2"]),
    bench("montgomery_254_model", "tb_field", &["FIELD=1", "KIND=0"]),
    bench("barrett_377_4", "tb_field", &["REDUCTION=1", "LAYERS=4"]),
    bench("barrett_377_model", "tb_field", &["REDUCTION=1", "KIND=0"]),
    bench("barrett_254_model", "tb_field", &["FIELD=1", "REDUCTION=1", "KIND=0"]),
    bench("mod_add", "tb_field", &["BLOCK=mod_add", "LATENCY=4"]),
    bench("mod_sub", "tb_field", &["BLOCK=mod_sub", "LATENCY=1"]),
    bench("lazy_add", "tb_field", &["BLOCK=lazy_add", "LATENCY=3"]),
    bench("lazy_sub", "tb_field", &["BLOCK=lazy_sub", "LATENCY=2"]),
    bench("inverse_377", "tb_inverse", &[]),
    bench("inverse_254", "tb_inverse", &["FIELD=1"]),
    bench("batch_chains", "tb_batch", &[]),
    bench("batch_chains_short", "tb_batch", &["LATENCY=7", "BATCH=32", "CHAINS=8"]),
    bench("affine_377", "tb_affine", &[]),
    bench("affine_254", "tb_affine", &["CURVE=1"]),
    bench("affine_381", "tb_affine", &["CURVE=2"]),
    bench("te_madd_model", "tb_curve", &["BLOCK=te_madd", "KIND=0"]),
    bench("te_madd_65", "tb_curve", &["BLOCK=te_madd", "KIND=0", "MUL_LATENCY=28", "LATENCY=65"]),
    bench("te_two_cycle_add", "tb_curve", &["BLOCK=te_two_cycle_add", "KIND=0"]),
    bench("te_add", "tb_curve", &["BLOCK=te_add", "KIND=0", "REDUCTION=1"]),
    bench("rcb_add", "tb_curve", &["BLOCK=rcb_add", "KIND=0"]),
    bench("apadd", "tb_curve", &["BLOCK=apadd"]),
    bench("apadd_model", "tb_curve", &["BLOCK=apadd", "KIND=0"]),
    bench("cyclone", "tb_cyclone", &["BUCKET_WIDTH=6", "MEMORY=65536"]),
    traced(bench(
        "cyclone_short",
        "tb_cyclone",
        &["BUCKET_WIDTH=3", "QUEUE=8", "MEMORY_LATENCY=10", "MUL_LATENCY=5", "LATENCY=15", "CONTROL=5"],
    )),
    traced(bench("reclaimer", "tb_reclaimer", &["ADDERS=3", "WINDOW=7", "CHAINS=8", "MUL_LATENCY=7"])),
    bench("reclaimer_bn254", "tb_reclaimer", &["CURVE=1", "WINDOW=12"]),
    bench("reclaimer_381", "tb_reclaimer", &["CURVE=2", "ADDERS=3", "WINDOW=9"]),
    bench("cyclone_segments", "tb_cyclone", &["BUCKET_WIDTH=7", "MEMORY=65536", "SEGMENT_WIDTH=5"]),
    bench(
        "cyclone_segments_short",
        "tb_cyclone",
        &[
            "BUCKET_WIDTH=3",
            "QUEUE=8",
            "MEMORY_LATENCY=10",
            "MUL_LATENCY=5",
            "LATENCY=15",
            "CONTROL=5",
            "SEGMENT_WIDTH=1",
        ],
    ),
    bench(
        "cyclone_greedy",
        "tb_cyclone",
        &["BUCKET_WIDTH=3", "MUL_LATENCY=5", "LATENCY=15", "CONTROL=5", "SEGMENT_WIDTH=1", "GREEDY=6"],
    ),
    bench(
        "cyclone_overlap",
        "tb_cyclone",
        &[
            "BUCKET_WIDTH=3",
            "QUEUE=8",
            "MEMORY_LATENCY=10",
            "MUL_LATENCY=5",
            "LATENCY=15",
            "CONTROL=5",
            "OVERLAP=1",
        ],
    ),
    bench(
        "cyclone_overlap_greedy",
        "tb_cyclone",
        &[
            "BUCKET_WIDTH=3",
            "MUL_LATENCY=5",
            "LATENCY=15",
            "CONTROL=5",
            "SEGMENT_WIDTH=1",
            "GREEDY=6",
            "OVERLAP=1",
        ],
    ),
    bench(
        "cyclone_overlap_segments",
        "tb_cyclone",
        &["BUCKET_WIDTH=7", "MEMORY=65536", "SEGMENT_WIDTH=5", "OVERLAP=1"],
    ),
    bench("apadd_rcb", "tb_curve", &["BLOCK=apadd_rcb"]),
    bench("apadd_rcb_model", "tb_curve", &["BLOCK=apadd_rcb", "KIND=0"]),
    traced(bench("gypsophila_1", "tb_gypsophila", &["PES=1"])),
    bench("gypsophila_2", "tb_gypsophila", &["PES=2"]),
    bench("gypsophila_4", "tb_gypsophila", &["PES=4", "ADDERS=2"]),
    bench("gypsophila_bn254", "tb_gypsophila", &["PES=2", "CURVE=1"]),
    traced(bench("msmac_pe", "tb_msmac", &["WINDOW=5", "THRESHOLD=64", "CONFLICTS=200"])),
    bench("msmac_segments", "tb_msmac", &["WINDOW=7", "SEGMENTS=4"]),
    bench("msmac_pe_12", "tb_msmac", &["WINDOW=12"]),
    bench("card", "tb_card", &[]),
    bench("card_points", "tb_card", &["WIDTH=96", "BURST=4", "OUTSTANDING=2", "KIND=3", "PAUSES=60"]),
    bench("card_prime", "tb_card", &["WIDTH=521", "BURST=64", "OUTSTANDING=3", "KIND=0", "PAUSES=20"]),
    bench("crossing", "tb_crossing", &[]),
    bench("card_cyclone", "tb_cyclone_card", &[]),
    bench(
        "card_cyclone_hbm",
        "tb_cyclone_card",
        &["KIND=3", "PAUSES=40", "BURST=4", "OUTSTANDING=2", "OVERLAP=1"],
    ),
    bench("card_gypsophila", "tb_gypsophila_card", &[]),
    bench(
        "card_gypsophila_hbm",
        "tb_gypsophila_card",
        &["PES=3", "ADDERS=2", "CURVE=1", "KIND=3", "PAUSES=40", "BURST=4", "OUTSTANDING=2"],
    ),
    bench("card_msmac", "tb_msmac_card", &[]),
    bench(
        "card_msmac_hbm",
        "tb_msmac_card",
        &["PES=3", "WINDOW=5", "BLOCK=2", "KIND=3", "PAUSES=40", "BURST=4", "OUTSTANDING=2"],
    ),
    bench("card_reclaimer", "tb_reclaimer_card", &[]),
    bench(
        "card_reclaimer_hbm",
        "tb_reclaimer_card",
        &["CURVE=1", "ADDERS=3", "KIND=3", "PAUSES=40", "BURST=4", "OUTSTANDING=2"],
    ),
    // Windows of 16 bits, as the authors' host has them: hdl/host.
    long(bench("cyclone_f1", "tb_cyclone_f1", &["SEGMENT_WIDTH=5"])),
    bench(
        "cyclone_f1_short",
        "tb_cyclone_f1",
        &[
            "SIZE=6",
            "DIGITS_QUEUE=4",
            "BUCKET_WIDTH=3",
            "QUEUE=8",
            "MEMORY_LATENCY=10",
            "MUL_LATENCY=5",
            "LATENCY=15",
            "CONTROL=5",
        ],
    ),
    bench("fifo", "tb_common", &["BLOCK=fifo"]),
    bench("fifo_must_take", "tb_common", &["BLOCK=fifo_must_take"]),
    bench("delay_1", "tb_common", &["BLOCK=delay_line", "DEPTH=1"]),
    bench("delay_7", "tb_common", &["BLOCK=delay_line", "DEPTH=7"]),
    bench("delayed", "tb_schedule", &["BLOCK=delayed_scheduler"]),
    bench("delayed_long", "tb_schedule", &["BLOCK=delayed_scheduler", "BUCKET_WIDTH=10", "QUEUE=4096"]),
    bench("window_batch", "tb_schedule", &["BLOCK=window_batch_scheduler"]),
    bench("pairing", "tb_schedule", &["BLOCK=pairing_scheduler"]),
    bench("pairing_meets", "tb_schedule", &["BLOCK=pairing_scheduler", "MEET=1"]),
];
