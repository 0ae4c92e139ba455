//! Lines of jsnark's files.

use ark_ff::PrimeField;

use super::Problem;

/// The longest number that is read, in digits.
const MAX_DIGITS: usize = 1 << 10;

/// A line of a circuit.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<F> {
    /// The number of wires.
    Total(u32),
    /// A public input.
    Input(u32),
    /// A private input.
    PrivateInput(u32),
    /// A wire that becomes public.
    Output(u32),
    /// An operation, its operands and its results.
    Operation(Operation<F>, Vec<u32>, Vec<u32>),
}

/// Operation on wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<F> {
    Mul,
    Add,
    Xor,
    Or,
    Split,
    Pack,
    NonZero,
    Assert,
    ConstMul(F),
}

/// Reads a line of a circuit. Returns `None` if there is only a comment.
pub fn line<F: PrimeField>(text: &str) -> Result<Option<Line<F>>, Problem> {
    let text = text.split('#').next().unwrap_or_default().trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Ok(Some(match name {
        "" => return Ok(None),
        "total" => Line::Total(wire(rest)?),
        "input" => Line::Input(wire(rest)?),
        "nizkinput" => Line::PrivateInput(wire(rest)?),
        "output" => Line::Output(wire(rest)?),
        name => {
            let (operation, [operands, results]) = operation(name)?;
            let (left, right) = split_wires(rest)?;
            let (left, right) = (wires("in", left)?, wires("out", right)?);
            check_count(name_of(&operation), "in", operands, &left)?;
            check_count(name_of(&operation), "out", results, &right)?;
            Line::Operation(operation, left, right)
        }
    }))
}

/// Reads a line of inputs: a wire and its value. Returns `None` if the line is empty.
pub fn input<F: PrimeField>(text: &str) -> Result<Option<(u32, F)>, Problem> {
    let text = text.split('#').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let parts = text.split_once(char::is_whitespace);
    let (number, value) = parts.ok_or_else(|| syntax(text, "a wire and its value"))?;
    Ok(Some((wire(number)?, element(value.trim())?)))
}

/// Number of wires on a side of an operation; `None` if any number is allowed.
type Count = Option<usize>;

fn operation<F: PrimeField>(name: &str) -> Result<(Operation<F>, [Count; 2]), Problem> {
    Ok(match name {
        "mul" => (Operation::Mul, [Some(2), Some(1)]),
        "add" => (Operation::Add, [None, Some(1)]),
        "xor" => (Operation::Xor, [Some(2), Some(1)]),
        "or" => (Operation::Or, [Some(2), Some(1)]),
        "split" => (Operation::Split, [Some(1), None]),
        "pack" => (Operation::Pack, [None, Some(1)]),
        "zerop" => (Operation::NonZero, [Some(1), Some(2)]),
        "assert" => (Operation::Assert, [Some(2), Some(1)]),
        name => {
            let constant = name.strip_prefix("const-mul-");
            let constant = constant.ok_or_else(|| syntax(name, "the name of an operation"))?;
            let factor = match constant.strip_prefix("neg-") {
                Some(digits) => -element::<F>(digits)?,
                None => element(constant)?,
            };
            (Operation::ConstMul(factor), [Some(1), Some(1)])
        }
    })
}

fn name_of<F>(operation: &Operation<F>) -> &'static str {
    match operation {
        Operation::Mul => "mul",
        Operation::Add => "add",
        Operation::Xor => "xor",
        Operation::Or => "or",
        Operation::Split => "split",
        Operation::Pack => "pack",
        Operation::NonZero => "zerop",
        Operation::Assert => "assert",
        Operation::ConstMul(_) => "const-mul",
    }
}

fn check_count(
    operation: &'static str,
    side: &'static str,
    count: Count,
    wires: &[u32],
) -> Result<(), Problem> {
    let (right, expected) = match count {
        None => (!wires.is_empty(), "at least 1"),
        Some(1) => (wires.len() == 1, "1"),
        Some(count) => (wires.len() == count, "2"),
    };
    match right {
        true => Ok(()),
        false => Err(Problem::Wires { operation, side, found: wires.len(), expected }),
    }
}

const SIDES: &str = "in COUNT <WIRES> out COUNT <WIRES>";

/// Returns the sides of `in 2 <1 2> out 1 <3>`.
fn split_wires(text: &str) -> Result<(&str, &str), Problem> {
    let position = text.find('>').ok_or_else(|| syntax(text, SIDES))?;
    Ok((&text[..=position], text[position + 1..].trim()))
}

/// Returns the wires of one side, `in 2 <1 2>`.
fn wires(side: &'static str, text: &str) -> Result<Vec<u32>, Problem> {
    let not_understood = || syntax(text, SIDES);
    let rest = text.trim().strip_prefix(side).and_then(|rest| rest.strip_suffix('>'));
    let (count, list) = rest.and_then(|rest| rest.split_once('<')).ok_or_else(not_understood)?;
    let wires = list.split_whitespace().map(wire).collect::<Result<Vec<_>, _>>()?;
    match count.trim().parse() == Ok(wires.len()) {
        true => Ok(wires),
        false => Err(syntax(text, "the number of wires that stands before them")),
    }
}

fn wire(text: &str) -> Result<u32, Problem> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wire = if digits { text.parse().ok() } else { None };
    wire.ok_or_else(|| syntax(text, "a number of a wire"))
}

/// Returns a field element in hexadecimal.
fn element<F: PrimeField>(digits: &str) -> Result<F, Problem> {
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !hexadecimal || digits.len() > MAX_DIGITS {
        return Err(syntax(digits, "a number in hexadecimal"));
    }
    let reduced = words::<F>(digits.trim_start_matches('0')).and_then(F::from_bigint);
    reduced.ok_or_else(|| Problem::Unreduced(shortened(digits)))
}

/// Returns the integer of these hexadecimal digits, if it fits the number of words of the field's modulus.
fn words<F: PrimeField>(digits: &str) -> Option<F::BigInt> {
    let mut integer = F::BigInt::default();
    let mut words = integer.as_mut().iter_mut();
    for digits in digits.as_bytes().rchunks(16) {
        let digits = std::str::from_utf8(digits).ok()?;
        *words.next()? = u64::from_str_radix(digits, 16).ok()?;
    }
    Some(integer)
}

fn syntax(found: &str, expected: &'static str) -> Problem {
    Problem::Syntax { found: shortened(found), expected }
}

/// Returns the beginning of a text, for an error of one line.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}
