//! Assemblies with known fits: the depth in its interval, the volume near the exact one, touching and overlapping told apart at all tolerances,
//! wherever the parts stand and however their coordinates are rounded.

mod shapes;

use crate::effort::share;
use crate::oracle::volume::shared_volume;
use crate::shared_volume_exact::{Triangles, holds, is_simple, rounding};
use impinge::clash::{ClashKind, ClashOptions, check_pair};
use impinge::math::{DQuat, DVec3};
use impinge::query::{Penetration, PenetrationOptions};
use impinge::{Placed, Trs};
use shapes::{Fit, all, models};

/// Far from the origin, as georeferenced buildings are.
const FAR: DVec3 = DVec3::new(4.1e5, 5.17e6, -31.25);

fn turn() -> DQuat {
    DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.7)
}

fn mapped(part: &Triangles, map: impl Fn(DVec3) -> DVec3) -> Triangles {
    part.iter().map(|face| face.map(&map)).collect()
}

/// How coordinates are stored, and how far that moves a point.
type Storage = (&'static str, fn(DVec3) -> DVec3, f64);

/// All ways to store coordinates.
fn stored() -> [Storage; 4] {
    [
        ("at the origin", |p| p, 2e-15),
        ("far in coordinates", |p| p + FAR, FAR.length() * f64::EPSILON),
        ("turned in coordinates", |p| turn() * p, 1e-14),
        ("f32", |p| p.as_vec3().as_dvec3(), 16.0 * f64::from(f32::EPSILON)),
    ]
}

/// Places that keep how two parts stand to each other, and what they round.
fn places() -> [(&'static str, Trs); 4] {
    [
        ("here", Trs::IDENTITY),
        ("placed far", Trs::translation(FAR).unwrap()),
        ("placed turned", Trs::rigid(DVec3::new(1.0, 2.0, 3.0), turn()).unwrap()),
        ("placed far and turned", Trs::rigid(FAR, turn()).unwrap()),
    ]
}

/// The greatest depth of corners, of middles of edges and of faces, and of points along them.
fn sampled(a: &Placed<'_>, b: &Placed<'_>, parts: [&Triangles; 2]) -> f64 {
    let mut deepest = 0.0_f64;
    for (part, within) in [(parts[0], b), (parts[1], a)] {
        let steps = 6;
        for [p, q, r] in part {
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let [s, t] = [i, j].map(|k| f64::from(k) / f64::from(steps));
                    let point = *p + (q - p) * s + (r - p) * t;
                    let signed = within.signed_distance(point).filter(|signed| signed.is_inside);
                    deepest = signed.map_or(deepest, |signed| deepest.max(signed.closest.distance));
                }
            }
        }
    }
    deepest
}

/// The interval holds a depth between two, and is as narrow as it promises.
fn is_right(found: &Penetration, [least, most]: [f64; 2], rounding: f64, what: &str) {
    assert!(found.at_least <= most + rounding, "{what}: no more than {most}: {found:?}");
    assert!(found.at_most >= least - rounding, "{what}: no less than {least}: {found:?}");
    assert!(
        found.is_narrow && found.at_most <= found.at_least * 1.0101 + 8.0 * rounding,
        "{what}: {found:?}"
    );
}

/// Verdicts at tolerances below the depth and above it that are wrong.
fn wrong_kinds(a: &Placed<'_>, b: &Placed<'_>, fit: &Fit, depth: [f64; 2], rounding: f64) -> Vec<String> {
    let options = ClashOptions::new().penetration(false).volume(false).separation(false);
    let kind = |touch: f64| check_pair(a, b, &options.touch(touch)).map(|clash| clash.kind);
    let mut wrong = Vec::new();
    let below = depth[0] - 8.0 * rounding;
    for touch in [0.2, 0.9, 1.0].map(|share| share * below).into_iter().filter(|touch| *touch > 0.0) {
        let found = kind(touch);
        if found != Some(ClashKind::Overlapping) {
            wrong.push(format!("{found:?} at {touch}, at least {}", depth[0]));
        }
    }
    let above = depth[1] + 8.0 * rounding;
    let expected = if fit.is_twice { ClashKind::Duplicate } else { ClashKind::Touching };
    for touch in [1.0, 1.1, 2.0].map(|factor| factor * above) {
        let found = kind(touch);
        // Parts that were meant to be apart are so by more than that.
        if found != Some(expected) && !(found.is_none() && fit.depth[1] == 0.0) {
            wrong.push(format!("{found:?} at {touch}, at most {}", depth[1]));
        }
    }
    wrong
}

#[test]
fn depth_volume_and_verdict_of_fits() {
    let (mut count, mut wrong) = (0, Vec::new());
    // The long run has all; others have one of them for each fit.
    let is_long = share(0, 100) == 100;
    for (number, fit) in all().into_iter().enumerate() {
        for (index, (storage, map, moved)) in stored().into_iter().enumerate() {
            if !is_long && index != number % 4 {
                continue;
            }
            let parts = fit.parts.each_ref().map(|part| mapped(part, map));
            let what = format!("{}, {storage}", fit.name);
            let sides = parts.each_ref();
            let is_rounded = storage == "f32" || storage == "at the origin";
            assert!(!is_rounded || sides.iter().all(|part| is_simple(part)), "{what}: crosses itself");
            let exact = holds(sides[0], sides[1], &what);
            if let Some(volume) = fit.volume {
                // Every face of the shared body moves by no more than a point does.
                let slack = 2_000.0 * moved;
                assert!(
                    (exact - volume).abs() <= slack,
                    "{what}: the oracle has {exact}, a formula {volume}"
                );
            }
            let precision = rounding(parts.each_ref().map(Vec::as_slice));
            let models = models(sides);
            let depth = [fit.depth[0] - 4.0 * moved, fit.depth[1] + 4.0 * moved];
            for (place, trs) in places() {
                if storage != "at the origin" && !matches!(place, "here" | "placed far and turned") {
                    continue;
                }
                let [a, b] = models.each_ref().map(|model| model.at(trs));
                let what = format!("{what}, {place}");
                let options = PenetrationOptions::new().width(4.0 * precision);
                let found = a.penetration_with(&b, options).unwrap();
                is_right(&found, depth, precision, &what);
                if place == "here" {
                    let deepest = sampled(&a, &b, sides);
                    assert!(deepest <= found.at_most + precision, "{what}: {deepest} was sampled, {found:?}");
                }
                let volume = a.shared_volume(&b).unwrap();
                assert!(
                    (volume.volume - exact).abs() <= volume.error + 1e-6 * exact,
                    "{what}: {exact} {volume:?}"
                );
                let kinds = wrong_kinds(&a, &b, &fit, depth, precision);
                wrong.extend(kinds.into_iter().map(|kind| format!("{what}: {kind}")));
                count += 1;
            }
        }
    }
    println!("{count} placed fits");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is meant to be free shares nothing, and what is pressed in shares what a formula says.
#[test]
fn the_fits_are_what_they_say() {
    for fit in all() {
        let exact = shared_volume(&fit.parts[0], &fit.parts[1]);
        assert_eq!(exact < 1e-12, fit.depth[1] == 0.0, "{}: {exact}", fit.name);
    }
}
