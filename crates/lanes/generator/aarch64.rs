//! 64-bit Arm: 64-bit limbs, elements one after the other, one carry chain at a time.
//!
//! ```text
//! for each of the four pairs:
//!     t[0..N+1] = 0
//!     for i in 0..N:                              Montgomery's product, row by row
//!         t += low halves of a b[i]               one carry chain
//!         t += high halves of a b[i], a word up   the next carry chain
//!         m = t[0] n0 mod 2^64
//!         t += low halves, then high halves, of m p
//!         t = t >> 64
//!     result = t[0..N]
//! ```
//!
//! # Departures from the pseudo-code
//! 1. **Chains that nothing interrupts** (EdMSM, section 5), because there is one carry flag. Multiplications leave the
//!    flag alone. They are issued ahead of the additions that need them, as far as there are registers ([`schedule`]).
//! 2. **The low half of t[0] + m p[0] is not computed**: it is 0, with a carry unless t[0] was 0. A comparison replaces
//!    it.
//! 3. **No final subtraction.** If p leaves two bits free, the product of factors below 2p is below 2p. Otherwise the
//!    product of factors below p is below 2p (docs/kernels.md).
//! 4. **Squares** have all words in registers, and one chain doubles the products of different words.
//! 5. **Twelve words** do not fit. The words of a and p are loaded two at a time, a pair ahead: 288 loads of pairs
//!    beside 1,210 other instructions (`wide_product`).
//!
//! With six words, a product takes 317 instructions and a square 275, where the compiler's take 740 and 677
//! (`tools/instructions.sh`).
//!
//! # Contract of the kernels
//! - Arguments are in the comment above each kernel. Results may alias factors.
//! - Factors are in the range of departure 3, which keeps every row within its N + 1 words.
//! - The kernels leave the platform's x18 and the frame pointer alone, and restore all registers that a function must.

use super::asm::Asm;
use super::instruction_set::{InstructionSet, Names};

pub struct Aarch64;

impl InstructionSet for Aarch64 {
    fn names(&self) -> Names {
        Names {
            variant: "Aarch64",
            folder: "aarch64",
            code: 5,
            about: "64-bit Arm; four lanes.",
            builds: "target_arch = \"aarch64\"",
        }
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("aarch64.s", assembly().into()))
    }
}

/// Elements of a call: the number of this backend's lanes.
const LANES: usize = 4;
/// Registers that a function must restore, besides the link register.
const SAVED: [&str; 10] = ["x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28"];
const LINK: &str = "x30";
const ZERO: &str = "xzr";

fn assembly() -> String {
    let mut asm = Asm::with_comments("//");
    for n in [6, 5, 4] {
        product(&mut asm, n);
        square(&mut asm, n);
        butterfly(&mut asm, n);
    }
    wide_product(&mut asm, 12);
    asm.finish()
}

/// Hands out registers: all except the first `arguments` argument registers, the platform's x18 and the frame pointer.
struct Registers(Vec<String>);

impl Registers {
    fn new(arguments: usize) -> Self {
        let numbers = (arguments..18).chain(19..29).chain([30]);
        Registers(numbers.rev().map(|number| format!("x{number}")).collect())
    }

    fn take(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.0.pop().expect("enough registers")).collect()
    }

    fn one(&mut self) -> String {
        self.take(1).remove(0)
    }
}

/// Half of a product of two words, and the addition that takes it from a temporary register `{}`.
struct Term {
    /// An instruction ahead of the multiplication.
    before: Option<String>,
    multiplication: &'static str,
    factors: [String; 2],
    addition: String,
    /// Instructions right behind the addition.
    then: Vec<String>,
}

const LOW: &str = "mul";
const HIGH: &str = "umulh";

fn term(multiplication: &'static str, x: &str, y: &str, addition: String) -> Term {
    Term { before: None, multiplication, factors: [x.into(), y.into()], addition, then: Vec::new() }
}

/// Issues multiplications ahead of their additions, as far as there are temporaries.
fn schedule(asm: &mut Asm, terms: &[Term], temporaries: &[String]) {
    let ahead = temporaries.len();
    for i in 0..terms.len() + ahead - 1 {
        if let Some(Term { before, multiplication, factors: [x, y], .. }) = terms.get(i) {
            before.iter().for_each(|line| asm.push(line));
            asm.push(format!("{multiplication} {}, {x}, {y}", temporaries[i % ahead]));
        }
        if let Some(done) = (i + 1).checked_sub(ahead) {
            let Term { addition, then, .. } = &terms[done];
            asm.push(addition.replace("{}", &temporaries[done % ahead]));
            then.iter().for_each(|line| asm.push(line));
        }
    }
}

