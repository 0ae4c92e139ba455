//! Services of an operating system: output, memory and the end. There is no handler of faults: Bochs stops at the first
//! fault and prints the instruction's address.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::asm;
use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The size of the memory, as in bochsrc.
const MEMORY_END: usize = 128 << 20;

/// Standard output.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            write_port(0xe9, byte);
        }
        Ok(())
    }
}

/// Prints a line.
#[macro_export]
macro_rules! line {
    ($($arg:tt)*) => {{
        use core::fmt::Write;
        // Writing to the port never fails.
        let _ = writeln!($crate::machine::Console, $($arg)*);
    }};
}

fn write_port(port: u16, byte: u8) {
    // SAFETY: the ports belong to the emulator and do not change memory.
    unsafe { asm!("out dx, al", in("dx") port, in("al") byte, options(nomem, nostack)) }
}

/// Ends the emulation.
pub fn shut_down() -> ! {
    for byte in *b"Shutdown" {
        write_port(0x8900, byte);
    }
    loop {
        // SAFETY: the instructions stop the processor for good.
        unsafe { asm!("cli", "hlt") }
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    line!("{info}");
    shut_down()
}

/// The unwinding tables of the compiled standard library name this function; the image leaves the tables out.
#[no_mangle]
extern "C" fn rust_eh_personality() {}

/// Memory after the image, never reused.
struct Bump(AtomicUsize);

#[global_allocator]
static HEAP: Bump = Bump(AtomicUsize::new(0));

// SAFETY: the allocator hands out every byte once, and only one thread runs.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        extern "C" {
            static image_end: u8;
        }
        let start = self.0.load(Ordering::Relaxed).max(&raw const image_end as usize);
        let start = start.next_multiple_of(layout.align());
        let end = start + layout.size();
        if end > MEMORY_END {
            return core::ptr::null_mut();
        }
        self.0.store(end, Ordering::Relaxed);
        start as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

// The functions that the compiler calls for copies and comparisons. They are loops over copy instructions, so that the
// compiler does not turn them into calls of themselves. They have the contracts of C's functions: sources are readable and
// destinations writable for `len` bytes, and `memcpy` copies between places that do not overlap.

#[no_mangle]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: the instruction reads and writes `len` bytes upwards, which the contract allows. The direction flag is clear
    // between functions.
    unsafe { asm!("rep movsb", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") len => _) };
    to
}

#[no_mangle]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if (to as usize).wrapping_sub(from as usize) >= len {
        // SAFETY: the contract has the places; an upward copy reads each byte before it overwrites it, because `to` is not
        // inside of the source.
        return unsafe { memcpy(to, from, len) };
    }
    let last = len - 1;
    // SAFETY: `to` is inside of the source, so `len` is at least 1 and the last bytes are within both places. The copy runs
    // downwards from them over `len` bytes, and clears the direction flag again.
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rdi") to.add(last) => _, inout("rsi") from.add(last) => _, inout("rcx") len => _);
    }
    to
}

#[no_mangle]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    // SAFETY: the instruction writes `len` bytes upwards, which the contract allows. The direction flag is clear between
    // functions.
    unsafe { asm!("rep stosb", inout("rdi") to => _, in("al") byte as u8, inout("rcx") len => _) };
    to
}

#[no_mangle]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    for i in 0..len {
        // SAFETY: `i` is below `len`, and both places are readable for `len` bytes.
        let (a, b) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
        if a != b {
            return a as i32 - b as i32;
        }
    }
    0
}

#[no_mangle]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    // SAFETY: both functions have the same contract.
    unsafe { memcmp(a, b, len) }
}
