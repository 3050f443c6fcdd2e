//! The faces of a placed model in the canonical frame, as facets: all of them in a list, or found through a tree.

use std::cell::Cell;

use super::frame::{Frame, row_sum};
use crate::mesh::Mesh;
use crate::model::{Model, Placed};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{DopTree, NearStack};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::tri_tri::{Corners4, Facet, Fan, TriPair4};
use impinge_core::simd::Lanes;

/// The name of a facet of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacetName {
    /// The face, by its number in the mesh.
    pub face: u32,
    /// The number of the facet in the face's fan.
    pub piece: u32,
}

/// A facet of a model in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FramedFacet {
    pub(crate) facet: Facet,
    pub(crate) bounds: Aabb,
    pub(crate) name: FacetName,
    /// The amount that passing through the facet from front to back adds to the winding number: 0 for open parts, 1 for closed
    /// ones, -1 for closed ones that are mirrored.
    pub(crate) weight: i32,
}

/// Triangles of the fans of faces, placed, under their names.
pub(crate) type PlacedPieces = Vec<(FacetName, [DVec3; 3])>;

/// Triangles of the fans of faces, under their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fans {
    /// Their corners, by the numbers of vertices.
    pub(crate) pieces: Vec<(FacetName, [u32; 3])>,
    /// The vertices of a mesh that has them nowhere in memory.
    points: Vec<DVec3>,
}

impl Fans {
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.points.clear();
    }
}

/// Two of some pieces, side by side; the last one, where it has no other, stands in both places.
#[inline(always)]
pub(crate) fn side_by_side(pieces: &[(FacetName, [DVec3; 3])]) -> TriPair4 {
    [pieces[0].1, pieces[pieces.len() - 1].1]
}

/// The points and the triangles of an indexed triangle mesh.
pub(crate) type Table<'m> = (&'m [DVec3], &'m [[u32; 3]]);

/// The faces of a placed model in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub struct FaceSource<'m> {
    pub(crate) model: &'m Model,
    map: Option<DAffine3>,
    shrink: f64,
    handedness: i32,
    /// The tables of an indexed triangle mesh, which most are.
    pub(crate) table: Option<Table<'m>>,
}

