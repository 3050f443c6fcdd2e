//! Contacts of placed models: against brute force, against a plain statement of what a contact is, and in places where
//! anyone can say what they are.

use crate::effort::share;
use std::collections::BTreeSet;

use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::model::Feature;
use impinge::query::experiments::contacts_counted;
use impinge::query::{Contact, ContactId, ContactOptions, Engine, Scratch};
use impinge::shapes::{self, Shape};
use impinge::tolerance::CONTACT_SHELTER;
use impinge::{Mesh, Model, Placed, Placement, Trs, Verdict};

fn poses() -> u64 {
    share(300, 6000)
}

/// Small models of every kind and form.
fn models() -> Vec<Model> {
    let shapes = [
        (Shape::Box, 12),
        (Shape::Torus, 40),
        (Shape::Icosphere, 80),
        (Shape::Cylinder, 30),
        (Shape::Stairs, 28),
        (Shape::Star, 60),
        (Shape::Shell, 40),
        (Shape::Tetrahedron, 4),
        (Shape::Terrain, 18),
        (Shape::Soup, 12),
        (Shape::Triangle, 1),
    ];
    let mut meshes: Vec<Mesh> =
        shapes.iter().map(|&(shape, count)| Mesh::from(shape.generate(count, 7))).collect();
    meshes.push(Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()));
    meshes.push(
        Mesh::triangle_strip((0..9).map(|i| [f64::from(i) * 0.25 - 1.0, f64::from(i % 2), 0.0])).unwrap(),
    );
    meshes.push(Mesh::point([0.25, 0.0, 0.0]).unwrap());
    meshes.push(Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]]).unwrap());
    // Faces without area: a segment and a point, beside one that has some.
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.25, 0.0], [0.5, 0.0, 0.0]];
    meshes.push(Mesh::triangles(corners, vec![[0, 1, 2], [0, 1, 3], [3, 3, 3]]).unwrap());
    // Triangles that share positions and no vertices, as in an STL file.
    let box_ = Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    let soup = (0..12).flat_map(|face| box_.corners(face).collect::<Vec<_>>()).map(|v| box_.vertex(v));
    meshes.push(Mesh::soup(soup.collect::<Vec<_>>()).unwrap());
    meshes.into_iter().map(Model::new).collect()
}

fn crooked(random: &mut Random) -> DQuat {
    let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
    DQuat::from_axis_angle(axis.normalize(), random.unit() * 3.0)
}

/// Exact, crooked, mirrored, sheared, scaled; near and far from the origin, but never far from each other.
fn placement(random: &mut Random, far: DVec3) -> Placement {
    let apart = [0.6, 1.2][random.below(2) as usize];
    match random.below(6) {
        // On a lattice: touching, coplanar and parallel things are common.
        0 | 1 => Trs::translation(random.lattice(5) * 0.25 + far).unwrap().into(),
        2 => {
            let matrix3 = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
            Placement::try_from(DAffine3 { matrix3, translation: random.lattice(3) * 0.5 + far }).unwrap()
        }
        3 => Trs::rigid(random.vector() * apart + far, crooked(random)).unwrap().into(),
        4 => {
            let scale = if random.below(2) == 0 { DVec3::new(0.5, -2.0, 1.0) } else { DVec3::splat(-0.7) };
            Trs::new(random.vector() * apart + far, crooked(random), scale).unwrap().into()
        }
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5));
            let matrix3 = shear * DMat3::from_quat(crooked(random));
            Placement::try_from(DAffine3 { matrix3, translation: random.vector() * apart + far }).unwrap()
        }
    }
}

fn random_pair(random: &mut Random) -> [Placement; 2] {
    let far = if random.below(8) == 0 { DVec3::splat(1e6) } else { DVec3::ZERO };
    [0, 1].map(|_| placement(random, far))
}

