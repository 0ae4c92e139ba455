//! First pass over a circuit: collects the facts that a line needs about later lines.

use std::collections::HashMap;

use ark_ff::PrimeField;

use super::parse::{Line, Operation};

/// Counts of a circuit.
#[derive(Default)]
pub struct Outline {
    /// Fate of each wire.
    pub wires: HashMap<u32, Use>,
    /// Number of outputs.
    pub outputs: usize,
    /// Number of public inputs.
    pub public_inputs: usize,
    /// Number of private inputs.
    pub private_inputs: usize,
}

/// Fate of a wire.
#[derive(Default)]
pub struct Use {
    /// Number of times that lines read the wire.
    pub reads: u32,
    /// The first output that the wire is.
    pub output: Option<u32>,
    /// True if a line has defined the wire; false in an outline.
    pub is_defined: bool,
}

impl Outline {
    /// Counts a line.
    pub fn take<F: PrimeField>(&mut self, line: &Line<F>) {
        match line {
            Line::Total(_) => {}
            Line::Input(_) => self.public_inputs += 1,
            Line::PrivateInput(_) => self.private_inputs += 1,
            Line::Output(wire) => {
                let number = u32::try_from(self.outputs).ok();
                let wire = self.read(*wire);
                wire.output = wire.output.or(number);
                self.outputs += 1;
            }
            Line::Operation(operation, operands, results) => {
                for wire in operands {
                    self.read(*wire);
                }
                if *operation == Operation::Assert {
                    self.read(results[0]);
                }
            }
        }
    }

    fn read(&mut self, wire: u32) -> &mut Use {
        let wire = self.wires.entry(wire).or_default();
        wire.reads += 1;
        wire
    }
}
