use super::*;
use crate::mesh::Terrain;
use crate::model::EdgeFace;

#[test]
fn a_cube_in_every_form_has_twelve_convex_edges() {
    assert_eq!(kinds(&Model::new(quad_cube())), [12, 0, 0, 0, 0]);
    assert_eq!(kinds(&Model::new(cube())), [12, 0, 6, 0, 0]);
    let soup = Model::new(as_soup(&cube()));
    assert_eq!(kinds(&soup), [12, 0, 6, 0, 0]);
    assert_eq!((0..36).filter(|&vertex| soup.representative(vertex) == vertex).count(), 8);
    assert_eq!(soup.internal_share(), 0.0);
}

#[test]
fn minus_zero_is_zero() {
    let mesh = Mesh::soup([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into_iter().chain([
        [1.0, -0.0, 0.0],
        [-0.0, 0.0, -0.0],
        [0.0, 0.0, 1.0],
    ]));
    let model = Model::new(mesh.unwrap());
    assert_eq!([3, 4].map(|vertex| model.representative(vertex)), [1, 0]);
    assert_eq!((model.edges().len(), model.parts().len()), (5, 1));
}

#[test]
fn an_inverted_cube_has_internal_edges_and_vertices() {
    let room = Model::new(inverted(&quad_cube()));
    assert_eq!(kinds(&room), [0, 12, 0, 0, 0]);
    assert_eq!(room.internal_share(), 1.0);
    assert!((0..8).all(|vertex| room.is_internal_vertex(vertex)));
    let cube = Model::new(quad_cube());
    assert!((0..8).all(|vertex| !cube.is_internal_vertex(vertex)));
}

#[test]
fn faces_of_an_edge_are_listed_with_corner_and_direction() {
    let model = Model::new(quad_cube());
    let edge = model.edges().iter().position(|edge| edge.vertices == [0, 1]).unwrap() as u32;
    let expected =
        [EdgeFace { face: 0, corner: 3, forward: false }, EdgeFace { face: 2, corner: 0, forward: true }];
    assert_eq!(model.edge_faces(edge), expected);
    assert_eq!((model.edge_at(0, 3), model.edge_at(2, 0)), (Some(edge), Some(edge)));
}

#[test]
fn an_l_has_one_internal_edge() {
    // An L in the plane z = 0, counter-clockwise from the corner where it bends inward, raised by one.
    let outline = [[1.0, 1.0], [1.0, 2.0], [0.0, 2.0], [0.0, 0.0], [2.0, 0.0], [2.0, 1.0]];
    let vertices = [0.0, 1.0].into_iter().flat_map(|z| outline.map(|[x, y]| [x, y, z]));
    let mut faces = vec![vec![0, 5, 4, 3, 2, 1], vec![6, 7, 8, 9, 10, 11]];
    faces.extend((0..6).map(|i| {
        let next = (i + 1) % 6;
        vec![i, next, next + 6, i + 6]
    }));
    let model = Model::new(Mesh::polygons(vertices, faces).unwrap());
    assert_eq!(kinds(&model), [17, 1, 0, 0, 0]);
    assert!(model.is_closed());
    assert_eq!(model.internal_share(), 1.0 / 18.0);
    // Its ends also bound convex edges.
    assert!((0..12).all(|vertex| !model.is_internal_vertex(vertex)));
}

#[test]
fn a_saddle_has_two_ridges_and_two_valleys() {
    let vertices = [[0., 0., 0.], [1., 0., 1.], [0., 1., -1.], [-1., 0., 1.], [0., -1., -1.]];
    let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    let model = Model::new(Mesh::triangles(vertices, faces).unwrap());
    // From the middle, the faces fall away beside the edges that rise.
    assert_eq!(model.edges()[0].vertices, [0, 1]);
    use EdgeKind::{Convex, Internal};
    let spokes = model.edges()[..4].iter().map(|edge| edge.kind);
    assert!(spokes.eq([Convex, Internal, Convex, Internal]));
    assert!(!model.is_internal_vertex(0));
    assert_eq!(kinds(&model), [2, 2, 0, 4, 0]);
}

#[test]
fn the_bottom_of_a_pit_is_internal() {
    // A pyramid turned over, seen into from above.
    let vertices = [[0., 0., -1.], [1., 1., 0.], [-1., 1., 0.], [-1., -1., 0.], [1., -1., 0.]];
    let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    let model = Model::new(Mesh::triangles(vertices, faces).unwrap());
    assert!(model.is_internal_vertex(0));
    assert!((1..5).all(|rim| !model.is_internal_vertex(rim)));
    assert_eq!(kinds(&model), [0, 4, 0, 4, 0]);
}

/// [`wings`] with the other wing first and the edge turned around.
fn upside_down(p: [f64; 3], q: [f64; 3]) -> Model {
    let vertices = [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], q, p];
    Model::new(Mesh::triangles(vertices, vec![[0, 1, 2], [1, 0, 3]]).unwrap())
}

