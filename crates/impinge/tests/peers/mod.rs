//! Verdicts, volumes and depths beside those of manifold3d and libigl, where `IMPINGE_PYTHON` names a Python that has both.
//!
//! manifold3d works with a tolerance and loses slivers, so a difference from it is judged by rational arithmetic.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::effort::asked;
use crate::oracle::metric::{exact, to_triangle};
use crate::oracle::volume::shared_volume;
use crate::shared_volume_exact::{Triangles, is_simple, model, moved, solids, triangles};
use crate::voxels::Voxels;
use impinge::math::DVec3;
use impinge::query::{Penetration, SharedVolume};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Trs, Verdict};
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("peers.py");

/// Corners that are told apart by their coordinates, and faces.
pub(crate) fn indexed(list: &[[DVec3; 3]]) -> Value {
    let mut numbers = HashMap::new();
    let mut corners = Vec::new();
    let mut number = |p: DVec3| {
        // Adding 0 makes one number of both zeros.
        let key = (p + DVec3::ZERO).to_array().map(f64::to_bits);
        *numbers.entry(key).or_insert_with(|| {
            corners.push(p.to_array());
            corners.len() - 1
        })
    };
    let faces: Vec<[usize; 3]> = list.iter().map(|face| face.map(&mut number)).collect();
    json!({ "corners": corners, "faces": faces })
}

/// A block with a cavity, and in the cavity another solid.
fn nested() -> Triangles {
    let cuboid = |half: f64| triangles(&Mesh::from(shapes::cuboid([-half; 3], [half; 3]).unwrap()));
    let turned = cuboid(0.5).into_iter().map(|[a, b, c]| [a, c, b]);
    cuboid(1.0).into_iter().chain(turned).chain(cuboid(0.25)).collect()
}

/// A pair of solids: far apart or flush, nested, equal, with shared edges, or of a lattice of blocks.
fn pair(list: &[Triangles], random: &mut Random) -> [Triangles; 2] {
    if random.below(4) == 0 {
        let count = 1 + random.below(3) as usize;
        let off = [0.0, 0.0, 1e-9, 0.2][random.below(4) as usize];
        return [0, 1].map(|_| {
            let voxels = Voxels::random(random, count, 0.4).shaken(random, off);
            triangles(voxels.model(random).mesh())
        });
    }
    let first = random.below(list.len() as u32) as usize;
    let second = if random.below(6) == 0 { first } else { random.below(list.len() as u32) as usize };
    [first, second].map(|which| moved(&list[which], random))
}

/// The distance of a point from a surface, rounded once.
fn distance(point: DVec3, surface: &[[DVec3; 3]]) -> f64 {
    let point = exact(point);
    let squares = surface.iter().map(|face| to_triangle(&point, &face.map(exact)));
    squares.min().unwrap().to_f64().value().sqrt()
}

/// What the library says of a pair.
struct Ours {
    verdict: Verdict,
    volume: SharedVolume,
    penetration: Penetration,
}

fn ours([a, b]: &[Triangles; 2]) -> Ours {
    let (first, second) = (model(a), model(b));
    let (a, b) = (first.at(Trs::IDENTITY), second.at(Trs::IDENTITY));
    Ours {
        verdict: a.intersect(&b).verdict,
        volume: a.shared_volume(&b).unwrap(),
        penetration: a.penetration(&b).unwrap(),
    }
}

/// How often the peers agreed, and what was said where they did not.
#[derive(Debug, Default)]
struct Tally {
    pairs: u64,
    share: u64,
    /// Pairs that manifold3d does not take: its solids have two faces at every edge.
    refused: u64,
    /// Differences of manifold3d, by verdict and by volume, in which rational arithmetic is on our side.
    verdicts: u64,
    volumes: u64,
    /// Depths of libigl that rational arithmetic does not confirm.
    depths: u64,
    wrong: Vec<String>,
}

