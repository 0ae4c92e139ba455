//! Writes object code of WebAssembly: the few instructions of kernels, an object file that linkers take, and a library around it.
//!
//! The code is written here, since `global_asm!` is not stable for this target, and an assembler would be one more tool
//! to install.

/// A local of a function, parameters first.
#[derive(Clone, Copy)]
pub struct Local(usize);

/// A function: its name, the number of its parameters, of type i32, and its body.
pub struct Function {
    name: String,
    parameters: usize,
    body: Vec<u8>,
}

/// Body of a function under construction. Each vector is computed once, and has a local of its own until [`Stack`] finds a place for
/// it; the engine's compiler finds registers.
pub struct Code {
    parameters: usize,
    numbers: usize,
    vectors: usize,
    instructions: Vec<Instruction>,
}

enum Instruction {
    /// Control, or an operation on numbers.
    Bytes(Vec<u8>),
    /// An operation on operands, which computes a vector or stores one.
    Operation { operands: Vec<Local>, bytes: Vec<u8>, result: Option<usize> },
}

/// The first local that is a vector.
const FIRST_VECTOR: usize = 1 << 16;

impl Local {
    /// Returns the number of a vector.
    fn vector(self) -> Option<usize> {
        self.0.checked_sub(FIRST_VECTOR)
    }
}

/// A piece of a body: bytes, or an instruction on the local of a vector.
enum Piece {
    Bytes(Vec<u8>),
    Get(usize),
    Set(usize),
}

/// Vectors on the way into a body. A vector that only the next operation uses stays on the stack. Other vectors share locals, so
/// that numbers of locals take one byte.
struct Stack {
    pieces: Vec<Piece>,
    /// Number of uses of each vector.
    uses: Vec<usize>,
    /// The vector that the last operation left on the stack, and its code.
    top: Option<(usize, Vec<Piece>)>,
}

const LOCAL_GET: u8 = 0x20;
const LOCAL_SET: u8 = 0x21;
const LOCAL_TEE: u8 = 0x22;
const I32_CONST: u8 = 0x41;
const I32_ADD: u8 = 0x6a;
const LOOP: u8 = 0x03;
const BR_IF: u8 = 0x0d;
const END: u8 = 0x0b;
const SIMD: u8 = 0xfd;
const TYPE_I32: u8 = 0x7f;
const TYPE_V128: u8 = 0x7b;
/// Type of a block without a result.
const VOID: u8 = 0x40;

impl Code {
    pub fn with_parameters(parameters: usize) -> Self {
        Code { parameters, numbers: 0, vectors: 0, instructions: Vec::new() }
    }

    pub fn parameters<const N: usize>(&self) -> [Local; N] {
        assert_eq!(self.parameters, N);
        std::array::from_fn(Local)
    }

    pub fn load(&mut self, pointer: Local, offset: usize) -> Local {
        self.operation(simd(0x00, &memory_argument(offset)), &[pointer])
    }

    pub fn store(&mut self, pointer: Local, offset: usize, value: Local) {
        let bytes = simd(0x0b, &memory_argument(offset));
        self.instructions.push(Instruction::Operation {
            operands: vec![pointer, value],
            bytes,
            result: None,
        });
    }

