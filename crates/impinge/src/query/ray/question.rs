//! Rays and segments, and the options of ray casts.

use std::fmt;

use crate::mesh::MaterialSet;
use crate::options::options;
use crate::query::verdict::Engine;
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::tolerance::LARGEST;

/// A ray, or a segment: the points `origin + t · direction` with `t` from 0 to [`max_t`](Self::max_t).
///
/// Valid by construction: everything is finite (but for `max_t`, which may be infinite), the direction is not zero, and no
/// coordinate is so large that placing a model could overflow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
    max_t: f64,
}

options! {
    /// Options of a ray cast.
    #[derive(Clone, Copy)]
    pub struct RayOptions<'f> {
        /// Whether to leave out back faces, which the ray passes through from behind: those whose normal points along the ray. A face in
        /// whose plane the ray runs has no side that it is seen from, and stays.
        #[doc(alias = "backface_culling")]
        pub cull_back: bool = false,
        /// A filter of faces, by the user's indices: those that it refuses are passed through.
        pub accept: Option<&'f (dyn Fn(u32) -> bool + Sync)> = None,
        /// Materials whose faces are passed through.
        pub ignored_materials: MaterialSet = MaterialSet::NONE,
        /// The engine that finds the faces: brute force, or trees.
        pub engine: Engine = Engine::Bvh,
    }
}

impl fmt::Debug for RayOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RayOptions { cull_back, accept, ignored_materials, engine } = self;
        f.debug_struct("RayOptions")
            .field("cull_back", cull_back)
            .field("accept", &accept.map(|_| ".."))
            .field("ignored_materials", ignored_materials)
            .field("engine", engine)
            .finish()
    }
}

/// A number inside the description of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RayPart {
    /// A coordinate of the origin.
    Origin(usize),
    /// A coordinate of the direction.
    Direction(usize),
    /// A coordinate of a segment's end.
    End(usize),
    /// The largest time.
    MaxT,
}

impl fmt::Display for RayPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |axis: usize| ["x", "y", "z"].get(axis).copied().unwrap_or("?");
        match *self {
            RayPart::Origin(axis) => write!(f, "the origin in {}", name(axis)),
            RayPart::Direction(axis) => write!(f, "the direction in {}", name(axis)),
            RayPart::End(axis) => write!(f, "the end in {}", name(axis)),
            RayPart::MaxT => write!(f, "the largest t"),
        }
    }
}

/// The reason why numbers do not make a ray.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A number is NaN or infinite.
    #[error("{part} is {value}, which is not a finite number")]
    NotFinite {
        /// The number that is at fault.
        part: RayPart,
        /// The value that was given.
        value: f64,
    },
    /// A number is so large that products with it could overflow.
    #[error("{part} is {value:e}, but may be at most {limit:e}")]
    TooLarge {
        /// The number that is at fault.
        part: RayPart,
        /// The value that was given.
        value: f64,
        /// The largest accepted magnitude.
        limit: f64,
    },
    /// The direction is zero, so it points nowhere.
    #[error("the direction is zero, which points nowhere")]
    NoDirection,
    /// The largest time is negative or NaN.
    #[error("the largest t is {value}, but must be at least 0")]
    MaxT {
        /// The value that was given.
        value: f64,
    },
}

impl Ray {
    /// A ray without an end. The direction may have any length but 0.
    ///
    /// ```
    /// use impinge::query::{Ray, RayError};
    ///
    /// assert_eq!(Ray::new([0.0; 3], [0.0; 3]), Err(RayError::NoDirection));
    /// assert!(Ray::new([0.0; 3], [0.0, f64::NAN, 1.0]).is_err());
    /// ```
    #[inline]
    pub fn new(origin: impl IntoPoint, direction: impl IntoPoint) -> Result<Ray, RayError> {
        let (origin, direction) = (origin.into_point(), direction.into_point());
        check(origin, RayPart::Origin)?;
        check(direction, RayPart::Direction)?;
        if direction == DVec3::ZERO {
            return Err(RayError::NoDirection);
        }
        Ok(Ray { origin, direction, max_t: f64::INFINITY })
    }

    /// The segment between two different points: its direction is their difference, rounded, and `t` runs from 0 to 1.
    pub fn segment(start: impl IntoPoint, end: impl IntoPoint) -> Result<Ray, RayError> {
        let (start, end) = (start.into_point(), end.into_point());
        check(start, RayPart::Origin)?;
        check(end, RayPart::End)?;
        Ray::new(start, end - start)?.up_to(1.0)
    }

    /// Ends the ray at a largest time, in multiples of the direction.
    pub fn up_to(self, max_t: f64) -> Result<Ray, RayError> {
        if max_t >= 0.0 { Ok(Ray { max_t, ..self }) } else { Err(RayError::MaxT { value: max_t }) }
    }

    /// The start of the ray.
    #[inline]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The direction of the ray.
    #[inline]
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The largest time, in multiples of the direction; hits at just that time count.
    #[doc(alias = "tfar")]
    #[inline]
    pub fn max_t(&self) -> f64 {
        self.max_t
    }
}

#[inline]
fn check(point: DVec3, part: fn(usize) -> RayPart) -> Result<(), RayError> {
    // None is larger than their sum. False for NaN.
    let is_fine = point.x.abs() + point.y.abs() + point.z.abs() <= 2.0 * LARGEST;
    if is_fine { Ok(()) } else { find(point, part) }
}

/// Names the first number that is none or too large.
#[cold]
fn find(point: DVec3, part: fn(usize) -> RayPart) -> Result<(), RayError> {
    for (axis, value) in point.to_array().into_iter().enumerate() {
        let part = part(axis);
        if !value.is_finite() {
            return Err(RayError::NotFinite { part, value });
        }
        if value.abs() > 2.0 * LARGEST {
            return Err(RayError::TooLarge { part, value, limit: 2.0 * LARGEST });
        }
    }
    Ok(())
}
