//! A JSON parser that reads one level at a time. Every error names the place, the value and the expectation in words
//! for people; serde's derived readers use words of their own.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::{FileError, Kind};

/// Largest integer that is exact in the JSON readers of other tools, JavaScript's among them.
const MAX_EXACT: u64 = 1 << 53;

/// A value whose brackets, commas and literals are right; nothing else is known.
#[derive(Clone, Copy)]
pub struct Value<'a>(&'a RawValue);

/// The members of an object.
pub struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Value<'a> {
    /// Reads a whole text that should be `expected`.
    ///
    /// # Errors
    /// [`FileError::Json`].
    pub fn parse(text: &'a [u8], expected: &'static str) -> Result<Self, FileError> {
        let refuse = |reason| Err(FileError::Json { expected, reason });
        if let Some(kind) = Kind::of(text) {
            return refuse(format!("this is a {kind} file"));
        }
        match serde_json::from_slice::<&RawValue>(text) {
            Ok(value) => Ok(Value(value)),
            Err(error) if error.classify() == Category::Eof => refuse("the JSON ends too early".into()),
            Err(error) => {
                refuse(format!("this is not JSON at line {}, column {}", error.line(), error.column()))
            }
        }
    }

    /// Returns the text.
    pub fn text(self) -> &'a str {
        self.0.get()
    }

    /// Returns true for `null`.
    pub fn is_null(self) -> bool {
        self.text() == "null"
    }

    /// Returns the error of a value in the place of `expected`.
    pub fn refuse(self, what: &str, expected: &'static str) -> FileError {
        FileError::Json { expected, reason: format!("{what} is {self}") }
    }

    /// Returns a string.
    ///
    /// # Errors
    /// [`FileError::Json`] for another value, or for an escape that is no character.
    pub fn string(
        self,
        what: impl Fn() -> String,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, FileError> {
        if !self.text().starts_with('"') {
            return Err(self.refuse(&what(), expected));
        }
        let string = serde_json::from_str::<Text<'a>>(self.text()).map(|text| text.0);
        string.map_err(|_| FileError::Json { expected, reason: format!("{} is not Unicode", what()) })
    }

    /// Returns an integer that is a JSON number and exact in all readers; `None` for every other value.
    pub fn exact_integer(self) -> Option<u64> {
        let digits = self.text();
        let integer = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        (integer <= MAX_EXACT).then_some(integer)
    }

    /// Returns the elements of a list; `None` for every other value.
    pub fn elements(self) -> Option<Vec<Value<'a>>> {
        let elements: Vec<&RawValue> = serde_json::from_str(self.text()).ok()?;
        self.text().starts_with('[').then(|| elements.into_iter().map(Value).collect())
    }

    /// Returns the members of an object; `None` for every other value.
    pub fn object(self) -> Option<Object<'a>> {
        self.text().starts_with('{').then(|| serde_json::from_str(self.text()).ok()).flatten()
    }
}

/// Returns a description of the value.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.text().as_bytes().first() {
            Some(b'"') => "a string",
            Some(b'[') => "a list",
            Some(b'{') => "a JSON object",
            Some(b'n') => "null",
            Some(b't' | b'f') => "a JSON boolean",
            _ => "a JSON number",
        })
    }
}

impl<'a> Object<'a> {
    /// Returns the value of this name; `None` if the name is absent.
    ///
    /// # Errors
    /// [`FileError::Json`] if the name occurs twice: readers do not agree on which value counts.
    pub fn only(&self, name: &str, expected: &'static str) -> Result<Option<Value<'a>>, FileError> {
        let mut values = self.0.iter().filter(|(other, _)| other == name).map(|&(_, value)| Value(value));
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(FileError::Json { expected, reason: format!("{name} is there twice") }),
            (value, None) => Ok(value),
        }
    }

    /// Returns the value of this name; `None` if the name is absent, or the value is `null`.
    ///
    /// # Errors
    /// The errors of [`only`](Self::only).
    pub fn find(&self, name: &str, expected: &'static str) -> Result<Option<Value<'a>>, FileError> {
        Ok(self.only(name, expected)?.filter(|value| !value.is_null()))
    }

    /// Returns the value of this name.
    ///
    /// # Errors
    /// [`FileError::Json`] if the name is absent, `null` or occurs twice.
    pub fn get(&self, name: &str, expected: &'static str) -> Result<Value<'a>, FileError> {
        self.find(name, expected)?
            .ok_or_else(|| FileError::Json { expected, reason: format!("{name} is missing") })
    }

    /// Returns true if one of these names occurs.
    pub fn has(&self, names: &[&str]) -> bool {
        self.0.iter().any(|(name, _)| names.contains(&&**name))
    }
}

/// Reads a string, borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
