//! MSMAC's four instructions, in our own encoding: the text of the paper does not contain its figure of the encoding
//! (3.2.2).
//!
//! An instruction has 128 bits, the least significant first:
//!
//! | bits | `padd` | `jmp` | `set` | `nop` |
//! |---|---|---|---|---|
//! | 0..2 | 0 | 1 | 2 | 3 |
//! | 2..14 | size | target, 12 bits | counter, 20 bits | cycles, 20 bits |
//! | 14..16 | left source | condition in 14..17 | | |
//! | 16..19 | right source | | | |
//! | 19..21 | destination | | | |
//! | 21..56 | left address | | | |
//! | 56..91 | right address | | | |
//! | 91..126 | destination address | | | |
//!
//! An address has a base (20 bits), a step (14 bits) and a bit that says whether the loop counter is added. All other
//! bits are zero, and so are the addresses of operands without an address.

use std::fmt;

/// An instruction.
///
/// ```
/// use bucketwheel_hardware::msmac::{Condition, Instruction};
///
/// let jump = Instruction::Jmp { condition: Condition::Loop, target: 3 }.check()?;
/// assert_eq!(Instruction::decode(jump.encode())?, jump);
/// assert_eq!(Condition::Loop.name(), "loop");
/// assert!(Instruction::Set(1 << 20).check().is_err());
/// # Ok::<(), bucketwheel_hardware::msmac::InvalidInstruction>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// A batch of point additions, one begun in each cycle.
    Padd(Padd),
    /// Continues with instruction `target` if the condition holds.
    Jmp {
        /// The condition.
        condition: Condition,
        /// The number of an instruction; the number after the last instruction ends the program.
        target: u16,
    },
    /// Sets the loop counter, below 2^20.
    Set(u32),
    /// Waits until all earlier additions have begun, and then for this number of cycles, below 2^20.
    Nop(u32),
}

/// A batch: for i from 0 to `size - 1`, `destination = left + right`, each at its address.
///
/// If `right` is a stream (input or conflicts), `left` and `destination` are buckets with the same address. The digit
/// of the stream adds to the address: `base + step * window + |digit| - 1`. The window is i for the input, and the
/// conflict's own for a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padd {
    /// Number of additions, 1 to 4095.
    pub size: u16,
    /// The first summand: zero, a bucket, or a temporary.
    pub left: Operand,
    /// The second summand: any source, but a bucket only if the first summand is not a bucket.
    pub right: Operand,
    /// The place of the sum: a bucket, a temporary, or the output.
    pub destination: Operand,
}

/// Source or destination of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Infinity.
    Zero,
    /// The bucket RAM.
    Bucket(Address),
    /// The RAM for temporaries.
    Temp(Address),
    /// One point of the input for the whole batch; each addition uses the scalar's digit of another window.
    Input,
    /// The conflict FIFO: each addition takes an entry, as long as there are entries.
    Conflict,
    /// The output FIFO.
    Output,
}

/// `base + step * i`, plus the loop counter if `counter`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Base, below 2^20.
    pub base: u32,
    /// Step, below 2^14.
    pub step: u16,
    /// True if the loop counter is added.
    pub counter: bool,
}

/// Condition of a `jmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Always,
    /// If the loop counter is not 0, which is then decremented.
    Loop,
    /// If a point of the input remains or is still to come.
    Input,
    /// If the conflict FIFO has reached its threshold.
    AlmostFull,
    /// If the conflict FIFO has entries.
    Conflict,
}

impl Condition {
    /// All conditions, in the order of their codes.
    pub const ALL: [Condition; 5] =
        [Condition::Always, Condition::Loop, Condition::Input, Condition::AlmostFull, Condition::Conflict];

    /// Returns the name in assembly. The [example](crate::msmac::Instruction) uses it.
    pub fn name(self) -> &'static str {
        ["always", "loop", "input", "almost_full", "conflict"][self as usize]
    }
}

