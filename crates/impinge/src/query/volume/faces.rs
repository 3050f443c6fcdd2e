//! The faces of a placed model against a volume, four triangles at a time.

use std::ops::ControlFlow;

use super::frame::Frame;
use crate::mesh::Mesh;
use crate::model::Ground;
use impinge_core::bvh::VolumeVisitor;
use impinge_core::heightfield::HeightField;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::volume::Solid;
use impinge_core::simd::{Lanes, Work};

/// A visitor of faces that touch, by the mesh's own numbers, a few at a time. Not generic: one traversal for each kind of
/// tree is enough code.
pub(super) type Found<'v> = &'v mut dyn FnMut(&[u32]) -> ControlFlow<()>;

/// Where corners come from.
#[derive(Clone, Copy)]
enum Source<'m> {
    /// The tables of an indexed triangle mesh, which most are.
    Table(&'m [DVec3], &'m [[u32; 3]]),
    /// A terrain without the faces of holes.
    Ground(HeightField<'m>),
    /// Faces of any kind, by their fans.
    Any,
}

impl Source<'_> {
    /// The corners of a triangle.
    #[inline(always)]
    fn corners(&self, face: u32) -> [DVec3; 3] {
        match self {
            Source::Table(points, triangles) => {
                let [a, b, c] = triangles[face as usize];
                [points[a as usize], points[b as usize], points[c as usize]]
            }
            Source::Ground(field) => {
                let in_row = field.columns - 1;
                let [first, right, across, above] = field.cell(face / 2 / in_row, face / 2 % in_row);
                if face & 1 == 0 { [first, right, across] } else { [first, across, above] }
            }
            Source::Any => [DVec3::ZERO; 3],
        }
    }
}

/// Tests faces, and shows those that touch.
pub(super) struct Faces<'v, 'm> {
    mesh: &'m Mesh,
    source: Source<'m>,
    solid: Solid,
    map: Option<DAffine3>,
    shrink: f64,
    /// Triangles that wait until there are four.
    waiting: [u32; 4],
    count: usize,
    pub(super) face_tests: u64,
    found: Found<'v>,
}

impl<'v, 'm> Faces<'v, 'm> {
    pub(super) fn new(mesh: &'m Mesh, frame: &Frame, found: Found<'v>) -> Faces<'v, 'm> {
        Faces {
            mesh,
            source: match mesh.triangle_table() {
                Some((points, triangles)) => Source::Table(points, triangles),
                None => Source::Any,
            },
            solid: frame.solid,
            map: frame.frame_from_model,
            shrink: frame.shrink,
            waiting: [0; 4],
            count: 0,
            face_tests: 0,
            found,
        }
    }

    /// The faces of a terrain, of which those of holes are never tested.
    pub(super) fn of_ground(
        mesh: &'m Mesh,
        ground: &Ground<'m>,
        frame: &Frame,
        found: Found<'v>,
    ) -> Faces<'v, 'm> {
        Faces { source: Source::Ground(ground.field), ..Faces::new(mesh, frame, found) }
    }

    /// Shows faces that touch.
    #[inline(always)]
    pub(super) fn found(&mut self, faces: &[u32]) -> ControlFlow<()> {
        (self.found)(faces)
    }

    #[inline(always)]
    fn place(&self, point: DVec3) -> DVec3 {
        match &self.map {
            None => point,
            // Coordinates times 1, nearly always, are the coordinates.
            Some(map) => map.transform_point3(point * self.shrink),
        }
    }

    /// Tests a face, now or when there are more.
    #[inline(always)]
    pub(super) fn test<L: Lanes>(&mut self, face: u32) -> ControlFlow<()> {
        if let Source::Any = self.source {
            return self.test_any(face);
        }
        self.waiting[self.count] = face;
        self.count += 1;
        if self.count == 4 { self.test_waiting::<L>() } else { ControlFlow::Continue(()) }
    }