/// How far a point is from a feature.
fn from_feature(placed: &Placed<'_>, feature: Feature, point: DVec3) -> f64 {
    let mesh = placed.model().mesh();
    let map = placed.placement().world_from_model();
    // Near the point, so that the world's origin costs no digits.
    let moved = DAffine3 { matrix3: map.matrix3, translation: map.translation - point };
    let at = |vertex: u32| moved.transform_point3(mesh.vertex(vertex));
    let from_triangle = |corners: [u32; 3]| {
        impinge_core::narrow::distance::point_triangle(DVec3::ZERO, &corners.map(at)).squared.sqrt()
    };
    match feature {
        Feature::Vertex(vertex) => at(vertex).length(),
        Feature::Edge { vertices: [i, j], face, .. } => {
            assert!(i < j && mesh.corners(face).any(|v| v == i) && mesh.corners(face).any(|v| v == j));
            from_triangle([i, j, j])
        }
        Feature::Face(face) => mesh.fan(face).map(from_triangle).fold(f64::INFINITY, f64::min),
        _ => unreachable!("there are no other features"),
    }
}

/// What holds for every list of contacts.
fn check_list(found: &[Contact], within: f64, a: &Placed<'_>, b: &Placed<'_>, what: &dyn Fn() -> String) {
    for contact in found {
        let size = contact.point_on_a.abs().max_element() + 8.0;
        // Placed vertices are rounded, and touching is anything below 2^-44 of the extent.
        let slack = 1e-12 * 8.0 + 4e-15 * size;
        assert!((contact.normal.length() - 1.0).abs() < 1e-12, "{}: {contact:?}", what());
        assert!((0.0..=within).contains(&contact.distance), "{}: {contact:?}", what());
        let off = contact.point_on_b - contact.point_on_a - contact.normal * contact.distance;
        assert!(off.length() <= slack, "{}: off by {off} {contact:?}", what());
        assert!(from_feature(a, contact.feature_a, contact.point_on_a) <= slack, "{}: {contact:?}", what());
        assert!(from_feature(b, contact.feature_b, contact.point_on_b) <= slack, "{}: {contact:?}", what());
        assert_eq!(contact.flipped().id(), contact.id().flipped());
        let are_faces = [contact.feature_a, contact.feature_b].map(|f| matches!(f, Feature::Face(_)));
        assert_ne!(are_faces, [true; 2], "{}: {contact:?}", what());
    }
    assert!(found.windows(2).all(|pair| pair[0].id() < pair[1].id()), "{}", what());
}

/// The contacts of features that have not passed through the other surface.
fn at_no_depth(within: f64) -> ContactOptions {
    ContactOptions::new().within(within).depth(0.0)
}

#[test]
fn trees_agree_with_brute_force_and_exchanging_exchanges_names() {
    let models = models();
    let mut scratch = Scratch::default();
    let mut total = 0;
    for case in 0..poses() {
        let mut random = Random(case << 8 | 0xc0);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let poses = random_pair(&mut random);
        let (a, b) = (models[i].at(poses[0]), models[j].at(poses[1]));
        let what = || format!("case {case}: models {i} and {j}, {:?} {:?}", a.placement(), b.placement());
        let within = [0.0, 0.01, 0.1, 0.5, 3.0][random.below(5) as usize];
        let ask = at_no_depth(within);
        let found = a.contacts_in(&b, ask, &mut scratch);
        total += found.len();
        assert_eq!(found, a.contacts_with(&b, ask.engine(Engine::Brute)), "{}", what());
        check_list(&found, within, &a, &b, &what);
        if i != j || a.placement().world_from_model() != b.placement().world_from_model() {
            let mut exchanged: Vec<Contact> =
                b.contacts_in(&a, ask, &mut scratch).into_iter().map(Contact::flipped).collect();
            exchanged.sort_by_key(Contact::id);
            assert_eq!(exchanged, found, "{}", what());
        }
    }
    println!("{total} contacts");
    assert!(total as u64 > poses());
}

