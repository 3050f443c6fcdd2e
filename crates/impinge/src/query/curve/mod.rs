//! The intersection curve of the surfaces of two models.
//!
//! Every corner of the curve has a name: the least feature of each model that it lies on, such as an edge of one and a
//! face of the other. A name stands for one point, and is found by signs of determinants alone, so neighboring faces
//! agree on it and the pieces are joined without comparing rounded coordinates. `docs/math/intersection-curve.md`
//! proves it.

mod chain;
mod contact;
mod coplanar;
mod faces;
mod name;
mod pieces;
pub(super) mod split;

pub use contact::ContactSurface;

use super::intersect::for_each_meeting;
use crate::model::Placed;
use crate::pair::frame::Frame;
use faces::Facets;
use impinge_core::math::DVec3;
use pieces::Pieces;

/// The intersection curve of the surfaces of two models.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct IntersectionCurve {
    /// The pieces of the curve, each as long as nothing branches off and its kind does not change.
    pub polylines: Vec<CurvePolyline>,
    /// The faces of the first model that intersect a face of the second, by the user's indices, ascending.
    pub faces_a: Vec<u32>,
    /// The faces of the second model that intersect a face of the first.
    pub faces_b: Vec<u32>,
}

/// A polyline of an intersection curve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct CurvePolyline {
    /// The corners of the polyline in the world, in order. The first is not repeated at the end of a closed one.
    pub points_in_world: Vec<DVec3>,
    /// The features that each corner lies on.
    pub nodes: Vec<CurveNode>,
    /// Whether the last corner is joined to the first.
    pub closed: bool,
    /// Whether the polyline bounds a patch in which faces of both models lie in one plane.
    pub coplanar: bool,
}

impl CurvePolyline {
    /// The length of the polyline in the world.
    pub fn length(&self) -> f64 {
        let steps: f64 = self.points_in_world.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        match (self.closed, self.points_in_world.first(), self.points_in_world.last()) {
            (true, Some(first), Some(last)) => steps + first.distance(*last),
            _ => steps,
        }
    }
}

/// A corner of an intersection curve, by the least features that it lies on. It is the only point that lies inside of both
/// features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct CurveNode {
    /// The feature of the first model that the corner lies on.
    pub on_a: CurveFeature,
    /// The feature of the second model that the corner lies on.
    pub on_b: CurveFeature,
}

/// A feature that a corner of the curve lies on: a vertex, the inside of an edge, or the inside of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum CurveFeature {
    /// A vertex: the least at its position.
    Vertex(u32),
    /// An edge.
    Edge {
        /// The ends of the edge, the lesser first: each the least vertex at its position.
        vertices: [u32; 2],
        /// Whether the edge is a diagonal of a polygon's fan, and no edge of any face.
        inner: bool,
    },
    /// A face, by the user's index.
    Face(u32),
}

impl Placed<'_> {
    /// The intersection curve of the surfaces of the two models: of rounded models, of their cores.
    ///
    /// Where closed models without self-intersections cross in general position, all polylines are closed. Where faces
    /// of both lie in one plane and overlap, the curve runs around the common patch, marked as
    /// [`coplanar`](CurvePolyline::coplanar). Where an edge lies on a face or on an edge without passing through, the
    /// curve may end. Single points of contact are not part of it.
    ///
    /// What the curve runs through is exact; its points are rounded.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let ball = Model::new(shapes::icosphere(1.0, 8)?);
    /// let curve = ball.at(Trs::IDENTITY).intersection_curve(&ball.at(Trs::translation([1.0, 0.1, 0.2])?));
    /// assert_eq!(curve.polylines.len(), 1);
    /// assert!(curve.polylines[0].closed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "intersection_line")]
    #[doc(alias = "surface_intersection")]
    pub fn intersection_curve(&self, other: &Placed<'_>) -> IntersectionCurve {
        let frame = Frame::of(self, other);
        let placed = [self, other];
        // The host first, so that nothing depends on which model was named first.
        let order = [frame.host, 1 - frame.host];
        let pairs = meeting_faces(&frame, placed);
        if pairs.is_empty() {
            return IntersectionCurve::default();
        }
        let facets = [0, 1].map(|i| {
            let faces = pairs.iter().map(|pair| pair[i]);
            Facets::new(&frame, order[i], placed[order[i]], faces)
        });
        let [faces_a, faces_b] = order.map(|i| {
            let mesh = placed[order[i]].model().mesh();
            let mut labels: Vec<u32> = pairs.iter().map(|pair| mesh.label(pair[i])).collect();
            labels.sort_unstable();
            labels.dedup();
            labels
        });
        let mut pieces = Pieces::default();
        for [host, guest] in pairs {
            for a in facets[0].of_face(host) {
                for b in facets[1].of_face(guest) {
                    pieces.add(&a, &b);
                }
            }
        }
        let polylines = chain::polylines(&pieces.finish(), |node| {
            let point = frame.to_world(name::position(node, [facets[0].points(), facets[1].points()]));
            let features = [0, 1].map(|i| facets[i].feature(node[i]));
            let [on_a, on_b] = order.map(|side| features[side]);
            (point, CurveNode { on_a, on_b })
        });
        IntersectionCurve { polylines, faces_a, faces_b }
    }
}

/// The pairs of faces that intersect, by their own numbers, the host's first, in ascending order.
fn meeting_faces(frame: &Frame, placed: [&Placed<'_>; 2]) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for_each_meeting(frame, placed, |meeting| pairs.push(meeting.faces()));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
