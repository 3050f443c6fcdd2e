use super::*;
use crate::mesh::Terrain;
use crate::model::Orientation;

/// Whether each part is closed.
fn closed(model: &Model) -> Vec<bool> {
    model.parts().iter().map(|part| part.closed).collect()
}

#[test]
fn a_cube_is_one_outward_solid_in_every_form() {
    for mesh in [cube(), quad_cube(), as_soup(&cube())] {
        let model = Model::from(mesh);
        let [part] = model.parts() else { panic!("{:?}", model.parts()) };
        assert!(part.closed && model.is_closed() && model.has_solid() && model.is_closed_face(0));
        assert_eq!((part.orientation, part.group), (Orientation::Outward, None));
        assert_eq!(part.bounds, model.bounds());
        assert_eq!((part.bounds.min, part.bounds.max), (DVec3::ZERO, DVec3::ONE));
        assert_eq!(part.face_count as usize, model.part_faces(0).len());
    }
}

#[test]
fn orientation_is_found_at_every_size_and_place() {
    for scale in [1e-307_f64, 1e-30, 1.0, 1e30, 1e308] {
        for place in [0.0, 1e6, -1.0] {
            let corners = box_corners([place * scale.min(1e300); 3], [scale, scale * 0.5, scale * 0.25]);
            let mesh = Mesh::polygons(corners, QUADS).unwrap();
            assert_eq!(Model::new(inverted(&mesh)).parts()[0].orientation, Orientation::Inward);
            assert_eq!(Model::new(mesh).parts()[0].orientation, Orientation::Outward, "{scale} {place}");
        }
    }
}

#[test]
fn an_open_box_is_open() {
    let model = Model::new(Mesh::polygons(unit_corners(), &QUADS[1..]).unwrap());
    assert_eq!(closed(&model), [false]);
    assert_eq!(model.parts()[0].orientation, Orientation::None);
    assert!(!model.is_closed() && !model.has_solid() && !model.is_closed_face(0));
}

#[test]
fn one_turned_face_opens_a_cube() {
    let mut triangles = box_triangles(0);
    triangles[5].reverse();
    assert_eq!(closed(&Model::new(Mesh::triangles(unit_corners(), triangles).unwrap())), [false]);
}

#[test]
fn duplicate_faces_keep_a_cube_closed_and_one_alone_opens_it() {
    let mut triangles = box_triangles(0);
    triangles.extend(box_triangles(0));
    let model = Model::new(Mesh::triangles(unit_corners(), triangles.clone()).unwrap());
    assert_eq!(closed(&model), [true]);
    triangles.truncate(13);
    assert_eq!(closed(&Model::new(Mesh::triangles(unit_corners(), triangles).unwrap())), [false]);
}

#[test]
fn cubes_that_share_an_edge_are_one_solid() {
    let corners = unit_corners().into_iter().chain(box_corners([1.0, 1.0, 0.0], [1.0; 3]));
    let faces = QUADS.into_iter().chain(QUADS.map(|quad| quad.map(|corner| corner + 8)));
    let model = Model::new(Mesh::polygons(corners, faces).unwrap());
    assert_eq!(closed(&model), [true]);
    assert_eq!(kinds(&model), [22, 0, 0, 0, 1]);
    let shared = model.edges().iter().position(|edge| edge.kind == EdgeKind::Irregular).unwrap() as u32;
    assert_eq!(model.edge_faces(shared).len(), 4);
}

#[test]
fn cubes_that_share_a_corner_are_two() {
    let corners = unit_corners().into_iter().chain(box_corners([1.0; 3], [1.0; 3]));
    let faces = QUADS.into_iter().chain(QUADS.map(|quad| quad.map(|corner| corner + 8)));
    let model = Model::new(Mesh::polygons(corners, faces).unwrap());
    assert_eq!(closed(&model), [true, true]);
    assert_eq!(model.representative(8), 7);
    assert_eq!((model.part_faces(1), model.part_of_face(11)), ([6, 7, 8, 9, 10, 11].as_slice(), Some(1)));
}

#[test]
fn a_flag_opens_the_box_that_it_hangs_on() {
    let corners = unit_corners().into_iter().chain([DVec3::new(2.0, 2.0, 0.5)]);
    let mut triangles = box_triangles(0);
    triangles.push([3, 7, 8]);
    let model = Model::new(Mesh::triangles(corners.clone(), triangles.clone()).unwrap());
    assert_eq!(closed(&model), [false]);
    // A flag with a back is a solid without volume.
    triangles.push([7, 3, 8]);
    let model = Model::new(Mesh::triangles(corners, triangles).unwrap());
    assert_eq!(closed(&model), [true]);
    assert_eq!(model.parts()[0].orientation, Orientation::Outward);
}