/// Returns `target = target + {}`, the first addition of a chain.
fn start(target: &str) -> String {
    format!("adds {target}, {target}, {{}}")
}

/// Returns `target = target + {} + carry`, a later addition of a chain.
fn go_on(target: &str) -> String {
    format!("adcs {target}, {target}, {{}}")
}

/// Returns an addition of a chain whose first addition is at index `first`.
fn chain(index: usize, first: usize, target: &str) -> String {
    match index == first {
        true => start(target),
        false => go_on(target),
    }
}

/// Loads words from memory, two at a time.
fn load(asm: &mut Asm, words: &[String], address: &str) {
    for (i, words) in words.chunks(2).enumerate() {
        asm.push(match words {
            [one] => format!("ldr {one}, [{address}, #{}]", 16 * i),
            pair => format!("ldp {}, [{address}, #{}]", pair.join(", "), 16 * i),
        });
    }
}

/// Stores words to memory, and leaves the pointer behind them.
fn store(asm: &mut Asm, words: &[String], pointer: &str) {
    for words in words.chunks(2) {
        asm.push(match words {
            [one] => format!("str {one}, [{pointer}], #8"),
            pair => format!("stp {}, [{pointer}], #16", pair.join(", ")),
        });
    }
}

fn prologue(asm: &mut Asm) {
    for pair in SAVED.chunks(2) {
        asm.push(format!("stp {}, {}, [sp, #-16]!", pair[0], pair[1]));
    }
    asm.push(format!("str {LINK}, [sp, #-16]!"));
}

fn epilogue(asm: &mut Asm, counter: &str) {
    asm.push(format!("subs {counter}, {counter}, #1"));
    asm.push("b.ne 2b");
    asm.push(format!("ldr {LINK}, [sp], #16"));
    for pair in SAVED.chunks(2).rev() {
        asm.push(format!("ldp {}, {}, [sp], #16", pair[0], pair[1]));
    }
    asm.push("ret");
}

/// Emits Montgomery's product, row by row.
fn product(asm: &mut Asm, n: usize) {
    asm.function(
        &format!("bucketwheel_aarch64_mul_{n}"),
        "x0: results, x1: a, x2: b (each 4 times n words), x3: modulus (n words), then -p^-1; results may alias factors",
    );
    prologue(asm);
    let mut registers = Registers::new(3);
    let (counter, n0) = (registers.one(), registers.one());
    let (p, a) = (registers.take(n), registers.take(n));
    let mut t = registers.take(n + 1);
    let (b, m) = (registers.one(), registers.one());
    let temporaries = registers.take(3);
    // The pointer to the table shares its register with the counter.
    assert_eq!(counter, "x3");
    asm.push(format!("ldr {n0}, [x3, #{}]", 8 * n));
    load(asm, &p, "x3");
    asm.push(format!("mov {counter}, #{LANES}"));
    asm.push("2:");
    load(asm, &a, "x1");
    asm.push(format!("add x1, x1, #{}", 8 * n));
    for i in 0..n {
        asm.push(format!("ldr {b}, [x2], #8"));
        let mut terms = Vec::new();
        if i == 0 {
            for j in 0..n {
                asm.push(format!("mul {}, {}, {b}", t[j], a[j]));
            }
            asm.push(format!("mov {}, {ZERO}", t[n]));
            asm.push(format!("mul {m}, {}, {n0}", t[0]));
        } else {
            terms = low_halves(&t, &a, &b, &m, &n0);
        }
        terms.extend(other_halves(&t, &a, &b, &p, &m));
        schedule(asm, &terms, &temporaries);
        t.rotate_left(1);
    }
    store(asm, &t[..n], "x0");
    epilogue(asm, &counter);
}

/// Returns the low halves of a row of a product. When the last word is made, they also make the quotient digit `m`.
fn low_halves(t: &[String], a: &[String], b: &str, m: &str, n0: &str) -> Vec<Term> {
    let n = a.len();
    let mut terms: Vec<Term> = (0..n).map(|j| term(LOW, &a[j], b, chain(j, 0, &t[j]))).collect();
    // The first word has its final value.
    terms[0].then.push(format!("mul {m}, {}, {n0}", t[0]));
    terms[n - 1].then.push(format!("adc {0}, {ZERO}, {ZERO}", t[n]));
    terms
}

