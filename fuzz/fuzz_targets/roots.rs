//! Any bytes as a sweep of two triangles.
#![no_main]

#[path = "../../crates/impinge/tests/sweep_bytes.rs"]
mod sweep_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sweep_bytes::sweep_of_bytes(bytes);
});
