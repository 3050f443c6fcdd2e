//! Materials: numbers of the user's for faces, in answers and as filters. The oracle of a filter is the mesh without the faces, made by hand.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::effort::share;
use impinge::glam::{DQuat, DVec3};
use impinge::mesh::{Faces, MaterialSet, Terrain};
use impinge::model::Feature;
use impinge::query::{
    Contact, ContactOptions, Engine, Ray, RayHit, RayOptions, Sweep, SweepHit, SweepOptions, SweepStatus,
};
use impinge::shapes::{self, Random};
use impinge::tolerance::DISTANCE_ABSOLUTE;
use impinge::world::{Body, Handle, StepOptions, World, WorldOptions};
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, Trs, Verdict};

const GLASS: MaterialSet = MaterialSet::from_bits(1 << 3);

/// A mesh without the faces of some materials, made by hand: with fresh numbers, and the old ones of its vertices and faces.
struct Oracle {
    model: Model,
    vertices: Vec<u32>,
    labels: Vec<u32>,
}

impl Oracle {
    fn of(mesh: &Mesh, ignored: MaterialSet) -> Option<Oracle> {
        let is_kept = |face: &u32| mesh.corner_count(*face) > 0 && !ignored.contains(mesh.material(*face));
        let kept: Vec<u32> = (0..mesh.face_count() as u32).filter(is_kept).collect();
        let used: BTreeSet<u32> = kept.iter().flat_map(|&face| mesh.corners(face)).collect();
        // Vertices at one position go by the least of them: then all of them stay, so that edges run the same way.
        let positions: BTreeSet<[u64; 3]> =
            mesh.vertices().map(|vertex| vertex.to_array().map(|x| (x + 0.0).to_bits())).collect();
        let vertices: Vec<u32> = if positions.len() == mesh.vertex_count() {
            used.into_iter().collect()
        } else {
            (0..mesh.vertex_count() as u32).collect()
        };
        let new = |old: u32| vertices.binary_search(&old).unwrap() as u32;
        let faces: Vec<Vec<u32>> = kept.iter().map(|&face| mesh.corners(face).map(new).collect()).collect();
        let points = vertices.iter().map(|&vertex| mesh.vertex(vertex));
        let made = if faces.iter().all(|face| face.len() == 3) {
            Mesh::triangles(points, faces.iter().map(|face| [face[0], face[1], face[2]]).collect())
        } else {
            Mesh::polygons(points, faces)
        };
        let materials = kept.iter().map(|&face| mesh.material(face)).collect();
        let model = Model::new(made.ok()?.with_materials(materials).unwrap());
        Some(Oracle { model, labels: kept.iter().map(|&face| mesh.label(face)).collect(), vertices })
    }

    /// A feature by its old numbers.
    fn named(&self, feature: Feature) -> String {
        match feature {
            Feature::Vertex(vertex) => format!("vertex {}", self.vertices[vertex as usize]),
            Feature::Edge { vertices, face, .. } => {
                let [from, to] = vertices.map(|vertex| self.vertices[vertex as usize]);
                format!("edge {from}-{to} of face {}", self.labels[face as usize])
            }
            Feature::Face(face) => format!("face {}", self.labels[face as usize]),
            _ => unreachable!("there are three kinds"),
        }
    }
}

