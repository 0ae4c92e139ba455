//! Makes constraints of a circuit's lines, and evaluates them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Seek, Write};
use std::rc::Rc;

use ark_ff::{BigInt, BigInteger, Field, PrimeField};
use bucketwheel::{Cancel, MontgomeryWords, Progress};

use super::outline::Outline;
use super::parse::{input, line, Line, Operation};
use super::terms::{alone, scaled, sum, Terms};
use super::{ImportError, Imported, JsnarkError, Problem};
use crate::file::{R1csHeader, R1csWriter};
use crate::PairingCurve;

/// Most terms of a linear combination. A longer combination gets a variable of its own. So memory, time and the `.r1cs`
/// stay in proportion to the circuit: a chain of sums that are all read would be quadratic in its length. libsnark has
/// no limit; the longest combination in jsnark's examples has 1532 terms, in its Merkle tree.
const MAX_TERMS: usize = 1 << 11;
/// Most terms of a linear combination in circuits that have used up their terms: one term for each [`BYTES_PER_TERM`]
/// bytes. jsnark's examples take at most one term for 8 bytes.
const FEW_TERMS: usize = 1 << 8;
const BYTES_PER_TERM: usize = 4;
/// Lines between looks at the cancellation.
const LINES: usize = 1 << 12;

/// Reads a circuit and its inputs in two passes, and writes its constraints as `.r1cs`. Costs time, memory and output
/// in proportion to the files: a combination is kept until its wire has been read for the last time, and constraints
/// are not kept at all. Steps of progress are the circuit's lines, twice.
///
/// The [example](crate::jsnark) uses it.
///
/// # Errors
/// [`JsnarkError`]: the first line that is not understood, names wires that do not exist, or is not satisfied;
/// [`Problem::Cancelled`]; the output's errors.
pub fn import<E: PairingCurve<ScalarField: MontgomeryWords<BigInt = BigInt<4>>>, W: Write + Seek>(
    circuit: &[u8],
    inputs: &[u8],
    r1cs: W,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<Imported<E::ScalarField>, ImportError> {
    let at = |line| move |problem| JsnarkError { in_inputs: false, line, problem };
    let values = read_inputs(inputs)?;
    let count = circuit.iter().filter(|&&byte| byte == b'\n').count();
    let step = |pass: usize, number: usize| {
        if number.is_multiple_of(LINES) {
            progress.report(pass * count + number.min(count), 2 * count);
            if cancel.is_cancelled() {
                return Err(at(number)(Problem::Cancelled));
            }
        }
        Ok(())
    };

    let mut outline = Outline::default();
    for (number, text) in lines(circuit) {
        step(0, number)?;
        match line::<E::ScalarField>(&text) {
            Ok(line) => line.iter().for_each(|line| outline.take(line)),
            // An earlier line may have an error, which the second pass finds.
            Err(_) => break,
        }
    }
    let r1cs = R1csWriter::new(r1cs, E::ID)?;
    let mut builder = Builder::new(values, outline, circuit.len() / BYTES_PER_TERM, r1cs);
    for (number, text) in lines(circuit) {
        step(1, number)?;
        if let Some(line) = line(&text).map_err(at(number))? {
            builder.take(line).map_err(|stop| match stop {
                Stop::Problem(problem) => ImportError::Jsnark(at(number)(problem)),
                Stop::Output(error) => ImportError::Output(error),
            })?;
        }
    }
    Ok(builder.finish::<E>()?)
}

/// Returns the lines of a file, numbered from 1.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    (1..).zip(bytes.split(|&byte| byte == b'\n').map(String::from_utf8_lossy))
}

fn read_inputs<F: PrimeField>(inputs: &[u8]) -> Result<HashMap<u32, F>, JsnarkError> {
    let mut values = HashMap::new();
    for (number, text) in lines(inputs) {
        let at = |problem| JsnarkError { in_inputs: true, line: number, problem };
        if let Some((wire, value)) = input(&text).map_err(at)? {
            if values.insert(wire, value).is_some() {
                return Err(at(Problem::SecondValue(wire)));
            }
        }
    }
    Ok(values)
}

/// Reasons to end before the last line.
enum Stop {
    Problem(Problem),
    Output(io::Error),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Stop::Problem(problem)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

/// Linear combination that a wire carries, and its value.
#[derive(Clone)]
struct Wire<F> {
    /// Shared, since a line may read a wire as often as it has bytes.
    terms: Rc<Terms<F>>,
    value: F,
}

/// State between two lines. Variables are numbered as in a witness: the constant, outputs, public and private inputs, all
/// others in the order of their lines.
struct Builder<F, W> {
    inputs: HashMap<u32, F>,
    /// The number of wires, once it is known.
    total: Option<u32>,
    /// Remaining uses of wires, and counts.
    outline: Outline,
    /// Wires that have a value and will be read.
    wires: HashMap<u32, Wire<F>>,
    /// Values of the variables; of outputs and inputs also before their lines.
    witness: Vec<F>,
    /// Numbers of lines so far that define outputs, public inputs and private inputs.
    outputs: usize,
    public_inputs: usize,
    private_inputs: usize,
    r1cs: R1csWriter<W>,
    constraints: usize,
    /// Terms of all wires and of all constraints so far, and the number of terms from which on combinations must be short.
    terms: usize,
    room: usize,
}

impl<F: MontgomeryWords<BigInt = BigInt<4>>, W: Write + Seek> Builder<F, W> {
    fn new(inputs: HashMap<u32, F>, outline: Outline, room: usize, r1cs: R1csWriter<W>) -> Self {
        let named = 1 + outline.outputs + outline.public_inputs + outline.private_inputs;
        let mut witness = vec![F::ZERO; named];
        witness[0] = F::ONE;
        Builder {
            inputs,
            total: None,
            outline,
            wires: HashMap::new(),
            witness,
            outputs: 0,
            public_inputs: 0,
            private_inputs: 0,
            r1cs,
            constraints: 0,
            terms: 0,
            room,
        }
    }

