//! The body of the fuzz target `roots`, run with random bytes where no fuzzer is.

use crate::effort::{asked, share};
use crate::sweep_bytes::sweep_of_bytes;
use impinge::query::SweepStatus;
use impinge::shapes::Random;

/// `IMPINGE_FUZZ=3000000 cargo test --release -p impinge --test all any_bytes -- --nocapture` for many.
#[test]
fn any_bytes_are_swept_as_promised() {
    let count = asked("IMPINGE_FUZZ").unwrap_or_else(|| share(2_000, 50_000));
    let mut random = Random::new(asked("IMPINGE_SEED").unwrap_or(31));
    let [mut hits, mut clear, mut overlapping, mut none] = [0_u64; 4];
    for _ in 0..count {
        let length = 40 + random.below(240) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        // The bytes of random numbers are of all sizes: for some, of sizes that are about alike.
        if bytes[0] % 5 == 2 || bytes[0] % 5 == 3 {
            let stride = if bytes[0] % 5 == 2 { 4 } else { 8 };
            let wide = [0, 1, 4, 64][random.below(4) as usize];
            for last in (4 + stride - 1..length).step_by(stride) {
                bytes[last] = (bytes[last] & 0x80) | (0x3f - (bytes[last] & 0x3f).min(wide));
            }
        }
        match sweep_of_bytes(&bytes).map(|sweep| sweep.status) {
            Some(SweepStatus::Hit) => hits += 1,
            Some(SweepStatus::Clear) => clear += 1,
            Some(SweepStatus::StartedOverlapping) => overlapping += 1,
            None => none += 1,
        }
    }
    println!(
        "{count} inputs: {hits} hits, {clear} clear, {overlapping} overlapping at the start, {none} no sweep"
    );
    assert!(hits.min(clear) * 20 > count, "{hits} {clear} {overlapping} {none}");
}