#[test]
fn a_sheet_with_a_back_is_closed_and_looks_nowhere() {
    let vertices = [[0.1, 0.0, 0.0], [1.0, 0.3, 0.0], [0.0, 1.0, 0.7]];
    let model = Model::new(Mesh::triangles(vertices, vec![[0, 1, 2], [2, 1, 0]]).unwrap());
    assert_eq!(closed(&model), [true]);
    assert_eq!(model.parts()[0].orientation, Orientation::None);
    assert_eq!(kinds(&model), [0, 0, 0, 0, 3]);
}

#[test]
fn points_and_segments_are_open_in_every_form() {
    let [a, b] = [[0.0; 3], [1.0, 0.0, 0.0]];
    let forms = [
        Mesh::point(a),
        Mesh::polygon([a, b]),
        Mesh::soup([a, a, a]),
        Mesh::soup([a, b, b]),
        Mesh::polygon([a, b, a, b]),
        Mesh::polygons([a, b], [[0, 1], [1, 0]]),
    ];
    for mesh in forms {
        let model = Model::new(mesh.unwrap());
        assert_eq!(closed(&model), [false], "{:?}", model.mesh());
    }
}

#[test]
fn segments_and_slivers_on_its_edges_leave_a_cube_closed() {
    let mut faces: Vec<Vec<u32>> = QUADS.iter().map(|quad| quad.to_vec()).collect();
    faces.extend([vec![0, 1], vec![3, 7, 7]]);
    let model = Model::new(Mesh::polygons(unit_corners(), faces).unwrap());
    assert_eq!(closed(&model), [true]);
    assert_eq!(kinds(&model), [10, 0, 0, 0, 2]);
}

#[test]
fn a_moebius_strip_is_one_open_part() {
    let around = 7;
    let vertices = (0..2 * around).map(|i| {
        let turn = f64::from(i / 2) * std::f64::consts::TAU / f64::from(around);
        let side = if i % 2 == 0 { 0.3 } else { -0.3 };
        let radius = 1.0 + side * (turn / 2.0).cos();
        DVec3::new(radius * turn.cos(), radius * turn.sin(), side * (turn / 2.0).sin())
    });
    // The last two vertices meet the first two crosswise.
    let next = |i: u32| if i < 2 * around as u32 { i } else { (i + 1) % 2 };
    let triangles = (0..around as u32)
        .flat_map(|k| [[2 * k, 2 * k + 1, next(2 * k + 2)], [next(2 * k + 2), 2 * k + 1, next(2 * k + 3)]])
        .collect();
    let model = Model::new(Mesh::triangles(vertices, triangles).unwrap());
    assert_eq!(closed(&model), [false]);
    let [convex, internal, coplanar, dangling, irregular] = kinds(&model);
    // One rim, and one place where the two sides of the strip meet.
    assert_eq!((convex + internal + coplanar, dangling, irregular), (13, 14, 1));
}

#[test]
fn groups_keep_faces_apart_that_share_vertices() {
    // Two cubes side by side; the groups cut them between the cubes, then in the middle of the first.
    let corners: Vec<_> = unit_corners().into_iter().chain(box_corners([1.0, 0.0, 0.0], [1.0; 3])).collect();
    let faces: Vec<_> = QUADS.into_iter().chain(QUADS.map(|quad| quad.map(|corner| corner + 8))).collect();
    let mesh = || Mesh::polygons(corners.clone(), faces.clone()).unwrap();
    let parts = |groups: Vec<Group>| {
        let model = Model::new(mesh().with_groups(groups).unwrap());
        model.parts().iter().map(|part| (part.group, part.closed, part.face_count)).collect::<Vec<_>>()
    };
    assert_eq!(parts(vec![]), [(None, true, 12)]);
    assert_eq!(parts(vec![group(6)]), [(None, true, 6), (Some(0), true, 6)]);
    assert_eq!(parts(vec![group(0), group(6), group(6)]), [(Some(0), true, 6), (Some(2), true, 6)]);
    assert_eq!(
        parts(vec![group(0), group(3), group(6), group(12)]),
        [(Some(0), false, 3), (Some(1), false, 3), (Some(2), true, 6)]
    );
    // Edges are shared regardless.
    assert_eq!(kinds(&Model::new(mesh().with_groups(vec![group(6)]).unwrap())), [16, 0, 0, 0, 4]);
}

#[test]
fn faces_in_holes_belong_to_no_part() {
    let terrain =
        Terrain { origin: [0.0; 3], spacing: [1.0, 1.0], columns: 4, heights: vec![0.0; 8], holes: vec![1] };
    let model = Model::new(Mesh::terrain(terrain).unwrap());
    assert_eq!(closed(&model), [false, false]);
    let parts: Vec<_> = (0..6).map(|face| model.part_of_face(face)).collect();
    assert_eq!(parts, [Some(0), Some(0), None, None, Some(1), Some(1)]);
    assert!(!model.is_closed_face(2));
    assert_eq!(model.part_faces(1), [4, 5]);
}