fn as_is(feature: Feature) -> String {
    feature.to_string()
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn sweep_bits(
    sweep: &Sweep,
    name_moving: impl Fn(Feature) -> String,
    name_other: impl Fn(Feature) -> String,
) -> String {
    let place = sweep.world_from_moving.world_from_model().to_cols_array();
    let hit = sweep.hit.map(|hit: SweepHit| {
        let points =
            [hit.point_on_moving, hit.point_on_stationary, hit.normal].map(|v| v.to_array()).concat();
        let names = [name_moving(hit.feature_moving), name_other(hit.feature_stationary)];
        (bits(&points), hit.bound.to_bits(), names, hit.material_moving, hit.material_stationary)
    });
    let lift = sweep.lift.map(|lift| bits(&lift.to_array()));
    let numbers = bits(&[sweep.fraction, sweep.rounding]);
    format!(
        "{:?} {:?} {numbers:?} {:?} {hit:?} {lift:?} {}",
        sweep.status,
        sweep.phase,
        bits(&place),
        sweep.wedged
    )
}

fn ray_bits(hit: &RayHit, label: u32, vertex: impl Fn(u32) -> u32) -> String {
    let normal = hit.normal_in_world.map(|normal| bits(&normal.to_array()));
    let point = bits(&hit.point_in_world.to_array());
    let weights = bits(&hit.barycentric);
    let triangle = hit.triangle.map(vertex);
    format!(
        "{label} {} {:?} {point:?} {normal:?} {} {triangle:?} {weights:?}",
        hit.material,
        hit.t.to_bits(),
        hit.from_front
    )
}

fn contact_bits(contact: &Contact, names: &[String; 2], with_numbers: bool) -> String {
    let points = [contact.point_on_a, contact.point_on_b, contact.normal].map(|v| v.to_array()).concat();
    let numbers = with_numbers.then(|| (bits(&points), contact.distance.to_bits()));
    format!("{names:?} {:?} {numbers:?}", [contact.material_a, contact.material_b])
}

/// Meshes of all forms, open and closed, nested and crossing, with random materials in patches.
fn random_mesh(random: &mut Random) -> Mesh {
    let mesh = match random.below(9) {
        0 => Mesh::from(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap()),
        1 => Mesh::from(shapes::icosphere(1.0, 2).unwrap()),
        2 => Mesh::from(shapes::torus(1.0, 0.4, 9, 6).unwrap()),
        3 => Mesh::from(shapes::hollow_sphere(1.0, 0.6, 8, 5).unwrap()),
        4 => {
            // Boxes of quads, of which some cross.
            let (mut points, mut quads) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                let low = DVec3::from_array([0; 3].map(|_| f64::from(random.below(5)) * 0.25 - 1.0));
                let first = points.len() as u32;
                for corner in 0..8 {
                    let step =
                        DVec3::new((corner & 1).into(), (corner >> 1 & 1).into(), (corner >> 2).into());
                    points.push(low + step * 0.75);
                }
                for quad in
                    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
                {
                    quads.push(quad.map(|vertex| first + vertex));
                }
            }
            Mesh::polygons(points, quads).unwrap()
        }
        5 => {
            let point = |_: u32| DVec3::from_array([0; 3].map(|_| random.unit() * 2.0 - 1.0));
            Mesh::soup((0..30).map(point).collect::<Vec<_>>()).unwrap()
        }
        6 => {
            let point = |_: u32| DVec3::from_array([0; 3].map(|_| f64::from(random.below(9)) * 0.25 - 1.0));
            Mesh::triangle_strip((0..12).map(point).collect::<Vec<_>>()).unwrap()
        }
        7 => {
            let heights = (0..20).map(|_| f64::from(random.below(5)) * 0.2).collect();
            let holes = if random.below(2) == 0 { vec![5] } else { Vec::new() };
            Mesh::terrain(Terrain {
                origin: [-1.0, -1.0, 0.0],
                spacing: [0.5, 0.5],
                columns: 5,
                heights,
                holes,
            })
            .unwrap()
        }
        _ => {
            let inner = shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap();
            let outer = shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap();
            let [inner, outer] = [inner, outer].map(Mesh::from);
            let (points, triangles) = outer.triangle_table().unwrap();
            let (more, others) = inner.triangle_table().unwrap();
            let shift = points.len() as u32;
            let others = others.iter().map(|corners| corners.map(|vertex| vertex + shift));
            Mesh::triangles([points, more].concat(), triangles.iter().copied().chain(others).collect())
                .unwrap()
        }
    };
    let patch = 1 + random.below(6);
    let of_patch: Vec<u32> =
        (0..mesh.face_count()).map(|_| [0, 1, 2, 3, 63, 64, 900][random.below(7) as usize]).collect();
    let materials = (0..mesh.face_count() as u32).map(|face| of_patch[(face / patch) as usize]).collect();
    let mesh = mesh.with_materials(materials).unwrap();
    if random.below(4) == 0 {
        let labels = (0..mesh.face_count() as u32).map(|face| 10 + face / 2).collect();
        return mesh.with_labels(labels).unwrap();
    }
    mesh
}

fn random_set(random: &mut Random) -> MaterialSet {
    let of = |material: u32, random: &mut Random| if random.below(2) == 0 { 1_u64 << material } else { 0 };
    MaterialSet::from_bits(
        [0, 1, 2, 3, 40, 63].into_iter().fold(0, |set, material| set | of(material, random)),
    )
}