#[test]
fn the_closest_points_are_a_contact() {
    let models = models();
    let mut scratch = Scratch::default();
    let mut seen = 0;
    for case in 0..poses() {
        let mut random = Random(case << 8 | 0xc1);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let poses = random_pair(&mut random);
        let (a, b) = (models[i].at(poses[0]), models[j].at(poses[1]));
        let closest = a.distance(&b);
        if closest.distance == 0.0 {
            continue;
        }
        seen += 1;
        let within = closest.distance * 1.000_001 + 1e-9;
        let found = a.contacts_in(&b, at_no_depth(within), &mut scratch);
        let least = found.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min);
        assert!(
            (least - closest.distance).abs() <= 1e-10,
            "case {case}: models {i} and {j}, {:?} {:?}: {closest:?} {found:?}",
            a.placement(),
            b.placement()
        );
    }
    assert!(seen * 4 > poses());
}

/// Contacts as plainly as they can be said, for convex solids that are clear of each other, with vertices and triangles in
/// general position: pairs of (kind, index, index). `None` where something is too close to call.
fn plain(a: &Placed<'_>, b: &Placed<'_>, within: f64) -> Option<BTreeSet<String>> {
    const CLOSE: f64 = 1e-7;
    let mut all = BTreeSet::new();
    let mut unclear = false;
    let mut more = |value: f64, than: f64| {
        unclear |= (value - than).abs() < CLOSE;
        value > than
    };
    let place = |placed: &Placed<'_>| -> (Vec<DVec3>, Vec<[u32; 3]>, BTreeSet<[u32; 2]>) {
        let mesh = placed.model().mesh();
        let points = mesh.vertices().map(|v| placed.placement().point_to_world(v)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..mesh.face_count() as u32).map(|f| mesh.fan_triangle(f, 0)).collect();
        let edges = triangles
            .iter()
            .flat_map(|&[i, j, k]| [[i.min(j), i.max(j)], [j.min(k), j.max(k)], [k.min(i), k.max(i)]])
            .collect();
        (points, triangles, edges)
    };
    let models = [place(a), place(b)];
    let mirrored = [a, b].map(|placed| placed.placement().is_mirrored());
    let normal = |side: usize, face: usize| {
        let (points, triangles, _) = &models[side];
        let [p, q, r] = triangles[face].map(|v| points[v as usize]);
        let normal = (q - p).cross(r - p).normalize();
        if mirrored[side] { -normal } else { normal }
    };
    // Whether any triangle at a vertex, or along an edge, leads there: its steepest direction from the middle of the feature,
    // by trying many.
    let sheltered =
        |side: usize, vertices: &[u32], towards: DVec3, more: &mut dyn FnMut(f64, f64) -> bool| {
            let (points, triangles, _) = &models[side];
            let middle = vertices.iter().map(|&v| points[v as usize]).sum::<DVec3>() / vertices.len() as f64;
            let mut most = -1.0_f64;
            for triangle in triangles.iter().filter(|t| vertices.iter().all(|v| t.contains(v))) {
                let normal = {
                    let [p, q, r] = triangle.map(|v| points[v as usize]);
                    (q - p).cross(r - p).normalize()
                };
                let others: Vec<DVec3> = triangle
                    .iter()
                    .filter(|v| !vertices.contains(v))
                    .map(|&v| points[v as usize] - middle)
                    .collect();
                if let [one, two] = others[..] {
                    most = most.max(one.normalize().dot(towards)).max(two.normalize().dot(towards));
                    let flat = towards - normal * normal.dot(towards);
                    // Within the corner: a sum of its sides with positive factors.
                    let matrix = DMat3::from_cols(one, two, normal).inverse() * flat;
                    if matrix.x > 0.0 && matrix.y > 0.0 {
                        most = most.max(flat.length());
                    }
                } else {
                    let along = (points[vertices[1] as usize] - points[vertices[0] as usize]).normalize();
                    let across = others[0] - along * along.dot(others[0]);
                    most = most.max(across.normalize().dot(towards));
                }
            }
            more(most, CONTACT_SHELTER)
        };
    let looks = |side: usize, vertices: &[u32], towards: DVec3, more: &mut dyn FnMut(f64, f64) -> bool| {
        let triangles = &models[side].1;
        let at = |t: &[u32; 3]| vertices.iter().all(|v| t.contains(v));
        let most = (0..triangles.len())
            .filter(|&f| at(&triangles[f]))
            .map(|f| normal(side, f).dot(towards))
            .fold(-1.0, f64::max);
        more(most, 0.0)
    };
    for side in 0..2 {
        for (v, &point) in models[side].0.iter().enumerate() {
            for (f, triangle) in models[1 - side].1.iter().enumerate() {
                let n = normal(1 - side, f);
                let [p, q, r] = triangle.map(|v| models[1 - side].0[v as usize]);
                let height = n.dot(point - p);
                let foot = point - n * height;
                let sides = [[p, q], [q, r], [r, p]].map(|[from, to]| {
                    let out = (to - from).normalize().cross(n);
                    let out = if mirrored[1 - side] { -out } else { out };
                    out.dot(foot - from)
                });
                let outside = more(sides.into_iter().fold(-1.0, f64::max), 0.0);
                if more(height, within) || more(0.0, height) || outside {
                    continue;
                }
                if looks(side, &[v as u32], -n, &mut more) && !sheltered(side, &[v as u32], -n, &mut more) {
                    all.insert(format!("vertex {v} of {side} over {f}"));
                }
            }
        }
    }
    for &[i, j] in &models[0].2 {
        for &[k, l] in &models[1].2 {
            let [p, q] = [i, j].map(|v| models[0].0[v as usize]);
            let [r, s] = [k, l].map(|v| models[1].0[v as usize]);
            // p + x (q - p) + y n = r + z (s - r)
            let cross = (q - p).cross(s - r);
            if cross.length() < CLOSE {
                continue;
            }
            let n = cross.normalize();
            let solution = DMat3::from_cols(q - p, n, r - s).inverse() * (r - p);
            let (x, y, z) = (solution.x, solution.y, solution.z);
            if !more(x.min(1.0 - x).min(z).min(1.0 - z), 0.0) || more(y.abs(), within) {
                continue;
            }
            let n = n * y.signum();
            let open = |side: usize, vertices: &[u32], towards, more: &mut dyn FnMut(f64, f64) -> bool| {
                looks(side, vertices, towards, more) && !sheltered(side, vertices, towards, more)
            };
            if open(0, &[i, j], n, &mut more) && open(1, &[k, l], -n, &mut more) {
                all.insert(format!("edges {i} {j} and {k} {l}"));
            }
        }
    }
    (!unclear).then_some(all)
}

