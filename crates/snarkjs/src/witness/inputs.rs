//! The values of a circuit's input signals, from JSON with snarkjs' rules.

use num_bigint::BigInt;
use serde_json::Value;

use super::WitnessError;

/// Largest integer that is exact in the JSON readers of other tools.
const MAX_EXACT: u64 = 1 << 53;

/// Largest length of an integer, in characters; the field's integers have 77.
const MAX_LENGTH: usize = 1 << 10;

/// Largest length of a signal's name, in bytes: each field of a bus has its own copy of the bus's name.
const MAX_NAME: usize = 1 << 10;

/// The values of input signals, in any order: integers of any size and sign, which are reduced in the circuit's
/// field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub(super) Vec<(String, Vec<BigInt>)>);

impl Inputs {
    /// Reads a JSON object. Each signal has a name and an integer, or an array of integers of any depth. Integers are
    /// numbers below 2^53, strings in decimal, or strings in hexadecimal after `0x`. An object in the place of an
    /// integer has the fields of a bus, circom's structure of signals.
    /// The [example](crate::witness::Calculator) uses it.
    ///
    /// # Errors
    /// [`WitnessError::Json`], [`WitnessError::Value`]; [`WitnessError::UnknownSignal`] for names beyond 1024 bytes.
    pub fn from_json(json: &[u8]) -> Result<Self, WitnessError> {
        let signals: serde_json::Map<String, Value> = serde_json::from_slice(json)?;
        let mut inputs = Inputs::default();
        for (name, value) in &signals {
            inputs.add(name.clone(), value)?;
        }
        Ok(inputs)
    }

    fn add(&mut self, name: String, value: &Value) -> Result<(), WitnessError> {
        if name.len() > MAX_NAME {
            return Err(WitnessError::unknown(&shortened(&name)));
        }
        match value {
            Value::Object(fields) => {
                fields.iter().try_for_each(|(field, value)| self.add(format!("{name}.{field}"), value))
            }
            Value::Array(values) if has_object(value) => {
                values.iter().enumerate().try_for_each(|(i, value)| self.add(format!("{name}[{i}]"), value))
            }
            _ => {
                let mut values = Vec::new();
                flatten(&name, value, &mut values)?;
                self.0.push((name, values));
                Ok(())
            }
        }
    }
}

/// Returns true if the first value in these arrays is an object, a bus.
fn has_object(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.first().is_some_and(has_object),
        value => value.is_object(),
    }
}

fn flatten(name: &str, value: &Value, values: &mut Vec<BigInt>) -> Result<(), WitnessError> {
    if let Value::Array(inner) = value {
        return inner.iter().try_for_each(|value| flatten(name, value, values));
    }
    let integer = integer(value).ok_or_else(|| WitnessError::Value {
        signal: match values.len() {
            0 => name.into(),
            index => format!("{name}, value {index},"),
        },
        found: shortened(&value.to_string()),
    })?;
    values.push(integer);
    Ok(())
}

fn integer(value: &Value) -> Option<BigInt> {
    match value {
        // JavaScript accepts `true` and `false` as integers, too.
        Value::Bool(value) => Some(BigInt::from(u8::from(*value))),
        Value::Number(number) => {
            let integer = number.as_i64().filter(|integer| integer.unsigned_abs() <= MAX_EXACT)?;
            Some(integer.into())
        }
        Value::String(text) => parse(text.trim()),
        _ => None,
    }
}

fn parse(text: &str) -> Option<BigInt> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (digits, radix) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text.strip_prefix('-').unwrap_or(text), 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Returns the beginning of a text, for an error of one line.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(json: &str) -> Result<Vec<(String, Vec<i64>)>, WitnessError> {
        let small = |value: BigInt| i64::try_from(value).expect("a small integer");
        let Inputs(signals) = Inputs::from_json(json.as_bytes())?;
        Ok(signals
            .into_iter()
            .map(|(name, values)| (name, values.into_iter().map(small).collect()))
            .collect())
    }

    #[test]
    fn integers_in_all_spellings() {
        let json =
            r#"{ "a": [1, "2", ["0x1F", -4], [], "-5", " 6 ", true], "b": "0", "c": 9007199254740992 }"#;
        let expected =
            [("a", vec![1, 2, 31, -4, -5, 6, 1]), ("b", vec![0]), ("c", vec![9_007_199_254_740_992])];
        assert_eq!(inputs(json).unwrap(), expected.map(|(name, values)| (name.to_owned(), values)));
    }

    #[test]
    fn buses_are_signals_with_long_names() {
        let json = r#"{ "p": { "x": 1, "y": [2, 3] }, "q": [{ "x": 4 }, { "x": 5 }] }"#;
        let expected = [("p.x", vec![1]), ("p.y", vec![2, 3]), ("q[0].x", vec![4]), ("q[1].x", vec![5])];
        assert_eq!(inputs(json).unwrap(), expected.map(|(name, values)| (name.to_owned(), values)));
    }

    #[test]
    fn names_do_not_multiply() {
        let bus = |length| format!(r#"{{ "{}": {{ "x": 1, "y": 2 }} }}"#, "b".repeat(length));
        assert_eq!(inputs(&bus(MAX_NAME - 2)).unwrap().len(), 2);
        for length in [MAX_NAME - 1, MAX_NAME + 1, 1 << 20] {
            let error = inputs(&bus(length)).unwrap_err();
            assert!(matches!(error, WitnessError::UnknownSignal { .. }), "{length}: {error}");
            assert!(error.to_string().len() < 200, "{error}");
        }
    }

    #[test]
    fn what_is_no_integer_is_named() {
        let long = format!("\"{}\"", "1".repeat(2000));
        let bad = [
            "1.5",
            "1e3",
            "9007199254740993",
            "null",
            "\"\"",
            "\"0x\"",
            "\"-0x1\"",
            "\"1_000\"",
            "\"+1\"",
            &long,
        ];
        for bad in bad {
            let error = inputs(&format!(r#"{{ "a": [1, {bad}] }}"#)).unwrap_err();
            assert!(matches!(error, WitnessError::Value { .. }), "{bad}: {error}");
            assert!(error.to_string().starts_with("input a, value 1, has "), "{error}");
        }
        for bad in ["", "[]", "3", "{", r#"{"a": 1} 2"#] {
            assert!(matches!(inputs(bad), Err(WitnessError::Json(_))), "{bad}");
        }
        let mixed = r#"{ "a": [{ "x": 1 }, 2, { "x": null }] }"#;
        assert_eq!(inputs(mixed).unwrap_err().to_string().split(':').next(), Some("input a[2].x has null"));
    }
}