    /// Tests the triangles that wait.
    #[inline(always)]
    pub(super) fn test_waiting<L: Lanes>(&mut self) -> ControlFlow<()> {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return ControlFlow::Continue(());
        }
        self.face_tests += count as u64;
        // The first stands in for those that are missing.
        let corners = [
            self.source.corners(self.waiting[0]),
            self.source.corners(self.waiting[if count > 1 { 1 } else { 0 }]),
            self.source.corners(self.waiting[if count > 2 { 2 } else { 0 }]),
            self.source.corners(self.waiting[if count > 3 { 3 } else { 0 }]),
        ];
        let four = [
            self.place_four([corners[0][0], corners[1][0], corners[2][0], corners[3][0]]),
            self.place_four([corners[0][1], corners[1][1], corners[2][1], corners[3][1]]),
            self.place_four([corners[0][2], corners[1][2], corners[2][2], corners[3][2]]),
        ];
        let decided = self.solid.look::<L>(&four);
        let present = (1 << count) - 1;
        let mut touching = decided.touching & present;
        let mut open = present & !(decided.touching | decided.apart);
        while open != 0 {
            let lane = open.trailing_zeros() as usize % 4;
            open &= open - 1;
            let corner = |i: usize| DVec3::new(four[i][0][lane], four[i][1][lane], four[i][2][lane]);
            if self.solid.touches_closely(&[corner(0), corner(1), corner(2)]) {
                touching |= 1 << lane;
            }
        }
        let (mut faces, mut count) = ([0; 4], 0);
        while touching != 0 {
            let lane = touching.trailing_zeros() as usize % 4;
            touching &= touching - 1;
            faces[count % 4] = self.waiting[lane];
            count += 1;
        }
        if count == 0 { ControlFlow::Continue(()) } else { (self.found)(&faces[..count]) }
    }

    /// Four vertices at once, coordinate by coordinate.
    #[inline(always)]
    fn place_four(&self, [a, b, c, d]: [DVec3; 4]) -> [[f64; 4]; 3] {
        let four = [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y], [a.z, b.z, c.z, d.z]];
        match &self.map {
            None => four,
            Some(map) => place_four(map, self.shrink, four),
        }
    }

    /// A face of any kind, by its fan.
    #[inline(never)]
    fn test_any(&mut self, face: u32) -> ControlFlow<()> {
        for triangle in self.mesh.fan(face) {
            self.face_tests += 1;
            if self.solid.touches(&triangle.map(|vertex| self.place(self.mesh.vertex(vertex)))) {
                return (self.found)(&[face]);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Four points at once, with the same operations in the same order as [`DAffine3::transform_point3`].
#[inline(always)]
fn place_four(map: &DAffine3, shrink: f64, points: [[f64; 4]; 3]) -> [[f64; 4]; 3] {
    let (x, y, z, t) = (map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis, map.translation);
    let mut placed = points;
    let mut i = 0;
    while i < 4 {
        let [px, py, pz] = [points[0][i] * shrink, points[1][i] * shrink, points[2][i] * shrink];
        placed[0][i] = x.x * px + y.x * py + z.x * pz + t.x;
        placed[1][i] = x.y * px + y.y * py + z.y * pz + t.y;
        placed[2][i] = x.z * px + y.z * py + z.z * pz + t.z;
        i += 1;
    }
    placed
}

/// All faces of a mesh, one after the other.
pub(super) struct AllFaces<'f, 'v, 'm>(pub(super) &'f mut Faces<'v, 'm>);

impl Work for AllFaces<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for face in 0..self.0.mesh.face_count() as u32 {
            if self.0.test::<L>(face).is_break() {
                return;
            }
        }
        let _ = self.0.test_waiting::<L>();
    }
}

impl VolumeVisitor for Faces<'_, '_> {
    #[inline(always)]
    fn inside(&mut self, elements: &[u32]) -> ControlFlow<()> {
        (self.found)(elements)
    }

    #[inline(always)]
    fn near<L: Lanes>(&mut self, elements: &[u32]) -> ControlFlow<()> {
        for &face in elements {
            self.test::<L>(face)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn end<L: Lanes>(&mut self) {
        let _ = self.test_waiting::<L>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Random;
    use impinge_core::math::DMat3;

    #[test]
    fn four_points_are_placed_like_one() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            let columns = [random.in_cube(), random.in_cube(), random.in_cube()];
            let map = DAffine3 {
                matrix3: DMat3::from_cols(columns[0], columns[1], columns[2]),
                translation: random.in_cube() * 100.0,
            };
            let points: [DVec3; 4] = std::array::from_fn(|_| random.in_cube());
            let four = place_four(&map, 1.0, [0, 1, 2].map(|axis| points.map(|point| point[axis])));
            for (i, point) in points.iter().enumerate() {
                let placed = map.transform_point3(*point);
                assert_eq!([four[0][i], four[1][i], four[2][i]], placed.to_array());
            }
        }
    }
}