#[test]
fn faces_and_edges_as_plainly_as_can_be_said() {
    let models =
        [(Shape::Tetrahedron, 4), (Shape::Octahedron, 8), (Shape::Icosphere, 20), (Shape::Icosphere, 80)]
            .map(|(shape, count)| Model::new(shape.generate(count, 3)));
    let (mut asked, mut total) = (0, 0);
    for case in 0..poses() / 2 {
        let mut random = Random(case << 8 | 0xc2);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let scale = if random.below(2) == 0 { DVec3::new(0.5, -1.2, 1.0) } else { DVec3::ONE };
        let [first, second] = [scale, DVec3::splat(0.8)].map(|scale| {
            Placement::from(Trs::new(random.vector() * 1.5, crooked(&mut random), scale).unwrap())
        });
        let (a, b) = (models[i].at(first), models[j].at(second));
        if a.verdict(&b) != Verdict::Clear {
            continue;
        }
        let within = a.distance(&b).distance + [0.05, 0.3, 1.0][random.below(3) as usize];
        let Some(expected) = plain(&a, &b, within) else { continue };
        asked += 1;
        total += expected.len();
        let found = a.contacts(&b, within);
        let named = found.iter().filter_map(|contact| match (contact.feature_a, contact.feature_b) {
            (Feature::Vertex(v), Feature::Face(f)) => Some(format!("vertex {v} of 0 over {f}")),
            (Feature::Face(f), Feature::Vertex(v)) => Some(format!("vertex {v} of 1 over {f}")),
            (Feature::Edge { vertices: [i, j], .. }, Feature::Edge { vertices: [k, l], .. }) => {
                Some(format!("edges {i} {j} and {k} {l}"))
            }
            _ => None,
        });
        assert_eq!(
            named.collect::<BTreeSet<_>>(),
            expected,
            "case {case}: {i} {j} {first:?} {second:?} {within}"
        );
    }
    println!("{asked} pairs with {total} contacts");
    assert!(asked * 8 > poses() && total > asked as usize);
}

