//! The graphics device, judged as the processor is.

use impinge_image::Device;

use crate::placements::{count, judge};

/// The adapter, or a failure that says what to install.
pub(crate) fn graphics() -> Device {
    let device = Device::graphics().unwrap_or_else(|refusal| panic!("{refusal}"));
    println!("adapter: {}", device.name());
    device
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn pairs_are_judged_as_the_exact_test_does() {
    // A software driver takes a twentieth of a second for each.
    judge(&mut graphics(), count("IMPINGE_PLACEMENTS_ON_DEVICE", 300));
}
