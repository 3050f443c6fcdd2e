//! Edges and parts by definition: all pairs of faces, compared by positions.

use proptest::prelude::*;

use super::*;
use impinge_core::predicates::{Sign, orient3d};

/// The directed edges of a face's boundary, by position.
fn walk(mesh: &Mesh, face: u32) -> Vec<[DVec3; 2]> {
    let corners: Vec<_> = mesh.corners(face).map(|vertex| mesh.vertex(vertex)).collect();
    let pairs = (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
    pairs.filter(|[from, to]| from != to).collect()
}

fn group_of(mesh: &Mesh, face: u32) -> Option<usize> {
    mesh.groups().iter().rposition(|group| group.first_face <= face)
}

/// The part of each face, numbered by least face, and whether each part is closed.
fn parts_by_definition(mesh: &Mesh) -> (Vec<Option<u32>>, Vec<bool>) {
    let faces = mesh.face_count() as u32;
    let walks: Vec<_> = (0..faces).map(|face| walk(mesh, face)).collect();
    let meet = |a: u32, b: u32| {
        group_of(mesh, a) == group_of(mesh, b)
            && walks[a as usize]
                .iter()
                .any(|[u, v]| walks[b as usize].iter().any(|edge| edge == &[*u, *v] || edge == &[*v, *u]))
    };
    let mut part_of_face = vec![None; faces as usize];
    let mut closed = Vec::new();
    for first in 0..faces {
        if part_of_face[first as usize].is_some() || mesh.corner_count(first) == 0 {
            continue;
        }
        let number = closed.len() as u32;
        let mut members = vec![first];
        part_of_face[first as usize] = Some(number);
        for at in 0.. {
            let Some(&face) = members.get(at) else { break };
            for other in 0..faces {
                if part_of_face[other as usize].is_none() && meet(face, other) {
                    part_of_face[other as usize] = Some(number);
                    members.push(other);
                }
            }
        }
        let edges: Vec<_> = members.iter().flat_map(|&face| walks[face as usize].clone()).collect();
        let count = |edge: [DVec3; 2]| edges.iter().filter(|other| **other == edge).count();
        let balanced = edges.iter().all(|&[u, v]| count([u, v]) == count([v, u]));
        let spread = members.iter().any(|&face| {
            let mut points: Vec<_> = mesh.corners(face).map(|v| mesh.vertex(v).to_array()).collect();
            points.sort_by(|a, b| a.partial_cmp(b).unwrap());
            points.dedup();
            points.len() >= 3
        });
        closed.push(balanced && spread);
    }
    (part_of_face, closed)
}

/// The kind of an edge from the faces along it, in integers: lattices allow it.
fn kind_by_definition(mesh: &Mesh, edge: [DVec3; 2]) -> EdgeKind {
    let mut along = Vec::new();
    for face in 0..mesh.face_count() as u32 {
        let corners: Vec<_> = mesh.corners(face).map(|vertex| mesh.vertex(vertex)).collect();
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            if [from, to] == edge || [to, from] == edge {
                // The one fan triangle with this side.
                let last = corners.len() - 1;
                let apex = match (corners.len(), i) {
                    (0..3, _) => None,
                    (_, 0) => Some(corners[2]),
                    (_, i) if i == last => Some(corners[last - 1]),
                    _ => Some(corners[0]),
                };
                along.push((from, to, apex));
            }
        }
    }
    let normal = |(from, to, apex): (DVec3, DVec3, Option<DVec3>)| {
        apex.map_or(DVec3::ZERO, |apex| (to - from).cross(apex - from))
    };
    if along.iter().any(|run| normal(*run) == DVec3::ZERO) {
        return EdgeKind::Irregular;
    }
    match along[..] {
        [_] => EdgeKind::Dangling,
        [a, b] if a.0 == b.1 => {
            let height = normal(a).dot(b.2.unwrap() - a.0);
            assert_eq!(height, normal(b).dot(a.2.unwrap() - b.0));
            assert_eq!(Sign::of(height), orient3d(a.0, a.1, a.2.unwrap(), b.2.unwrap()));
            match Sign::of(height) {
                Sign::Negative => EdgeKind::Convex,
                Sign::Positive => EdgeKind::Internal,
                Sign::Zero if normal(a).dot(normal(b)) > 0.0 => EdgeKind::Coplanar,
                Sign::Zero => EdgeKind::Irregular,
            }
        }
        _ => EdgeKind::Irregular,
    }
}

