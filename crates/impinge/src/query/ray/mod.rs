//! Ray casts: rays and segments against one placed model, for the nearest hit, any hit, or all hits in order.

mod aim;
mod cast;
mod ground;
mod hit;
mod many;
mod question;
mod rounded;
mod search;
mod target;

pub use hit::RayHit;
pub use many::FirstFace;
pub use question::{Ray, RayError, RayOptions, RayPart};

use crate::model::Placed;
use cast::Search;
use rounded::RoundedSearch;
use target::Target;

impl Placed<'_> {
    /// Casts a ray or a segment: the nearest hit, from both sides.
    ///
    /// The ray is taken to the model's own frame, once, by `f64` arithmetic; there everything is decided exactly for that
    /// ray and the model's vertices as they were given (Maia et al. 2006, §3.4: parameters of local tests are valid in the world).
    /// So placements may scale, mirror and shear, and nothing of the model is copied.
    ///
    /// - A face is hit where it shares a point with the ray, on its edges and corners too: rays through a common edge hit both
    ///   faces, and no ray slips between them.
    /// - A ray in the plane of a face, or one that touches a face without area, hits it at the first point that they share.
    /// - Times are multiples of the direction, never negative. Of hits at exactly the same time the one with the
    ///   lowest face comes first. A face is named at most once for one time.
    /// - A rounded model is hit where the ray passes through its surface, into it or, from inside, out of it: at a distance of the radius from the core. That is
    ///   rounded, not exact. The face and the weights are those of the nearest point of the core, and the normal leads away from that.
    ///
    /// ```
    /// use impinge::query::{Ray, RayOptions};
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
    /// let cube = cube.at(Trs::scaling([1.0, 1.0, 2.0])?);
    /// let ray = Ray::new([0.25, 0.5, 5.0], [0.0, 0.0, -1.0])?;
    /// let hit = cube.cast_ray(&ray).expect("it points at the cube");
    /// assert_eq!((hit.t, hit.point_in_world.to_array()), (3.0, [0.25, 0.5, 2.0]));
    /// assert_eq!(hit.normal_in_world.map(|normal| normal.to_array()), Some([0.0, 0.0, 1.0]));
    /// assert_eq!(cube.cast_ray_all(&ray, RayOptions::default()).len(), 2);
    ///
    /// let segment = Ray::segment([0.25, 0.5, 5.0], [0.25, 0.5, 3.0])?;
    /// assert!(!cube.hits_ray(&segment));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "raycast")]
    #[doc(alias = "ray_cast")]
    #[doc(alias = "intersect_ray")]
    #[doc(alias = "ray cast")]
    pub fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.cast_ray_with(ray, RayOptions::new())
    }

    /// [`cast_ray`](Self::cast_ray) with given options: without back faces, those of some materials, or those that a filter refuses.
    pub fn cast_ray_with(&self, ray: &Ray, options: RayOptions<'_>) -> Option<RayHit> {
        if self.radius() > 0.0 {
            // What is inside of its solids depends on the faces that are left.
            let left = self.without_materials(options.ignored_materials)?;
            return RoundedSearch::new(&left, ray, options).nearest();
        }
        Search::new(&Target::new(self), ray, options).nearest()
    }

    /// Any hit of a ray, whichever is found first: quicker than the nearest. It is the same in every run.
    #[doc(alias = "occluded")]
    #[doc(alias = "shadow_ray")]
    pub fn cast_ray_any(&self, ray: &Ray, options: RayOptions<'_>) -> Option<RayHit> {
        if self.radius() > 0.0 {
            // What is inside of its solids depends on the faces that are left.
            let left = self.without_materials(options.ignored_materials)?;
            return RoundedSearch::new(&left, ray, options).nearest();
        }
        Search::new(&Target::new(self), ray, options).any()
    }

    /// Whether a ray hits anything.
    #[doc(alias = "occluded")]
    #[doc(alias = "shadow_ray")]
    pub fn hits_ray(&self, ray: &Ray) -> bool {
        self.cast_ray_any(ray, RayOptions::new()).is_some()
    }

    /// All hits of a ray, in order of their times, then of their faces.
    #[doc(alias = "raycast_all")]
    pub fn cast_ray_all(&self, ray: &Ray, options: RayOptions<'_>) -> Vec<RayHit> {
        if self.radius() > 0.0 {
            let left = self.without_materials(options.ignored_materials);
            return left.map_or_else(Vec::new, |left| RoundedSearch::new(&left, ray, options).all());
        }
        Search::new(&Target::new(self), ray, options).all()
    }

    /// The nearest hit of each of many rays, in their order, on all threads with the feature `parallel`. Answers are those of
    /// [`cast_ray_with`](Self::cast_ray_with) for each, but faster.
    #[doc(alias = "raycast_batch")]
    pub fn cast_rays(&self, rays: &[Ray], options: RayOptions<'_>) -> Vec<Option<RayHit>> {
        many::cast_rays(self, rays, options)
    }

    /// The face that each of many rays hits first, and when, in their order: what [`cast_rays`](Self::cast_rays) finds, without the rest of
    /// the answer. On one thread, and without allocation.
    ///
    /// # Panics
    /// When there are not as many places for answers as there are rays.
    pub fn cast_rays_into(&self, rays: &[Ray], options: RayOptions<'_>, answers: &mut [Option<FirstFace>]) {
        many::cast_rays_into(self, rays, options, answers);
    }
}
