//! Assembly as text.

/// Assembly text under construction.
pub struct Asm {
    text: String,
    /// Start of a comment: `#` or `//`.
    comment: &'static str,
}

impl Asm {
    pub fn with_comments(comment: &'static str) -> Self {
        Asm { text: String::new(), comment }
    }

    /// Starts a function; `doc` becomes a comment above it. On some systems, names have a leading underscore. In object files
    /// of ELF, a function has its own section, so that linkers leave out the kernels of primes that a program does not use.
    pub fn function(&mut self, name: &str, doc: &str) {
        let section =
            if is_elf() { format!(".section .text.{name}, \"ax\", %progbits\n") } else { String::new() };
        self.text += &format!("\n{} {doc}\n{section}.p2align 6\n", self.comment);
        for name in [name, &format!("_{name}")] {
            self.text += &format!(".globl {name}\n{name}:\n");
        }
    }

    /// Appends one instruction or label.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.text += "    ";
        self.text += line.as_ref();
        self.text += "\n";
    }

    pub fn finish(self) -> String {
        format!(".text\n{}", self.text)
    }
}

/// Returns true if the target's object files are of ELF.
fn is_elf() -> bool {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    set("CARGO_CFG_TARGET_FAMILY") == "unix" && set("CARGO_CFG_TARGET_VENDOR") != "apple"
}
