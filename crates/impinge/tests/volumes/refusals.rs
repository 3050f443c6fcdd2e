//! What makes no volume.

use impinge::Trs;
use impinge::bounds::{DepthRange, VolumeError, VolumePart};
use impinge::query::Volume;

#[test]
fn every_refusal_names_the_number() {
    let nan = f64::NAN;
    let cases = [
        (Volume::sphere([0.0, nan, 0.0], 1.0), "the y of the center is NaN, which is not a finite number"),
        (Volume::sphere([0.0; 3], -1.0), "the radius is -1, but must not be negative"),
        (Volume::sphere([0.0; 3], f64::INFINITY), "the radius is inf, which is not a finite number"),
        (
            Volume::sphere([1e200, 0.0, 0.0], 1.0),
            "the x of the center is 1e200, but may be at most 1e150 in magnitude",
        ),
        (
            Volume::capsule([0.0; 3], [0.0, 0.0, nan], 1.0),
            "the z of the axis' end is NaN, which is not a finite number",
        ),
        (Volume::capsule([0.0; 3], [1.0; 3], -0.5), "the radius is -0.5, but must not be negative"),
        (
            Volume::aabb([0.0, 2.0, 0.0], [1.0; 3]),
            "the box is empty: its least y is 2, and its greatest is 1",
        ),
        (Volume::aabb([nan; 3], [1.0; 3]), "the least x of the box is NaN, which is not a finite number"),
        (
            Volume::obb([0.0; 3], [1.0, -1.0, 1.0], &Trs::IDENTITY),
            "half side 1 of the box (counted from 0) is -1, but must not be negative",
        ),
        (Volume::plane([0.0; 3], 1.0), "the plane's normal is 0, 0, 0, which is no direction"),
        (
            Volume::half_space([1.0, 0.0, 0.0], nan),
            "the offset of the plane is NaN, which is not a finite number",
        ),
        (
            Volume::frustum([[1.0; 4]; 4], DepthRange::default()),
            "the frustum's matrix is singular: it flattens space",
        ),
    ];
    for (volume, message) in cases {
        assert_eq!(volume.unwrap_err().to_string(), message);
    }
    let error = Volume::plane([0.0, 0.0, f64::INFINITY], 0.0).unwrap_err();
    assert_eq!(error, VolumeError::NotFinite { part: VolumePart::Normal(2), value: f64::INFINITY });
}
