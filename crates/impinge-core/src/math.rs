//! Vectors: glam's, re-exported once, and points in `f32`, `f64`, arrays and `mint` that all become a `DVec3`.

pub use glam::{DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4};
use glam::{Vec3, Vec3A};

/// Anything that names a point in space and converts to `f64` coordinates without loss.
pub trait IntoPoint {
    /// Converts the point to `f64` coordinates.
    fn into_point(self) -> DVec3;
}

macro_rules! into_point {
    ($($source:ty, $value:ident => $point:expr;)*) => {$(
        impl IntoPoint for $source {
            #[inline]
            fn into_point(self) -> DVec3 {
                let $value = self;
                $point
            }
        }
    )*};
}

into_point! {
    DVec3, p => p;
    &DVec3, p => *p;
    Vec3, p => p.as_dvec3();
    &Vec3, p => p.as_dvec3();
    Vec3A, p => p.as_dvec3();
    [f64; 3], p => DVec3::from_array(p);
    &[f64; 3], p => DVec3::from_array(*p);
    [f32; 3], p => Vec3::from_array(p).as_dvec3();
    &[f32; 3], p => Vec3::from_array(*p).as_dvec3();
    (f64, f64, f64), p => DVec3::new(p.0, p.1, p.2);
}

#[cfg(feature = "mint")]
into_point! {
    mint::Point3<f64>, p => DVec3::new(p.x, p.y, p.z);
    mint::Vector3<f64>, p => DVec3::new(p.x, p.y, p.z);
    mint::Point3<f32>, p => DVec3::new(p.x.into(), p.y.into(), p.z.into());
    mint::Vector3<f32>, p => DVec3::new(p.x.into(), p.y.into(), p.z.into());
}

/// The midpoint of two points; finite for all finite ones, and the point itself for equal ones.
#[inline]
pub fn middle(a: DVec3, b: DVec3) -> DVec3 {
    let sum = a + b;
    if sum.is_finite() { sum * 0.5 } else { a * 0.5 + b * 0.5 }
}

/// The opposite of a vector, without negative zeros.
#[inline]
pub fn opposite(vector: DVec3) -> DVec3 {
    DVec3::ZERO - vector
}

/// A vector with zeros for its negative zeros.
#[inline]
pub fn positive_zeros(vector: DVec3) -> DVec3 {
    vector + DVec3::ZERO
}