    pub fn and(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0x4e, &[]), &[a, b])
    }

    pub fn or(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0x50, &[]), &[a, b])
    }

    pub fn i64x2_add(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0xce, &[]), &[a, b])
    }

    pub fn f64x2_add(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0xf0, &[]), &[a, b])
    }

    pub fn f64x2_sub(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0xf1, &[]), &[a, b])
    }

    pub fn f64x2_mul(&mut self, a: Local, b: Local) -> Local {
        self.operation(simd(0xf2, &[]), &[a, b])
    }

    /// Emits `a b + c`, rounded once.
    pub fn madd(&mut self, a: Local, b: Local, c: Local) -> Local {
        self.operation(simd(0x107, &[]), &[a, b, c])
    }

    /// Emits a logical shift of 64-bit lanes.
    pub fn shift_right(&mut self, a: Local, bits: usize) -> Local {
        self.operation([constant(bits), simd(0xcd, &[])].concat(), &[a])
    }

    /// Adds a constant to a pointer.
    pub fn add_constant(&mut self, pointer: Local, bytes: usize) {
        self.get(pointer);
        self.bytes(constant(bytes));
        self.bytes(vec![I32_ADD]);
        self.local(LOCAL_SET, pointer);
    }

    /// Adds a local to a pointer.
    pub fn add_to(&mut self, pointer: Local, bytes: Local) {
        self.get(pointer);
        self.get(bytes);
        self.bytes(vec![I32_ADD]);
        self.local(LOCAL_SET, pointer);
    }

    /// Emits the sum of a pointer and a local.
    pub fn sum(&mut self, pointer: Local, bytes: Local) -> Local {
        self.get(pointer);
        self.get(bytes);
        self.bytes(vec![I32_ADD]);
        self.set_new_number()
    }

    /// Returns a new local with the value of a pointer.
    pub fn copy(&mut self, pointer: Local) -> Local {
        self.get(pointer);
        self.set_new_number()
    }

    /// Sets a pointer to another pointer.
    pub fn assign(&mut self, pointer: Local, value: Local) {
        self.get(value);
        self.local(LOCAL_SET, pointer);
    }

    /// Returns the counter of a loop.
    pub fn counter(&mut self, times: usize) -> Local {
        self.bytes(constant(times));
        self.set_new_number()
    }

    pub fn begin_loop(&mut self) {
        self.bytes(vec![LOOP, VOID]);
    }

    /// Goes back until the counter is 0.
    pub fn end_loop(&mut self, counter: Local) {
        self.get(counter);
        self.bytes(vec![I32_CONST, 0x7f]); // -1
        self.bytes(vec![I32_ADD]);
        self.local(LOCAL_TEE, counter);
        self.bytes(vec![BR_IF, 0, END]);
    }

    pub fn function(self, name: String) -> Function {
        let first_vector = self.parameters + self.numbers;
        let (locals, code) = Stack::place(self.instructions, self.vectors, first_vector);
        let mut body = vec![2];
        body.extend(unsigned(self.numbers));
        body.push(TYPE_I32);
        body.extend(unsigned(locals));
        body.push(TYPE_V128);
        body.extend(code);
        body.push(END);
        Function { name, parameters: self.parameters, body }
    }

    fn operation(&mut self, bytes: Vec<u8>, operands: &[Local]) -> Local {
        let (operands, result) = (operands.to_vec(), Some(self.vectors));
        self.instructions.push(Instruction::Operation { operands, bytes, result });
        self.vectors += 1;
        Local(FIRST_VECTOR + self.vectors - 1)
    }

    fn set_new_number(&mut self) -> Local {
        let local = Local(self.parameters + self.numbers);
        self.numbers += 1;
        self.local(LOCAL_SET, local);
        local
    }

    fn get(&mut self, number: Local) {
        self.local(LOCAL_GET, number);
    }

    fn local(&mut self, opcode: u8, number: Local) {
        self.bytes([vec![opcode], unsigned(number.0)].concat());
    }

    fn bytes(&mut self, bytes: Vec<u8>) {
        self.instructions.push(Instruction::Bytes(bytes));
    }
}

impl Stack {
    /// Returns the number of locals for vectors, and the code of the instructions.
    fn place(instructions: Vec<Instruction>, vectors: usize, first_vector: usize) -> (usize, Vec<u8>) {
        let mut uses = vec![0; vectors];
        for instruction in &instructions {
            if let Instruction::Operation { operands, .. } = instruction {
                operands.iter().filter_map(|operand| operand.vector()).for_each(|vector| uses[vector] += 1);
            }
        }
        let mut stack = Stack { pieces: Vec::new(), uses, top: None };
        for instruction in instructions {
            match instruction {
                Instruction::Bytes(bytes) => {
                    stack.pop();
                    stack.pieces.push(Piece::Bytes(bytes));
                }
                Instruction::Operation { operands, bytes, result } => stack.add(&operands, bytes, result),
            }
        }
        stack.pop();
        stack.code(first_vector)
    }

    /// Gives the vector on the stack a local.
    fn pop(&mut self) {
        if let Some((vector, code)) = self.top.take() {
            self.pieces.extend(code);
            self.pieces.push(Piece::Set(vector));
        }
    }

    /// Adds the code of an operation. Leaves the result on the stack if it has one use.
    fn add(&mut self, operands: &[Local], bytes: Vec<u8>, result: Option<usize>) {
        let is = |operand: &Local, top: &(usize, Vec<Piece>)| operand.vector() == Some(top.0);
        let mut top = self.top.take_if(|top| operands.iter().any(|operand| is(operand, top)));
        self.pop();
        let mut code = Vec::new();
        for operand in operands {
            match (top.take_if(|top| is(operand, top)), operand.vector()) {
                (Some((_, pieces)), _) => code.extend(pieces),
                (None, Some(vector)) => code.push(Piece::Get(vector)),
                (None, None) => {
                    code.push(Piece::Bytes([vec![LOCAL_GET], unsigned(operand.0)].concat()));
                }
            }
        }
        code.push(Piece::Bytes(bytes));
        match result {
            Some(vector) if self.uses[vector] == 1 => self.top = Some((vector, code)),
            Some(vector) => {
                self.pieces.extend(code);
                self.pieces.push(Piece::Set(vector));
            }
            None => self.pieces.extend(code),
        }
    }

