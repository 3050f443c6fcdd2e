//! What lies inside of parts that are open, by their generalized winding number.

use crate::effort::share;
use impinge::clash::{Clash, ClashKind, ClashOptions, check_pair, detect_with};
use impinge::math::{DQuat, DVec3};
use impinge::query::{Contained, IntersectOptions, PenetrationOptions};
use impinge::shapes::{self, Polyhedron, Random};
use impinge::{Mesh, Model, Placed, Trs, Verdict};

/// A shape without the triangles of which a corner lies above a height.
fn cut_off(shape: Polyhedron, height: f64) -> Model {
    without(shape, |corners| corners.iter().any(|corner| corner.z > height))
}

fn without(shape: Polyhedron, mut is_left_out: impl FnMut([DVec3; 3]) -> bool) -> Model {
    let mesh = Mesh::from(shape);
    let triangles = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    let kept: Vec<[u32; 3]> =
        triangles.filter(|corners| !is_left_out(corners.map(|vertex| mesh.vertex(vertex)))).collect();
    Model::new(Mesh::triangles(mesh.vertices(), kept).unwrap())
}

/// The answer on a pair: a clash, or whether one of the two may be inside of the other. It is the same without depths, and whichever part is named first.
fn found(a: &Placed<'_>, b: &Placed<'_>, touch: f64) -> (Option<Clash>, bool) {
    let options = ClashOptions::new().touch(touch);
    let all = detect_with(&[*a, *b], &options);
    let answer = (all.clashes.first().copied(), !all.unknown.is_empty());
    let kind = |clash: Option<Clash>| clash.map(|clash| (clash.kind, clash.is_estimated));
    let bare = detect_with(&[*a, *b], &options.penetration(false).volume(false).separation(false));
    assert_eq!((kind(bare.clashes.first().copied()), !bare.unknown.is_empty()), (kind(answer.0), answer.1));
    let swapped = detect_with(&[*b, *a], &options);
    let swap = |kind| match kind {
        ClashKind::Inside(Contained::A) => ClashKind::Inside(Contained::B),
        ClashKind::Inside(Contained::B) => ClashKind::Inside(Contained::A),
        other => other,
    };
    let expected = kind(answer.0).map(|(kind, is_estimated)| (swap(kind), is_estimated));
    assert_eq!((kind(swapped.clashes.first().copied()), !swapped.unknown.is_empty()), (expected, answer.1));
    assert_eq!(kind(check_pair(a, b, &options)), kind(answer.0));
    answer
}

const INSIDE_B: ClashKind = ClashKind::Inside(Contained::B);

/// Places that are the same for two models that stand together.
fn places() -> Vec<Trs> {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let place = |translation: [f64; 3], scale: [f64; 3]| Trs::new(translation, turn, scale).unwrap();
    vec![
        Trs::IDENTITY,
        place([3.0, -1.0, 2.0], [1.0; 3]),
        place([4e5, 5e6, 100.0], [1.0; 3]),
        place([3.0, -1.0, 2.0], [-2.0, 2.0, 2.0]),
    ]
}

#[test]
fn a_ball_in_a_shell_with_a_hole_is_inside() {
    let shell = cut_off(shapes::icosphere(2.0, 12).unwrap(), 1.9);
    let ball = Model::new(shapes::icosphere(0.5, 6).unwrap());
    let closed = Model::new(shapes::icosphere(2.0, 12).unwrap());
    assert!(!shell.is_closed() && closed.is_closed());
    for place in places() {
        let [outer, inner, whole] = [&shell, &ball, &closed].map(|model| model.at(place));
        let (clash, unknown) = found(&outer, &inner, 0.0);
        let clash = clash.expect("a clash");
        assert_eq!((clash.kind, clash.is_estimated, unknown), (INSIDE_B, true, false));
        let [estimate, exact] = [clash.penetration.unwrap(), whole.penetration(&inner).unwrap()];
        assert!(estimate.is_estimated && !exact.is_estimated);
        assert!((estimate.at_least - exact.at_least).abs() < 0.03 * exact.at_most, "{estimate:?} {exact:?}");
        // The exact queries know nothing of it.
        assert_eq!(outer.penetration(&inner).map(|found| found.at_most < 1e-9), Some(true));
        assert!(!outer.intersects(&inner));
    }
}

#[test]
fn halves_and_terrains_leave_it_open() {
    let half = cut_off(shapes::icosphere(2.0, 12).unwrap(), 0.3);
    let ball = Model::new(shapes::icosphere(0.4, 5).unwrap());
    let hills = Model::new(shapes::hills(20.0, 1.0, 40, 40, 5).unwrap());
    let at = |height: f64| Trs::translation([0.0, 0.0, height]).unwrap();
    assert_eq!(found(&half.at(Trs::IDENTITY), &ball.at(at(0.3)), 0.0), (None, true));
    assert_eq!(found(&half.at(Trs::IDENTITY), &ball.at(at(1.5)), 0.0), (None, false));
    // Below the surface, about half of what there is to see is ground.
    let below = Model::new(shapes::icosphere(0.01, 3).unwrap());
    let foot = hills.mesh().vertices().find(|corner| corner.truncate().length() < 1.0).unwrap();
    let below_foot = Trs::translation(foot - DVec3::Z * 0.05).unwrap();
    assert_eq!(found(&hills.at(Trs::IDENTITY), &below.at(below_foot), 0.0), (None, true));
    let above_foot = Trs::translation(foot + DVec3::Z * 0.05).unwrap();
    assert_eq!(found(&hills.at(Trs::IDENTITY), &below.at(above_foot), 0.0), (None, false));
}