fn random_place(random: &mut Random, reach: f64) -> Placement {
    let mut coordinate = || (random.unit() * 2.0 - 1.0) * reach;
    let by = DVec3::new(coordinate(), coordinate(), coordinate());
    if random.below(3) == 0 {
        return Trs::translation((by * 4.0).round() / 4.0).unwrap().into();
    }
    let axis = DVec3::new(random.unit() + 0.1, random.unit(), random.unit()).normalize();
    Trs::new(by, DQuat::from_axis_angle(axis, 6.0 * random.unit()), DVec3::ONE).unwrap().into()
}

fn random_motion(random: &mut Random, toward: DVec3) -> Motion {
    let by = toward * (0.5 + random.unit());
    match random.below(3) {
        0 => Motion::translation(by).unwrap(),
        1 => Motion::rotation(toward / 2.0, [0.0, 0.6, 0.8], 180.0 * random.unit() + 5.0).unwrap(),
        _ => Motion::rigid(by, DVec3::ZERO, [1.0, 0.0, 0.0], 40.0).unwrap(),
    }
}

/// What a filter has to do with: two meshes, a set, and whether the oracle has the same faces.
struct Case {
    meshes: [Mesh; 2],
    places: [Placement; 2],
    ignored: MaterialSet,
}

impl Case {
    fn new(seed: u64) -> Case {
        let random = &mut Random::new(seed);
        let meshes = [random_mesh(random), random_mesh(random)];
        let reach = [0.4, 1.5, 3.0][random.below(3) as usize];
        let places = [random_place(random, reach), random_place(random, reach)];
        Case { meshes, places, ignored: random_set(random) }
    }
}

/// Counts of what happened, so that a test of nothing is seen.
#[derive(Default, Debug)]
struct Counts {
    hits: u64,
    clear: u64,
    overlapping: u64,
    gone: u64,
    altered: u64,
}

#[test]
fn sweeps_and_contacts_are_those_of_the_mesh_without_the_faces() {
    let mut counts = Counts::default();
    for seed in 0..share(60, 4000) {
        let Case { meshes, places, ignored } = Case::new(seed);
        let radius = if seed % 4 == 3 { 0.1 } else { 0.0 };
        let oracles = [0, 1].map(|side| {
            let Oracle { model, vertices, labels } = Oracle::of(&meshes[side], ignored)?;
            Some(Oracle { model: model.rounded(radius).unwrap(), vertices, labels })
        });
        let models = meshes.map(|mesh| Model::new(mesh).rounded(radius).unwrap());
        let [a, b] = [0, 1].map(|side| models[side].at(places[side]));
        let random = &mut Random::new(!seed);
        let centers = [a, b].map(|placed| placed.bounds().center());
        let motion = random_motion(random, centers[1] - centers[0] + DVec3::splat(0.01));
        let engine = if seed % 3 == 0 { Engine::Brute } else { Engine::Bvh };
        let margin = [0.0, 0.05][random.below(2) as usize];
        let options = SweepOptions::new().engine(engine).margin(margin);
        let sweep = a.sweep_with(&motion, &b, options.ignored_materials(ignored));
        // Which of two that overlap is moved out of the other depends on the faces that they have: rounding differs.
        let contact_options = ContactOptions::new().within(0.2).depth(0.0).engine(engine);
        let contacts = a.contacts_with(&b, contact_options.ignored_materials(ignored));
        let left = [a, b].map(|placed| placed.without_materials(ignored));
        let [Some(first), Some(second)] = &oracles else {
            assert!(left.iter().any(Option::is_none), "{seed}");
            assert_eq!((sweep.status, sweep.fraction), (SweepStatus::Clear, 1.0), "{seed}");
            assert!(sweep.hit.is_none() && contacts.is_empty(), "{seed}");
            counts.gone += 1;
            continue;
        };
        let [x, y] = [first.model.at(places[0]), second.model.at(places[1])];
        let known = x.sweep_with(&motion, &y, options);
        let own = sweep_bits(&sweep, as_is, as_is);
        assert_eq!(own, sweep_bits(&known, |f| first.named(f), |f| second.named(f)), "{seed}: {ignored:?}");
        match sweep.status {
            SweepStatus::Hit => counts.hits += 1,
            SweepStatus::Clear => counts.clear += 1,
            SweepStatus::StartedOverlapping => counts.overlapping += 1,
        }
        counts.altered += u64::from(own != sweep_bits(&a.sweep_with(&motion, &b, options), as_is, as_is));
        // Edges of a terrain's cells are measured from other ends than those of listed triangles.
        let is_grid = |model: &Model| matches!(model.mesh().faces(), Faces::Grid(_));
        let with_numbers = !models.iter().any(is_grid);
        let own: Vec<String> = contacts
            .iter()
            .map(|c| contact_bits(c, &[c.feature_a, c.feature_b].map(as_is), with_numbers))
            .collect();
        let mut known: Vec<String> = Vec::new();
        for contact in x.contacts_with(&y, contact_options) {
            let names = [first.named(contact.feature_a), second.named(contact.feature_b)];
            known.push(contact_bits(&contact, &names, with_numbers));
        }
        // Labels that faces share make one contact of several.
        let shares = [&models[0], &models[1]].iter().any(|model| {
            let labels: BTreeSet<u32> =
                (0..model.mesh().face_count() as u32).map(|f| model.mesh().label(f)).collect();
            labels.len() < model.mesh().face_count()
        });
        let (own, known): (BTreeSet<String>, BTreeSet<String>) =
            (own.into_iter().collect(), known.into_iter().collect());
        assert!(if shares { own.is_subset(&known) } else { own == known }, "{seed}\n{own:#?}\n{known:#?}");
        let left = left.map(|placed| placed.expect("the oracle has faces"));
        assert_eq!(left[0].verdict(&left[1]), x.verdict(&y), "{seed}");
        // A distance is as exact as its tolerance says: which of equal pairs is found first depends on the form of the mesh.
        let extent = [x, y].map(|placed| placed.bounds()).map(|b| b.min.abs().max(b.max.abs()).max_element());
        let off = (left[0].distance(&left[1]).distance - x.distance(&y).distance).abs();
        assert!(off <= 4.0 * DISTANCE_ABSOLUTE * extent[0].max(extent[1]), "{seed}: {off}");
    }
    println!("{counts:?}");
    let Counts { hits, clear, overlapping, gone, altered } = counts;
    let cases = share(60, 4000);
    assert!(hits > cases / 8 && clear > cases / 16 && overlapping > cases / 64 && altered > cases / 8);
    assert!(gone > 0);
}