/// Returns the high halves of a row of a product, and the multiple of the modulus that clears the row's first word.
fn other_halves(t: &[String], a: &[String], b: &str, p: &[String], m: &str) -> Vec<Term> {
    let n = a.len();
    let mut terms: Vec<Term> = (0..n).map(|j| term(HIGH, &a[j], b, chain(j, 0, &t[j + 1]))).collect();
    // The lowest word of the sum is 0, with a carry unless it was 0 before.
    terms[n - 1].then.push(format!("cmp {}, #1", t[0]));
    terms.extend((1..n).map(|j| term(LOW, &p[j], m, go_on(&t[j]))));
    terms[2 * n - 2].then.push(format!("adc {0}, {0}, {ZERO}", t[n]));
    terms.extend((0..n).map(|j| term(HIGH, &p[j], m, chain(j, 0, &t[j + 1]))));
    terms
}

/// Emits the product for more words than there are registers. The words of a and of the modulus come from memory, a
/// pair ahead of the pair in use, and each word is loaded twice in a row.
fn wide_product(asm: &mut Asm, n: usize) {
    // The pairs of registers take turns from one pass to the next, too.
    assert!(n.is_multiple_of(4));
    asm.function(
        &format!("bucketwheel_aarch64_mul_{n}"),
        "x0: results, x1: a, x2: b (each 4 times n words), x3: modulus (n words), then -p^-1; results may alias factors",
    );
    prologue(asm);
    let mut registers = Registers::new(4);
    let (counter, n0, b, m) = (registers.one(), registers.one(), registers.one(), registers.one());
    let mut t = registers.take(n + 1);
    let pairs = [registers.take(2), registers.take(2)];
    let temporaries = registers.take(3);
    // The registers that hold a word of a or of the modulus when it is needed.
    let words: Vec<String> = (0..n).map(|j| pairs[j / 2 % 2][j % 2].clone()).collect();
    let load_pair =
        |address: &str, j: usize| format!("ldp {}, {}, [{address}, #{}]", words[j], words[j + 1], 8 * j);
    // Addresses of the factors of a row's terms: a for low and high halves, then the modulus, whose first word has no
    // low half. A pair comes into use with its even word, except the pair of this first word.
    let factors: Vec<(&str, usize)> = [("x1", 0), ("x1", 0), ("x3", 1), ("x3", 0)]
        .into_iter()
        .flat_map(|(address, first)| (first..n).map(move |j| (address, j)))
        .collect();
    let starts: Vec<usize> =
        (0..factors.len()).filter(|&i| i == 2 * n || factors[i].1.is_multiple_of(2)).collect();
    asm.push(format!("ldr {n0}, [x3, #{}]", 8 * n));
    asm.push(format!("mov {counter}, #{LANES}"));
    asm.push("2:");
    t.iter().for_each(|word| asm.push(format!("mov {word}, {ZERO}")));
    for _ in 0..n {
        asm.push(format!("ldr {b}, [x2], #8"));
        asm.push(load_pair("x1", 0));
        let mut terms = low_halves(&t, &words, &b, &m, &n0);
        terms.extend(other_halves(&t, &words, &b, &words, &m));
        for (&start, &next) in starts.iter().zip(&starts[1..]) {
            let (address, j) = factors[next];
            terms[start].before = Some(load_pair(address, j & !1));
        }
        schedule(asm, &terms, &temporaries);
        t.rotate_left(1);
    }
    store(asm, &t[..n], "x0");
    asm.push(format!("add x1, x1, #{}", 8 * n));
    epilogue(asm, &counter);
}

