//! BMI2 and ADX: 64-bit limbs, independent products one after the other.
//!
//! ```text
//! for each pair:
//!     t[0..N+1] = 0
//!     for i in 0..N:                              Montgomery's product, row by row
//!         t += a b[i]
//!         m = t[0] n0 mod 2^64
//!         t += m p                                t[0] becomes 0
//!         t = t >> 64
//!     result = t[0..N]
//! ```
//!
//! # Departures from the pseudo-code
//! 1. **Two carry chains beside each other** in each row: `adcx` carries the low halves, `adox` the high halves.
//! 2. **No final subtraction.** If p leaves two bits free, the product of factors below 2p is below 2p. Otherwise the
//!    product of factors below p is below 2p (docs/kernels.md).
//! 3. **The shift is a renaming** of registers: the first word becomes the last one.
//! 4. **Twelve limbs** have more words than there are registers. Eight of the thirteen words of t are on the stack, and
//!    a row reads and writes each of them once (`wide_product`).
//! 5. **A sum of two products** adds both products' rows before it takes away the multiple of p, so that two products
//!    share a reduction (`two_products`): 108 multiplications of six limbs instead of 144.
//!
//! # Contract of the kernels
//! - Arguments, in the order of System V: results, a, b, the table with the modulus and -p^-1, and the number of
//!   products, at least one. Results may alias factors product by product.
//! - Factors are in the range of departure 2, which keeps every row within its N + 1 words.
//! - A sum of two products has one result and pairs of factors. No row overflows if 5p (for factors below 2p) or 3p (for
//!   factors below p) fit N words; the result is below p more than twice the bound squared over 2^(64 N).

use super::asm::Asm;
use super::instruction_set::{InstructionSet, Names};

pub struct Adx;

impl InstructionSet for Adx {
    fn names(&self) -> Names {
        Names {
            variant: "Adx",
            folder: "adx",
            code: 1,
            about: "BMI2 and ADX: `mulx`, `adcx`, `adox`; four lanes.",
            builds: "target_arch = \"x86_64\"",
        }
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("adx.s", assembly().into()))
    }
}

fn assembly() -> String {
    let mut asm = Asm::with_comments("#");
    for n in [6, 5, 4] {
        product(&mut asm, n);
        two_products(&mut asm, n);
    }
    wide_product(&mut asm, 12);
    asm.finish()
}

/// Registers of the arguments. `rdx` is mulx's implicit factor, hence b moves.
const RESULT: &str = "%rdi";
const A: &str = "%rsi";
const B: &str = "%rbx";
const TABLE: &str = "%rcx";
/// Halves of a product of words.
const LOW: &str = "%rax";
const HIGH: &str = "%rbp";
/// Registers of t.
const WORDS: [&str; 7] = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14"];
/// Registers that belong to the caller; the last one holds the number of products left.
const SAVED: [&str; 6] = ["%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"];

/// Emits the function of `count` products, and its loop around one product. Before the loop, `begin` makes room on the stack;
/// after it, `end` gives the room back.
fn products(
    asm: &mut Asm,
    n: usize,
    begin: Option<String>,
    end: Option<String>,
    product: impl FnOnce(&mut Asm),
) {
    let contract = "rdi: results, rsi: a, rdx: b, rcx: table, r8: count; results may alias factors product by product; System V";
    function(asm, &format!("bucketwheel_adx_mul_{n}"), contract, &SAVED, begin, end, |asm| {
        asm.push("movl %r8d, %r15d");
        asm.push("2:");
        product(asm);
        for pointer in [A, B, RESULT] {
            asm.push(format!("addq ${}, {pointer}", 8 * n));
        }
        asm.push("decl %r15d");
        asm.push("jnz 2b");
    });
}

/// Emits a function that saves these registers of the caller and has b in its place.
fn function(
    asm: &mut Asm,
    name: &str,
    contract: &str,
    saved: &[&str],
    begin: Option<String>,
    end: Option<String>,
    body: impl FnOnce(&mut Asm),
) {
    asm.function(name, contract);
    saved.iter().for_each(|register| asm.push(format!("pushq {register}")));
    begin.into_iter().for_each(|line| asm.push(line));
    asm.push(format!("movq %rdx, {B}"));
    body(asm);
    end.into_iter().for_each(|line| asm.push(line));
    saved.iter().rev().for_each(|register| asm.push(format!("popq {register}")));
    asm.push("retq");
}

/// Emits the products of elements of n limbs. The modulus has n limbs, then comes -p^-1.
fn product(asm: &mut Asm, n: usize) {
    products(asm, n, None, None, |asm| {
        let mut t: Vec<&str> = WORDS[..=n].to_vec();
        for i in 0..n {
            asm.push(format!("movq {}({B}), %rdx", 8 * i));
            if i == 0 {
                asm.push(format!("mulxq 0({A}), {}, {}", t[0], t[1]));
                asm.push("xorl %eax, %eax");
                for j in 1..n {
                    asm.push(format!("mulxq {}({A}), {LOW}, {}", 8 * j, t[j + 1]));
                    asm.push(format!("adcxq {LOW}, {}", t[j]));
                }
                asm.push("movl $0, %eax");
                asm.push(format!("adcxq {LOW}, {}", t[n]));
            } else {
                asm.push(format!("xorl {0}, {0}", dword(t[n])));
                row(asm, &t, |j| format!("{}({A})", 8 * j));
            }
            reduce(asm, &mut t);
        }
        store(asm, &t[..n]);
    });
}

