//! Progress, cancellation from another thread, panics.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ark_bn254::g1::Config;
use bucketwheel_c::*;

use crate::kit::*;

const N: usize = 1 << 13;

/// Record of the calls of a callback, and signals between the callback and the test.
#[derive(Default)]
struct Seen {
    calls: AtomicUsize,
    most: AtomicUsize,
    wrong: AtomicBool,
    /// Set by the callback, which then waits for the test.
    is_running: AtomicBool,
    is_cancelled: AtomicBool,
}

impl Seen {
    fn options(&self, progress: unsafe extern "C-unwind" fn(*mut c_void, usize, usize)) -> bw_options {
        bw_options { progress: Some(progress), user: ptr::from_ref(self).cast_mut().cast(), ..options() }
    }
}

unsafe extern "C-unwind" fn count(user: *mut c_void, done: usize, total: usize) {
    // SAFETY: `user` is the pointer of `Seen::options`, and calls with these options end before `Seen` does.
    let seen = unsafe { &*user.cast::<Seen>() };
    seen.calls.fetch_add(1, Ordering::Relaxed);
    seen.most.fetch_max(done, Ordering::Relaxed);
    seen.wrong.fetch_or(done > total, Ordering::Relaxed);
}

unsafe extern "C-unwind" fn wait(user: *mut c_void, _done: usize, _total: usize) {
    // SAFETY: `user` is the pointer of `Seen::options`, and calls with these options end before `Seen` does.
    let seen = unsafe { &*user.cast::<Seen>() };
    seen.is_running.store(true, Ordering::Release);
    while !seen.is_cancelled.load(Ordering::Acquire) {
        thread::yield_now();
    }
}

unsafe extern "C-unwind" fn panics(_user: *mut c_void, _done: usize, _total: usize) {
    panic!("of the test");
}

/// Returns the pointer to a handle that options take.
fn address(cancel: &Option<Box<bw_cancel>>) -> *const bw_cancel {
    cancel.as_deref().map_or(ptr::null(), ptr::from_ref)
}

fn laid() -> (Laid, LaidScalars) {
    let (points, scalars) = inputs::<Config>(N, 8);
    (Laid::new(&points, PACKED), LaidScalars::new(&scalars, BW_FORM_MONTGOMERY, 0))
}

/// Makes each call that heeds progress and cancellation, one after the other.
fn each_call(options: &bw_options, mut check: impl FnMut(bw_status)) {
    let (points, scalars) = laid();
    let (points, scalars) = (points.points(), scalars.scalars());
    let bases = Bases::of_points(BW_CURVE_BN254, BW_GROUP_G1, &[points], &crate::kit::options());
    let mut bytes = [0xa5; 64];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 64, form: 1, coordinates: 1 };
    let mut made = None;
    check(call!(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, options, &mut made)));
    drop(Bases(made));
    check(call!(bw_msm(bases.handle(), &scalars, options, &sums)));
    check(call!(bw_msm_many(bases.handle(), &scalars, 1, options, &sums)));
    let mut stream = None;
    call!({
        ok(bw_stream_new(BW_CURVE_BN254, BW_GROUP_G1, N, options, &mut stream));
        let status = bw_stream_update(stream.as_deref_mut(), &points, &scalars);
        // The stream's block is not full, so nothing is added yet.
        if status == BW_OK {
            check(bw_stream_flush(stream.as_deref_mut(), &sums));
        } else {
            check(status);
        }
        bw_stream_free(stream);
    })
}

#[test]
fn progress_is_told() {
    let seen = Seen::default();
    let mut calls = 0;
    each_call(&seen.options(count), |status| {
        ok(status);
        assert!(seen.calls.load(Ordering::Relaxed) > calls);
        calls = seen.calls.load(Ordering::Relaxed);
    });
    assert!(seen.most.load(Ordering::Relaxed) >= N && !seen.wrong.load(Ordering::Relaxed));
}

#[test]
fn another_thread_cancels() {
    let mut cancel = None;
    ok(call!(bw_cancel_new(&mut cancel)));
    let seen = Seen::default();
    let cancel: Option<Box<bw_cancel>> = cancel;
    let options = bw_options { cancel: address(&cancel), ..seen.options(wait) };
    let (points, scalars) = laid();
    let bases = Bases::of_points(BW_CURVE_BN254, BW_GROUP_G1, &[points.points()], &crate::kit::options());
    let mut bytes = [0xa5u8; 64];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 64, form: 1, coordinates: 1 };
    thread::scope(|scope| {
        scope.spawn(|| {
            while !seen.is_running.load(Ordering::Acquire) {
                thread::yield_now();
            }
            ok(bw_cancel_request(cancel.as_deref()));
            seen.is_cancelled.store(true, Ordering::Release);
        });
        let status = call!(bw_msm(bases.handle(), &scalars.scalars(), &options, &sums));
        fails(status, BW_ERROR_CANCELLED, "cancelled");
    });
    assert_eq!(bytes, [0xa5; 64]);
    // The cancellation is final, for all calls.
    each_call(&options, |status| assert_eq!(fails(status, BW_ERROR_CANCELLED, "cancelled"), BW_NO_INDEX));
    bw_cancel_free(cancel);
}

#[test]
fn streams_keep_what_cancels_them() {
    let mut cancel = None;
    let (points, scalars) = laid();
    let mut stream = None;
    call!({
        ok(bw_cancel_new(&mut cancel));
        let options = bw_options { cancel: address(&cancel), ..options() };
        ok(bw_stream_new(BW_CURVE_BN254, BW_GROUP_G1, N, &options, &mut stream));
        ok(bw_stream_update(stream.as_deref_mut(), &points.points(), &scalars.scalars()));
        ok(bw_cancel_request(cancel.as_deref()));
        bw_cancel_free(cancel);
        for _ in 0..2 {
            let mut bytes = [0u8; 64];
            let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 64, form: 1, coordinates: 1 };
            fails(bw_stream_flush(stream.as_deref_mut(), &sums), BW_ERROR_CANCELLED, "cancelled");
        }
        bw_stream_free(stream);
    })
}

#[test]
fn panics_end_at_the_border() {
    // Keeps the panics' messages out of the test's output.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let seen = Seen::default();
    each_call(&seen.options(panics), |status| {
        fails(status, BW_ERROR_INTERNAL, "internal error");
    });
    std::panic::set_hook(hook);
    // Other handles remain usable.
    each_call(&options(), ok);
}