/// Emits the whole square, then the reduction (EdMSM, section 5: with this number of registers, all words stay in them).
fn square(asm: &mut Asm, n: usize) {
    asm.function(
        &format!("bucketwheel_aarch64_square_{n}"),
        "x0: results, x1: a (each 4 times n words), x2: modulus (n words), then -p^-1; results may alias a",
    );
    prologue(asm);
    let mut registers = Registers::new(3);
    let counter = registers.one();
    // The modulus later takes the registers of a.
    let (a, t) = (registers.take(n), registers.take(2 * n));
    let p = a.clone();
    let (m, carry, n0) = (registers.one(), registers.one(), registers.one());
    let temporaries = registers.take(4);
    asm.push(format!("mov {counter}, #{LANES}"));
    asm.push(format!("ldr {n0}, [x2, #{}]", 8 * n));
    asm.push("2:");
    load(asm, &a, "x1");
    asm.push(format!("add x1, x1, #{}", 8 * n));
    // The products of different words.
    for j in 1..n {
        asm.push(format!("mul {}, {}, {}", t[j], a[0], a[j]));
    }
    asm.push(format!("mov {}, {ZERO}", t[n]));
    let mut terms: Vec<Term> = Vec::new();
    for i in 0..n - 1 {
        if i > 0 {
            terms.extend((i + 1..n).map(|j| term(LOW, &a[i], &a[j], chain(j, i + 1, &t[i + j]))));
            let last = terms.len() - 1;
            terms[last].then.push(format!("adc {}, {ZERO}, {ZERO}", t[i + n]));
        }
        terms.extend((i + 1..n).map(|j| term(HIGH, &a[i], &a[j], chain(j, i + 1, &t[i + j + 1]))));
    }
    schedule(asm, &terms, &temporaries);
    // Doubles these products, and adds the squares.
    for (j, word) in t.iter().enumerate().take(2 * n - 1).skip(1) {
        asm.push(format!("{} {word}, {word}, {word}", if j == 1 { "adds" } else { "adcs" }));
    }
    asm.push(format!("adc {}, {ZERO}, {ZERO}", t[2 * n - 1]));
    asm.push(format!("mul {0}, {1}, {1}", t[0], a[0]));
    let mut terms = vec![term(HIGH, &a[0], &a[0], start(&t[1]))];
    for i in 1..n {
        terms.push(term(LOW, &a[i], &a[i], go_on(&t[2 * i])));
        terms.push(term(HIGH, &a[i], &a[i], go_on(&t[2 * i + 1])));
    }
    schedule(asm, &terms, &temporaries);
    load(asm, &p, "x2");
    asm.push(format!("mul {m}, {}, {n0}", t[0]));
    for i in 0..n {
        let mut terms: Vec<Term> = (1..n).map(|j| term(LOW, &p[j], &m, go_on(&t[i + j]))).collect();
        // The carry of the previous round arrives a word higher.
        let from_before = if i == 0 { ZERO } else { &carry };
        terms[n - 2].then.push(format!("adcs {0}, {0}, {from_before}", t[i + n]));
        terms[n - 2].then.push(format!("adc {carry}, {ZERO}, {ZERO}"));
        terms.extend((0..n).map(|j| term(HIGH, &p[j], &m, chain(j, 0, &t[i + j + 1]))));
        let last = terms.len() - 1;
        terms[last].then.push(format!("adc {carry}, {carry}, {ZERO}"));
        asm.push(format!("cmp {}, #1", t[i]));
        schedule(asm, &terms, &temporaries);
        if i + 1 < n {
            asm.push(format!("mul {m}, {}, {n0}", t[i + 1]));
        }
    }
    store(asm, &t[n..], "x0");
    epilogue(asm, &counter);
}

/// Emits `(a, b) = (a + b, a - b)` modulo a bound, for a and b below it. Twice the bound must fit the words.
fn butterfly(asm: &mut Asm, n: usize) {
    asm.function(
        &format!("bucketwheel_aarch64_butterfly_{n}"),
        "x0: a, x1: b (each 4 times n words), x2: the bound (n words)",
    );
    prologue(asm);
    let mut registers = Registers::new(2);
    let counter = registers.one();
    let (bound, a, b, sum) = (registers.take(n), registers.take(n), registers.take(n), registers.take(n));
    assert_eq!(counter, "x2");
    load(asm, &bound, "x2");
    asm.push(format!("mov {counter}, #{LANES}"));
    asm.push("2:");
    load(asm, &a, "x0");
    load(asm, &b, "x1");
    let all = |asm: &mut Asm, first: &str, next: &str, line: &dyn Fn(usize) -> String| {
        (0..n).for_each(|j| asm.push(format!("{} {}", if j == 0 { first } else { next }, line(j))));
    };
    all(asm, "adds", "adcs", &|j| format!("{}, {}, {}", sum[j], a[j], b[j]));
    all(asm, "subs", "sbcs", &|j| format!("{}, {}, {}", b[j], a[j], b[j]));
    // Selects the bound in case of a borrow.
    all(asm, "csel", "csel", &|j| format!("{}, {ZERO}, {}, hs", a[j], bound[j]));
    all(asm, "adds", "adcs", &|j| format!("{0}, {0}, {1}", b[j], a[j]));
    all(asm, "subs", "sbcs", &|j| format!("{}, {}, {}", a[j], sum[j], bound[j]));
    all(asm, "csel", "csel", &|j| format!("{0}, {0}, {1}, hs", a[j], sum[j]));
    store(asm, &a, "x0");
    store(asm, &b, "x1");
    epilogue(asm, &counter);
}
