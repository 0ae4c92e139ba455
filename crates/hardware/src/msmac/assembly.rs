//! Assembly: one instruction a line, labels, comments.
//!
//! ```text
//! point:                                  ; a label
//!     padd  20, bucket[0, 4096], input -> bucket[0, 4096]
//!     jmp   input, point
//!     set   4094
//!     padd  20, temp[20, 1], bucket[0, 4096, counter] -> temp[20, 1]
//!     nop   80
//! ```
//!
//! `bucket` and `temp` have a base, a step (0 if omitted) and, if the loop counter is added, the word `counter`. A
//! target is a label or the number of an instruction.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use super::isa::{
    Address, Condition, Instruction, InvalidInstruction, Operand, Padd, INSTRUCTION_BYTES, MAX_TARGET,
};

/// Fault of a text, or of bytes that are not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// A line is not an instruction.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1 on.
        line: usize,
        /// The fault, and the expected form.
        reason: String,
    },
    /// The bits are not an instruction.
    #[error("instruction {index}: {reason}")]
    Instruction {
        /// The number of the instruction, from 0 on.
        index: usize,
        /// The fault, and the expected bits.
        reason: &'static str,
    },
    /// The program has more instructions than a jump can reach.
    #[error("more than {MAX_INSTRUCTIONS} instructions: expected a program that a jump reaches all of")]
    TooLong,
    /// The length of the file is not a multiple of an instruction.
    #[error("{bytes} bytes: expected a multiple of {INSTRUCTION_BYTES}, an instruction each")]
    Length {
        /// Number of bytes.
        bytes: usize,
    },
}

/// Largest number of instructions of a program, because the targets of jumps have 12 bits.
pub const MAX_INSTRUCTIONS: usize = MAX_TARGET as usize + 1;

/// Assembles a text.
///
/// The [example](crate#parameters-and-programs) uses it.
///
/// # Errors
/// The first wrong line, or [`AssemblyError::TooLong`].
pub fn assemble(text: &str) -> Result<Vec<Instruction>, AssemblyError> {
    let mut labels = HashMap::new();
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let code = text.split(';').next().unwrap_or("").trim();
        let fail = |reason: String| AssemblyError::Line { line, reason };
        if let Some(label) = code.strip_suffix(':') {
            if !is_label(label) {
                return Err(fail(format!("{label:?} is no label: expected letters, digits and _")));
            }
            if labels.insert(label, lines.len()).is_some() {
                return Err(fail(format!("label {label} again: expected it once")));
            }
            if labels.len() > MAX_INSTRUCTIONS {
                return Err(fail(format!("expected at most {MAX_INSTRUCTIONS} labels")));
            }
        } else if !code.is_empty() {
            if lines.len() == MAX_INSTRUCTIONS {
                return Err(AssemblyError::TooLong);
            }
            lines.push((line, code));
        }
    }
    let parse = |&(line, code): &(usize, &str)| {
        let instruction = parse_line(code, &labels);
        instruction.map_err(|reason| AssemblyError::Line { line, reason })
    };
    lines.iter().map(parse).collect()
}

/// Returns the text of a program; [`assemble`] turns it into the same program.
///
/// The [example](crate#parameters-and-programs) uses it.
pub fn disassemble(program: &[Instruction]) -> String {
    let target = |instruction: &Instruction| match instruction {
        Instruction::Jmp { target, .. } => Some(usize::from(*target)),
        _ => None,
    };
    let targets: BTreeSet<usize> = program.iter().filter_map(target).collect();
    let name =
        |target: usize| if target <= program.len() { format!("at_{target}") } else { target.to_string() };
    let mut out = String::new();
    for index in 0..=program.len() {
        if targets.contains(&index) {
            // Writing into a string does not fail.
            let _ = writeln!(out, "{}:", name(index));
        }
        let _ = match program.get(index) {
            Some(Instruction::Padd(Padd { size, left, right, destination })) => {
                let [left, right, destination] = [left, right, destination].map(operand);
                writeln!(out, "    padd  {size}, {left}, {right} -> {destination}")
            }
            Some(Instruction::Jmp { condition, target }) => {
                writeln!(out, "    jmp   {}, {}", condition.name(), name(usize::from(*target)))
            }
            Some(Instruction::Set(value)) => writeln!(out, "    set   {value}"),
            Some(Instruction::Nop(cycles)) => writeln!(out, "    nop   {cycles}"),
            None => Ok(()),
        };
    }
    out
}

/// Returns a program as bytes, 16 for each instruction, the least significant first.
///
/// The [example](crate#parameters-and-programs) uses it.
pub fn to_bytes(program: &[Instruction]) -> Vec<u8> {
    program.iter().flat_map(|instruction| instruction.encode().to_le_bytes()).collect()
}