#[test]
fn wings_open_close_and_fold() {
    let kind = |p, q| {
        let [one, other] = [wings(p, q), upside_down(p, q)];
        assert_eq!(one.edges()[0].vertices, [0, 1]);
        assert_eq!(one.edges()[0].kind, other.edges()[0].kind, "the same from both sides");
        one.edges()[0].kind
    };
    // The normal of the first wing is (0, 1, 0): up the z axis, then towards x.
    let x = [1.0, 0.0, 0.0];
    assert_eq!(kind(x, [-1.0, 1e-300, 0.5]), EdgeKind::Internal);
    assert_eq!(kind(x, [-1.0, -1e-300, 0.5]), EdgeKind::Convex);
    assert_eq!(kind(x, [1.0, 1e-300, 0.5]), EdgeKind::Internal);
    assert_eq!(kind(x, [1.0, -1e-300, 0.5]), EdgeKind::Convex);
    assert_eq!(kind(x, [-1.0, 0.0, 0.5]), EdgeKind::Coplanar);
    // Folded flat, whether the two coincide or not: neither a ridge nor a valley.
    assert_eq!(kind(x, [2.0, 0.0, 0.5]), EdgeKind::Irregular);
    assert_eq!(kind(x, x), EdgeKind::Irregular);
    // No area on one side, or on both.
    assert_eq!(kind(x, [0.0, 0.0, 7.0]), EdgeKind::Irregular);
    assert_eq!(kind([0.0, 0.0, 0.5], [0.0, 0.0, 7.0]), EdgeKind::Irregular);
    // The same in a plane that no axis is normal to.
    assert_eq!(kind([3.0, 4.0, 0.0], [-3.0, -4.0, 0.0]), EdgeKind::Coplanar);
    assert_eq!(kind([3.0, 4.0, 0.0], [6.0, 8.0, 1.0]), EdgeKind::Irregular);
}

#[test]
fn a_fold_is_seen_in_tilted_planes() {
    // x + y + z = 1 holds exactly in all of these.
    let [u, v, p] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (q, kind) in [([1.0, 1.0, -1.0], EdgeKind::Coplanar), ([2.0, -3.0, 2.0], EdgeKind::Irregular)] {
        let mesh = Mesh::triangles([u, v, p, q], vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        assert_eq!(Model::new(mesh).edges()[0].kind, kind);
    }
}

#[test]
fn edges_of_a_bent_polygon_belong_to_their_own_triangle() {
    // A quad that its fan bends downward along the diagonal from 0 to 2, and a flap at each side, level with the fan
    // triangle that the side lies in: all flat. Against the other triangle none would be.
    let vertices = [[0., 0., 0.], [1., 0., -1.], [1., 1., 0.], [0., 1., -1.]];
    let flaps = [[1., -1., -2.], [2., 0., -1.], [2., 2., 0.], [-1., 1., -2.]];
    // Triangle 0 1 2 lies in z = y - x, triangle 0 2 3 in z = x - y.
    let on_first = |p: [f64; 3]| [p[0], p[1], p[1] - p[0]];
    let on_second = |p: [f64; 3]| [p[0], p[1], p[0] - p[1]];
    let flaps = [on_first(flaps[0]), on_first(flaps[1]), on_second([1., 2., 0.]), on_second(flaps[3])];
    let faces: [&[u32]; 5] = [&[0, 1, 2, 3], &[1, 0, 4], &[2, 1, 5], &[3, 2, 6], &[0, 3, 7]];
    let model = Model::new(Mesh::polygons(vertices.into_iter().chain(flaps), faces).unwrap());
    assert_eq!(kinds(&model), [0, 0, 4, 8, 0]);
}

#[test]
fn faces_that_disagree_or_crowd_make_an_edge_irregular() {
    // Both run along the edge the same way.
    let vertices = [[0., 0., 0.], [0., 0., 1.], [1., 0., 0.], [-1., 0., 0.], [0., 1., 0.]];
    let model = Model::new(Mesh::triangles(vertices, vec![[0, 1, 2], [0, 1, 3]]).unwrap());
    assert_eq!(kinds(&model), [0, 0, 0, 4, 1]);
    // A flag on the edge between two.
    let model = Model::new(Mesh::triangles(vertices, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]).unwrap());
    assert_eq!(kinds(&model), [0, 0, 0, 6, 1]);
    // Every face twice.
    let mut faces = box_triangles(0);
    faces.extend(box_triangles(0));
    assert_eq!(kinds(&Model::new(Mesh::triangles(unit_corners(), faces).unwrap())), [0, 0, 0, 0, 18]);
}

