//! The three functions that WebAssembly exports: memory for a request, the run, memory back.
//!
//! The host takes memory with `buf_alloc`, writes the request there as UTF-8, calls `run`, reads
//! the answer at the address in the upper half of what `run` returns, as many bytes as its lower
//! half says, and gives both pieces of memory back with `buf_free`. Nothing else in the workspace
//! is unsafe.
#![allow(unsafe_code)]

/// Memory for `len` bytes, all zero; null for none.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn buf_alloc(len: usize) -> *mut u8 {
    if len == 0 {
        return std::ptr::null_mut();
    }
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Gives memory back.
///
/// # Safety
/// `address` and `len` are those of one [`buf_alloc`], or of one answer of [`run`], and were not
/// given back before.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub unsafe extern "C" fn buf_free(address: *mut u8, len: usize) {
    if address.is_null() || len == 0 {
        return;
    }
    // SAFETY: by the contract above it is a boxed slice of this length, and nobody else has it.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, len)) });
}

/// Answers the request of `len` bytes at `address`: the address of the answer in the upper 32 bits,
/// its length in the lower 32.
///
/// # Safety
/// `address` is that of `len` bytes of one [`buf_alloc`], which stay as they are meanwhile.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub unsafe extern "C" fn run(address: *const u8, len: usize) -> u64 {
    let request: &[u8] = if address.is_null() || len == 0 {
        &[]
    } else {
        // SAFETY: by the contract above the bytes are there, initialized, and not written to.
        unsafe { std::slice::from_raw_parts(address, len) }
    };
    let answer = crate::answer(&String::from_utf8_lossy(request));
    let answer = answer.into_bytes().into_boxed_slice();
    let len = answer.len() as u64;
    let address = Box::into_raw(answer).cast::<u8>() as usize as u64;
    (address << 32) | len
}