#[test]
fn rays_pass_through_what_they_ignore() {
    let mut counts = Counts::default();
    for seed in 0..share(60, 3000) {
        let Case { meshes: [mesh, _], places: [place, _], ignored } = Case::new(seed ^ 0x5eed);
        let radius = if seed % 5 == 4 { 0.1 } else { 0.0 };
        let oracle = Oracle::of(&mesh, ignored)
            .map(|oracle| Oracle { model: oracle.model.rounded(radius).unwrap(), ..oracle });
        let model = Model::new(mesh).rounded(radius).unwrap();
        let placed = model.at(place);
        let random = &mut Random::new(!seed);
        let center = placed.bounds().center();
        let ray = |random: &mut Random| {
            let origin = center + random.in_cube() * 3.0;
            let aim = if random.below(3) == 0 {
                // At a vertex, through edges.
                let vertex = random.below(model.mesh().vertex_count() as u32);
                place.world_from_model().transform_point3(model.mesh().vertex(vertex))
            } else {
                center + random.in_cube()
            };
            Ray::new(origin, aim - origin)
        };
        let rays: Vec<Ray> = (0..12).filter_map(|_| ray(random).ok()).collect();
        let engine = if seed % 3 == 0 { Engine::Brute } else { Engine::Bvh };
        let plain = RayOptions::new().engine(engine).cull_back(seed % 4 == 0);
        let options = plain.ignored_materials(ignored);
        let many = placed.cast_rays(&rays, options);
        let mut first_faces = vec![None; rays.len()];
        placed.cast_rays_into(&rays, options, &mut first_faces);
        for (i, ray) in rays.iter().enumerate() {
            let own = |hit: &RayHit| ray_bits(hit, hit.face, |vertex| vertex);
            let nearest = placed.cast_ray_with(ray, options);
            let all: Vec<String> = placed.cast_ray_all(ray, options).iter().map(own).collect();
            let Some(oracle) = &oracle else {
                assert!(nearest.is_none() && all.is_empty() && many[i].is_none(), "{seed}");
                counts.gone += 1;
                continue;
            };
            let named = |hit: &RayHit| {
                ray_bits(hit, oracle.labels[hit.face as usize], |vertex| oracle.vertices[vertex as usize])
            };
            let known = oracle.model.at(place);
            let has_labels = model.mesh().label(0) != 0;
            // Labels order hits at the same time.
            let known_nearest = known.cast_ray_with(ray, plain);
            if has_labels {
                assert_eq!(nearest.map(|hit| hit.t), known_nearest.map(|hit| hit.t), "{seed}");
            } else {
                assert_eq!(nearest.as_ref().map(own), known_nearest.as_ref().map(named), "{seed}");
                assert_eq!(
                    all,
                    known.cast_ray_all(ray, plain).iter().map(named).collect::<Vec<_>>(),
                    "{seed}"
                );
            }
            assert_eq!(many[i].as_ref().map(own), nearest.as_ref().map(own), "{seed}");
            assert_eq!(
                first_faces[i].map(|first| (first.face, first.t)),
                nearest.map(|hit| (hit.face, hit.t)),
                "{seed}"
            );
            assert_eq!(placed.cast_ray_any(ray, options).is_some(), nearest.is_some(), "{seed}");
            assert!(nearest.is_none_or(|hit| !ignored.contains(hit.material)), "{seed}");
            counts.hits += u64::from(nearest.is_some());
            counts.clear += u64::from(nearest.is_none());
            let whole = placed.cast_ray_with(ray, plain);
            counts.altered += u64::from(whole.as_ref().map(own) != nearest.as_ref().map(own));
        }
    }
    println!("{counts:?}");
    let rays = 12 * share(60, 3000);
    assert!(
        counts.hits > rays / 4 && counts.clear > rays / 32 && counts.altered > rays / 16 && counts.gone > 0
    );
}

