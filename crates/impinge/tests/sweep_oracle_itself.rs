//! The judge of sweeps, judged: it knows the first touch where it can be worked out by hand, finds nothing wrong with honest
//! claims, and finds every kind of dishonest one.
#![allow(clippy::unwrap_used)]

mod sweep_oracle;

use sweep_oracle::reference;
use sweep_oracle::run;

#[test]
fn honest_claims_pass() {
    let count = std::env::var("COUNT")
        .map_or(if cfg!(debug_assertions) { 280 } else { 2_800 }, |c| c.parse().unwrap());
    match run(count, 1, reference::sweep) {
        Ok(summary) => {
            println!("{summary}");
        }
        Err(failure) => panic!("{failure}"),
    }
}
