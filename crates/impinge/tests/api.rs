//! The form of the API: three ways to ask are one question, options compose, answers print and come back from serde as they were.

use impinge::mesh::Problem;
use impinge::model::Feature;
use impinge::query::{
    ContactOptions, DistanceOptions, Engine, IntersectOptions, Ray, RayOptions, Scratch, SweepOptions,
    Volume, VolumeOptions,
};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Motion, Placed, Trs};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).expect("finite numbers")).expect("what was written")
}

fn pairs(each: impl Fn(&Placed<'_>, &Placed<'_>, &mut Random)) {
    let ring = Model::new(shapes::torus(1.0, 0.25, 24, 12).expect("a ring"));
    let cube = Model::new(shapes::cuboid([-0.3; 3], [0.3; 3]).expect("a cube"));
    let mut random = Random::new(17);
    for _ in 0..200 {
        let place = |random: &mut Random| Trs::translation(1.2 * random.in_cube()).expect("a place");
        let (a, b) = (ring.at(place(&mut random)), cube.at(place(&mut random)));
        each(&a, &b, &mut random);
    }
}

#[test]
fn with_options_and_in_memory_of_ones_own_is_the_same_question() {
    let mut scratch = Scratch::default();
    let scratch = std::cell::RefCell::new(&mut scratch);
    pairs(|a, b, random| {
        let scratch = &mut **scratch.borrow_mut();
        let options = IntersectOptions::new().pairs(true);
        assert_eq!(a.intersect_in(b, options, scratch), a.intersect_with(b, options));
        assert_eq!(a.intersect(b).verdict, a.intersect_with(b, options).verdict);
        assert_eq!(a.intersects_in(b, options, scratch), a.intersects(b));
        assert_eq!(a.distance_in(b, DistanceOptions::new(), scratch), Some(a.distance(b)));
        let contacts = ContactOptions::new().within(0.3);
        assert_eq!(a.contacts_in(b, contacts, scratch), a.contacts(b, 0.3));
        assert_eq!(a.contacts_with(b, contacts.engine(Engine::Brute)), a.contacts(b, 0.3));
        let motion = Motion::translation(random.in_cube()).expect("finite");
        assert_eq!(a.sweep_in(&motion, b, SweepOptions::new(), scratch), a.sweep(&motion, b));
        let point = random.in_cube();
        assert_eq!(a.closest_point_in(point, DistanceOptions::new(), scratch), a.closest_point(point));
        assert_eq!(a.signed_distance_in(point, scratch), a.signed_distance(point));
        let ball = Volume::sphere(point, 0.4).expect("a ball");
        let mut faces = Vec::new();
        a.faces_touching_in(&ball, VolumeOptions::new().engine(Engine::Brute), scratch, &mut faces);
        assert_eq!(faces, a.faces_touching(&ball));
    });
}

/// Many rays with a filter take another way than packets do, and find what one ray after the other finds.
#[test]
fn filters_of_rays_hold_for_many_at_once() {
    let odd = |face: u32| face % 2 == 1;
    pairs(|a, _, random| {
        let rays: Vec<Ray> = (0..20)
            .map(|_| Ray::new(3.0 * random.in_cube(), random.in_cube()).expect("a direction"))
            .collect();
        for options in [RayOptions::new().accept(Some(&odd)), RayOptions::new().engine(Engine::Brute)] {
            let hits = a.cast_rays(&rays, options);
            for (ray, hit) in rays.iter().zip(&hits) {
                assert_eq!(a.cast_ray_with(ray, options), *hit);
                assert_eq!(a.cast_ray_all(ray, options).first(), hit.as_ref());
                assert!(options.accept.is_none() || hit.is_none_or(|hit| odd(hit.face)));
            }
        }
    });
}

#[test]
fn answers_come_back_from_serde_as_they_were() {
    pairs(|a, b, random| {
        let found = a.intersect_with(b, IntersectOptions::new().pairs(true));
        assert_eq!(again(&found), found);
        let distance = a.distance(b);
        assert_eq!(again(&distance), distance);
        let contacts = a.contacts(b, 0.3);
        assert_eq!(again(&contacts), contacts);
        let sweep = a.sweep(&Motion::translation(random.in_cube()).expect("finite"), b);
        assert_eq!(again(&sweep), sweep);
        let clashes = impinge::clash::detect(&[*a, *b]);
        assert_eq!(again(&clashes), clashes);
    });
}

