//! Patches: connected faces of a surface that do not meet another one are all on one side of it.

use super::surface::Surface;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// Where a face is, seen from another surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The face meets the other surface.
    Meeting,
    /// All of the face is inside of the other.
    Inside,
    /// All of the face is outside of the other.
    Outside,
}

/// The faces of a surface whose boxes are near the box of another surface, with their sides. Faces that follow each other are near each other.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) faces: Vec<(u32, Side)>,
}

/// So many faces of a patch are tried for one whose middle is well off the other surface.
const TRIES: usize = 8;

impl Sides {
    /// The sides of the first surface's faces no farther than `reach` from the box of the second. `meeting` are those that meet it, sorted. A distance of
    /// at most `slack` may be rounding.
    pub(super) fn of(
        [surface, other]: [&mut Surface<'_, '_>; 2],
        meeting: &[u32],
        reach: f64,
        slack: f64,
    ) -> Sides {
        let bounds = other.bounds();
        let reach = DVec3::splat(reach);
        let around = Aabb { min: bounds.min - reach, max: bounds.max + reach };
        let mut near: Vec<u32> = Vec::new();
        surface.for_each_face_near(&around, |face, _| near.push(face));
        // A face comes once for each of its triangles.
        near.dedup();
        let model = surface.placed.model();
        let mesh = model.mesh();
        let is_meeting = |face: u32| meeting.binary_search(&face).is_ok();
        let mut patches = Patches::new(mesh.vertex_count());
        for &face in near.iter().filter(|face| !is_meeting(**face)) {
            let mut corners = mesh.corners(face).map(|vertex| model.representative(vertex));
            let Some(first) = corners.next() else { continue };
            corners.for_each(|corner| patches.join(first, corner));
        }
        // The faces of each patch, after its root.
        let mut of_patch: Vec<(u32, u32)> = near
            .iter()
            .filter(|face| !is_meeting(**face) && mesh.corner_count(**face) > 0)
            .map(|&face| (patches.root(model.representative(mesh.corner(face, 0))), face))
            .collect();
        of_patch.sort_by_key(|(root, _)| *root);
        let mut inside: Vec<u32> = Vec::new();
        for patch in of_patch.chunk_by(|face, next| face.0 == next.0) {
            let root = patch[0].0;
            if is_inside(surface, other, patch, &bounds, slack) {
                inside.push(root);
            }
        }
        let mut side_of = |face: u32| {
            if is_meeting(face) || mesh.corner_count(face) == 0 {
                return Side::Meeting;
            }
            let root = patches.root(model.representative(mesh.corner(face, 0)));
            if inside.binary_search(&root).is_ok() { Side::Inside } else { Side::Outside }
        };
        let faces = near.into_iter().map(|face| (face, side_of(face))).collect();
        Sides { faces }
    }
}

/// Whether a patch is inside of another surface.
fn is_inside(
    surface: &Surface<'_, '_>,
    other: &mut Surface<'_, '_>,
    patch: &[(u32, u32)],
    bounds: &Aabb,
    slack: f64,
) -> bool {
    let source = &surface.source;
    let mesh = source.mesh();
    let place = |vertex: u32| source.place(mesh.vertex(vertex));
    let mut corners = patch.iter().flat_map(|(_, face)| mesh.corners(*face));
    if !corners.all(|vertex| bounds.contains(place(vertex))) {
        return false;
    }
    let step = patch.len().div_ceil(TRIES).max(1);
    let mut best: Option<(f64, DVec3)> = None;
    for (_, face) in patch.iter().step_by(step) {
        let count = mesh.corner_count(*face) as f64;
        let middle = mesh.corners(*face).map(place).sum::<DVec3>() / count;
        let Some(nearest) = other.nearest(middle, None) else { return false };
        if best.is_none_or(|(distance, _)| distance < nearest.distance) {
            best = Some((nearest.distance, middle));
        }
        if nearest.distance > slack {
            break;
        }
    }
    best.is_some_and(|(_, middle)| other.contains(middle))
}

/// Sets of vertices that grow together.
struct Patches {
    parents: Vec<u32>,
}

impl Patches {
    fn new(vertices: usize) -> Patches {
        Patches { parents: (0..vertices as u32).collect() }
    }

    fn root(&mut self, vertex: u32) -> u32 {
        let mut vertex = vertex as usize;
        while self.parents[vertex] as usize != vertex {
            let above = self.parents[self.parents[vertex] as usize];
            self.parents[vertex] = above;
            vertex = above as usize;
        }
        vertex as u32
    }

    fn join(&mut self, a: u32, b: u32) {
        let [a, b] = [self.root(a), self.root(b)];
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