#[test]
fn a_crowd_of_faces_along_one_edge_is_listed_in_order() {
    let blades = (0..100_u32).map(|i| DVec3::new(1.0, f64::from(i), 0.0));
    let vertices = [DVec3::ZERO, DVec3::Z].into_iter().chain(blades);
    let faces = (0..100).map(|i| if i % 3 == 0 { [0, 1, i + 2] } else { [i + 2, 1, 0] }).collect();
    let model = Model::new(Mesh::triangles(vertices, faces).unwrap());
    let expected = (0..100).map(|face| EdgeFace {
        face,
        corner: if face % 3 == 0 { 0 } else { 1 },
        forward: face % 3 == 0,
    });
    assert!(model.edge_faces(0).iter().copied().eq(expected));
    assert_eq!(model.edges()[0].kind, EdgeKind::Irregular);
}

#[test]
fn points_have_no_edge_and_segments_one() {
    let point = Model::new(Mesh::point([1.0, 2.0, 3.0]).unwrap());
    assert!(point.edges().is_empty());
    assert_eq!((point.internal_share(), point.is_internal_vertex(0)), (0.0, false));
    assert_eq!(point.edge_at(0, 0), None);

    let segment = Model::new(Mesh::polygon([[0.0; 3], [1.0, 0.0, 0.0]]).unwrap());
    assert_eq!(kinds(&segment), [0, 0, 0, 0, 1]);
    let there_and_back =
        [EdgeFace { face: 0, corner: 0, forward: true }, EdgeFace { face: 0, corner: 1, forward: false }];
    assert_eq!(segment.edge_faces(0), there_and_back);

    // The same segment as a triangle.
    let sliver = Model::new(Mesh::soup([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).unwrap());
    assert_eq!(kinds(&sliver), [0, 0, 0, 0, 1]);
    assert_eq!([0, 1, 2].map(|corner| sliver.edge_at(0, corner)), [Some(0), None, Some(0)]);

    // A triangle on one line has three edges, but no plane.
    let flat = Model::new(Mesh::soup([[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).unwrap());
    assert_eq!(kinds(&flat), [0, 0, 0, 0, 3]);
}

#[test]
fn a_terrain_has_edges_where_it_has_cells() {
    let terrain =
        Terrain { origin: [0.0; 3], spacing: [1.0, 1.0], columns: 4, heights: vec![0.0; 16], holes: vec![4] };
    let model = Model::new(Mesh::terrain(terrain).unwrap());
    // 24 sides of cells, of which 12 lie on the rim and 4 around the hole, and 8 diagonals.
    assert_eq!(kinds(&model), [0, 0, 8 + 8, 16, 0]);
    assert_eq!(model.edge_at(8, 0), None);
    assert!(model.edge_at(7, 0).is_some());
}

#[test]
fn strips_and_fans_share_edges_with_themselves() {
    let strip =
        Mesh::triangle_strip([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.], [0., 2., 0.]]).unwrap();
    assert_eq!(kinds(&Model::new(strip)), [0, 0, 2, 5, 0]);
}