fn cube() -> Model {
    Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Trs {
    Trs::translation([x, y, z]).unwrap()
}

/// A floor of many triangles, with its top at 0.
fn floor(cells: u32) -> Model {
    Model::new(shapes::cuboid_grid([-4.0, -4.0, -1.0], [4.0, 4.0, 0.0], [cells, cells, 1]).unwrap())
}

/// Where contacts are, seen from above, rounded to thousandths.
fn seen_from_above(contacts: &[Contact]) -> BTreeSet<[i64; 2]> {
    contacts
        .iter()
        .map(|contact| [contact.point_on_a.x, contact.point_on_a.y].map(|x| (x * 1000.0).round() as i64))
        .collect()
}

/// No feature is looked at twice, and none is left out.
#[test]
fn two_triangles_take_six_and_nine_tests() {
    let flat = Model::new(Mesh::polygon([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]).unwrap());
    let ask = at_no_depth(1.0);
    let (found, work) =
        contacts_counted(&flat.at(at(0.1, 0.2, 0.5)), &flat.at(Trs::IDENTITY), ask, &mut Scratch::default());
    assert_eq!((work.face_tests, work.vertex_tests, work.edge_tests), (1, 6, 9));
    assert!(!found.is_empty());
    // By brute force, every pair of vertices and faces and every pair of edges once: 8 vertices and 12 faces both ways,
    // 18 edges on either side.
    let cube = cube();
    let all = at_no_depth(f64::INFINITY).engine(impinge::query::Engine::Brute);
    let (_, work) =
        contacts_counted(&cube.at(Trs::IDENTITY), &cube.at(at(3.0, 0.0, 0.0)), all, &mut Scratch::default());
    assert_eq!((work.vertex_tests, work.edge_tests), (2 * 8 * 12, 18 * 18));
}

#[test]
fn a_box_on_a_floor_of_many_triangles_stands_on_its_corners() {
    let cube = cube();
    for (cells, gap) in [(1, 0.0), (2, 0.001), (16, 0.0), (16, 0.001), (31, 0.0), (64, 0.0005)] {
        let floor = floor(cells);
        for (x, y) in [(0.0, 0.0), (0.13, 0.27), (1.0, 0.5)] {
            for degrees in [0.0, 30.0] {
                let turned =
                    Trs::rigid(DVec3::new(x, y, 0.5 + gap), DQuat::from_rotation_z(f64::to_radians(degrees)))
                        .unwrap();
                let box_ = cube.at(turned);
                let found = box_.contacts(&floor.at(Trs::IDENTITY), 0.01);
                let corners: BTreeSet<[i64; 2]> = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                    .iter()
                    .map(|&[u, v]| box_.placement().point_to_world(DVec3::new(u, v, -0.5)))
                    .map(|p| [p.x, p.y].map(|x| (x * 1000.0).round() as i64))
                    .collect();
                assert_eq!(found.len(), 4, "{cells} {gap} {x} {y} {degrees}: {found:#?}");
                assert_eq!(seen_from_above(&found), corners);
                assert_eq!(Contact::reduce(&found, 4), found);
                for contact in &found {
                    assert!((contact.normal + DVec3::Z).length() < 1e-12, "{contact:?}");
                    assert!((contact.distance - gap).abs() < 1e-12);
                }
            }
        }
    }
}

/// A floor that was turned in a file: its vertices are rounded, so hardly any two of its faces are in one plane.
#[test]
fn four_corners_are_left_on_a_floor_of_rounded_vertices() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let (flat, cube) = (floor(24), cube());
    let mesh = flat.mesh();
    let turned = Mesh::triangles(
        mesh.vertices().map(|v| turn * v).collect::<Vec<_>>(),
        (0..mesh.face_count() as u32).map(|face| mesh.fan_triangle(face, 0)).collect(),
    )
    .unwrap();
    let turned = Model::new(turned);
    let mut ids: Option<Vec<ContactId>> = None;
    for step in 0..20 {
        // It slides a little, which is no reason for others to be chosen.
        let slid = DVec3::new(0.13 + 1e-4 * f64::from(step), 0.21, 0.5005);
        let box_ = cube.at(Trs::rigid(turn * slid, turn).unwrap());
        let found = box_.contacts(&turned.at(Trs::IDENTITY), 0.01);
        let few = Contact::reduce(&found, 4);
        assert_eq!(few.len(), 4, "{found:?}");
        for contact in &few {
            let local = turn.inverse() * contact.point_on_a - slid;
            assert!((local.x.abs() - 0.5).abs() < 1e-9 && (local.y.abs() - 0.5).abs() < 1e-9, "{contact:?}");
            assert!((contact.normal + turn * DVec3::Z).length() < 1e-6);
        }
        let now: Vec<ContactId> = few.iter().map(Contact::id).collect();
        assert_eq!(*ids.get_or_insert_with(|| now.clone()), now);
    }
}