/// Number of bytes of an instruction in a file.
pub const INSTRUCTION_BYTES: usize = 16;
/// Limits of jumps and loop counters: 2^12 and 2^20.
pub const MAX_TARGET: u16 = (1 << TARGET_BITS) - 1;
/// Largest counter, number of cycles, and base of an address.
pub const MAX_IMMEDIATE: u32 = (1 << IMMEDIATE_BITS) - 1;
/// Largest batch.
pub const MAX_SIZE: u16 = (1 << 12) - 1;
/// Largest step of an address.
pub const MAX_STEP: u16 = (1 << STEP_BITS) - 1;

const TARGET_BITS: u32 = 12;
const IMMEDIATE_BITS: u32 = 20;
const STEP_BITS: u32 = 14;
const ADDRESS_BITS: u32 = IMMEDIATE_BITS + STEP_BITS + 1;

/// Fault of bits or fields that are not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInstruction {
    /// The fault, and the expected value.
    pub reason: &'static str,
}

impl fmt::Display for InvalidInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

impl Operand {
    /// Returns the code of a source or destination, and its address.
    fn parts(self) -> (u8, Address) {
        match self {
            Operand::Zero => (0, Address::default()),
            Operand::Bucket(address) => (1, address),
            Operand::Temp(address) => (2, address),
            Operand::Input => (3, Address::default()),
            Operand::Conflict => (4, Address::default()),
            // Destinations have their own codes.
            Operand::Output => (0, Address::default()),
        }
    }

    fn source(code: u8, address: Address) -> Result<Self, InvalidInstruction> {
        let operand = match code {
            0 => Operand::Zero,
            1 => Operand::Bucket(address),
            2 => Operand::Temp(address),
            3 => Operand::Input,
            4 => Operand::Conflict,
            _ => return invalid("unknown source: expected 0 to 4"),
        };
        operand.check_address(address)
    }

    fn destination(code: u8, address: Address) -> Result<Self, InvalidInstruction> {
        let operand = match code {
            0 => Operand::Output,
            1 => Operand::Bucket(address),
            2 => Operand::Temp(address),
            _ => return invalid("unknown destination: expected 0 to 2"),
        };
        operand.check_address(address)
    }

    fn check_address(self, address: Address) -> Result<Self, InvalidInstruction> {
        match self.parts().1 == address {
            true => Ok(self),
            false => invalid("address of something that has none: expected zero bits"),
        }
    }

    fn is_stream(self) -> bool {
        matches!(self, Operand::Input | Operand::Conflict)
    }
}

fn invalid<T>(reason: &'static str) -> Result<T, InvalidInstruction> {
    Err(InvalidInstruction { reason })
}

impl Instruction {
    /// Checks that the instruction exists: operands where they are allowed, numbers below their limits.
    /// The [example](crate::msmac::Instruction) uses it.
    ///
    /// # Errors
    /// The reason.
    pub fn check(self) -> Result<Self, InvalidInstruction> {
        match self {
            Instruction::Jmp { target, .. } if target > MAX_TARGET => {
                invalid("target: expected at most 4095")
            }
            Instruction::Set(value) | Instruction::Nop(value) if value > MAX_IMMEDIATE => {
                invalid("number: expected at most 1048575")
            }
            Instruction::Padd(padd) => padd.check().map(|()| self),
            _ => Ok(self),
        }
    }

    /// Returns the instruction in bits. Decoding returns the same instruction only if [`check`](Self::check) accepts
    /// it. The [example](crate::msmac::Instruction) uses it.
    pub fn encode(self) -> u128 {
        match self {
            Instruction::Padd(Padd { size, left, right, destination }) => {
                let [left, right, destination] = [left, right, destination].map(Operand::parts);
                u128::from(size) << 2
                    | u128::from(left.0) << 14
                    | u128::from(right.0) << 16
                    | u128::from(destination.0) << 19
                    | left.1.encode() << 21
                    | right.1.encode() << (21 + ADDRESS_BITS)
                    | destination.1.encode() << (21 + 2 * ADDRESS_BITS)
            }
            Instruction::Jmp { condition, target } => 1 | u128::from(target) << 2 | (condition as u128) << 14,
            Instruction::Set(value) => 2 | u128::from(value) << 2,
            Instruction::Nop(cycles) => 3 | u128::from(cycles) << 2,
        }
    }

