//! The objects that the host knows by number, and the message of the last error.

use std::cell::RefCell;
use std::rc::Rc;

#[cfg(feature = "sums")]
use bucketwheel::Form;
#[cfg(feature = "proofs")]
use bucketwheel_circuit::Loaded;

use crate::error::Error;

/// Number of an object; 0 stands for no object.
pub type Id = u32;

/// Prepared points of some group.
#[cfg(feature = "sums")]
pub trait AnyBases {
    /// Returns the sum of the points times scalars, as integers of its coordinates; zeros for infinity.
    ///
    /// # Errors
    /// If the numbers of scalars and points differ, or a scalar is out of range; [`bucketwheel::Error::Cancelled`].
    fn sum(&self, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error>;
}

/// An object of the host.
pub enum Object {
    /// Bytes.
    Buffer(Vec<u8>),
    /// Prepared points.
    #[cfg(feature = "sums")]
    Bases(Rc<dyn AnyBases>),
    /// A circuit.
    #[cfg(feature = "proofs")]
    Circuit(Rc<Loaded>),
}

#[derive(Default)]
struct Objects {
    /// The object at index i has the number i + 1.
    slots: Vec<Option<Object>>,
    free: Vec<usize>,
    error: Option<String>,
}

thread_local! {
    static OBJECTS: RefCell<Objects> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Objects) -> T) -> T {
    OBJECTS.with(|objects| work(&mut objects.borrow_mut()))
}

impl Objects {
    fn get(&mut self, id: Id) -> Option<&mut Option<Object>> {
        self.slots.get_mut((id as usize).checked_sub(1)?)
    }

    fn insert(&mut self, object: Object) -> Id {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(object);
        slot as Id + 1
    }

    fn remove(&mut self, id: Id) -> Option<Object> {
        let object = self.get(id)?.take()?;
        self.free.push(id as usize - 1);
        Some(object)
    }
}

/// Runs work that returns no object. Returns 0 for an error, and keeps its message.
pub fn checked(work: impl FnOnce() -> Result<u32, Error>) -> u32 {
    work().unwrap_or_else(|error| {
        with(|objects| objects.error = Some(error.to_string()));
        0
    })
}

/// Keeps the object that `work` returns.
pub fn insert(work: impl FnOnce() -> Result<Object, Error>) -> Id {
    checked(|| {
        let object = work()?;
        Ok(with(|objects| objects.insert(object)))
    })
}

/// Frees an object.
pub fn remove(id: Id) {
    drop(with(|objects| objects.remove(id)));
}

/// Returns a buffer with the message of the last error.
pub fn take_error() -> Id {
    with(|objects| match objects.error.take() {
        None => 0,
        Some(message) => objects.insert(Object::Buffer(message.into_bytes())),
    })
}

/// Calls `look` with a buffer.
pub fn with_buffer<T>(id: Id, look: impl FnOnce(&mut Vec<u8>) -> T) -> Option<T> {
    with(|objects| match objects.get(id) {
        Some(Some(Object::Buffer(bytes))) => Some(look(bytes)),
        _ => None,
    })
}

/// Returns the bytes of a buffer.
pub fn copy_buffer(id: Id) -> Result<Vec<u8>, Error> {
    let copy = |bytes: &mut Vec<u8>| {
        let mut copy = Vec::new();
        copy.try_reserve_exact(bytes.len()).map_err(|_| Error::Memory { bytes: bytes.len() })?;
        copy.extend_from_slice(bytes);
        Ok(copy)
    };
    with_buffer(id, copy).unwrap_or(Err(Error::Object { id, expected: "buffer" }))
}

/// Returns the bytes of a buffer, and frees it.
pub fn take_buffer(id: Id) -> Result<Vec<u8>, Error> {
    let bytes = with_buffer(id, std::mem::take).ok_or(Error::Object { id, expected: "buffer" });
    remove(id);
    bytes
}

/// Returns prepared points.
#[cfg(feature = "sums")]
pub fn bases(id: Id) -> Result<Rc<dyn AnyBases>, Error> {
    with(|objects| match objects.get(id) {
        Some(Some(Object::Bases(bases))) => Ok(bases.clone()),
        _ => Err(Error::Object { id, expected: "prepared points" }),
    })
}

/// Returns a circuit.
#[cfg(feature = "proofs")]
pub fn circuit(id: Id) -> Result<Rc<Loaded>, Error> {
    with(|objects| match objects.get(id) {
        Some(Some(Object::Circuit(circuit))) => Ok(circuit.clone()),
        _ => Err(Error::Object { id, expected: "circuit" }),
    })
}
