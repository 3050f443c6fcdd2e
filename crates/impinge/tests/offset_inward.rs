//! Models made smaller: what is swept stops so that what is drawn touches.

use impinge::math::DVec3;
use impinge::model::OffsetError;
use impinge::query::{SweepOptions, SweepStatus};
use impinge::shapes::{self, Random, Shape};
use impinge::{Mesh, Model, Motion, Trs};

#[test]
fn what_is_drawn_touches_where_what_is_swept_stops() {
    let expel = 0.25;
    let drawn = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    let swept = Model::new(drawn.offset_inward(expel / 2.0).unwrap());
    let floor = Model::new(shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]).unwrap());
    let swept_floor = Model::new(floor.offset_inward(expel / 2.0).unwrap());
    let ask = SweepOptions::new().margin(expel);
    let mut random = Random::new(1);
    for _ in 0..100 {
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let at = 3.0 * random.in_cube() + 6.0 * DVec3::Z;
        let start = Trs::rigid(at, turn.orientation()).unwrap();
        let drop = Motion::translation([0.0, 0.0, -8.0]).unwrap();
        let sweep = swept.at(start).sweep_with(&drop, &swept_floor.at(Trs::IDENTITY), ask);
        assert_eq!(sweep.status, SweepStatus::Hit);
        let there = drawn.try_at(sweep.world_from_moving).unwrap();
        // The corner of a cube reaches farther than its faces do, by the square root of three at most.
        let lowest = drawn
            .mesh()
            .vertices()
            .map(|vertex| there.placement().world_from_model().transform_point3(vertex).z);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        assert!(lowest <= 1e-6 && lowest >= -expel / 2.0 * 3_f64.sqrt(), "{lowest}");
    }
    // Flat on the floor they touch.
    let drop = Motion::translation([0.0, 0.0, -8.0]).unwrap();
    let start = Trs::translation([0.0, 0.0, 4.0]).unwrap();
    let sweep = swept.at(start).sweep_with(&drop, &swept_floor.at(Trs::IDENTITY), ask);
    let there = drawn.try_at(sweep.world_from_moving).unwrap();
    assert!(there.distance(&floor.at(Trs::IDENTITY)).distance < 1e-6);
}

#[test]
fn every_vertex_of_a_smooth_solid_moves_into_it() {
    for shape in [Shape::Knot, Shape::Torus, Shape::Bumpy] {
        let model = Model::new(shape.generate(2_000, 3));
        let by = 1e-3 * (model.bounds().max - model.bounds().min).max_element();
        let mesh = model.offset_inward(by).unwrap();
        for (vertex, (before, after)) in (0..).zip(model.mesh().vertices().zip(mesh.vertices())) {
            let way = (after - before).length();
            assert!(way > 0.5 * by && way <= 4.0 * by * (1.0 + 1e-9), "vertex {vertex}: {way} for {by}");
        }
        let small = Model::new(mesh);
        let verdict = small.at(Trs::IDENTITY).verdict(&model.at(Trs::IDENTITY));
        assert_eq!(verdict, impinge::Verdict::Inside(impinge::query::Contained::A), "{shape:?}");
    }
}

#[test]
fn what_has_no_inside_stays_and_what_is_too_thin_is_an_error() {
    let sheet = Model::new(Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap());
    assert!(sheet.offset_inward(0.1).unwrap().vertices().eq(sheet.mesh().vertices()));
    let plate = Model::new(shapes::cuboid([0.0; 3], [1.0, 1.0, 0.1]).unwrap());
    assert!(plate.offset_inward(0.04).is_ok());
    assert!(matches!(plate.offset_inward(0.06), Err(OffsetError::TooThin { .. })));
    // Beyond the middle, a cube would stand on its head with all faces looking outward again.
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    assert!(matches!(cube.offset_inward(0.6), Err(OffsetError::TooThin { .. })));
    assert!(matches!(plate.offset_inward(f64::NAN), Err(OffsetError::Length { .. })));
    assert!(matches!(plate.offset_inward(-1.0), Err(OffsetError::Length { by: -1.0 })));
    assert!(plate.offset_inward(0.0).unwrap().vertices().eq(plate.mesh().vertices()));
}
