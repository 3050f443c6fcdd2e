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
mod curve;
mod frame;
mod itself;
mod search;
mod solid;
mod surface;
mod verdict;

pub use curve::{ContactSurface, CurveFeature, CurveNode, CurvePolyline, IntersectionCurve};
pub use search::Scratch;
pub use verdict::{Answer, Ask, Contained, FacePair, Verdict, Witness, Work};

use std::ops::ControlFlow;

use crate::model::{Placed, TreeOf, Trees};

impl Placed<'_> {
    /// Whether the two meet: anything but [`Verdict::Clear`].
    #[doc(alias = "collide")]
    #[doc(alias = "intersection_test")]
    pub fn intersects(&self, other: &Placed<'_>) -> bool {
        self.verdict(other) != Verdict::Clear
    }

    /// How the two stand to each other, as solids where their parts are closed.
    pub fn verdict(&self, other: &Placed<'_>) -> Verdict {
        brute::check(self, other, Ask::default()).verdict
    }

    /// A place where the two meet; `None` exactly when they are clear of each other.
    pub fn witness(&self, other: &Placed<'_>) -> Option<Witness> {
        brute::check(self, other, Ask::default()).witness
    }

    /// Every pair of faces that meet, by the user's indices, sorted.
    #[doc(alias = "contacts")]
    pub fn face_pairs(&self, other: &Placed<'_>) -> Vec<FacePair> {
        brute::check(self, other, Ask { pairs: true, surface_only: true }).pairs
    }

    /// Whether the surfaces of the two meet, by the tree of K-DOPs.
    pub fn surfaces_meet<const K: usize>(&self, other: &Placed<'_>, scratch: &mut Scratch) -> bool
    where
        Trees: TreeOf<K>,
    {
        self.surfaces_meet_work::<K>(other, scratch).0
    }

    /// The same, and how much work it took.
    pub fn surfaces_meet_work<const K: usize>(
        &self,
        other: &Placed<'_>,
        scratch: &mut Scratch,
    ) -> (bool, Work)
    where
        Trees: TreeOf<K>,
    {
        let frame = frame::Frame::of(self, other);
        let mut found = false;
        let work = search::by_trees::<K>(&frame, [self, other], scratch, |_| {
            found = true;
            ControlFlow::Break(())
        });
        (found, work)
    }

    /// Every pair of faces that meet, by the tree of K-DOPs.
    pub fn face_pairs_by_trees<const K: usize>(
        &self,
        other: &Placed<'_>,
        scratch: &mut Scratch,
    ) -> Vec<FacePair>
    where
        Trees: TreeOf<K>,
    {
        let frame = frame::Frame::of(self, other);
        let meshes = [self.model().mesh(), other.model().mesh()];
        let mut pairs = Vec::new();
        search::by_trees::<K>(&frame, [self, other], scratch, |meeting| {
            let [face_a, face_b] = [0, 1].map(|side| meshes[side].label(meeting.faces[side ^ frame.host]));
            pairs.push(FacePair { face_a, face_b, kind: meeting.kind });
            ControlFlow::Continue(())
        });
        pairs.sort_unstable();
        pairs.reverse();
        pairs.dedup_by_key(|pair| (pair.face_a, pair.face_b));
        pairs.reverse();
        pairs
    }
}
