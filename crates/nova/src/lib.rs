//! Nova's engines with Bucketwheel's sums: a program changes its import of the engines and no other line.
//!
//! Nova (`nova-snark` 0.76) is generic over an engine: a curve, a commitment scheme, a transcript. The engines here have the
//! names of Nova's engines, and the same schemes, transcripts and fields. Their points wrap halo2curves' points. The engine
//! computes multi-scalar multiplications over them; Nova computes everything else. Proofs and keys serialize to the same
//! bytes.
//!
//! ```
//! use bucketwheel_nova::{Bn256EngineIPA, GrumpkinEngine}; // in place of nova_snark::provider's
//! use nova_snark::nova::{PublicParams, RecursiveSNARK};
//! use nova_snark::provider::ipa_pc::EvaluationEngine;
//! use nova_snark::spartan::snark::RelaxedR1CSSNARK;
//! use nova_snark::traits::{circuit::TrivialCircuit, snark::RelaxedR1CSSNARKTrait, Engine};
//!
//! type E1 = Bn256EngineIPA;
//! type E2 = GrumpkinEngine;
//! type S1 = RelaxedR1CSSNARK<E1, EvaluationEngine<E1>>;
//! type S2 = RelaxedR1CSSNARK<E2, EvaluationEngine<E2>>;
//!
//! let (circuit, start) = (TrivialCircuit::default(), [<E1 as Engine>::Scalar::from(3)]);
//! let params = PublicParams::<E1, E2, _>::setup(&circuit, &*S1::ck_floor(), &*S2::ck_floor())?;
//! let mut proof = RecursiveSNARK::new(&params, &circuit, &start)?;
//! proof.prove_step(&params, &circuit)?;
//! assert_eq!(proof.verify(&params, 1, &start)?, start);
//! # Ok::<(), nova_snark::errors::NovaError>(())
//! ```
//!
//! # Where changes go
//! - A cycle of curves: a module by `group!` (`group.rs`), its engines here.
//! - The sums: `crates/halo2curves`.

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod group;

use nova_snark::provider::keccak::Keccak256Transcript;
use nova_snark::provider::poseidon::{PoseidonRO, PoseidonROCircuit};
use nova_snark::provider::{hyperkzg, pedersen};
use nova_snark::traits::Engine;
use serde::{Deserialize, Serialize};

pub use group::{bn256, grumpkin, pallas, vesta};

/// Defines an engine, which differs from Nova's engine in its point alone.
macro_rules! engine {
    ($(#[$about:meta])* $engine:ident, $group:ident, $commitments:ty) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $engine;

        impl Engine for $engine {
            type Base = $group::Base;
            type Scalar = $group::Scalar;
            type GE = $group::Point;
            type RO = PoseidonRO<Self::Base>;
            type ROCircuit = PoseidonROCircuit<Self::Base>;
            type RO2 = PoseidonRO<Self::Scalar>;
            type RO2Circuit = PoseidonROCircuit<Self::Scalar>;
            type TE = Keccak256Transcript<Self>;
            type CE = $commitments;
        }
    };
}

engine! {
    /// BN254 with HyperKZG; its partner is [`GrumpkinEngine`].
    Bn256EngineKZG, bn256, hyperkzg::CommitmentEngine<Self>
}
engine! {
    /// BN254 with Pedersen's commitments; its partner is [`GrumpkinEngine`].
    Bn256EngineIPA, bn256, pedersen::CommitmentEngine<Self>
}
engine! {
    /// Grumpkin with Pedersen's commitments.
    GrumpkinEngine, grumpkin, pedersen::CommitmentEngine<Self>
}
engine! {
    /// Pallas with Pedersen's commitments; its partner is [`VestaEngine`].
    PallasEngine, pallas, pedersen::CommitmentEngine<Self>
}
engine! {
    /// Vesta with Pedersen's commitments.
    VestaEngine, vesta, pedersen::CommitmentEngine<Self>
}
