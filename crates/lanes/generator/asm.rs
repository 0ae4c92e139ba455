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

    /// Starts a function; `doc` becomes a comment above it. On some systems, names have a leading underscore.
    pub fn function(&mut self, name: &str, doc: &str) {
        self.text += &format!("\n{} {doc}\n.p2align 6\n", self.comment);
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
