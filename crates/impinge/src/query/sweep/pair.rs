//! The features of two triangles against each other: six vertices against faces, nine pairs of edges; less what others test.

use super::answer::{Shortcuts, SweepWork};
use super::sides::Sides;
use super::ways;
use crate::bounds::Aabb;
use crate::math::DVec3;
use crate::model::{Counting, OwnFeatures};
use crate::narrow::expel::{Entry, ExpelZone};
use crate::narrow::path::{self, RigidPath};
use crate::narrow::prism::Prism;
use crate::narrow::rotate::{self, ArcPoint, ArcTurn};
use crate::narrow::translate;
use crate::query::surface::{FaceSource, FacetName};

/// What the moving body does, in the frame. Times are fractions of a translation, and half-angle tangents of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Move {
    /// By this much in a unit of time.
    Line(DVec3),
    /// About an axis.
    Arc(ArcTurn),
    /// Both at once.
    Path(RigidPath),
}

/// A triangle of a face's fan where it is at the start, with what it has to test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) name: FacetName,
    pub(super) corners: [DVec3; 3],
    pub(super) vertices: [u32; 3],
    /// Boxes around the corners: of the moving body, around their ways while features are looked at; but for motions along a
    /// line, of which [`ways::may_meet`] knows better.
    ways: [Aabb; 3],
    own: OwnFeatures,
    /// Whether only its front can be met.
    front_only: bool,
}

impl Piece {
    /// A box around the way of an edge.
    #[inline(always)]
    fn edge_way(&self, corner: usize) -> Aabb {
        self.ways[corner].merge(self.ways[(corner + 1) % 3])
    }

    /// A box around the way of the triangle.
    #[inline(always)]
    fn way(&self) -> Aabb {
        self.ways[0].merge(self.ways[1]).merge(self.ways[2])
    }
}

/// Which features of two triangles. The order decides between features that meet at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FeaturePair {
    /// A corner of the moving triangle and the other's face.
    VertexFace(u8),
    /// The moving face and a corner of the other.
    FaceVertex(u8),
    /// The edges that begin at these corners.
    Edges(u8, u8),
}

/// The earliest meeting so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) pieces: [Piece; 2],
    pub(super) features: FeaturePair,
}

/// Tests pairs of triangles and keeps the earliest meeting.
pub(super) struct Tester<'s, 'm> {
    pub(super) sources: &'s [FaceSource<'m>; 2],
    pub(super) motion: Move,
    pub(super) zone: ExpelZone,
    /// What comes later than this does not matter.
    pub(super) horizon: f64,
    /// When the features that are tested may meet, of what is not solved for all times at once.
    pub(super) window: [f64; 2],
    /// Of a motion along a line, the times for a unit of length along each axis.
    pace: DVec3,
    pub(super) found: Option<Found>,
    pub(super) work: SweepWork,
    sides: Sides<'s, 'm>,
    counting: Counting,
    two_sided: bool,
    culling: bool,
}