/// A house of a floor and four walls, of which one has a pane of glass in a hole. The pane is as wide as the hole, and thin.
fn house() -> Model {
    let (mut points, mut triangles, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    let mut block = |low: [f64; 3], high: [f64; 3], material: u32| {
        let mesh = Mesh::from(shapes::cuboid(low, high).unwrap());
        let (own, faces) = mesh.triangle_table().unwrap();
        let first = points.len() as u32;
        triangles.extend(faces.iter().map(|corners| corners.map(|vertex| first + vertex)));
        materials.extend(faces.iter().map(|_| material));
        points.extend_from_slice(own);
    };
    block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], 0);
    block([-5.0, 4.0, 0.0], [5.0, 5.0, 4.0], 1);
    block([-5.0, -5.0, 0.0], [5.0, -4.0, 4.0], 1);
    block([-5.0, -4.0, 0.0], [-4.0, 4.0, 4.0], 1);
    // The front: below, above, left and right of the window.
    block([4.0, -4.0, 0.0], [5.0, 4.0, 1.0], 1);
    block([4.0, -4.0, 3.0], [5.0, 4.0, 4.0], 1);
    block([4.0, -4.0, 1.0], [5.0, -1.0, 3.0], 1);
    block([4.0, 1.0, 1.0], [5.0, 4.0, 3.0], 1);
    block([4.45, -1.0, 1.0], [4.55, 1.0, 3.0], 3);
    Model::new(Mesh::triangles(points, triangles).unwrap().with_materials(materials).unwrap())
}

fn ball() -> Arc<Model> {
    Arc::new(Model::new(shapes::icosphere(0.2, 2).unwrap()))
}

fn at(point: [f64; 3]) -> Trs {
    Trs::translation(point).unwrap()
}

