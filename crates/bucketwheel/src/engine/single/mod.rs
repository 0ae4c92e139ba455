//! Sums on single elements, in Jacobian coordinates: where lanes would have nothing to do, as in sums of few points and in the last
//! steps of large ones.

mod horner;
mod straus;

use bucketwheel_lanes::radix64::Arithmetic;

pub use horner::horner;
pub use straus::straus;

/// A map of points: `(x, y)` becomes `(u x, v y)`, after the conjugation of both coordinates if it `conjugates`.
#[derive(Clone, Copy, Debug)]
pub struct Map<E> {
    pub u: E,
    /// None if it is 1.
    pub v: Option<E>,
    pub conjugates: bool,
}

impl<E: Copy> Map<E> {
    /// The image of a point.
    pub fn image<A: Arithmetic<Element = E>>(&self, field: A, &[x, y]: &[E; 2]) -> [E; 2] {
        let [x, y] = if self.conjugates { [field.conjugate(&x), field.conjugate(&y)] } else { [x, y] };
        [field.mul(&self.u, &x), self.v.map_or(y, |v| field.mul(&v, &y))]
    }

    /// The same map of elements in another form.
    pub fn map<G>(self, form: impl Fn(E) -> G) -> Map<G> {
        Map { u: form(self.u), v: self.v.map(form), conjugates: self.conjugates }
    }
}