#[test]
fn bricks_on_bricks() {
    let brick = Model::new(shapes::cuboid([0.0; 3], [2.0, 1.0, 1.0]).unwrap());
    let lower = brick.at(Trs::IDENTITY);
    // In line, half a brick further, across, and a corner over a corner.
    let turned = Trs::rigid(DVec3::new(1.5, -0.5, 1.0), DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
    let placed = [at(0.0, 0.0, 1.0), at(1.0, 0.0, 1.0), turned.unwrap(), at(1.75, 0.75, 1.0)];
    let corners = [
        [[0, 0], [2000, 0], [2000, 1000], [0, 1000]],
        [[1000, 0], [2000, 0], [2000, 1000], [1000, 1000]],
        [[500, 0], [1500, 0], [1500, 1000], [500, 1000]],
        [[1750, 750], [2000, 750], [2000, 1000], [1750, 1000]],
    ];
    for (upper, corners) in placed.into_iter().zip(corners) {
        let found = brick.at(upper).contacts(&lower, 1e-6);
        assert_eq!(seen_from_above(&found), BTreeSet::from(corners), "{found:#?}");
        for contact in &found {
            assert_eq!(contact.distance, 0.0);
            assert!((contact.normal + DVec3::Z).length() < 1e-9, "{contact:?}");
        }
        assert_eq!(seen_from_above(&Contact::reduce(&found, 4)), BTreeSet::from(corners));
    }
    // Side by side.
    let found = brick.at(at(2.0, 0.0, 0.0)).contacts(&lower, 1e-6);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|contact| (contact.normal + DVec3::X).length() < 1e-9), "{found:#?}");
}

#[test]
fn edges_that_cross() {
    let bar = Model::new(shapes::cuboid([-3.0, -0.5, -0.5], [3.0, 0.5, 0.5]).unwrap());
    let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let height = 2.0 * 0.5_f64.sqrt();
    for gap in [0.0, 0.01] {
        let upper = Trs::rigid(DVec3::new(0.0, 0.0, height + gap), DQuat::from_rotation_z(1.0) * on_edge);
        let found = bar.at(upper.unwrap()).contacts(&bar.at(Trs::rigid(DVec3::ZERO, on_edge).unwrap()), 0.1);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(matches!(found[0].feature_a, Feature::Edge { .. }));
        assert!((found[0].normal + DVec3::Z).length() < 1e-12, "{found:?}");
        assert!((found[0].distance - gap).abs() < 1e-12);
        assert!(found[0].point_on_a.truncate().length() < 1e-12);
    }
}

