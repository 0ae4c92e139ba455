//! Makes constraints of a circuit's lines, and evaluates them.

use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::rc::Rc;

use ark_ff::{BigInteger, PrimeField};
use bucketwheel::{Cancel, MontgomeryWords, Progress};

use super::parse::{input, line, Line, Operation};
use super::terms::{one, scaled, sum, Terms};
use super::{Imported, JsnarkError, Problem};

/// Terms of a linear combination beyond which it gets a variable of its own. Without a limit, a chain of sums would
/// take memory that is quadratic in its length.
const MAX_TERMS: usize = 1 << 8;
/// Lines between looks at the cancellation.
const LINES: usize = 1 << 12;

/// Reads a circuit and its inputs. Costs time and memory in proportion to the files, with at most 256 terms for
/// each wire.
///
/// # Errors
/// [`JsnarkError`]: the first line that is not understood, has wires that are not there, or is not satisfied;
/// [`Problem::Cancelled`]. Steps of progress are the circuit's lines.
pub fn import<F: MontgomeryWords>(
    circuit: &[u8],
    inputs: &[u8],
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<Imported<F>, JsnarkError> {
    let values = read_inputs(inputs)?;
    let mut builder = Builder::new(values);
    let count = circuit.iter().filter(|&&byte| byte == b'\n').count();
    for (number, text) in lines(circuit) {
        if number % LINES == 0 {
            progress.report(number.min(count), count);
            if cancel.is_cancelled() {
                return Err(JsnarkError { in_inputs: false, line: number, problem: Problem::Cancelled });
            }
        }
        let step = line(&text).and_then(|line| line.map_or(Ok(()), |line| builder.take(line)));
        step.map_err(|problem| JsnarkError { in_inputs: false, line: number, problem })?;
    }
    Ok(builder.finish())
}

/// The lines of a file, from 1 on.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
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

/// Linear combination that a wire carries, and its value.
#[derive(Clone)]
struct Wire<F> {
    terms: Rc<Terms<F>>,
    value: F,
}

/// Role of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Constant,
    /// In the order of the lines.
    Output(usize),
    PublicInput,
    PrivateInput,
    Internal,
}

struct Builder<F> {
    inputs: HashMap<u32, F>,
    /// The number of wires, once it is known.
    total: Option<u32>,
    wires: HashMap<u32, Wire<F>>,
    /// Role and value of each variable.
    variables: Vec<(Role, F)>,
    outputs: usize,
    constraints: Vec<[Terms<F>; 3]>,
}

impl<F: MontgomeryWords> Builder<F> {
    fn new(inputs: HashMap<u32, F>) -> Self {
        Builder {
            inputs,
            total: None,
            wires: HashMap::new(),
            variables: vec![(Role::Constant, F::ONE)],
            outputs: 0,
            constraints: Vec::new(),
        }
    }

    fn take(&mut self, line: Line<F>) -> Result<(), Problem> {
        match line {
            Line::Total(total) if self.total.is_none() => {
                self.total = Some(total);
                Ok(())
            }
            Line::Total(total) => Err(Problem::Syntax {
                found: format!("total {total}"),
                expected: "one total, in the first line",
            }),
            _ if self.total.is_none() => Err(Problem::Syntax {
                found: "the first line".into(),
                expected: "total and the number of wires",
            }),
            Line::Input(wire) => self.input(wire, Role::PublicInput),
            Line::PrivateInput(wire) => self.input(wire, Role::PrivateInput),
            Line::Output(wire) => self.output(wire),
            Line::Operation(operation, operands, results) => self.operation(operation, &operands, &results),
        }
    }

    fn input(&mut self, wire: u32, role: Role) -> Result<(), Problem> {
        let value = *self.inputs.get(&wire).ok_or(Problem::NoValue(wire))?;
        let terms = vec![(self.variable(role, value)?, F::ONE)];
        self.define(wire, terms, value)
    }

    /// Makes a wire public: its variable, if it has one that is not public yet, or a new one that equals it.
    fn output(&mut self, wire: u32) -> Result<(), Problem> {
        let Wire { terms, value } = self.wire(wire)?;
        let number = Role::Output(self.outputs);
        self.outputs += 1;
        if let [(variable, coefficient)] = terms[..] {
            let (role, _) = &mut self.variables[variable as usize];
            if coefficient == F::ONE && *role == Role::Internal {
                *role = number;
                return Ok(());
            }
        }
        let output = self.variable(number, value)?;
        self.constraints.push([terms.to_vec(), one(), vec![(output, F::ONE)]]);
        Ok(())
    }