fn check(mesh: Mesh) -> Result<(), TestCaseError> {
    let model = Model::new(mesh);
    let mesh = model.mesh();
    let position = |vertex: u32| mesh.vertex(vertex);

    let mut runs = 0;
    for (number, edge) in model.edges().iter().enumerate() {
        let [u, v] = edge.vertices;
        prop_assert!(u < v && model.representative(u) == u && model.representative(v) == v);
        prop_assert!(number == 0 || model.edges()[number - 1].vertices < edge.vertices);
        prop_assert_eq!(edge.kind, kind_by_definition(mesh, edge.vertices.map(position)));
        let faces = model.edge_faces(number as u32);
        prop_assert!(faces.windows(2).all(|w| (w[0].face, w[0].corner) < (w[1].face, w[1].corner)));
        for along in faces {
            let corner = along.corner as usize;
            let next = (corner + 1) % mesh.corner_count(along.face);
            let ends = [corner, next].map(|corner| position(mesh.corner(along.face, corner)));
            let expected = if along.forward { [u, v] } else { [v, u] };
            prop_assert_eq!(ends, expected.map(position));
            prop_assert_eq!(model.edge_at(along.face, corner), Some(number as u32));
        }
        runs += faces.len();
    }
    let all_runs: usize = (0..mesh.face_count() as u32).map(|face| walk(mesh, face).len()).sum();
    prop_assert_eq!(runs, all_runs);

    let (part_of_face, closed) = parts_by_definition(mesh);
    for face in 0..mesh.face_count() as u32 {
        prop_assert_eq!(model.part_of_face(face), part_of_face[face as usize]);
        let part = part_of_face[face as usize];
        prop_assert_eq!(model.is_closed_face(face), part.is_some_and(|part| closed[part as usize]));
    }
    for (number, part) in model.parts().iter().enumerate() {
        let faces = model.part_faces(number as u32);
        let expected: Vec<_> = (0..mesh.face_count() as u32)
            .filter(|face| part_of_face[*face as usize] == Some(number as u32))
            .collect();
        prop_assert_eq!(faces, &expected[..]);
        prop_assert_eq!((part.closed, part.face_count as usize), (closed[number], faces.len()));
        prop_assert_eq!(part.group, group_of(mesh, faces[0]).map(|group| group as u32));
        let points = faces.iter().flat_map(|&face| mesh.corners(face)).map(position);
        prop_assert_eq!(part.bounds, impinge_core::bounds::Aabb::around(points));
    }
    prop_assert_eq!(model.parts().len(), closed.len());
    prop_assert_eq!(model.bounds(), mesh.bounds());
    Ok(())
}

/// Points of a lattice so small that positions repeat, both signs of zero included.
fn lattice(side: i32) -> impl Strategy<Value = DVec3> {
    let coordinate =
        (0..side, any::<bool>()).prop_map(|(x, minus)| f64::from(x) * if minus { -1.0 } else { 1.0 });
    prop::array::uniform3(coordinate).prop_map(DVec3::from)
}

pub(super) fn polygon_soup(side: i32) -> impl Strategy<Value = Mesh> {
    let polygon = prop::collection::vec(lattice(side), 1..6);
    let groups = prop::collection::vec(0_usize..100, 0..4);
    (prop::collection::vec(polygon, 1..24), groups).prop_map(|(polygons, mut starts)| {
        let mut next = 0;
        let faces = polygons.iter().map(|polygon| {
            next += polygon.len() as u32;
            (next - polygon.len() as u32..next).collect::<Vec<_>>()
        });
        let mesh = Mesh::polygons(polygons.iter().flatten().copied(), faces.collect::<Vec<_>>()).unwrap();
        starts.iter_mut().for_each(|start| *start = *start * polygons.len() / 99);
        starts.sort_unstable();
        mesh.with_groups(starts.into_iter().map(|start| group(start as u32)).collect()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn soups_of_polygons_on_a_tiny_lattice(mesh in polygon_soup(2)) {
        check(mesh)?;
    }

    #[test]
    fn soups_of_triangles(points in prop::collection::vec(lattice(2), 3..90)) {
        let whole = points.len() / 3 * 3;
        check(Mesh::soup(points[..whole].iter().copied()).unwrap())?;
    }

    /// Cells of a lattice filled at random: closed, with edges of two and of four faces, and cells that touch.
    #[test]
    fn solids_of_cubes(filled in prop::collection::vec(any::<bool>(), 18), missing in any::<prop::sample::Index>()) {
        let mut faces = Vec::new();
        let is_filled = |c: DVec3| {
            c.cmpge(DVec3::ZERO).all() && c.cmplt(DVec3::new(3., 3., 2.)).all()
                && filled[(c.x + 3.0 * c.y + 9.0 * c.z) as usize]
        };
        for i in 0..18 {
            let cell = DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9));
            let normals = [-DVec3::Z, DVec3::Z, -DVec3::Y, DVec3::Y, -DVec3::X, DVec3::X];
            for (quad, normal) in QUADS.iter().zip(normals) {
                if is_filled(cell) && !is_filled(cell + normal) {
                    faces.push(quad.map(|corner| cell + unit_corners()[corner as usize]));
                }
            }
        }
        prop_assume!(!faces.is_empty());
        let build = |faces: &[[DVec3; 4]]| {
            let corners = (0..4 * faces.len() as u32).collect::<Vec<_>>();
            Mesh::polygons(faces.iter().flatten().copied(), corners.chunks(4)).unwrap()
        };
        let model = Model::new(build(&faces));
        prop_assert!(model.is_closed());
        prop_assert!(model.parts().iter().any(|part| part.orientation == crate::model::Orientation::Outward));
        check(build(&faces))?;
        faces.remove(missing.index(faces.len()));
        let holed = build(&faces);
        prop_assert!(!Model::new(holed.clone()).is_closed());
        check(holed)?;
    }
}
