//! The handles of the header whose objects are made here.

#![allow(non_camel_case_types)]

use crate::bases::Prepared;
use crate::stream::Open;

/// Points of one group or both, prepared. Any number of threads may use it at once.
pub struct bw_bases(pub(crate) Prepared);

/// A sum of more points than memory holds, of one group or both. One thread may use it at a time, whichever.
pub struct bw_stream(pub(crate) Open);