/// No number of a normal is -0, which prints as one and means nothing.
#[test]
fn normals_have_no_negative_zeros_and_surfaces_face_the_other_way() {
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).expect("a cube"));
    let mut random = Random::new(3);
    for axis in 0..3 {
        for side in [1.125, -1.125] {
            let mut place = [0.0; 3];
            place[axis] = side;
            place[(axis + 1) % 3] = 0.5 * random.unit();
            let (a, b) = (cube.at(Trs::IDENTITY), cube.at(Trs::translation(place).expect("a place")));
            for (a, b) in [(&a, &b), (&b, &a)] {
                let contacts = a.contacts(b, 0.2);
                assert!(!contacts.is_empty());
                let by = (b.bounds().min - a.bounds().min) * 0.5;
                let hit = a.sweep(&Motion::translation(by).expect("finite"), b).hit.expect("a hit");
                let normals = contacts.iter().map(|contact| (contact.normal, contact.surface_normal()));
                for (normal, surface) in normals.chain([(hit.normal, hit.surface_normal())]) {
                    assert_eq!(surface, -normal);
                    let bits = normal.to_array().into_iter().chain(surface.to_array());
                    assert!(bits.into_iter().all(|x| x != 0.0 || x.is_sign_positive()), "{normal} {surface}");
                }
            }
        }
    }
}

#[test]
fn features_print_by_kind_and_index() {
    let edge = pairs_edge();
    assert_eq!(Feature::Vertex(3).to_string(), "vertex 3");
    assert_eq!(Feature::Face(7).to_string(), "face 7");
    assert!(edge.starts_with("edge ") && edge.contains(" of face "), "{edge}");
}

/// The name of an edge that is closest to an edge of another cube.
fn pairs_edge() -> String {
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).expect("a cube"));
    let turned = Trs::rotation_about_axis([0.0, 0.0, 1.0], 45.0).expect("an axis");
    let beside = Trs::new([-0.9, 0.5, 0.5], turned.orientation(), [1.0; 3]).expect("a place");
    let found = cube.at(Trs::IDENTITY).contacts(&cube.at(beside), 1.0);
    let mut edges = found.iter().flat_map(|contact| [contact.feature_a, contact.feature_b]);
    edges.find(|feature| matches!(feature, Feature::Edge { .. })).expect("an edge").to_string()
}

#[test]
fn angles_may_be_in_radians() {
    let [degrees, radians] = [
        Motion::rotation([1.0, 0.0, 0.0], [0.0, 0.0, 2.0], 90.0),
        Motion::rotation_radians([1.0, 0.0, 0.0], [0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2),
    ]
    .map(|motion| motion.expect("finite"));
    assert_eq!(degrees, radians);
    assert_eq!(degrees.turn().expect("a turn").radians(), std::f64::consts::FRAC_PI_2);
    let rigid = Motion::rigid_radians([1.0, 2.0, 3.0], [0.0; 3], [1.0, 0.0, 0.0], std::f64::consts::PI);
    assert_eq!(rigid, Motion::rigid([1.0, 2.0, 3.0], [0.0; 3], [1.0, 0.0, 0.0], 180.0));
}

#[test]
fn flat_indices_of_any_width_make_triangles() {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let expected = Mesh::triangles(points, vec![[0, 1, 2], [2, 1, 3]]);
    assert_eq!(Mesh::indexed_triangles(points, [0_u16, 1, 2, 2, 1, 3]), expected);
    assert_eq!(Mesh::indexed_triangles(points, [0_u8, 1, 2, 2, 1, 3]), expected);
    assert_eq!(Mesh::indexed_triangles(points, vec![0_u32, 1, 2, 2, 1, 3]), expected);
    let refused = Mesh::indexed_triangles(points, [0_u32, 1, 2, 3]).expect_err("one too many");
    assert_eq!(refused.problems(), [Problem::IndicesNotThrees { indices: 4 }]);
}