    /// Returns the number of locals and the code. A vector's local is free after the last use; a loop uses vectors from before it to
    /// its end.
    fn code(mut self, first_vector: usize) -> (usize, Vec<u8>) {
        let (mut free, mut count, mut code) = (Vec::new(), 0, Vec::new());
        let mut locals = vec![None; self.uses.len()];
        // The gets that are left of each vector.
        self.uses.fill(0);
        for piece in &self.pieces {
            if let Piece::Get(vector) = piece {
                self.uses[*vector] += 1;
            }
        }
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => {
                    if bytes[..] == [LOOP, VOID] {
                        for vector in (0..locals.len()).filter(|&vector| locals[vector].is_some()) {
                            self.uses[vector] = usize::MAX;
                        }
                    }
                    code.extend(bytes);
                }
                Piece::Set(vector) => {
                    let local = free.pop().unwrap_or_else(|| {
                        count += 1;
                        first_vector + count - 1
                    });
                    locals[*vector] = Some(local);
                    code.push(LOCAL_SET);
                    code.extend(unsigned(local));
                }
                Piece::Get(vector) => {
                    let local = locals[*vector].expect("a vector that is computed");
                    self.uses[*vector] -= 1;
                    if self.uses[*vector] == 0 {
                        free.push(local);
                    }
                    code.push(LOCAL_GET);
                    code.extend(unsigned(local));
                }
            }
        }
        (count, code)
    }
}

/// Encodes a constant below 2^31.
fn constant(x: usize) -> Vec<u8> {
    [vec![I32_CONST], signed(x)].concat()
}

fn simd(opcode: usize, immediates: &[u8]) -> Vec<u8> {
    [vec![SIMD], unsigned(opcode), immediates.to_vec()].concat()
}

/// Returns the alignment to 16 bytes, and the offset.
fn memory_argument(offset: usize) -> Vec<u8> {
    let mut bytes = vec![4];
    bytes.extend(unsigned(offset));
    bytes
}

/// Encodes a number in LEB128.
fn unsigned(mut x: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while x >= 0x80 {
        bytes.push(x as u8 | 0x80);
        x >>= 7;
    }
    bytes.push(x as u8);
    bytes
}

/// Encodes a nonnegative number in signed LEB128.
fn signed(mut x: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while x >= 0x40 {
        bytes.push(x as u8 | 0x80);
        x >>= 7;
    }
    bytes.push(x as u8);
    bytes
}

fn string(text: &str) -> Vec<u8> {
    [unsigned(text.len()), text.as_bytes().to_vec()].concat()
}

/// Returns the number of the items, then the items.
fn vector(items: Vec<Vec<u8>>) -> Vec<u8> {
    [unsigned(items.len()), items.concat()].concat()
}

fn section(id: u8, content: Vec<u8>) -> Vec<u8> {
    [vec![id], unsigned(content.len()), content].concat()
}

/// Returns an object file (tool-conventions, Linking.md) for engines with these features, without relocations, since the functions
/// call nothing.
pub fn object(functions: &[Function], features: &[&str]) -> Vec<u8> {
    let types = functions.iter().map(|function| {
        [vec![0x60], vector(vec![vec![TYPE_I32]; function.parameters]), vector(Vec::new())].concat()
    });
    // The linker's memory, of at least 0 pages.
    let memory = [string("env"), string("__linear_memory"), vec![2, 0, 0]].concat();
    let bodies =
        functions.iter().map(|function| [unsigned(function.body.len()), function.body.clone()].concat());
    let symbols = functions.iter().enumerate().map(|(index, function)| {
        // A function that is defined here and visible everywhere.
        [vec![0, 0], unsigned(index), string(&function.name)].concat()
    });
    let symbols = vector(symbols.collect());
    let linking = [string("linking"), vec![2, 8], unsigned(symbols.len()), symbols].concat();
    let features = features.iter().map(|feature| [vec![b'+'], string(feature)].concat());
    let features = [string("target_features"), vector(features.collect())].concat();
    [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, vector(types.collect())),
        section(2, vector(vec![memory])),
        section(3, vector((0..functions.len()).map(unsigned).collect())),
        section(10, vector(bodies.collect())),
        section(0, linking),
        section(0, features),
    ]
    .concat()
}

/// Returns a static library of one object, whose name has at most 15 letters.
pub fn archive(name: &str, object: &[u8]) -> Vec<u8> {
    assert!(name.len() < 16, "{name}: the header has no room for it");
    let header =
        format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, "644", object.len());
    let padding = if object.len() % 2 == 1 { "\n" } else { "" };
    [b"!<arch>\n", header.as_bytes(), object, padding.as_bytes()].concat()
}