#[test]
fn bullets_pass_through_glass_that_stops_players() {
    let mut world = World::new();
    let house = world.insert(Body::fixed(house(), Trs::IDENTITY)).unwrap();
    let out = Motion::translation([8.0, 0.0, 0.0]).unwrap();
    let player = world.insert(Body::moving(ball(), at([0.0, 0.5, 2.0]))).unwrap();
    let bullet = world.insert(Body::moving(ball(), at([0.0, -0.5, 2.0])).ignoring_materials(GLASS)).unwrap();
    let step = world.step(&[(player, out), (bullet, out)]).unwrap();
    let [of_player, of_bullet] = [&step.moves[0], &step.moves[1]];
    assert_eq!((of_player.status, of_bullet.status), (SweepStatus::Hit, SweepStatus::Clear));
    assert_eq!(of_player.hits[0].other, house);
    assert_eq!(of_player.hits[0].hit.unwrap().material_stationary, 3);
    assert_eq!(of_player.hits[0].hit.unwrap().material_moving, 0);
    // Back into the pane: the bullet may rest in it, a player may not.
    let into = world.try_move(bullet, &Motion::translation([-3.5, 0.0, 0.0]).unwrap()).unwrap();
    assert_eq!((into.status, world.verdict(bullet, house).unwrap()), (SweepStatus::Clear, Verdict::Clear));
    assert!(world.overlaps().is_empty());
    assert_eq!(world.try_teleport(&[(bullet, at([4.5, -0.5, 2.0]))]).unwrap(), []);
    assert_eq!(world.try_teleport(&[(player, at([4.5, 0.5, 2.0]))]).unwrap(), [player]);
    assert_eq!(world.contacts_between(bullet, house, 0.25).unwrap(), []);
    // It is stopped by the wall beside the window, by its material.
    world.teleport(bullet, at([0.0, -2.0, 2.0])).unwrap();
    let stopped = world.try_move(bullet, &out).unwrap();
    assert_eq!(stopped.hits[0].hit.unwrap().material_stationary, 1);
    // In the pane, it overlaps as soon as it ignores nothing, and is freed again.
    world.teleport(bullet, at([4.5, -0.5, 2.0])).unwrap();
    assert!(world.overlaps().is_empty());
    world.set_ignored_materials(bullet, MaterialSet::NONE).unwrap();
    assert_eq!(world.overlaps(), [[house, bullet]]);
    assert_eq!(world.try_move(bullet, &out).unwrap().status, SweepStatus::StartedOverlapping);
    world.set_ignored_materials(bullet, GLASS).unwrap();
    assert!(world.overlaps().is_empty());
    // Rays and sweeps from outside take what they are told.
    let ray = Ray::new([0.0, 0.0, 2.0], [1.0, 0.0, 0.0]).unwrap();
    let not_bullets = |handle: Handle, _: &Body| handle == house;
    let (_, hit) = world.cast_ray(&ray, RayOptions::new(), not_bullets).unwrap();
    assert_eq!((hit.material, hit.t), (3, 4.45));
    assert!(world.cast_ray(&ray, RayOptions::new().ignored_materials(GLASS), not_bullets).is_none());
    let shape = ball();
    let there = shape.at(at([0.0, 0.0, 2.0]));
    let sweep = world.sweep(&there, &out, SweepOptions::new(), not_bullets).unwrap().1;
    assert_eq!(sweep.hit.unwrap().material_stationary, 3);
    assert!(world.sweep(&there, &out, SweepOptions::new().ignored_materials(GLASS), not_bullets).is_none());
}

#[test]
fn what_is_all_ignored_is_not_there() {
    let pane = Mesh::from(shapes::cuboid([-0.1, -1.0, -1.0], [0.1, 1.0, 1.0]).unwrap());
    let faces = pane.face_count();
    let pane = Arc::new(Model::new(pane.with_materials(vec![3; faces]).unwrap()));
    assert!(pane.without_materials(GLASS).is_none());
    let mut world = World::new();
    let pane = world.insert(Body::fixed(pane, Trs::IDENTITY)).unwrap();
    let bullet = world.insert(Body::moving(ball(), at([-2.0, 0.0, 0.0])).ignoring_materials(GLASS)).unwrap();
    let half = Motion::translation([2.0, 0.0, 0.0]).unwrap();
    let step = world.step(&[(bullet, half)]).unwrap();
    assert_eq!((step.moves[0].status, step.began.len()), (SweepStatus::Clear, 0));
    assert_eq!(world.verdict(pane, bullet).unwrap(), Verdict::Clear);
    assert_eq!(world.contacts_between(pane, bullet, 1.0).unwrap(), []);
    assert_eq!(world.nearest(bullet, 1.0, |_, _| true).unwrap(), None);
    assert!(world.overlaps().is_empty());
    assert_eq!(world.step(&[(bullet, half)]).unwrap().moves[0].status, SweepStatus::Clear);
}

/// The faces of a body that another finds.
fn found_by<'b>(body: &'b Body, other: &Body) -> Option<Placed<'b>> {
    body.placed().without_materials(other.ignored_materials())
}