impl Tally {
    fn judge(&mut self, number: u64, parts: &[Triangles; 2], ours: &Ours, theirs: &Value) {
        self.pairs += 1;
        let mut say = |what: String| self.wrong.push(format!("pair {number}: {what}"));
        let Ours { verdict, volume, penetration } = ours;
        let overlap = matches!(verdict, Verdict::Overlapping | Verdict::Inside(_));
        let precision = 1e-12;
        let depth = theirs["depth"].as_f64().unwrap();
        if depth > penetration.at_most + precision {
            let point = DVec3::from_array([0, 1, 2].map(|k| theirs["deepest"][k].as_f64().unwrap()));
            let within = usize::from(theirs["within_second"].as_bool().unwrap());
            let exact = distance(point, &parts[within]) - distance(point, &parts[1 - within]);
            self.depths += 1;
            if exact > penetration.at_most + precision {
                say(format!("libigl has a depth of {depth} at {point}, exactly {exact}: {penetration:?}"));
            }
        }
        if let (Some(at_point), Some(point)) = (theirs["at_point"].as_f64(), penetration.point_in_world)
            && (at_point - penetration.at_least).abs() > precision
        {
            let exact = distance(point, &parts[usize::from(!penetration.of_second)]);
            self.depths += 1;
            if (exact - penetration.at_least).abs() > precision {
                say(format!("libigl has {at_point} at the deepest point, exactly {exact}: {penetration:?}"));
            }
        }
        let shared = || {
            assert!(parts.iter().all(|part| is_simple(part)), "pair {number} crosses itself");
            shared_volume(&parts[0], &parts[1])
        };
        let judged = match theirs["volume"].as_f64() {
            None => {
                self.refused += 1;
                Some(shared())
            }
            Some(their) => {
                let other_verdict = (their > 0.0) != overlap;
                let other_volume = (their - volume.volume).abs() > volume.error + 1e-9 * their;
                self.verdicts += u64::from(other_verdict);
                self.volumes += u64::from(other_volume);
                (other_verdict || other_volume).then(shared)
            }
        };
        if let Some(exact) = judged {
            let off = (volume.volume - exact).abs();
            if (exact > 0.0) != overlap {
                say(format!("{verdict:?}, and the shared volume is {exact}"));
            }
            if off > volume.error + 4.0 * f64::EPSILON * exact {
                say(format!("the shared volume is {exact}: {volume:?}"));
            }
        }
        self.share += u64::from(overlap);
    }
}

#[test]
fn as_manifold3d_and_libigl() {
    let Some(python) = std::env::var_os("IMPINGE_PYTHON") else {
        println!("SKIPPED manifold3d and libigl: IMPINGE_PYTHON names no Python");
        return;
    };
    let has_both =
        Command::new(&python).args(["-c", "import igl, manifold3d"]).stderr(Stdio::null()).status();
    if !has_both.is_ok_and(|status| status.success()) {
        println!("SKIPPED manifold3d and libigl: {} lacks one of them", python.display());
        return;
    }
    let mut child = Command::new(&python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let (mut asks, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut answers = answers.lines();
    let mut list = solids();
    list.push(nested());
    let mut random = Random::new(asked("IMPINGE_SEED").unwrap_or(77));
    let mut tally = Tally::default();
    for number in 0..asked("IMPINGE_PEERS").unwrap_or(300) {
        let parts = pair(&list, &mut random);
        let ours = ours(&parts);
        let Penetration { point_in_world, of_second, .. } = ours.penetration;
        let ask = json!({
            "a": indexed(&parts[0]),
            "b": indexed(&parts[1]),
            "point": point_in_world.map(|point| point.to_array()),
            "of_second": of_second,
        });
        writeln!(asks, "{ask}").expect("Python reads");
        let answer = answers.next().expect("Python answers").unwrap();
        tally.judge(number, &parts, &ours, &serde_json::from_str(&answer).unwrap());
    }
    drop(asks);
    assert!(child.wait().unwrap().success());
    let Tally { pairs, share, refused, verdicts, volumes, depths, wrong } = tally;
    println!(
        "{pairs} pairs, {share} overlap; manifold3d takes all but {refused}, and differs in {verdicts} verdicts and {volumes} volumes, libigl in {depths} depths"
    );
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(2 * share > pairs && refused < pairs / 2, "{share} {refused}");
}