/// Reads a program from bytes.
///
/// The [example](crate#parameters-and-programs) uses it.
///
/// # Errors
/// The first invalid instruction, or [`AssemblyError::TooLong`].
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<Instruction>, AssemblyError> {
    let (instructions, rest) = bytes.as_chunks::<INSTRUCTION_BYTES>();
    if !rest.is_empty() {
        return Err(AssemblyError::Length { bytes: bytes.len() });
    }
    if instructions.len() > MAX_INSTRUCTIONS {
        return Err(AssemblyError::TooLong);
    }
    let decode = |(index, &bytes): (usize, &[u8; INSTRUCTION_BYTES])| {
        let instruction = Instruction::decode(u128::from_le_bytes(bytes));
        instruction.map_err(|InvalidInstruction { reason }| AssemblyError::Instruction { index, reason })
    };
    instructions.iter().enumerate().map(decode).collect()
}

fn operand(operand: &Operand) -> String {
    let at = |name: &str, address: &Address| {
        let counter = if address.counter { ", counter" } else { "" };
        format!("{name}[{}, {}{counter}]", address.base, address.step)
    };
    match operand {
        Operand::Bucket(address) => at("bucket", address),
        Operand::Temp(address) => at("temp", address),
        Operand::Zero => "zero".to_owned(),
        Operand::Input => "input".to_owned(),
        Operand::Conflict => "conflict".to_owned(),
        Operand::Output => "output".to_owned(),
    }
}

fn is_label(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn parse_line(code: &str, labels: &HashMap<&str, usize>) -> Result<Instruction, String> {
    let (name, operands) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    let operands = operands.trim();
    let instruction = match name {
        "padd" => Instruction::Padd(parse_padd(operands)?),
        "jmp" => {
            let (condition, target) = split(operands, ',', "a condition, a comma and a target")?;
            let known = Condition::ALL.into_iter().find(|known| known.name() == condition);
            let names = Condition::ALL.map(Condition::name).join(", ");
            let condition =
                known.ok_or(format!("unknown condition {condition:?}: expected one of {names}"))?;
            let target = match labels.get(target) {
                Some(&index) => {
                    u16::try_from(index).map_err(|_| format!("label {target} is too far away"))?
                }
                None if is_label(target) => {
                    return Err(format!("unknown label {target}: expected one of the text"))
                }
                None => number(target)?,
            };
            Instruction::Jmp { condition, target }
        }
        "set" => Instruction::Set(number(operands)?),
        "nop" => Instruction::Nop(number(operands)?),
        _ => return Err(format!("unknown instruction {name:?}: expected padd, jmp, set or nop")),
    };
    instruction.check().map_err(|error| error.to_string())
}

fn parse_padd(operands: &str) -> Result<Padd, String> {
    let (size, rest) = split(operands, ',', "a size, a comma and two summands")?;
    let (summands, destination) = rest.split_once("->").ok_or("expected -> and a destination")?;
    // The comma after the left summand is the first comma outside of brackets.
    let mut depth = 0;
    let comma = summands.find(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    let comma = comma.ok_or("expected two summands, with a comma between them")?;
    Ok(Padd {
        size: number(size)?,
        left: parse_operand(summands[..comma].trim())?,
        right: parse_operand(summands[comma + 1..].trim())?,
        destination: parse_operand(destination.trim())?,
    })
}

fn parse_operand(text: &str) -> Result<Operand, String> {
    let address = |name: &str| -> Option<Result<Address, String>> {
        let inside = text.strip_prefix(name)?.trim_start().strip_prefix('[')?.strip_suffix(']')?;
        Some(parse_address(inside))
    };
    match text {
        "zero" => return Ok(Operand::Zero),
        "input" => return Ok(Operand::Input),
        "conflict" => return Ok(Operand::Conflict),
        "output" => return Ok(Operand::Output),
        _ => {}
    }
    if let Some(address) = address("bucket") {
        return address.map(Operand::Bucket);
    }
    if let Some(address) = address("temp") {
        return address.map(Operand::Temp);
    }
    Err(format!("unknown operand {text:?}: expected zero, input, conflict, output, bucket[...] or temp[...]"))
}

fn parse_address(text: &str) -> Result<Address, String> {
    let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let counter = parts.last() == Some(&"counter");
    if counter {
        parts.pop();
    }
    match parts[..] {
        [base] => Ok(Address { base: number(base)?, step: 0, counter }),
        [base, step] => Ok(Address { base: number(base)?, step: number(step)?, counter }),
        _ => Err(format!("address [{text}]: expected [base], [base, step] or [base, step, counter]")),
    }
}

fn split<'a>(text: &'a str, at: char, expected: &str) -> Result<(&'a str, &'a str), String> {
    let (left, right) = text.split_once(at).ok_or(format!("expected {expected}"))?;
    Ok((left.trim(), right.trim()))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?}: expected a number that fits"))
}