#[test]
fn what_is_exact_stays_exact() {
    let shell = cut_off(shapes::icosphere(1.0, 8).unwrap(), 0.9);
    let block = Model::new(shapes::cuboid([-3.0; 3], [3.0; 3]).unwrap());
    // An open part within a solid.
    let (clash, unknown) = found(&block.at(Trs::IDENTITY), &shell.at(Trs::IDENTITY), 0.0);
    let clash = clash.unwrap();
    assert_eq!((clash.kind, clash.is_estimated, unknown), (INSIDE_B, false, false));
    assert!(!clash.penetration.unwrap().is_estimated);
    // Both are open and far apart.
    let far = shell.at(Trs::translation([5.0, 0.0, 0.0]).unwrap());
    assert_eq!(found(&shell.at(Trs::IDENTITY), &far, 0.0), (None, false));
    // Not asked for.
    let ball = Model::new(shapes::icosphere(0.3, 4).unwrap());
    let options = ClashOptions::new().open_parts(false);
    let all = detect_with(&[shell.at(Trs::IDENTITY), ball.at(Trs::IDENTITY)], &options);
    assert!(all.clashes.is_empty() && all.unknown.is_empty());
}

#[test]
fn a_part_that_touches_an_open_shell_from_within_is_inside() {
    // A box without a lid that is much deeper than wide, and a block on its floor.
    let crate_ = without(shapes::cuboid_grid([0.0; 3], [1.0, 1.0, 4.0], [4, 4, 16]).unwrap(), |corners| {
        corners.iter().all(|corner| corner.z == 4.0)
    });
    let block = Model::new(shapes::cuboid([0.25, 0.25, 0.0], [0.75, 0.75, 0.5]).unwrap());
    let (clash, _) = found(&crate_.at(Trs::IDENTITY), &block.at(Trs::IDENTITY), 0.0);
    assert_eq!(clash.map(|clash| (clash.kind, clash.is_estimated)), Some((INSIDE_B, true)));
    let sunk = Trs::translation([0.0, 0.0, -1e-7]).unwrap();
    let (clash, _) = found(&crate_.at(Trs::IDENTITY), &block.at(sunk), 1e-6);
    assert_eq!(clash.map(|clash| (clash.kind, clash.is_estimated)), Some((INSIDE_B, true)));
}

/// Solids that lose some faces: the answer is that of the whole solid, or unknown, unless the lost faces matter.
#[test]
fn solids_that_lose_faces_keep_their_answers() {
    let random = &mut Random::new(11);
    let (mut estimated, mut unknown, mut clear) = (0, 0, 0);
    for _ in 0..share(30, 2000) {
        let shape = match random.below(4) {
            0 => shapes::icosphere(1.0, 8),
            1 => shapes::torus(1.0, 0.45, 32, 16),
            2 => shapes::star(1.2, 0.8, 4),
            _ => shapes::cuboid_grid([-0.9; 3], [0.9; 3], [6, 6, 6]),
        }
        .unwrap();
        let whole = Model::new(shape.clone());
        let open = without(shape, |_| random.unit() < 0.01);
        if open.is_closed() {
            continue;
        }
        let size = random.between(0.02, 0.3);
        let ball = Model::new(shapes::icosphere(size, 3).unwrap());
        let place = Trs::translation(random.in_cube() * 1.2).unwrap();
        let [outer, holed, inner] = [whole.at(Trs::IDENTITY), open.at(Trs::IDENTITY), ball.at(place)];
        if outer.intersect_with(&inner, IntersectOptions::new().surface_only(true)).verdict != Verdict::Clear
        {
            continue;
        }
        let truth = check_pair(&outer, &inner, &ClashOptions::new());
        let (clash, is_unknown) = found(&holed, &inner, 0.0);
        match (truth, clash) {
            _ if is_unknown => unknown += 1,
            (None, None) => clear += 1,
            (Some(truth), Some(clash)) => {
                assert_eq!((clash.kind, clash.is_estimated), (truth.kind, true));
                let [exact, estimate] = [truth.penetration.unwrap(), clash.penetration.unwrap()];
                // Where faces are missing, the surface is farther.
                assert!(estimate.at_most >= 0.9 * exact.at_least, "{exact:?} {estimate:?}");
                estimated += 1;
            }
            _ => panic!("{truth:?} {clash:?}"),
        }
    }
    assert!(estimated > unknown && clear > 0, "{estimated} {unknown} {clear}");
}

#[test]
fn the_depth_of_crossing_open_parts_is_near_that_of_whole_ones() {
    let random = &mut Random::new(5);
    for _ in 0..share(5, 200) {
        let whole = shapes::icosphere(1.0, 10).unwrap();
        let closed = Model::new(whole.clone());
        // The hole is on the far side.
        let open = without(whole, |corners| corners[0].x < -0.9);
        let other = Model::new(shapes::cuboid([0.6, -0.5, -0.5], [2.0, 0.5, 0.5]).unwrap());
        let turn = DQuat::from_axis_angle(random.direction(), random.between(-0.2, 0.2));
        let place = Trs::new([0.0; 3], turn, [1.0; 3]).unwrap();
        let [a, b, c] = [closed.at(Trs::IDENTITY), open.at(Trs::IDENTITY), other.at(place)];
        let (exact, estimate) = (
            a.penetration(&c).unwrap(),
            b.penetration_with(&c, PenetrationOptions::new().open_parts(true)).unwrap(),
        );
        assert!(exact.at_least <= 1.01 * estimate.at_most && estimate.at_least <= 1.01 * exact.at_most);
        assert!(estimate.questions <= 5_000);
    }
}
