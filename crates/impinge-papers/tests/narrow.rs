//! The narrow phase of van Waveren 2005 before the exact judge of sweeps.

use std::f64::consts::FRAC_PI_2;

use crate::sweep_oracle::audit::prove_clear;
use crate::sweep_oracle::case::{Case, Motion as JudgedMotion};
use crate::sweep_oracle::families::{FAMILIES, make};
use crate::sweep_oracle::rotation::Proof;
use crate::sweep_oracle::shapes::{self, Random};
use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::{Mesh, Motion, Placement, Verdict};
use impinge_papers::van_waveren::narrow::{Collision, Impact, Options, Scratch, Stats, SweepError, sweep};
use impinge_papers::van_waveren::polyhedron::{Fold, Polyhedron};

const CASES: u64 = if cfg!(debug_assertions) { 30 } else { 1000 };

fn motion_of(case: &Case) -> Motion {
    match case.motion {
        JudgedMotion::Translation(by) => Motion::translation(by),
        JudgedMotion::Rotation { center, axis, angle } => Motion::rotation_radians(center, axis, angle),
        JudgedMotion::Both { translation, center, axis, angle } => {
            Motion::translation(translation).and_then(|m| m.then_rotation(center, axis, angle.to_degrees()))
        }
        JudgedMotion::Rigid { translation, center, axis, angle } => {
            Motion::rigid_radians(translation, center, axis, angle)
        }
    }
    .unwrap()
}

/// What the engine says. The stationary model is brought to where it stands, as the engine takes it.
fn answer(case: &Case, options: &Options) -> Result<Impact, SweepError> {
    let still = case.world_from_stationary;
    let back = still.inverse();
    let mover = Polyhedron::of(case.moving.mesh()).unwrap();
    let stationary = Polyhedron::of(case.stationary.mesh()).unwrap();
    let turned = |axis: DVec3| back.transform_vector3(axis);
    let motion = match case.motion {
        JudgedMotion::Translation(by) => JudgedMotion::Translation(turned(by)),
        JudgedMotion::Rotation { center, axis, angle } => {
            JudgedMotion::Rotation { center: back.transform_point3(center), axis: turned(axis), angle }
        }
        other => other,
    };
    let case = Case { motion, ..case.clone() };
    let start = Placement::try_from(back * case.world_from_moving).unwrap();
    sweep(&mover, &start, &motion_of(&case), &stationary, options, &mut Scratch::default())
}

fn start_of(case: &Case) -> Verdict {
    let moving = case.moving.try_at(case.world_from_moving).unwrap();
    moving.verdict(&case.stationary.try_at(case.world_from_stationary).unwrap())
}

fn family(name: &str) -> usize {
    FAMILIES.iter().position(|(known, _)| *known == name).unwrap()
}

#[test]
fn explore() {
    for name in FAMILIES.iter().map(|(name, _)| *name) {
        for (label, zone, corrected) in [("plain", 0.0, false), ("zone", 1e-3, false), ("fixed", 1e-3, true)]
        {
            let (mut all, mut hits, mut late, mut worst, mut open) = (0, 0, 0, 0.0_f64, 0);
            let mut first = String::new();
            for k in 0..200 {
                let case = make(family(name), 0x1234 + 77 * k);
                if matches!(case.motion, JudgedMotion::Rigid { .. }) || start_of(&case) != Verdict::Clear {
                    continue;
                }
                all += 1;
                let size = crate::sweep_oracle::audit::extent(&case);
                let options = Options { zone: zone * size, corrected, ..Options::default() };
                let Ok(impact) = answer(&case, &options) else { continue };
                hits += u32::from(impact.collision.is_some());
                let to = if impact.collision.is_some() { impact.fraction - 1e-9 } else { 1.0 };
                if to <= 0.0 {
                    continue;
                }
                if let Proof::Touch { at } = prove_clear(&case, 0.0, to) {
                    late += 1;
                    open += u32::from(case.two_sided);
                    worst = worst.max(to - at);
                    if first.is_empty() || !case.two_sided {
                        first = format!(
                            "{:?} said {} touch {at} two-sided {} seed {k} {:?}",
                            impact.collision, impact.fraction, case.two_sided, case.motion
                        );
                    }
                }
            }
            println!("{name:36} {label:6} {all:4} {hits:4} late {late:4} (open {open}) by {worst:.1e}");
            if !first.is_empty() {
                println!("      {first}");
            }
        }
    }
}
