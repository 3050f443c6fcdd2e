//! A test that queries find everything there that preparation for their purpose promises.

use crate::mesh::Mesh;
use crate::model::{Model, Placed, Purpose};
use crate::query::Volume;
use crate::query::ray::{Ray, RayOptions};
use crate::shapes::{self, Random};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Trs};

/// Solids, a surface, many parts, polygons.
fn meshes() -> Vec<Mesh> {
    let apart = |number: u32| {
        let place = DVec3::new(f64::from(number % 5), f64::from(number / 5), 0.0) * 0.4 - DVec3::splat(0.8);
        [place, place + 0.3 * DVec3::X, place + 0.3 * DVec3::new(0.3, 1.0, 0.7)]
    };
    let soup: Vec<DVec3> = (0..25).flat_map(apart).collect();
    vec![
        Mesh::from(shapes::torus(1.0, 0.3, 12, 8).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::soup(soup).unwrap(),
    ]
}

fn options(purpose: Purpose, a: &Placed<'_>, b: &Placed<'_>, random: &mut Random) {
    if purpose == Purpose::PAIRS {
        a.verdict(b);
        a.face_pairs(b);
        a.intersection_curve(b);
        a.separating_translation(b, f64::INFINITY).expect("a limit");
        a.overlaps(b);
    } else if purpose == Purpose::DISTANCE {
        let point = random.in_cube();
        a.distance(b);
        a.contacts(b, 0.2);
        a.signed_distances(&[point; 3]);
        a.closest_points(&[point; 3]);
    } else if purpose == Purpose::SWEEPS {
        a.sweep(&Motion::translation(random.in_cube()).unwrap(), b);
        a.sweep(&Motion::rotation(random.in_cube(), random.direction(), 50.0).unwrap(), b);
    } else {
        let ray = Ray::new(3.0 * random.direction(), random.direction()).unwrap();
        a.cast_ray(&ray);
        a.cast_rays(&vec![ray; 2000], RayOptions::default());
        a.faces_touching(&Volume::sphere(random.in_cube(), 0.5).unwrap());
    }
}

#[test]
fn after_preparation_nothing_is_left_to_make() {
    let mut random = Random::new(1);
    for purpose in [Purpose::PAIRS, Purpose::DISTANCE, Purpose::SWEEPS, Purpose::RAYS] {
        for _ in 0..20 {
            let models: Vec<Model> = meshes().into_iter().map(Model::new).collect();
            models.iter().for_each(|model| model.prepare(purpose));
            let made: Vec<Purpose> = models.iter().map(Model::made).collect();
            assert!(models.iter().all(|model| model.is_prepared(purpose)), "{purpose:?} {made:?}");
            for a in &models {
                for b in &models {
                    let place = Trs::translation(random.in_cube()).unwrap();
                    options(purpose, &a.at(Trs::IDENTITY), &b.at(place), &mut random);
                }
            }
            for (model, made) in models.iter().zip(made) {
                assert_eq!(model.made(), made, "{purpose:?}");
            }
        }
    }
}