    /// Decodes these bits. The [example](crate::msmac::Instruction) uses it.
    ///
    /// # Errors
    /// An error if the bits are not an instruction; unused bits must be zero.
    pub fn decode(bits: u128) -> Result<Self, InvalidInstruction> {
        let field = |first: u32, width: u32| (bits >> first) as u64 & ((1 << width) - 1);
        let immediate = field(2, IMMEDIATE_BITS) as u32;
        let instruction = match bits & 3 {
            0 => {
                let address = |i: u32| Address::decode(field(21 + i * ADDRESS_BITS, ADDRESS_BITS));
                Instruction::Padd(Padd {
                    size: field(2, 12) as u16,
                    left: Operand::source(field(14, 2) as u8, address(0))?,
                    right: Operand::source(field(16, 3) as u8, address(1))?,
                    destination: Operand::destination(field(19, 2) as u8, address(2))?,
                })
            }
            1 => match Condition::ALL.get(field(14, 3) as usize) {
                Some(&condition) => Instruction::Jmp { condition, target: field(2, TARGET_BITS) as u16 },
                None => return invalid("unknown condition: expected 0 to 4"),
            },
            2 => Instruction::Set(immediate),
            _ => Instruction::Nop(immediate),
        };
        match instruction.encode() == bits {
            true => instruction.check(),
            false => invalid("unused bits: expected zeros"),
        }
    }
}

impl Padd {
    fn check(&self) -> Result<(), InvalidInstruction> {
        let Padd { size, left, right, destination } = *self;
        if size == 0 || size > MAX_SIZE {
            return invalid("size: expected 1 to 4095");
        }
        if left.is_stream() || left == Operand::Output || right == Operand::Output {
            return invalid("summand: expected zero, bucket or temp, or on the right input or conflict");
        }
        if destination == Operand::Zero || destination.is_stream() {
            return invalid("destination: expected bucket, temp or output");
        }
        if matches!((left, right), (Operand::Bucket(_), Operand::Bucket(_))) {
            return invalid("summands: expected no more than one bucket, the RAM has one port to read");
        }
        let same_bucket = matches!(left, Operand::Bucket(_)) && left == destination;
        if right.is_stream() && !same_bucket {
            return invalid("input or conflict: expected the same bucket as left summand and destination");
        }
        for (_, address) in [left, right, destination].map(Operand::parts) {
            if address.base > MAX_IMMEDIATE || address.step > MAX_STEP {
                return invalid("address: expected a base of at most 1048575 and a step of at most 16383");
            }
        }
        Ok(())
    }
}

impl Address {
    fn encode(self) -> u128 {
        u128::from(self.base)
            | u128::from(self.step) << IMMEDIATE_BITS
            | u128::from(self.counter) << (IMMEDIATE_BITS + STEP_BITS)
    }

    fn decode(bits: u64) -> Self {
        Address {
            base: bits as u32 & MAX_IMMEDIATE,
            step: (bits >> IMMEDIATE_BITS) as u16 & MAX_STEP,
            counter: bits >> (IMMEDIATE_BITS + STEP_BITS) & 1 == 1,
        }
    }

    /// Returns the address of element `i`.
    #[inline(always)]
    pub(crate) fn at(self, i: u32, counter: u32) -> usize {
        let counter = if self.counter { counter } else { 0 };
        // The largest sum, 20 bits plus 14 by 13 bits plus 20 bits, is far below the largest number.
        self.base as usize + self.step as usize * i as usize + counter as usize
    }
}