/// In a hollow a corner touches both faces, and the edge between them is none.
#[test]
fn a_box_in_the_corner_of_stairs() {
    let stairs = Model::new(
        Mesh::polygons(
            [[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]]
                .iter()
                .flat_map(|&[x, z]| [[x, -1.0, z], [x, 2.0, z]])
                .collect::<Vec<_>>(),
            [
                vec![1, 3, 2, 0],
                vec![3, 5, 4, 2],
                vec![5, 7, 6, 4],
                vec![7, 9, 8, 6],
                vec![9, 11, 10, 8],
                vec![11, 1, 0, 10],
                vec![2, 4, 6, 0],
                vec![6, 8, 10, 0],
                vec![7, 5, 3, 1],
                vec![11, 9, 7, 1],
            ],
        )
        .unwrap(),
    );
    assert_eq!(stairs.parts()[0].orientation, impinge::model::Orientation::Outward);
    let cube = cube();
    for gap in [0.0, 1e-4] {
        let found = cube.at(at(1.5 + gap, 0.5, 1.5 + gap)).contacts(&stairs.at(Trs::IDENTITY), 0.01);
        let pushed = |normal: DVec3| found.iter().filter(|c| (c.normal - normal).length() < 1e-9).count();
        assert_eq!((pushed(-DVec3::X), pushed(-DVec3::Z)), (4, 4), "{found:#?}");
        assert_eq!(found.len(), 8);
        assert_eq!(Contact::reduce(&found, 2).len(), 4);
    }
}

#[test]
fn nothing_is_touched_through_a_plate() {
    let plate = Model::new(shapes::cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 0.01]).unwrap());
    let floor = floor(3);
    for degrees in [0.0, 0.001, 0.5] {
        let tilted = Trs::rigid(DVec3::new(0.1, 0.2, 0.01), DQuat::from_rotation_y(f64::to_radians(degrees)));
        let found = plate.at(tilted.unwrap()).contacts(&floor.at(Trs::IDENTITY), 0.1);
        assert_eq!(found.len(), 4, "{degrees}: {found:#?}");
        assert!(found.iter().all(|contact| contact.point_on_a.z < 0.03));
    }
}

#[test]
fn overlapping_models_do_not_touch_where_they_overlap() {
    let (cube, floor) = (cube(), floor(4));
    let sunk = cube.at(at(0.1, 0.2, 0.3));
    assert_eq!(sunk.verdict(&floor.at(Trs::IDENTITY)), Verdict::Overlapping);
    assert_eq!(sunk.contacts_with(&floor.at(Trs::IDENTITY), at_no_depth(0.5)), []);
    let inside = cube.at(at(0.0, 0.0, -0.5));
    assert_eq!(
        inside.contacts_with(
            &Model::new(shapes::cuboid([-4.0; 3], [4.0; 3]).unwrap()).at(Trs::IDENTITY),
            at_no_depth(9.0)
        ),
        []
    );
}

/// Sheets are touched from both sides.
#[test]
fn an_open_sheet_has_two_sides() {
    let corners = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    let sheet = Model::new(Mesh::polygon(corners).unwrap());
    let cube = cube();
    for (z, down) in [(0.5, -1.0), (0.501, -1.0), (-0.5, 1.0), (-0.501, 1.0)] {
        let found = cube.at(at(0.25, 0.0, z)).contacts(&sheet.at(Trs::IDENTITY), 0.01);
        assert_eq!(found.len(), 4, "{z}: {found:#?}");
        assert!(found.iter().all(|contact| contact.normal == DVec3::Z * down), "{z}: {found:#?}");
    }
}