impl<'s, 'm> Tester<'s, 'm> {
    pub(super) fn new(
        sources: &'s [FaceSource<'m>; 2],
        handedness: [f64; 2],
        motion: Move,
        zone: ExpelZone,
        horizon: f64,
        shortcuts: Shortcuts,
        two_sided: bool,
    ) -> Tester<'s, 'm> {
        Tester {
            sources,
            motion,
            zone,
            horizon,
            window: [0.0, horizon],
            pace: if let Move::Line(velocity) = motion { ways::pace(velocity) } else { DVec3::ZERO },
            found: None,
            work: SweepWork::default(),
            sides: Sides { sources, handedness, core: zone.core, two_sided },
            counting: Counting { once: shortcuts.once, reachable: shortcuts.internal && !two_sided },
            two_sided,
            culling: shortcuts.culling && !two_sided,
        }
    }

    /// A triangle of a model's face, placed, with what it has to test.
    pub(super) fn piece(&self, side: usize, name: FacetName) -> Piece {
        self.complete(side, self.corners(side, name))
    }

    /// A triangle of a model's face, placed.
    #[inline]
    fn corners(&self, side: usize, name: FacetName) -> Piece {
        let source = &self.sources[side];
        let (vertices, corners) = match source.table {
            Some((points, triangles)) => {
                let vertices = triangles[name.face as usize];
                (vertices, vertices.map(|vertex| source.place(points[vertex as usize])))
            }
            None => {
                let vertices = source.mesh().fan_triangle(name.face, name.piece as usize);
                (vertices, vertices.map(|vertex| source.place(source.mesh().vertex(vertex))))
            }
        };
        let ways = match (side, self.window()) {
            (0, Some(window)) => corners.map(|corner| ways::of_point(&self.motion, corner, window)),
            _ => corners.map(|corner| Aabb { min: corner, max: corner }),
        };
        Piece {
            name,
            corners,
            vertices,
            ways,
            own: OwnFeatures { vertices: [false; 3], edges: [false; 3] },
            front_only: false,
        }
    }

    /// The same with what it has to test.
    #[inline]
    fn complete(&self, side: usize, piece: Piece) -> Piece {
        let model = self.sources[side].model;
        Piece {
            own: model.own_features(piece.name.face, piece.name.piece, self.counting),
            front_only: !self.two_sided && model.is_front_only(piece.name.face),
            ..piece
        }
    }

    /// Tests two triangles.
    pub(super) fn test(&mut self, pieces: [&Piece; 2]) {
        self.work.face_tests += 1;
        for side in 0..2 {
            self.test_vertices(pieces, side);
        }
        let [moving, still] = pieces;
        for i in 0..3 {
            if !moving.own.edges[i] {
                continue;
            }
            let (edge, way) = ([moving.corners[i], moving.corners[(i + 1) % 3]], moving.edge_way(i));
            for j in 0..3 {
                if still.own.edges[j] && self.may_meet(&way, &still.edge_way(j)) {
                    let other = [still.corners[j], still.corners[(j + 1) % 3]];
                    let features = FeaturePair::Edges(i as u8, j as u8);
                    self.test_edges(pieces, edge, other, features);
                }
            }
        }
    }

    /// Tests the vertices of one triangle, the moving one (0) or the other (1), against the face of the other.
    fn test_vertices(&mut self, pieces: [&Piece; 2], side: usize) {
        let [own, face] = [pieces[side], pieces[1 - side]];
        let way = face.way();
        let mut known = None;
        for corner in 0..3_u8 {
            let ways = [&own.ways[corner as usize], &way];
            if !own.own.vertices[corner as usize] || !self.may_meet(ways[side], ways[1 - side]) {
                continue;
            }
            let (prism, is_culled) = *known.get_or_insert_with(|| {
                let prism = Prism::over_triangle(&face.corners, self.against(side), &self.zone);
                (prism, self.is_culled(&prism, face, 1 - side))
            });
            if is_culled {
                return;
            }
            let entry = self.vertex_entry(&prism, side, own.corners[corner as usize], &face.corners);
            let features = [FeaturePair::VertexFace(corner), FeaturePair::FaceVertex(corner)][side];
            self.offer(entry, &prism, pieces, features);
        }
    }

    /// Whether two triangles can meet, as far as their boxes tell.
    pub(super) fn triangles_may_meet(&self, moving: &Piece, still: &Piece) -> bool {
        self.may_meet(&moving.way(), &still.way())
    }

    /// Whether boxes around features meet during the times that are looked at.
    #[inline(always)]
    fn may_meet(&self, moving: &Aabb, still: &Aabb) -> bool {
        let reach = self.zone.thickness + 4.0 * self.zone.core;
        match self.motion {
            Move::Line(velocity) => {
                ways::may_meet_on_line(moving, still, velocity, self.pace, self.horizon, reach)
            }
            _ => ways::overlap(moving, still, reach),
        }
    }

    /// The way from which the features of a side come, for faces that have no normal of their own.
    fn against(&self, side: usize) -> DVec3 {
        let velocity = match &self.motion {
            Move::Line(velocity) => *velocity,
            Move::Arc(_) => DVec3::ZERO,
            Move::Path(path) => path.velocity,
        };
        if side == 0 { -velocity } else { velocity }
    }

    /// Whether a face is met from the front only, and all of it moves away with that: then it is met by no vertex.
    fn is_culled(&self, prism: &Prism, face: &Piece, side: usize) -> bool {
        if !self.culling || !face.front_only || !prism.has_sides {
            return false;
        }
        // How vertices move relative to the face, if they are at it.
        let sign = if side == 1 { self.sides.handedness[side] } else { -self.sides.handedness[side] };
        let outward = prism.normal * sign;
        match self.motion {
            Move::Line(velocity) => outward.dot(velocity) > 1e-14 * velocity.abs().element_sum(),
            Move::Arc(turn) => face.corners.iter().all(|corner| {
                let arm = *corner - turn.centre;
                // Vertices are at the face when they are in its zone: their arms may be so much longer or shorter.
                let room = 2.0 * (self.zone.thickness + 4.0 * self.zone.core);
                outward.dot(turn.axis.cross(arm)) > room + 1e-13 * arm.abs().element_sum()
            }),
            Move::Path(_) => false,
        }
    }

    /// When a vertex of one side enters the zone over a face of the other.
    #[inline]
    fn vertex_entry(&self, prism: &Prism, side: usize, point: DVec3, face: &[DVec3; 3]) -> Entry {
        match &self.motion {
            Move::Line(velocity) => {
                let velocity = if side == 0 { *velocity } else { -*velocity };
                translate::enter(prism, point, velocity, self.horizon, &self.zone)
            }
            Move::Arc(turn) => {
                let turn = if side == 0 { *turn } else { turn.reversed() };
                rotate::enter(prism, &ArcPoint::new(&turn, point), self.horizon, &self.zone)
            }
            Move::Path(path) => match (self.window(), side) {
                (None, _) => Entry::Never,
                (Some(window), 0) => path::vertex_meets_face(path, point, face, window, &self.zone),
                (Some(window), _) => path::face_meets_vertex(path, face, point, window, &self.zone),
            },
        }
    }

    fn test_edges(
        &mut self,
        pieces: [&Piece; 2],
        edge: [DVec3; 2],
        other: [DVec3; 2],
        features: FeaturePair,
    ) {
        let ([a, b], [c, d]) = (edge, other);
        let prism = |tester: &Tester<'_, '_>| {
            Prism::over_parallelogram(&[c - a, d - a, d - b, c - b], tester.against(0), &tester.zone)
        };
        let entry = match &self.motion {
            Move::Line(velocity) => {
                let prism = prism(self);
                let entry = translate::enter(&prism, DVec3::ZERO, *velocity, self.horizon, &self.zone);
                return self.offer(entry, &prism, pieces, features);
            }
            Move::Arc(turn) => rotate::edges_meet(turn, edge, other, self.horizon, &self.zone),
            Move::Path(path) => match self.window() {
                None => Entry::Never,
                Some(window) => path::edges_meet(path, edge, other, window, &self.zone),
            },
        };
        if entry == Entry::Never {
            self.work.feature_tests += 1;
        } else {
            self.offer(entry, &prism(self), pieces, features);
        }
    }

    /// The times that are looked at now; none where they are later than what was found.
    fn window(&self) -> Option<[f64; 2]> {
        let [from, to] = [self.window[0], self.window[1].min(self.horizon)];
        (from <= to).then_some([from, to])
    }

    /// Tests all triangles of some faces of the moving body against those of faces of the other.
    pub(super) fn test_faces(&mut self, moving: &[u32], still: &[u32]) {
        for &face in moving {
            for piece in 0..self.sources[0].mesh().fan_count(face) as u32 {
                let first = self.corners(0, FacetName { face, piece });
                let mut whole = None;
                for &face in still {
                    for piece in 0..self.sources[1].mesh().fan_count(face) as u32 {
                        let second = self.corners(1, FacetName { face, piece });
                        if self.triangles_may_meet(&first, &second) {
                            let first = *whole.get_or_insert_with(|| self.complete(0, first));
                            let second = self.complete(1, second);
                            self.test([&first, &second]);
                        }
                    }
                }
            }
        }
    }

    /// How far the moving body reaches from a point, or from an axis through it.
    pub(super) fn radius(&self, centre: &DVec3, axis: Option<DVec3>) -> f64 {
        let bounds = self.sources[0].bounds();
        let mut radius = 0.0_f64;
        for corner in 0..8 {
            let end = |bit: usize| [bounds.min, bounds.max][corner >> bit & 1];
            let arm = DVec3::new(end(0).x, end(1).y, end(2).z) - *centre;
            let across = axis.map_or(arm, |axis| arm - axis * axis.dot(arm));
            radius = radius.max(across.length());
        }
        radius * (1.0 + 1e-9)
    }

    /// Takes a meeting, if it is the earliest; of several at the same time that of the least faces.
    #[inline]
    fn offer(&mut self, entry: Entry, prism: &Prism, pieces: [&Piece; 2], features: FeaturePair) {
        self.work.feature_tests += 1;
        let time = match entry {
            Entry::Never => return,
            Entry::At(time) => time,
            Entry::Started(start) => {
                let parts = start.parts_sideways
                    || self.sides.of(prism, pieces, features, start.along_normal) * start.along_normal > 1.0;
                match (parts, start.again) {
                    (true, None) => return,
                    (true, Some(time)) => time,
                    (false, _) => 0.0,
                }
            }
        };
        let key = |pieces: [&Piece; 2], features: FeaturePair| {
            let [a, b] = pieces.map(|piece| (piece.name.face, piece.name.piece));
            (a, b, features)
        };
        let is_less =
            |found: &Found| key(pieces, features) < key([&found.pieces[0], &found.pieces[1]], found.features);
        if time < self.horizon || (time == self.horizon && self.found.as_ref().is_none_or(is_less)) {
            self.horizon = time;
            self.found = Some(Found { time, pieces: pieces.map(|piece| *piece), features });
        }
    }
}