    fn operation(
        &mut self,
        operation: Operation<F>,
        operands: &[u32],
        results: &[u32],
    ) -> Result<(), Problem> {
        let wires = operands.iter().map(|&wire| self.wire(wire)).collect::<Result<Vec<_>, _>>()?;
        let terms = |index: usize| -> &Terms<F> { &wires[index].terms };
        let value = |index: usize| wires[index].value;
        match operation {
            Operation::Add => self.combination(results[0], wires.iter().map(|wire| (F::ONE, wire))),
            Operation::ConstMul(factor) => self.combination(results[0], [(factor, &wires[0])]),
            Operation::Pack => {
                let powers = std::iter::successors(Some(F::ONE), |power| Some(power.double()));
                self.combination(results[0], powers.zip(&wires))
            }
            Operation::Mul => {
                let product = self.internal(results[0], value(0) * value(1))?;
                self.constraints.push([terms(0).clone(), terms(1).clone(), product]);
                Ok(())
            }
            Operation::Xor | Operation::Or => {
                if let Some(index) = wires.iter().position(|wire| !is_bit(wire.value)) {
                    return Err(Problem::NotABit(operands[index]));
                }
                // a xor b = a + b - 2 a b, a or b = a + b - a b.
                let factor = if operation == Operation::Xor { F::ONE.double() } else { F::ONE };
                let result = self.internal(results[0], value(0) + value(1) - factor * value(0) * value(1))?;
                let difference = [(F::ONE, terms(0)), (F::ONE, terms(1)), (-F::ONE, &result)];
                self.constraints.push([scaled(factor, terms(0)), terms(1).clone(), sum(difference)]);
                Ok(())
            }
            Operation::Split => self.split(operands[0], &wires[0], results),
            Operation::NonZero => {
                // With c = a m and a (1 - c) = 0, c is 0 if a is, and 1 else.
                let inverse = value(0).inverse().unwrap_or_default();
                let helper = self.internal(results[0], inverse)?;
                let result = self.internal(results[1], value(0) * inverse)?;
                self.constraints.push([terms(0).clone(), helper, result.clone()]);
                let complement = sum([(F::ONE, &one()), (-F::ONE, &result)]);
                self.constraints.push([terms(0).clone(), complement, Vec::new()]);
                Ok(())
            }
            Operation::Assert => {
                let result = self.wire(results[0])?;
                if value(0) * value(1) != result.value {
                    let (a, b, c) = (operands[0], operands[1], results[0]);
                    return Err(Problem::Assertion { a, b, c });
                }
                self.constraints.push([terms(0).clone(), terms(1).clone(), result.terms.to_vec()]);
                Ok(())
            }
        }
    }

    fn split(&mut self, operand: u32, wire: &Wire<F>, results: &[u32]) -> Result<(), Problem> {
        let integer = wire.value.to_integer();
        let needed = integer.num_bits();
        if needed as usize > results.len() {
            return Err(Problem::TooWide { wire: operand, needed, bits: results.len() });
        }
        let mut bits = Vec::with_capacity(results.len());
        for (index, &result) in results.iter().enumerate() {
            let bit = self.internal(result, F::from(integer.get_bit(index)))?;
            let less = sum([(F::ONE, &bit), (-F::ONE, &one())]);
            self.constraints.push([bit.clone(), less, Vec::new()]);
            bits.push(bit);
        }
        let powers = std::iter::successors(Some(F::ONE), |power| Some(power.double()));
        self.constraints.push([sum(powers.zip(&bits)), one(), wire.terms.to_vec()]);
        Ok(())
    }

    /// Defines a wire as a sum of multiples of wires.
    fn combination<'a>(
        &mut self,
        result: u32,
        parts: impl IntoIterator<Item = (F, &'a Wire<F>)> + Clone,
    ) -> Result<(), Problem> {
        let value = parts.clone().into_iter().map(|(factor, wire)| factor * wire.value).sum();
        let terms = sum(parts.into_iter().map(|(factor, wire)| (factor, &*wire.terms)));
        if terms.len() <= MAX_TERMS {
            return self.define(result, terms, value);
        }
        let variable = self.internal(result, value)?;
        self.constraints.push([terms, one(), variable]);
        Ok(())
    }

    /// Defines a wire as a new variable; returns its terms.
    fn internal(&mut self, wire: u32, value: F) -> Result<Terms<F>, Problem> {
        let terms = vec![(self.variable(Role::Internal, value)?, F::ONE)];
        self.define(wire, terms.clone(), value)?;
        Ok(terms)
    }

    fn variable(&mut self, role: Role, value: F) -> Result<u32, Problem> {
        let index = u32::try_from(self.variables.len()).map_err(|_| Problem::TooLarge)?;
        self.variables.push((role, value));
        Ok(index)
    }

    fn define(&mut self, wire: u32, terms: Terms<F>, value: F) -> Result<(), Problem> {
        self.check_range(wire)?;
        match self.wires.entry(wire) {
            Entry::Occupied(_) => Err(Problem::Redefined(wire)),
            Entry::Vacant(entry) => {
                entry.insert(Wire { terms: Rc::new(terms), value });
                Ok(())
            }
        }
    }

    fn wire(&self, wire: u32) -> Result<Wire<F>, Problem> {
        self.check_range(wire)?;
        self.wires.get(&wire).cloned().ok_or(Problem::Undefined(wire))
    }

    fn check_range(&self, wire: u32) -> Result<(), Problem> {
        let total = self.total.unwrap_or_default();
        match wire < total {
            true => Ok(()),
            false => Err(Problem::NoWire { wire, total }),
        }
    }

    /// Numbers the variables by their roles.
    fn finish(self) -> Imported<F> {
        let mut order: Vec<u32> = (0..self.variables.len() as u32).collect();
        order.sort_by_key(|&variable| self.variables[variable as usize].0);
        let mut numbers = vec![0; order.len()];
        (0..).zip(&order).for_each(|(number, &variable)| numbers[variable as usize] = number);
        let mut constraints = self.constraints;
        for (variable, _) in constraints.iter_mut().flatten().flatten() {
            *variable = numbers[*variable as usize];
        }
        let count = |role| self.variables.iter().filter(|(other, _)| *other == role).count();
        Imported {
            outputs: self.outputs,
            public_inputs: count(Role::PublicInput),
            private_inputs: count(Role::PrivateInput),
            constraints,
            witness: order.iter().map(|&variable| self.variables[variable as usize].1).collect(),
        }
    }
}

fn is_bit<F: PrimeField>(value: F) -> bool {
    value.is_zero() || value.is_one()
}
