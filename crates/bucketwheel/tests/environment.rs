//! The environment variable, in a process of its own: there is one test, so that nothing else reads the variable meanwhile.

use ark_ec::AffineRepr;
use bucketwheel::{default_backend, Backend, Bases, BasesOptions, Error, Msm, BACKEND_VARIABLE};

type G1 = ark_bls12_381::g1::Config;
type Point = ark_bls12_381::G1Affine;

/// Returns the backend that a run without any options reports.
fn reported() -> Result<Backend, Error> {
    let bases = Bases::<G1>::new(&[Point::generator()])?;
    let (sum, report) = Msm::new().run_reported(&bases, &vec![1u64])?;
    assert_eq!(sum, Point::generator());
    Ok(report.backend)
}

#[test]
fn it_chooses_the_backend() {
    std::env::remove_var(BACKEND_VARIABLE);
    assert_eq!(reported(), Ok(Backend::detect()));
    for backend in Backend::ALL {
        std::env::set_var(BACKEND_VARIABLE, backend.name());
        let expected =
            if backend.is_supported() { Ok(backend) } else { Err(Error::UnsupportedBackend(backend)) };
        assert_eq!(reported(), expected);
        assert_eq!(default_backend(), expected);
        // An option counts more than the environment.
        let bases = BasesOptions::new().backend(Backend::Portable).prepare::<G1>(&[]);
        assert_eq!(bases.map(|bases| bases.backend()), Ok(Backend::Portable));
    }
    for name in ["", "sse", "AVX2", "avx2 ", "auto"] {
        std::env::set_var(BACKEND_VARIABLE, name);
        assert_eq!(reported(), Err(Error::UnknownBackend(name.into())));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        std::env::set_var(BACKEND_VARIABLE, std::ffi::OsStr::from_bytes(b"portable\xff"));
        assert_eq!(reported(), Err(Error::UnknownBackend("portable\u{fffd}".into())));
    }
}
