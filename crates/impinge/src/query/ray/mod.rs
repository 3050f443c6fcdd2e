//! Ray casts: rays and segments against one placed model, for the nearest hit, any hit, or all hits in order.
//!
//! The ray is taken to the model's own frame, once, by `f64` arithmetic; there everything is decided exactly for that
//! ray and the model's vertices as they were given (Maia et al. 2006, §3.4: parameters of local tests are valid in the world).
//! So placements may scale, mirror and shear, and nothing of the model is copied.
//!
//! - A face is hit where it shares a point with the ray, on its edges and corners too: rays through a common edge hit both
//!   faces, and no ray slips between them.
//! - A ray in the plane of a face, or one that touches a face without area, hits it at the first point that they share.
//! - Times are multiples of the direction, never negative. Of hits at exactly the same time the one with the
//!   lowest face comes first. A face is named at most once for one time.
//!
//! ```
//! use impinge::query::ray::{Ray, RayOptions};
//! use impinge::{Model, Trs, shapes};
//!
//! let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
//! let cube = cube.at(Trs::scaling([1.0, 1.0, 2.0])?);
//! let ray = Ray::new([0.25, 0.5, 5.0], [0.0, 0.0, -1.0])?;
//! let hit = cube.cast_ray(&ray).expect("it points at the cube");
//! assert_eq!((hit.t, hit.point_in_world.to_array()), (3.0, [0.25, 0.5, 2.0]));
//! assert_eq!(hit.normal_in_world.map(|normal| normal.to_array()), Some([0.0, 0.0, 1.0]));
//! assert_eq!(cube.cast_ray_all(&ray, RayOptions::default()).len(), 2);
//!
//! let segment = Ray::segment([0.25, 0.5, 5.0], [0.25, 0.5, 3.0])?;
//! assert!(!cube.hits_ray(&segment));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aim;
mod cast;
mod ground;
mod hit;
mod many;
mod question;
mod search;
mod target;

pub use hit::Hit;
pub use many::{FirstFace, cast_rays, cast_rays_into};
pub use question::{Ray, RayError, RayOptions, RayPart};

use crate::model::Placed;
use search::search;

/// The nearest hit among the faces that the filter accepts, by the user's indices.
pub fn nearest(
    placed: &Placed<'_>,
    ray: &Ray,
    options: RayOptions,
    accept: impl FnMut(u32) -> bool,
) -> Option<Hit> {
    search(placed, ray, options, |search| search.nearest(accept))
}

/// Any hit, whichever is found first: quicker than the nearest. It is the same in every run.
pub fn any(
    placed: &Placed<'_>,
    ray: &Ray,
    options: RayOptions,
    accept: impl FnMut(u32) -> bool,
) -> Option<Hit> {
    search(placed, ray, options, |search| search.any(accept))
}

/// All hits, in order of their times, then of their faces.
pub fn all(placed: &Placed<'_>, ray: &Ray, options: RayOptions, accept: impl FnMut(u32) -> bool) -> Vec<Hit> {
    search(placed, ray, options, |search| search.all(accept))
}

/// All hits, found by trying every face.
pub(super) fn all_by_trying(placed: &Placed<'_>, ray: &Ray, options: RayOptions) -> Vec<Hit> {
    search(placed, ray, options, |search| search.all_by_trying(|_| true))
}

impl Placed<'_> {
    /// The nearest hit of a ray, from both sides. [`ray::nearest`](nearest) can leave out back faces and others.
    #[doc(alias = "raycast")]
    #[doc(alias = "ray_cast")]
    #[doc(alias = "intersect_ray")]
    #[doc(alias = "ray cast")]
    pub fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        nearest(self, ray, RayOptions::default(), |_| true)
    }

    /// Whether a ray hits anything.
    #[doc(alias = "occluded")]
    #[doc(alias = "shadow_ray")]
    pub fn hits_ray(&self, ray: &Ray) -> bool {
        any(self, ray, RayOptions::default(), |_| true).is_some()
    }

    /// All hits of a ray, in order of their times, then of their faces.
    #[doc(alias = "raycast_all")]
    pub fn cast_ray_all(&self, ray: &Ray, options: RayOptions) -> Vec<Hit> {
        all(self, ray, options, |_| true)
    }

    /// The nearest hit of each of many rays, on all threads with the feature `parallel`. Answers are those of
    /// [`cast_ray`](Self::cast_ray) for each, but faster.
    #[doc(alias = "raycast_batch")]
    pub fn cast_rays(&self, rays: &[Ray], options: RayOptions) -> Vec<Option<Hit>> {
        cast_rays(self, rays, options)
    }
}
