//! Any bytes as a glTF file.
#![no_main]

mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::read(bytes, impinge_formats::Format::Gltf));