/// Bodies of patched materials that ignore some of each other move at once: nothing that is left for them interpenetrates, at any time, and nothing depends on
/// threads or the order of the list.
#[test]
fn worlds_keep_what_is_left_apart() {
    let (mut stops, mut passed) = (0, 0);
    for seed in 0..share(3, 60) {
        let random = &mut Random::new(seed);
        let of_kind: Vec<Arc<Model>> = (0..4)
            .map(|kind| {
                let mesh = match kind {
                    0 => Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
                    1 => Mesh::from(shapes::icosphere(0.5, 2).unwrap()),
                    2 => Mesh::from(shapes::torus(0.5, 0.2, 8, 6).unwrap()),
                    _ => Mesh::from(shapes::cuboid([-0.1, -1.0, -1.0], [0.1, 1.0, 1.0]).unwrap()),
                };
                let patches: Vec<u32> = (0..mesh.face_count()).map(|_| random.below(4)).collect();
                let materials = (0..mesh.face_count()).map(|face| patches[face / 4]).collect();
                Arc::new(Model::new(mesh.with_materials(materials).unwrap()))
            })
            .collect();
        let bodies: Vec<Body> = (0..10)
            .map(|i| {
                let model = of_kind[random.below(4) as usize].clone();
                let place =
                    DVec3::new(f64::from(i % 4), f64::from(i / 4 % 3), 0.0) * 2.6 + random.in_cube() * 0.2;
                let ignored = [0, 0, 1 << 3, 1 << 1 | 1 << 2, 0b1111][random.below(5) as usize];
                let body = if i == 0 {
                    Body::fixed(model, at(place.into()))
                } else {
                    Body::moving(model, at(place.into()))
                };
                body.ignoring_materials(MaterialSet::from_bits(ignored))
            })
            .collect();
        let motions: Vec<Vec<Motion>> = (0..6)
            .map(|_| {
                let mut motion = || match random.below(2) {
                    0 => Motion::translation(random.in_cube() * 3.0).unwrap(),
                    _ => {
                        let axis = random.in_cube() + DVec3::new(0.0, 0.0, 2.0);
                        Motion::rigid(random.in_cube() * 2.0, DVec3::ONE, axis, 30.0).unwrap()
                    }
                };
                (1..10).map(|_| motion()).collect()
            })
            .collect();
        let mut hashes = Vec::new();
        for [parallel, reversed, prepared] in [[false; 3], [true; 3], [false, true, true]] {
            let mut world =
                World::with_options(WorldOptions::new().parallel(parallel).prepare_on_insert(prepared));
            let handles: Vec<Handle> =
                bodies.iter().map(|body| world.insert(body.clone()).unwrap()).collect();
            world.record();
            for motions in &motions {
                let mut moves: Vec<(Handle, Motion)> =
                    handles[1..].iter().copied().zip(motions.iter().copied()).collect();
                if reversed {
                    moves.reverse();
                }
                let step = world.step_with(&moves, &StepOptions::new().planes(2)).unwrap();
                stops += step.moves.iter().filter(|made| made.status == SweepStatus::Hit).count();
                let all: Vec<(Handle, &Body)> = world.iter().collect();
                for (i, (first, a)) in all.iter().enumerate() {
                    for (second, b) in &all[i + 1..] {
                        let verdict = match (found_by(a, b), found_by(b, a)) {
                            (Some(a), Some(b)) => a.verdict(&b),
                            _ => Verdict::Clear,
                        };
                        let is_free = matches!(verdict, Verdict::Clear | Verdict::Touching);
                        let is_known = world.overlaps().contains(&[*first, *second]);
                        assert!(is_free || is_known, "{seed}: {first} and {second} are {verdict:?}");
                        assert_eq!(world.verdict(*first, *second).unwrap(), verdict);
                        passed += usize::from(is_free && a.placed().intersects(&b.placed()));
                    }
                }
            }
            hashes.push(world.hash());
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{seed}: {hashes:?}");
    }
    println!("{stops} stops, {passed} times bodies that pass through each other");
    assert!(stops > 20 && passed > 0);
}

#[test]
fn a_body_that_all_ignore_alike_moves_as_the_one_without_the_faces() {
    for seed in 0..share(10, 300) {
        let random = &mut Random::new(seed);
        let mesh = random_mesh(random);
        let ignored = random_set(random);
        let Some(oracle) = Oracle::of(&mesh, ignored) else { continue };
        let oracle = Arc::new(oracle.model);
        if mesh.bounds() != oracle.mesh().bounds() {
            // Its skin would be another.
            continue;
        }
        let model = Arc::new(Model::new(mesh));
        let place = random_place(random, 1.0);
        let start = at((place.world_from_model().translation + random.in_cube() * 2.0).into());
        let toward = random_place(random, 2.0).world_from_model().translation;
        let motion = random_motion(random, toward);
        let made = [(&model, ignored), (&oracle, MaterialSet::NONE)].map(|(model, ignored)| {
            let mut world = World::new();
            world.insert(Body::fixed(model.clone(), place)).unwrap();
            let mover = world.insert(Body::moving(ball(), start).ignoring_materials(ignored)).unwrap();
            let step = world.step(&[(mover, motion)]).unwrap();
            let back = Motion::translation(-motion.by()).unwrap();
            let again = world.try_move(mover, &back).unwrap();
            let key = |made: &impinge::world::Move| {
                let place = made.placement.world_from_model().to_cols_array();
                (made.status, made.fraction.to_bits(), bits(&place), made.wedged)
            };
            (key(&step.moves[0]), key(&again), step.began, world.hash())
        });
        assert_eq!(made[0], made[1], "{seed}");
    }
}

#[test]
fn materials_stay_with_their_faces() {
    let cube = || Mesh::from(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    let materials: Vec<u32> = (0..12).collect();
    let mesh = cube().with_materials(materials.clone()).unwrap();
    let error = cube().with_materials(vec![0; 11]).unwrap_err();
    assert_eq!(error.to_string(), "11 materials for 12 faces");
    assert_eq!((cube().material(5), cube().materials()), (0, None));
    assert_eq!(mesh.welded(1e-9).unwrap().materials(), Some(&materials[..]));
    let again: Mesh = serde_json::from_str(&serde_json::to_string(&mesh).unwrap()).unwrap();
    assert_eq!(again, mesh);
    assert_ne!(mesh, cube());
    // A deformable keeps them, and what is left of it moves along.
    let mut deformable = Deformable::new(mesh.clone());
    let lid = MaterialSet::of(0..12).unwrap();
    assert!(deformable.model().without_materials(lid).is_none());
    let ignored = MaterialSet::of(0..10).unwrap();
    let before = deformable.model().without_materials(ignored).unwrap().bounds();
    let moved: Vec<DVec3> = mesh.vertices().map(|vertex| vertex * 2.0).collect();
    deformable.set_vertices(&moved).unwrap();
    assert_eq!(deformable.model().without_materials(ignored).unwrap().bounds().max, before.max * 2.0);
    // Sets that leave the same faces share a model, and the whole is itself.
    let model = Model::new(mesh);
    let same = |a: Option<&Model>, b: Option<&Model>| std::ptr::eq(a.unwrap(), b.unwrap());
    assert!(same(
        model.without_materials(ignored),
        model.without_materials(ignored | MaterialSet::from_bits(1 << 40))
    ));
    assert!(same(model.without_materials(MaterialSet::from_bits(1 << 40)), Some(&model)));
    assert!(!same(model.without_materials(ignored), model.without_materials(GLASS)));
    for face in 0..12 {
        assert_eq!(model.material_of(Feature::Face(face)), Some(face));
    }
    assert_eq!(model.material_of(Feature::Vertex(0)), Some(model.corners_at(0)[0].face));
    assert_eq!((model.material_of(Feature::Face(12)), model.material_of(Feature::Vertex(99))), (None, None));
}

#[test]
fn contacts_name_the_materials_of_both_sides() {
    let mesh = Mesh::from(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    let of_face = |face: u32| {
        let [a, b, c] = [0, 1, 2].map(|corner| mesh.vertex(mesh.corner(face, corner)));
        if (b - a).cross(c - a).z > 0.5 { 7 } else { 2 }
    };
    let materials = (0..12).map(of_face).collect();
    let floor = Model::new(mesh.clone().with_materials(materials).unwrap());
    let crate_ = Model::new(
        Mesh::from(shapes::cuboid([-0.25; 3], [0.25; 3]).unwrap()).with_materials(vec![9; 12]).unwrap(),
    );
    let standing = crate_.at(at([0.5, 0.0, 1.25]));
    let contacts = standing.contacts(&floor.at(Trs::IDENTITY), 0.01);
    assert!(
        contacts.len() >= 4
            && contacts.iter().all(|contact| (contact.material_a, contact.material_b) == (9, 7))
    );
    let swapped = floor.at(Trs::IDENTITY).contacts(&standing, 0.01);
    assert!(swapped.iter().all(|contact| (contact.material_a, contact.material_b) == (7, 9)));
    assert_eq!(contacts.iter().map(|contact| contact.flipped()).collect::<Vec<_>>().len(), swapped.len());
    let none = ContactOptions::new().within(0.01).ignored_materials(MaterialSet::from_bits(1 << 7));
    // Without the top, edges of the sides are as near.
    assert!(
        standing.contacts_with(&floor.at(Trs::IDENTITY), none).iter().all(|contact| contact.material_b == 2)
    );
}
