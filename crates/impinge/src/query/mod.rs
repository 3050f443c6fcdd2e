//! Questions about a pair of placed models.
//!
//! ```
//! use impinge::{Mesh, Model, Trs, Verdict};
//!
//! let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
//! let tetrahedron = Model::new(Mesh::triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let a = tetrahedron.at(Trs::IDENTITY);
//!
//! assert_eq!(a.verdict(&tetrahedron.at(Trs::translation([0.25, 0.0, 0.0])?)), Verdict::Overlapping);
//! assert_eq!(a.verdict(&tetrahedron.at(Trs::translation([1.0, 0.0, 0.0])?)), Verdict::Touching);
//! assert!(!a.intersects(&tetrahedron.at(Trs::translation([1.5, 0.0, 0.0])?)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod brute;
mod cache;
mod check;
mod curve;
mod frame;
mod itself;
mod keys;
pub mod ray;
mod search;
mod solid;
mod surface;
mod verdict;
mod volume;

pub use cache::PairCache;
pub use check::{check, intersects, intersects_counted};
pub use curve::{ContactSurface, CurveFeature, CurveNode, CurvePolyline, IntersectionCurve};
pub use search::Scratch;
pub use verdict::{Answer, Ask, Contained, Engine, FacePair, Verdict, Witness, Work};
pub use volume::{Volume, faces_touching, for_each_face_touching};

use std::cell::RefCell;

use crate::model::Placed;

thread_local! {
    /// For the methods of [`Placed`], so that they too allocate nothing in the long run.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Placed<'_> {
    /// [`check`] with memory of its own.
    pub fn check(&self, other: &Placed<'_>, ask: Ask) -> Answer {
        SCRATCH.with_borrow_mut(|scratch| check(self, other, ask, scratch))
    }

    /// Whether the two meet: anything but [`Verdict::Clear`].
    #[doc(alias = "collide")]
    #[doc(alias = "intersection_test")]
    pub fn intersects(&self, other: &Placed<'_>) -> bool {
        SCRATCH.with_borrow_mut(|scratch| intersects(self, other, Ask::default(), scratch))
    }

    /// How the two stand to each other, as solids where their parts are closed.
    pub fn verdict(&self, other: &Placed<'_>) -> Verdict {
        self.check(other, Ask::default()).verdict
    }

    /// A place where the two meet; `None` exactly when they are clear of each other.
    pub fn witness(&self, other: &Placed<'_>) -> Option<Witness> {
        self.check(other, Ask::default()).witness
    }

    /// Every pair of faces that meet, by the user's indices, sorted.
    #[doc(alias = "contacts")]
    pub fn face_pairs(&self, other: &Placed<'_>) -> Vec<FacePair> {
        self.check(other, Ask { pairs: true, surface_only: true, ..Ask::default() }).pairs
    }
}