impl<'m> FaceSource<'m> {
    /// The faces of the first or the second model of a pair.
    #[inline]
    pub fn new(frame: &Frame, side: usize, placed: &Placed<'m>) -> FaceSource<'m> {
        let model = placed.model();
        FaceSource {
            model,
            map: frame.frame_from_model(side),
            shrink: frame.shrink(),
            handedness: frame.handedness[side],
            table: model.mesh().triangle_table(),
        }
    }

    /// The faces in another frame: coordinates are multiplied by `shrink`, then mapped.
    pub(crate) fn mapped(model: &'m Model, map: Option<DAffine3>, shrink: f64) -> FaceSource<'m> {
        FaceSource { model, map, shrink, handedness: 1, table: model.mesh().triangle_table() }
    }

    pub(crate) fn mesh(&self) -> &'m Mesh {
        self.model.mesh()
    }

    /// Places a point of the model in the frame: what "the placed vertices" means everywhere.
    #[inline(always)]
    pub(crate) fn place(&self, point: DVec3) -> DVec3 {
        match &self.map {
            None => point,
            // Coordinates times 1, nearly always, are the coordinates.
            Some(map) => map.transform_point3(point * self.shrink),
        }
    }

    /// Whether placing changes no coordinate.
    #[inline]
    pub(crate) fn is_placed_as_it_is(&self) -> bool {
        self.map.is_none()
    }

    /// All vertices, placed.
    pub(crate) fn vertices(&self) -> Vec<DVec3> {
        self.mesh().vertices().map(|vertex| self.place(vertex)).collect()
    }

    /// A box around the placed model.
    pub(crate) fn bounds(&self) -> Aabb {
        let bounds = self.model.bounds();
        match &self.map {
            None => bounds,
            Some(map) => Aabb { min: bounds.min * self.shrink, max: bounds.max * self.shrink }.image(map),
        }
    }

    /// One or two triangles of a table, placed; a single one stands in both places.
    #[inline(always)]
    pub(crate) fn triangles(&self, (points, triangles): Table<'_>, faces: &[u32]) -> TriPair4 {
        let first = triangles[faces[0] as usize];
        let last = triangles[faces[faces.len() - 1] as usize];
        let mut both = [[DVec3::ZERO; 3]; 2];
        let mut corner = 0;
        while corner < 3 {
            both[0][corner] = self.place(points[first[corner] as usize]);
            both[1][corner] = self.place(points[last[corner] as usize]);
            corner += 1;
        }
        both
    }

    /// Four triangles of a table, placed.
    #[inline(always)]
    pub(crate) fn corners<L: Lanes>(&self, table: Table<'_>, faces: [[u32; 2]; 2]) -> Corners4<L> {
        let [[a, b], [c, d]] = faces;
        let corners =
            [corners_of(table, a), corners_of(table, b), corners_of(table, c), corners_of(table, d)];
        self.place_four(&Corners4::new(corners))
    }

    /// Two triangles of the table of one of two models and two of the other's, placed.
    #[inline(always)]
    pub(crate) fn corners_of_both<L: Lanes>(
        [first, last]: &[FaceSource<'_>; 2],
        [table, other]: [Table<'_>; 2],
        faces: [[u32; 2]; 2],
    ) -> Corners4<L> {
        let [[a, b], [c, d]] = faces;
        let corners =
            [corners_of(table, a), corners_of(table, b), corners_of(other, c), corners_of(other, d)];
        let corners = Corners4::new(corners);
        // Nearly always the first are placed as they are, and the others only have to be mapped.
        Corners4::halves(&first.place_four(&corners), &last.place_four(&corners))
    }

    /// Four triangles, each corner as [`place`](Self::place) has it.
    #[inline(always)]
    fn place_four<L: Lanes>(&self, corners: &Corners4<L>) -> Corners4<L> {
        match &self.map {
            None => *corners,
            Some(map) if self.shrink == 1.0 => corners.mapped(map),
            Some(map) => corners.scaled(self.shrink).mapped(map),
        }
    }

    /// What all placed coordinates are below.
    #[inline]
    pub(crate) fn reach(&self) -> f64 {
        let reach = self.model.reach() * self.shrink;
        match &self.map {
            None => reach,
            Some(map) => {
                let most = row_sum(&map.matrix3) * reach + map.translation.abs().max_element();
                most * (1.0 + 8.0 * f64::EPSILON)
            }
        }
    }

    /// Prefetches the memory of two triangles of a table, or that of their corners.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes, const CORNERS: bool>(
        (points, triangles): Table<'_>,
        [first, last]: [u32; 2],
    ) {
        let (first, last) = (&triangles[first as usize], &triangles[last as usize]);
        if CORNERS {
            L::prefetch(&points[first[0] as usize]);
            L::prefetch(&points[first[1] as usize]);
            L::prefetch(&points[first[2] as usize]);
            L::prefetch(&points[last[0] as usize]);
            L::prefetch(&points[last[1] as usize]);
            L::prefetch(&points[last[2] as usize]);
        } else {
            L::prefetch(first);
            L::prefetch(last);
        }
    }

    /// Makes `fan` the placed fan of a face.
    pub fn fan(&self, face: u32, corners: &mut Vec<DVec3>, fan: &mut Fan) {
        corners.clear();
        corners.extend(self.mesh().corners(face).map(|vertex| self.place(self.mesh().vertex(vertex))));
        fan.set(corners);
    }

    /// The triangles of the fans of some faces, placed.
    pub(crate) fn pieces(&self, faces: &[u32], pieces: &mut PlacedPieces) {
        let mesh = self.mesh();
        pieces.clear();
        for &face in faces {
            let corners = mesh.corners(face).map(|vertex| self.place(mesh.vertex(vertex)));
            for_each_of_fan(corners, |piece, corners| pieces.push((FacetName { face, piece }, corners)));
        }
    }

    /// Adds the triangles of the fans of some faces, by their corners.
    #[inline(always)]
    pub(crate) fn add_fans(&self, faces: &[u32], fans: &mut Fans) {
        let mesh = self.mesh();
        let Fans { pieces, points } = fans;
        let mut add = |face, piece, corners| pieces.push((FacetName { face, piece }, corners));
        if let Some((_, corners, starts)) = mesh.polygon_table() {
            for &face in faces {
                let corners = &corners[starts[face as usize] as usize..starts[face as usize + 1] as usize];
                for_each_of_fan(corners.iter().copied(), |piece, corners| add(face, piece, corners));
            }
        } else if let Some((_, triangles)) = self.table {
            faces.iter().for_each(|&face| add(face, 0, triangles[face as usize]));
        } else if mesh.points().is_some() {
            for &face in faces {
                for_each_of_fan(mesh.corners(face), |piece, corners| add(face, piece, corners));
            }
        } else {
            // The vertices of terrains are nowhere in memory.
            for &face in faces {
                let first = points.len() as u32;
                points.extend(mesh.corners(face).map(|vertex| mesh.vertex(vertex)));
                for_each_of_fan(first..points.len() as u32, |piece, corners| add(face, piece, corners));
            }
        }
    }

    /// Four triangles of fans from one on, an even number, placed; the last two stand in the places that are left over.
    #[inline(always)]
    pub(crate) fn corners_of_fans<L: Lanes>(&self, fans: &Fans, first: usize) -> Corners4<L> {
        let Fans { pieces, points } = fans;
        let points = self.mesh().points().unwrap_or(points);
        let second = (first + 2).min(pieces.len() - 2);
        let corners = |piece: usize| {
            let [a, b, c] = pieces[piece].1;
            [&points[a as usize], &points[b as usize], &points[c as usize]]
        };
        let corners = [corners(first), corners(first + 1), corners(second), corners(second + 1)];
        self.place_four(&Corners4::new(corners))
    }

    /// The facets of a face.
    pub(crate) fn framed(
        &self,
        face: u32,
        corners: &mut Vec<DVec3>,
        fan: &mut Fan,
        mut visit: impl FnMut(&FramedFacet),
    ) {
        let weight = if self.model.is_closed_face(face) { self.handedness } else { 0 };
        let mut show = |piece: u32, facet: Facet| {
            let name = FacetName { face, piece };
            visit(&FramedFacet { facet, bounds: Aabb::around(facet.corners), name, weight });
        };
        if let Some((points, triangles)) = self.table {
            let corners = triangles[face as usize].map(|vertex| self.place(points[vertex as usize]));
            show(0, Facet::from(corners));
            return;
        }
        self.fan(face, corners, fan);
        for (piece, &facet) in fan.facets().iter().enumerate() {
            show(piece as u32, facet);
        }
    }

    /// All facets.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&FramedFacet)) {
        let (mut corners, mut fan) = (Vec::new(), Fan::default());
        for face in 0..self.mesh().face_count() as u32 {
            self.framed(face, &mut corners, &mut fan, &mut visit);
        }
    }

    /// An edge of a part, or its one point twice.
    pub(crate) fn edge_of_part(&self, part: u32, corners: &mut Vec<DVec3>, fan: &mut Fan) -> [DVec3; 2] {
        let edge = self.model.part_faces(part).iter().find_map(|&face| {
            self.fan(face, corners, fan);
            let edges = fan.facets().iter().flat_map(|facet| {
                let [a, b, c] = facet.corners;
                [[a, b], [b, c], [c, a]]
            });
            edges.into_iter().find(|[p, q]| p != q)
        });
        edge.unwrap_or_else(|| [corners[0]; 2])
    }
}

/// Calls `visit` with the triangles of the fan of a face with some corners, by their numbers.
#[inline(always)]
fn for_each_of_fan<C: Copy>(mut corners: impl Iterator<Item = C>, mut visit: impl FnMut(u32, [C; 3])) {
    let Some(first) = corners.next() else { return };
    let mut before = corners.next().unwrap_or(first);
    // A segment ends where it ends, and a point is where it is: as in a fan.
    let mut next = corners.next().unwrap_or(before);
    let mut piece = 0;
    loop {
        visit(piece, [first, before, next]);
        let Some(corner) = corners.next() else { break };
        (before, next) = (next, corner);
        piece += 1;
    }
}

/// The corners of a triangle of a table.
#[inline(always)]
fn corners_of<'t>((points, triangles): Table<'t>, face: u32) -> [&'t DVec3; 3] {
    let [a, b, c] = triangles[face as usize];
    [&points[a as usize], &points[b as usize], &points[c as usize]]
}