/// Emits a sum of two products: a and b are two elements each.
fn two_products(asm: &mut Asm, n: usize) {
    let contract = "rdi: result, rsi: two a, rdx: two b, rcx: table; the result may alias factors; System V";
    function(asm, &format!("bucketwheel_adx_two_products_{n}"), contract, &SAVED[..5], None, None, |asm| {
        let mut t: Vec<&str> = WORDS[..=n].to_vec();
        for word in &t[..n] {
            asm.push(format!("xorl {0}, {0}", dword(word)));
        }
        for i in 0..n {
            asm.push(format!("xorl {0}, {0}", dword(t[n])));
            for product in 0..2 {
                asm.push(format!("movq {}({B}), %rdx", 8 * (product * n + i)));
                asm.push("xorl %eax, %eax");
                row(asm, &t, |j| format!("{}({A})", 8 * (product * n + j)));
            }
            reduce(asm, &mut t);
        }
        store(asm, &t[..n]);
    });
}

/// Emits the addition of the multiple of p that makes the lowest word 0. This word becomes the highest one.
fn reduce(asm: &mut Asm, t: &mut [&str]) {
    asm.push(format!("movq {}({TABLE}), %rdx", 8 * (t.len() - 1)));
    asm.push(format!("imulq {}, %rdx", t[0]));
    asm.push("xorl %eax, %eax");
    row(asm, t, |j| format!("{}({TABLE})", 8 * j));
    t.rotate_left(1);
}

/// Emits the stores of the result.
fn store(asm: &mut Asm, words: &[&str]) {
    for (j, word) in words.iter().enumerate() {
        asm.push(format!("movq {word}, {}({RESULT})", 8 * j));
    }
}

/// Emits `t += rdx * factor`. Both carry flags must be clear before.
fn row(asm: &mut Asm, t: &[&str], factor: impl Fn(usize) -> String) {
    let n = t.len() - 1;
    for j in 0..n {
        asm.push(format!("mulxq {}, {LOW}, {HIGH}", factor(j)));
        asm.push(format!("adcxq {LOW}, {}", t[j]));
        asm.push(format!("adoxq {HIGH}, {}", t[j + 1]));
    }
    asm.push(format!("movl $0, {}", dword(LOW)));
    asm.push(format!("adcxq {LOW}, {}", t[n]));
}

/// Emits the product for more limbs than there are registers. Words of the sum without a register are on the stack.
fn wide_product(asm: &mut Asm, n: usize) {
    let registers = ["%r10", "%r11", "%r12", "%r13", "%r14"];
    let on_stack = n + 1 - registers.len();
    let in_registers = registers.map(String::from).into_iter();
    let mut t: Vec<String> = in_registers.chain((0..on_stack).map(|k| format!("{}(%rsp)", 8 * k))).collect();
    let room = |operation| Some(format!("{operation} ${}, %rsp", 8 * on_stack));
    products(asm, n, room("subq"), room("addq"), |asm| {
        for word in &t {
            asm.push(format!("movq $0, {word}"));
        }
        for i in 0..n {
            asm.push(format!("movq {}({B}), %rdx", 8 * i));
            wide_row(asm, &t, |j| format!("{}({A})", 8 * j));
            asm.push(format!("movq {}({TABLE}), %rdx", 8 * n));
            asm.push(format!("imulq {}, %rdx", t[0]));
            wide_row(asm, &t, |j| format!("{}({TABLE})", 8 * j));
            // The first word is 0 now, and becomes the last word.
            t.rotate_left(1);
        }
        for (j, word) in t[..n].iter().enumerate() {
            asm.push(format!("movq {word}, %rax"));
            asm.push(format!("movq %rax, {}({RESULT})", 8 * j));
        }
    });
}

/// Emits `t += rdx * factor`. Each word of t is read and written once, with a low half and the previous high half.
fn wide_row(asm: &mut Asm, t: &[String], factor: impl Fn(usize) -> String) {
    let n = t.len() - 1;
    let (low, word, highs) = ("%rax", "%r9", ["%rbp", "%r8"]);
    // Clears both carry flags.
    asm.push("xorl %eax, %eax");
    for (j, at) in t.iter().enumerate() {
        if j < n {
            asm.push(format!("mulxq {}, {low}, {}", factor(j), highs[j % 2]));
        } else {
            asm.push("movl $0, %eax");
        }
        let in_register = at.starts_with('%');
        let word = if in_register { at } else { word };
        if !in_register {
            asm.push(format!("movq {at}, {word}"));
        }
        asm.push(format!("adcxq {low}, {word}"));
        if j > 0 {
            asm.push(format!("adoxq {}, {word}", highs[(j - 1) % 2]));
        }
        if !in_register {
            asm.push(format!("movq {word}, {at}"));
        }
    }
}

/// Returns the 32-bit name of a 64-bit register.
fn dword(register: &str) -> String {
    match register {
        "%rax" => "%eax".into(),
        numbered => format!("{numbered}d"),
    }
}
