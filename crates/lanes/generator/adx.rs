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

use super::Asm;

pub fn assembly() -> String {
    let mut asm = Asm::with_comments("#");
    for n in [6, 5, 4] {
        product(&mut asm, n);
        two_products(&mut asm, n);
    }
    wide_product(&mut asm, 12);
    asm.finish()
}

/// Emits the products. `rdi`: results, `rsi`: a, `rdx`: b (each of `r8` elements of n limbs), `rcx`: modulus (n limbs), then -p^-1.
fn product(asm: &mut Asm, n: usize) {
    // rdx is mulx's implicit factor, hence b moves.
    let (result, a, b, table) = ("%rdi", "%rsi", "%rbx", "%rcx");
    let (low, high) = ("%rax", "%rbp");
    let words = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14"];
    let saved = ["%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"];
    asm.function(
        &format!("bucketwheel_adx_mul_{n}"),
        "rdi: results, rsi: a, rdx: b, rcx: table, r8: count; results may alias factors product by product; System V",
    );
    for register in saved {
        asm.push(format!("pushq {register}"));
    }
    asm.push(format!("movq %rdx, {b}"));
    asm.push("movl %r8d, %r15d");
    asm.push(format!("{}:", 2));
    let mut t: Vec<&str> = words[..=n].to_vec();
    for i in 0..n {
        asm.push(format!("movq {}({b}), %rdx", 8 * i));
        if i == 0 {
            asm.push(format!("mulxq 0({a}), {}, {}", t[0], t[1]));
            asm.push("xorl %eax, %eax");
            for j in 1..n {
                asm.push(format!("mulxq {}({a}), {low}, {}", 8 * j, t[j + 1]));
                asm.push(format!("adcxq {low}, {}", t[j]));
            }
            asm.push("movl $0, %eax");
            asm.push(format!("adcxq {low}, {}", t[n]));
        } else {
            asm.push(format!("xorl {0}, {0}", dword(t[n])));
            row(asm, &t, |j| format!("{}({a})", 8 * j), low, high);
        }
        asm.push(format!("movq {}({table}), %rdx", 8 * n));
        asm.push(format!("imulq {}, %rdx", t[0]));
        asm.push("xorl %eax, %eax");
        row(asm, &t, |j| format!("{}({table})", 8 * j), low, high);
        t.rotate_left(1);
    }
    for (j, word) in t[..n].iter().enumerate() {
        asm.push(format!("movq {word}, {}({result})", 8 * j));
    }
    for pointer in [a, b, result] {
        asm.push(format!("addq ${}, {pointer}", 8 * n));
    }
    asm.push("decl %r15d");
    asm.push("jnz 2b");
    for register in saved.iter().rev() {
        asm.push(format!("popq {register}"));
    }
    asm.push("retq");
}

/// Emits a sum of two products. `rdi`: result, `rsi`: two elements a, `rdx`: two elements b, `rcx`: modulus, then -p^-1.
fn two_products(asm: &mut Asm, n: usize) {
    let (result, a, b, table) = ("%rdi", "%rsi", "%rbx", "%rcx");
    let (low, high) = ("%rax", "%rbp");
    let words = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14"];
    let saved = ["%rbx", "%rbp", "%r12", "%r13", "%r14"];
    asm.function(
        &format!("bucketwheel_adx_two_products_{n}"),
        "rdi: result, rsi: two a, rdx: two b, rcx: table; the result may alias factors; System V",
    );
    for register in saved {
        asm.push(format!("pushq {register}"));
    }
    asm.push(format!("movq %rdx, {b}"));
    let mut t: Vec<&str> = words[..=n].to_vec();
    for word in &t[..n] {
        asm.push(format!("xorl {0}, {0}", dword(word)));
    }
    for i in 0..n {
        asm.push(format!("xorl {0}, {0}", dword(t[n])));
        for product in 0..2 {
            asm.push(format!("movq {}({b}), %rdx", 8 * (product * n + i)));
            asm.push("xorl %eax, %eax");
            row(asm, &t, |j| format!("{}({a})", 8 * (product * n + j)), low, high);
        }
        asm.push(format!("movq {}({table}), %rdx", 8 * n));
        asm.push(format!("imulq {}, %rdx", t[0]));
        asm.push("xorl %eax, %eax");
        row(asm, &t, |j| format!("{}({table})", 8 * j), low, high);
        t.rotate_left(1);
    }
    for (j, word) in t[..n].iter().enumerate() {
        asm.push(format!("movq {word}, {}({result})", 8 * j));
    }
    for register in saved.iter().rev() {
        asm.push(format!("popq {register}"));
    }
    asm.push("retq");
}

/// Emits `t += rdx * factor`. Both carry flags must be clear before.
fn row(asm: &mut Asm, t: &[&str], factor: impl Fn(usize) -> String, low: &str, high: &str) {
    let n = t.len() - 1;
    for j in 0..n {
        asm.push(format!("mulxq {}, {low}, {high}", factor(j)));
        asm.push(format!("adcxq {low}, {}", t[j]));
        asm.push(format!("adoxq {high}, {}", t[j + 1]));
    }
    asm.push(format!("movl $0, {}", dword(low)));
    asm.push(format!("adcxq {low}, {}", t[n]));
}

/// Emits the product for more limbs than there are registers. Words of the sum without a register are on the stack.
fn wide_product(asm: &mut Asm, n: usize) {
    let (result, a, b, table) = ("%rdi", "%rsi", "%rbx", "%rcx");
    let registers = ["%r10", "%r11", "%r12", "%r13", "%r14"];
    let saved = ["%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"];
    let on_stack = n + 1 - registers.len();
    let in_registers = registers.map(String::from).into_iter();
    let mut t: Vec<String> = in_registers.chain((0..on_stack).map(|k| format!("{}(%rsp)", 8 * k))).collect();
    asm.function(
        &format!("bucketwheel_adx_mul_{n}"),
        "rdi: results, rsi: a, rdx: b, rcx: table, r8: count; results may alias factors product by product; System V",
    );
    for register in saved {
        asm.push(format!("pushq {register}"));
    }
    asm.push(format!("subq ${}, %rsp", 8 * on_stack));
    asm.push(format!("movq %rdx, {b}"));
    asm.push("movl %r8d, %r15d");
    asm.push("2:");
    for word in &t {
        asm.push(format!("movq $0, {word}"));
    }
    for i in 0..n {
        asm.push(format!("movq {}({b}), %rdx", 8 * i));
        wide_row(asm, &t, |j| format!("{}({a})", 8 * j));
        asm.push(format!("movq {}({table}), %rdx", 8 * n));
        asm.push(format!("imulq {}, %rdx", t[0]));
        wide_row(asm, &t, |j| format!("{}({table})", 8 * j));
        // The first word is 0 now, and becomes the last word.
        t.rotate_left(1);
    }
    for (j, word) in t[..n].iter().enumerate() {
        asm.push(format!("movq {word}, %rax"));
        asm.push(format!("movq %rax, {}({result})", 8 * j));
    }
    for pointer in [a, b, result] {
        asm.push(format!("addq ${}, {pointer}", 8 * n));
    }
    asm.push("decl %r15d");
    asm.push("jnz 2b");
    asm.push(format!("addq ${}, %rsp", 8 * on_stack));
    for register in saved.iter().rev() {
        asm.push(format!("popq {register}"));
    }
    asm.push("retq");
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