/// A search for the facets near a place.
pub(crate) trait Facets {
    fn source(&self) -> &FaceSource<'_>;
    /// Calls `visit` with every facet whose box overlaps the given one.
    fn near(&self, bounds: &Aabb, visit: &mut dyn FnMut(&FramedFacet));
    /// Calls `visit` with every facet that a ray hits, and with some others.
    fn on_ray(&self, ray: &FrameRay, visit: &mut dyn FnMut(&FramedFacet));
    /// Calls `visit` with every part whose box overlaps the given one, and perhaps with others; with each once.
    fn parts_near(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32));
}

/// A ray in the frame of a pair, or in that of a tree.
#[derive(Clone, Copy, Debug)]
pub struct FrameRay {
    /// The start of the ray.
    pub origin: DVec3,
    /// The direction of the ray, of any length.
    pub direction: DVec3,
    /// The error bound of each coordinate of the origin.
    pub error: f64,
}

/// All facets in a list.
pub(crate) struct FacetList<'m> {
    pub(crate) source: FaceSource<'m>,
    pub(crate) facets: Vec<FramedFacet>,
    pub(crate) bounds: Aabb,
}

impl<'m> FacetList<'m> {
    pub(crate) fn new(source: FaceSource<'m>) -> FacetList<'m> {
        let mut facets = Vec::with_capacity(source.mesh().triangle_count());
        source.for_each(|facet| facets.push(*facet));
        let bounds = facets.iter().fold(Aabb::EMPTY, |bounds, facet| bounds.merge(facet.bounds));
        FacetList { source, facets, bounds }
    }
}

impl Facets for FacetList<'_> {
    fn source(&self) -> &FaceSource<'_> {
        &self.source
    }

    fn near(&self, bounds: &Aabb, visit: &mut dyn FnMut(&FramedFacet)) {
        self.facets.iter().filter(|facet| facet.bounds.overlaps(bounds)).for_each(visit);
    }

    fn on_ray(&self, _: &FrameRay, visit: &mut dyn FnMut(&FramedFacet)) {
        self.facets.iter().for_each(visit);
    }

    fn parts_near(&self, _: &Aabb, visit: &mut dyn FnMut(u32)) {
        (0..self.source.model.part_count() as u32).for_each(visit);
    }
}

