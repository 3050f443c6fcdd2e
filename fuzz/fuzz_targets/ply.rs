#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    impinge_fuzz::target("ply").map(|target| (target.run)(bytes));
});
