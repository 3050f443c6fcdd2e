//! Tests of the transforms, and what they share.

mod exactness;
mod refusals;
mod residuals;
mod semantics;

use dashu_ratio::RBig;
use proptest::prelude::*;

use super::Trs;
use crate::math::{DMat3, DQuat, DVec3};

/// One rounding, relative.
const UNIT: f64 = f64::EPSILON / 2.0;

fn exact(value: f64) -> RBig {
    RBig::try_from(value).expect("the value is finite")
}

fn vector(number: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = DVec3> {
    [number.clone(), number.clone(), number].prop_map(DVec3::from_array)
}

fn matrix(number: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = DMat3> {
    [vector(number.clone()), vector(number.clone()), vector(number)]
        .prop_map(|[x, y, z]| DMat3::from_cols(x, y, z))
}

fn rotation() -> impl Strategy<Value = DQuat> {
    [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, -1.0..1.0]
        .prop_map(DQuat::from_array)
        .prop_filter("a direction", |q| q.length_squared() > 0.01)
        .prop_map(DQuat::normalize)
}

/// A number of either sign, from 10^-decades to 10^decades.
fn scale(decades: f64) -> impl Strategy<Value = f64> + Clone {
    (-decades..decades, any::<bool>())
        .prop_map(|(e, negative)| libm::pow(10.0, e) * if negative { -1.0 } else { 1.0 })
}

fn trs(decades: f64) -> impl Strategy<Value = Trs> {
    (vector(-1e3..1e3f64), rotation(), vector(scale(decades)))
        .prop_map(|(t, r, s)| Trs::new(t, r, s).expect("in range"))
}