/// A tree over the faces of a model, whatever its kind.
pub trait FaceTree {
    /// The stack of a traversal.
    type Stack: Default;
    /// Calls `visit` once with every face that may share a point with the box.
    fn near(&self, bounds: &Aabb, stack: &mut Self::Stack, visit: impl FnMut(u32));
    /// Calls `visit` once with every face that the ray may hit.
    fn on_ray(&self, ray: &FrameRay, stack: &mut Self::Stack, visit: impl FnMut(u32));
}

impl<const K: usize> FaceTree for DopTree<K> {
    type Stack = NearStack;

    fn near(&self, bounds: &Aabb, stack: &mut NearStack, visit: impl FnMut(u32)) {
        self.for_each_near(bounds, stack, visit);
    }

    fn on_ray(&self, ray: &FrameRay, stack: &mut NearStack, visit: impl FnMut(u32)) {
        self.for_each_on_ray(ray.origin, ray.direction, ray.error, stack, visit);
    }
}

/// Facets found through a tree.
pub(crate) struct TreeFacets<'m, T: FaceTree> {
    source: FaceSource<'m>,
    tree: &'m T,
    /// From the frame to the model's own frame, and how far off that may be; `None` where they are the same.
    model_from_frame: Option<(DAffine3, f64)>,
    memory: Cell<Memory<T::Stack>>,
}

