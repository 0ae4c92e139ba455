//! Streams, and what they borrow.

use bucketwheel::{CurveId, GroupId};
use bucketwheel_dynamic::{groups, AnyPoints, DynStream};
use self_cell::self_cell;

use crate::error::Error;
use crate::options::Options;

type Inner<'a> = Box<dyn DynStream + 'a>;

self_cell! {
    struct OptionsAndStream {
        owner: Options,
        #[not_covariant]
        dependent: Inner,
    }
}

/// A stream.
pub struct Open {
    pub curve: CurveId,
    pub group: GroupId,
    stream: OptionsAndStream,
}

impl Open {
    /// A stream of about so many points, which may have taken some whose sum is known.
    pub fn new(
        (curve, group): (CurveId, GroupId),
        points: usize,
        taken: Option<(usize, &[AnyPoints<'_>])>,
        options: Options,
    ) -> Result<Self, Error> {
        let stream = OptionsAndStream::try_new(options, |options| {
            let stream = groups(curve, group)?.start(options.msm(), options.stream(points))?;
            Ok::<_, Error>(match taken {
                None => stream,
                Some((len, sums)) => stream.resume(len, sums)?,
            })
        })?;
        Ok(Open { curve, group, stream })
    }

    /// The stream.
    pub fn with<T>(&mut self, act: impl FnOnce(&mut (dyn DynStream + '_)) -> T) -> T {
        self.stream.with_dependent_mut(|_, stream| act(&mut **stream))
    }

    /// The points taken so far.
    pub fn len(&self) -> usize {
        self.stream.with_dependent(|_, stream| stream.len())
    }
}