/// Scaled, mirrored, far away, tiny and huge: the same contacts.
#[test]
fn in_any_place_and_of_any_size() {
    let (cube, floor) = (cube(), floor(3));
    let expected = cube.at(at(0.25, 0.5, 0.5 + 1.0 / 1024.0)).contacts(&floor.at(Trs::IDENTITY), 0.01);
    assert_eq!(expected.len(), 4);
    let world = |matrix3: DMat3, translation: DVec3| DAffine3 { matrix3, translation };
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let maps = [
        world(DMat3::IDENTITY, DVec3::splat(1048576.0)),
        world(mirror, DVec3::ZERO),
        world(DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X), DVec3::ONE),
        world(DMat3::IDENTITY * 2f64.powi(-320), DVec3::ZERO),
        world(mirror * 2f64.powi(300), DVec3::ZERO),
    ];
    for map in maps {
        let scale = map.matrix3.x_axis.length();
        let place =
            |local: Trs| Placement::try_from(map * *Placement::from(local).world_from_model()).unwrap();
        let a = cube.at(place(at(0.25, 0.5, 0.5 + 1.0 / 1024.0)));
        let b = floor.at(place(Trs::IDENTITY));
        let found = a.contacts(&b, 0.01 * scale);
        assert_eq!(found.len(), 4, "{map:?}: {found:#?}");
        for (contact, expected) in found.iter().zip(&expected) {
            assert_eq!((contact.feature_a, contact.feature_b), (expected.feature_a, expected.feature_b));
            assert!((contact.distance / scale - expected.distance).abs() < 1e-9);
            let normal = map.matrix3 * expected.normal / scale;
            assert!((contact.normal - normal).length() < 1e-9, "{map:?} {contact:?}");
        }
        assert_eq!(
            found,
            a.contacts_with(&b, ContactOptions::new().within(0.01 * scale).engine(Engine::Brute))
        );
    }
    // A box that is stretched and sheared along the floor.
    let shear = DMat3::from_cols(DVec3::new(2.0, 0.0, 0.0), DVec3::Y, DVec3::new(0.75, 0.5, 1.0));
    let sheared = cube.try_at(world(shear, DVec3::new(0.0, 0.0, 0.5))).unwrap();
    let found = sheared.contacts(&floor.at(Trs::IDENTITY), 0.01);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.iter().all(|contact| (contact.normal + DVec3::Z).length() < 1e-12));
}

#[test]
fn distances_that_are_none_have_no_contacts() {
    let cube = cube();
    for within in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(cube.at(Trs::IDENTITY).contacts(&cube.at(at(1.0, 0.0, 0.0)), within), []);
    }
    assert_eq!(cube.at(Trs::IDENTITY).contacts(&cube.at(at(0.5, 0.0, 0.0)), -1.0), []);
    assert!(!cube.at(Trs::IDENTITY).contacts(&cube.at(at(9.0, 0.0, 0.0)), f64::INFINITY).is_empty());
}

#[test]
fn reducing_keeps_the_outline_and_the_nearest() {
    let grid = Model::new(shapes::cuboid_grid([0.0; 3], [1.0, 1.0, 1.0], [9, 9, 9]).unwrap());
    let cap = Model::new(shapes::icosphere(5.0, 12).unwrap());
    // The grid stands on a ball: its own corners are farther off than its middle.
    let found = grid.at(at(-0.5, -0.5, 5.0)).contacts(&cap.at(Trs::IDENTITY), 0.3);
    assert!(found.len() > 20, "{}", found.len());
    let least = found.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min);
    for at_most in 0..8 {
        let few = Contact::reduce(&found, at_most);
        assert!(few.len() >= at_most.min(1) && few.iter().all(|contact| found.contains(contact)));
        if at_most > 0 {
            let nearest = few.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min);
            assert!(nearest <= least + 0.05, "{at_most}: {nearest} {least}");
        }
        let mut shuffled = found.clone();
        shuffled.reverse();
        shuffled.swap(0, found.len() / 2);
        assert_eq!(Contact::reduce(&shuffled, at_most), few);
    }
    assert_eq!(Contact::reduce(&[], 4), []);
}

#[test]
fn the_corners_at_a_vertex_are_those_of_all_faces_there() {
    for model in models() {
        let mesh = model.mesh();
        for vertex in 0..mesh.vertex_count() as u32 {
            let mut expected = Vec::new();
            for face in 0..mesh.face_count() as u32 {
                for (corner, other) in (0_u32..).zip(mesh.corners(face)) {
                    if mesh.vertex(other) == mesh.vertex(vertex) {
                        expected.push((face, corner));
                    }
                }
            }
            let found: Vec<(u32, u32)> =
                model.corners_at(vertex).iter().map(|at| (at.face, at.corner)).collect();
            assert_eq!(found, expected);
        }
    }
}