/// The memory of the search for facets.
#[derive(Default)]
struct Memory<S> {
    stack: S,
    /// For the tree of the parts.
    parts: NearStack,
    corners: Vec<DVec3>,
    fan: Fan,
}

impl<'m, T: FaceTree> TreeFacets<'m, T> {
    pub(crate) fn new(
        source: FaceSource<'m>,
        tree: &'m T,
        model_from_frame: Option<(DAffine3, f64)>,
    ) -> TreeFacets<'m, T> {
        TreeFacets { source, tree, model_from_frame, memory: Cell::default() }
    }

    /// A box around the image of a box in the model's own frame.
    fn in_model(&self, bounds: &Aabb) -> Aabb {
        match &self.model_from_frame {
            None => *bounds,
            Some((map, error)) => {
                let image = bounds.image(map);
                Aabb { min: image.min - DVec3::splat(*error), max: image.max + DVec3::splat(*error) }
            }
        }
    }
}

impl<T: FaceTree> Facets for TreeFacets<'_, T> {
    fn source(&self) -> &FaceSource<'_> {
        &self.source
    }

    fn near(&self, bounds: &Aabb, visit: &mut dyn FnMut(&FramedFacet)) {
        let in_model = self.in_model(bounds);
        // Taken out, so that a visitor may search as well.
        let mut memory = self.memory.take();
        let Memory { stack, corners, fan, .. } = &mut memory;
        self.tree.near(&in_model, stack, |face| {
            self.source.framed(face, corners, fan, |facet| {
                if facet.bounds.overlaps(bounds) {
                    visit(facet);
                }
            });
        });
        self.memory.set(memory);
    }

    fn on_ray(&self, ray: &FrameRay, visit: &mut dyn FnMut(&FramedFacet)) {
        let FrameRay { origin, direction, error } = *ray;
        let in_model = match &self.model_from_frame {
            None => *ray,
            Some((map, error_of_map)) => {
                // The ray ends where the model does.
                let bounds = self.source.bounds();
                let reach = origin.abs().max(bounds.min.abs()).max(bounds.max.abs()).max_element();
                let stretch = (map.matrix3.abs() * DVec3::ONE).max_element();
                let size = stretch * reach + map.translation.abs().max_element();
                FrameRay {
                    origin: map.transform_point3(origin),
                    direction: map.matrix3 * direction,
                    error: error_of_map + stretch * error + 64.0 * f64::EPSILON * size,
                }
            }
        };
        let mut memory = self.memory.take();
        let Memory { stack, corners, fan, .. } = &mut memory;
        self.tree.on_ray(&in_model, stack, |face| {
            self.source.framed(face, corners, fan, &mut *visit);
        });
        self.memory.set(memory);
    }

    fn parts_near(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        let Some(tree) = self.source.model.part_tree() else {
            return (0..self.source.model.part_count() as u32).for_each(visit);
        };
        let mut memory = self.memory.take();
        tree.for_each_near(&self.in_model(bounds), &mut memory.parts, visit);
        self.memory.set(memory);
    }
}