    fn take(&mut self, line: Line<F>) -> Result<(), Stop> {
        match line {
            Line::Total(total) if self.total.is_none() => self.total = Some(total),
            Line::Total(total) => Err(Problem::Syntax {
                found: format!("total {total}"),
                expected: "one total, in the first line",
            })?,
            _ if self.total.is_none() => Err(Problem::Syntax {
                found: "the first line".into(),
                expected: "total and the number of wires",
            })?,
            Line::Input(wire) => {
                self.public_inputs += 1;
                self.input(wire, self.outline.outputs + self.public_inputs)?;
            }
            Line::PrivateInput(wire) => {
                self.private_inputs += 1;
                self.input(wire, self.outline.outputs + self.outline.public_inputs + self.private_inputs)?;
            }
            Line::Output(wire) => self.output(wire)?,
            Line::Operation(operation, operands, results) => {
                self.operation(operation, &operands, &results)?
            }
        }
        Ok(())
    }

    fn input(&mut self, wire: u32, variable: usize) -> Result<(), Problem> {
        let value = *self.inputs.get(&wire).ok_or(Problem::NoValue(wire))?;
        let terms = self.variable(variable, value)?;
        self.define(wire, terms, value)
    }

    /// Makes a wire public: a new variable equals it, unless it is an output's variable already.
    fn output(&mut self, wire: u32) -> Result<(), Stop> {
        let Wire { terms, value } = self.read(wire)?;
        self.outputs += 1;
        let output = self.variable(self.outputs, value)?;
        if *terms != output {
            self.constraint([&terms, &alone(0), &output])?;
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation<F>, operands: &[u32], results: &[u32]) -> Result<(), Stop> {
        let wires = operands.iter().map(|&wire| self.read(wire)).collect::<Result<Vec<_>, _>>()?;
        let value = |index: usize| wires[index].value;
        let terms = |index: usize| &*wires[index].terms;
        match operation {
            Operation::Add | Operation::ConstMul(_) => {
                let factor = if let Operation::ConstMul(factor) = operation { factor } else { F::ONE };
                self.combination(results[0], std::iter::repeat(factor).zip(wires))
            }
            Operation::Pack => self.combination(results[0], powers_of_two().zip(wires)),
            Operation::Mul => {
                let product = self.internal(results[0], value(0) * value(1))?;
                self.constraint([terms(0), terms(1), &product])
            }
            Operation::Xor | Operation::Or => {
                if let Some(index) = wires.iter().position(|wire| !is_bit(wire.value)) {
                    Err(Problem::NotABit(operands[index]))?;
                }
                // a xor b = a + b - 2 a b, a or b = a + b - a b.
                let factor = if operation == Operation::Xor { F::ONE.double() } else { F::ONE };
                let result = self.internal(results[0], value(0) + value(1) - factor * value(0) * value(1))?;
                let difference = sum(terms(0).clone(), [(F::ONE, terms(1)), (-F::ONE, &result)]);
                self.constraint([&scaled(factor, terms(0).clone()), terms(1), &difference])
            }
            Operation::Split => self.split(operands[0], &wires[0], results),
            Operation::NonZero => {
                // With c = a m and a (1 - c) = 0, c is 0 if a is 0, and 1 otherwise.
                let inverse = value(0).inverse().unwrap_or_default();
                let helper = self.internal(results[0], inverse)?;
                let result = self.internal(results[1], value(0) * inverse)?;
                self.constraint([terms(0), &helper, &result])?;
                let complement = sum(alone(0), [(-F::ONE, &result)]);
                self.constraint([terms(0), &complement, &Vec::new()])
            }
            Operation::Assert => {
                let result = self.read(results[0])?;
                if value(0) * value(1) != result.value {
                    let (a, b, c) = (operands[0], operands[1], results[0]);
                    Err(Problem::Assertion { a, b, c })?;
                }
                self.constraint([terms(0), terms(1), &result.terms])
            }
        }
    }

    fn split(&mut self, operand: u32, wire: &Wire<F>, results: &[u32]) -> Result<(), Stop> {
        let integer = wire.value.to_integer();
        let needed = integer.num_bits();
        if needed as usize > results.len() {
            Err(Problem::TooWide { wire: operand, needed, bits: results.len() })?;
        }
        let mut bits = Vec::with_capacity(results.len());
        for (index, &result) in results.iter().enumerate() {
            let bit = self.internal(result, F::from(integer.get_bit(index)))?;
            let less = sum(bit.clone(), [(-F::ONE, &alone(0))]);
            self.constraint([&bit, &less, &Vec::new()])?;
            bits.push(bit);
        }
        self.constraint([&sum(Terms::new(), powers_of_two().zip(&bits)), &alone(0), &wire.terms])
    }

    /// Defines a wire as a sum of multiples of wires.
    fn combination(
        &mut self,
        result: u32,
        parts: impl IntoIterator<Item = (F, Wire<F>)>,
    ) -> Result<(), Stop> {
        let mut value = F::ZERO;
        let mut parts = parts.into_iter().map(|(factor, wire)| {
            value += factor * wire.value;
            (factor, wire.terms)
        });
        // If a wire is read for the last time, its terms are not copied.
        let own = |(factor, terms)| scaled(factor, Rc::unwrap_or_clone(terms));
        let first = parts.next().map(own).unwrap_or_default();
        let terms = sum(first, parts);
        let most = if self.terms < self.room { MAX_TERMS } else { FEW_TERMS };
        if terms.len() <= most {
            return Ok(self.define(result, terms, value)?);
        }
        let variable = self.internal(result, value)?;
        self.constraint([&terms, &alone(0), &variable])
    }

    /// Defines a wire as a variable that is no input; returns its terms.
    fn internal(&mut self, wire: u32, value: F) -> Result<Terms<F>, Problem> {
        let output = self.outline.wires.get(&wire).and_then(|wire| wire.output);
        let variable = match output {
            Some(output) => 1 + output as usize,
            None => {
                self.witness.push(value);
                self.witness.len() - 1
            }
        };
        let terms = self.variable(variable, value)?;
        self.define(wire, terms.clone(), value)?;
        Ok(terms)
    }

    /// Gives a variable its value; returns its terms.
    fn variable(&mut self, variable: usize, value: F) -> Result<Terms<F>, Problem> {
        self.witness[variable] = value;
        Ok(alone(u32::try_from(variable).map_err(|_| Problem::TooLarge)?))
    }

    fn define(&mut self, wire: u32, terms: Terms<F>, value: F) -> Result<(), Problem> {
        self.check_range(wire)?;
        let known = self.outline.wires.entry(wire).or_default();
        if std::mem::replace(&mut known.is_defined, true) {
            return Err(Problem::Redefined(wire));
        }
        if known.reads > 0 {
            self.terms += terms.len();
            self.wires.insert(wire, Wire { terms: Rc::new(terms), value });
        }
        Ok(())
    }

    /// Returns a wire with its value: the original if no later line reads it, otherwise a copy.
    fn read(&mut self, wire: u32) -> Result<Wire<F>, Problem> {
        self.check_range(wire)?;
        let carried = self.wires.get(&wire).ok_or(Problem::Undefined(wire))?;
        let known = self.outline.wires.get_mut(&wire).ok_or(Problem::Undefined(wire))?;
        known.reads -= 1;
        if known.reads > 0 {
            return Ok(carried.clone());
        }
        self.terms -= carried.terms.len();
        self.wires.remove(&wire).ok_or(Problem::Undefined(wire))
    }

    fn check_range(&self, wire: u32) -> Result<(), Problem> {
        let total = self.total.unwrap_or_default();
        match wire < total {
            true => Ok(()),
            false => Err(Problem::NoWire { wire, total }),
        }
    }

    fn constraint(&mut self, combinations: [&Terms<F>; 3]) -> Result<(), Stop> {
        self.terms += combinations.iter().map(|terms| terms.len()).sum::<usize>();
        self.constraints += 1;
        let canonical = |&(variable, coefficient): &(u32, F)| (variable, coefficient.to_integer());
        Ok(self.r1cs.constraint(combinations.map(|terms| terms.iter().map(canonical)))?)
    }

    fn finish<E: PairingCurve<ScalarField = F>>(self) -> io::Result<Imported<F>> {
        let imported = Imported {
            outputs: self.outline.outputs,
            public_inputs: self.outline.public_inputs,
            private_inputs: self.outline.private_inputs,
            constraints: self.constraints,
            witness: self.witness,
        };
        self.r1cs.finish(&R1csHeader {
            curve: E::ID,
            wires: imported.witness.len(),
            outputs: imported.outputs,
            public_inputs: imported.public_inputs,
            private_inputs: imported.private_inputs,
            labels: imported.witness.len() as u64,
            constraints: imported.constraints,
        })?;
        Ok(imported)
    }
}

fn is_bit<F: PrimeField>(value: F) -> bool {
    value.is_zero() || value.is_one()
}

fn powers_of_two<F: Field>() -> impl Iterator<Item = F> {
    std::iter::successors(Some(F::ONE), |power| Some(power.double()))
}
