//! Nothing depends on the order of vertices or faces, or on the corner that a triangle starts with.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::model::Orientation;

/// A position that can be sorted; minus zero equals zero.
type Place = [u64; 3];

fn place(model: &Model, vertex: u32) -> Place {
    model.mesh().vertex(vertex).to_array().map(|coordinate| (coordinate + 0.0).to_bits())
}

type EdgeFacts = (EdgeKind, Vec<(u32, bool)>);

/// Each edge by its places: its kind, and the faces along it with their direction from the lesser place. `name` gives
/// a face the number that it has in the original.
fn edges(model: &Model, name: &[u32]) -> BTreeMap<[Place; 2], EdgeFacts> {
    let facts = |number: usize| {
        let edge = model.edges()[number];
        let mut places = edge.vertices.map(|vertex| place(model, vertex));
        let turned = places[0] > places[1];
        places.sort_unstable();
        let along = model.edge_faces(number as u32).iter();
        let mut faces: Vec<_> = along.map(|run| (name[run.face as usize], run.forward != turned)).collect();
        faces.sort_unstable();
        (places, (edge.kind, faces))
    };
    (0..model.edges().len()).map(facts).collect()
}

/// Each part by its least face.
fn parts(model: &Model, name: &[u32]) -> BTreeMap<Vec<u32>, (bool, Orientation)> {
    let facts = |number: usize| {
        let part = model.parts()[number];
        let mut faces: Vec<_> =
            model.part_faces(number as u32).iter().map(|&face| name[face as usize]).collect();
        faces.sort_unstable();
        (faces, (part.closed, part.orientation))
    };
    (0..model.parts().len()).map(facts).collect()
}

fn internal_vertices(model: &Model) -> BTreeMap<Place, bool> {
    (0..model.mesh().vertex_count() as u32)
        .map(|vertex| (place(model, vertex), model.is_internal_vertex(vertex)))
        .collect()
}

/// The mesh with its faces and vertices in another order and its triangles turned; groups are dropped.
fn shuffled(mesh: &Mesh, faces: &[u32], vertices: &[u32], turns: &[usize]) -> Mesh {
    let mut new_number = vec![0; vertices.len()];
    for (new, &old) in vertices.iter().enumerate() {
        new_number[old as usize] = new as u32;
    }
    let faces = faces.iter().map(|&face| {
        let mut corners: Vec<_> = mesh.corners(face).map(|vertex| new_number[vertex as usize]).collect();
        // Only of a triangle is the fan the same from every corner.
        if corners.len() == 3 {
            corners.rotate_left(turns[face as usize % turns.len()]);
        }
        corners
    });
    Mesh::polygons(vertices.iter().map(|&vertex| mesh.vertex(vertex)), faces).unwrap()
}

fn meshes() -> impl Strategy<Value = Mesh> {
    prop_oneof![
        super::oracle::polygon_soup(2),
        super::oracle::polygon_soup(3),
        Just(cube()),
        Just(as_soup(&cube())),
        Just(inverted(&quad_cube())),
    ]
}

type Shuffle = (Mesh, Vec<u32>, Vec<u32>, Vec<usize>);

fn shuffles() -> impl Strategy<Value = Shuffle> {
    meshes().prop_flat_map(|mesh| {
        let mesh = mesh.with_groups(Vec::new()).unwrap();
        let faces: Vec<_> = (0..mesh.face_count() as u32).collect();
        let vertices: Vec<_> = (0..mesh.vertex_count() as u32).collect();
        let turns = prop::collection::vec(0_usize..3, 5);
        (Just(mesh), Just(faces).prop_shuffle(), Just(vertices).prop_shuffle(), turns)
    })
}

proptest! {
    #[test]
    fn order_does_not_matter((mesh, faces, vertices, turns) in shuffles()) {
        let other = Model::new(shuffled(&mesh, &faces, &vertices, &turns));
        let model = Model::new(mesh);
        let names: Vec<_> = (0..faces.len() as u32).collect();
        prop_assert_eq!(model.geometry_hash(), other.geometry_hash());
        prop_assert_eq!(edges(&model, &names), edges(&other, &faces));
        prop_assert_eq!(parts(&model, &names), parts(&other, &faces));
        prop_assert_eq!(internal_vertices(&model), internal_vertices(&other));
        prop_assert_eq!(model.internal_share(), other.internal_share());
        prop_assert_eq!(model.bounds(), other.bounds());
    }
}

#[test]
fn the_hash_tells_geometries_apart() {
    let hash = |mesh: Mesh| Model::new(mesh).geometry_hash();
    let cube_hash = hash(cube());
    assert_eq!(hash(as_soup(&cube())), cube_hash);
    let moved = Mesh::triangles(unit_corners().into_iter().map(|p| p + DVec3::X), box_triangles(0)).unwrap();
    let mirrored = Mesh::triangles(unit_corners().into_iter().map(|p| -p), box_triangles(0)).unwrap();
    let mut others = vec![cube_hash, hash(inverted(&cube())), hash(moved), hash(mirrored), hash(quad_cube())];
    let mut twice = box_triangles(0);
    twice.extend(box_triangles(0));
    others.push(hash(Mesh::triangles(unit_corners(), twice).unwrap()));
    others.extend([0.0, 1.0, 2.0].map(|x| hash(Mesh::point([x, 0.0, 0.0]).unwrap())));
    others.extend([0.0, 1.0, 2.0].map(|y| hash(Mesh::point([7.0, y, 1.0]).unwrap())));
    let count = others.len();
    others.sort_unstable();
    others.dedup();
    assert_eq!(others.len(), count);
}

/// A change of the hash would change which frame pairs are solved in, and so their last digits.
#[test]
fn the_hash_is_the_same_everywhere() {
    assert_eq!(Model::new(cube()).geometry_hash(), 13_158_978_283_978_907_958);
}
