//! Triangle against triangle (Maia et al. 2006, §5): separating axes, the same with 'fat' triangles, and Möller's intervals, beside the
//! exact test: time a pair, and how often each of them is wrong.
//!
//! The paper found axes 7 % faster than Möller's test, and that plain axes miss slight contacts. Here both are counted
//! against arithmetic without rounding. Only the exact test decides answers of the library.

mod contenders;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use impinge::math::DVec3;
use impinge::shapes::Random;
use impinge_core::narrow::tri_tri::{Facet, triangles_meet};
use serde::Serialize;

use crate::comparison::{Comparison, Place};
use crate::zachmann::dop_tree::table;
use contenders::{double, single};

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Experiment {
    /// Pairs of each family.
    pub pairs: usize,
    /// How often each is tested; the fastest round counts.
    pub rounds: usize,
}

impl Experiment {
    /// Enough for figures.
    pub const FULL: Experiment = Experiment { pairs: 100_000, rounds: 7 };
    /// In a second.
    pub const QUICK: Experiment = Experiment { pairs: 2_000, rounds: 1 };
}

/// What one test did with one family of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// How the pairs stand to each other.
    pub family: &'static str,
    /// The test.
    pub test: &'static str,
    /// The numbers that it computes with.
    pub numbers: &'static str,
    /// Nanoseconds a pair.
    pub ns: f64,
    /// The share of pairs that meet.
    pub meet: f64,
    /// The share of pairs that meet, and are said not to.
    pub missed: f64,
    /// The share of pairs that do not meet, and are said to.
    pub invented: f64,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How.
    pub experiment: Experiment,
    /// One row per family and test.
    pub rows: Vec<Row>,
}

type Pair = [[DVec3; 3]; 2];

/// Coordinates are whole numbers up to this, so that both kinds of floats hold them.
const RANGE: f64 = 2000.0;

fn whole(random: &mut Random, range: f64) -> DVec3 {
    (random.in_cube() * range).round()
}

/// Two triangles somewhere in a cube, so close that a quarter of them meet.
fn anywhere(random: &mut Random) -> Pair {
    let near = whole(random, RANGE * 0.2);
    [std::array::from_fn(|_| whole(random, RANGE)), std::array::from_fn(|_| near + whole(random, RANGE))]
}

/// The second stands with a corner on the first, just so, inside of it or on its edge.
fn slight(random: &mut Random) -> Pair {
    let (a, foot) = (whole(random, RANGE * 0.3), whole(random, RANGE * 0.3));
    let first = if random.below(2) == 0 {
        // The foot is in the middle of the triangle.
        let b = whole(random, RANGE * 0.3);
        [a, b, foot * 3.0 - a - b]
    } else {
        [a, foot * 2.0 - a, whole(random, RANGE * 0.3)]
    };
    let normal = (first[1] - first[0]).cross(first[2] - first[0]);
    let mut above = || {
        let step = whole(random, RANGE * 0.5);
        foot + if step.dot(normal) < 0.0 { -step } else { step }
    };
    [first, [foot, above(), above()]]
}

/// Both in one tilted plane, all of whose corners have whole coordinates.
fn coplanar(random: &mut Random) -> Pair {
    let (origin, u, v) = (whole(random, RANGE * 0.2), whole(random, 30.0), whole(random, 30.0));
    let mut corner = |shift: f64| {
        let step = |random: &mut Random| (random.between(-8.0, 8.0)).round();
        origin + u * (step(random) + shift) + v * step(random)
    };
    [[corner(0.0), corner(0.0), corner(0.0)], [corner(6.0), corner(6.0), corner(6.0)]]
}

type Make = fn(&mut Random) -> Pair;
const FAMILIES: [(&str, Make); 3] =
    [("random", anywhere), ("slight contact", slight), ("coplanar", coplanar)];

impl Experiment {
    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self) -> usize {
        FAMILIES.len()
    }

    /// Measures everything. `tick` is told what is being measured.
    pub fn run(&self, mut tick: impl FnMut(&str)) -> Report {
        let mut rows = Vec::new();
        for (family, make) in FAMILIES {
            tick(family);
            let mut random = Random::new(3);
            let pairs: Vec<Pair> = (0..self.pairs).map(|_| make(&mut random)).collect();
            self.family(family, &pairs, &mut rows);
        }
        Report { experiment: *self, rows }
    }

    fn family(&self, family: &'static str, pairs: &[Pair], rows: &mut Vec<Row>) {
        let facets: Vec<[Facet; 2]> = pairs.iter().map(|pair| pair.map(Facet::from)).collect();
        let exact: Vec<bool> = facets.iter().map(|[a, b]| triangles_meet(a, b).is_some()).collect();
        let doubles: Vec<[double::Triangle; 2]> =
            pairs.iter().map(|pair| pair.map(|t| t.map(|corner| corner.to_array()))).collect();
        let singles: Vec<[single::Triangle; 2]> =
            pairs.iter().map(|pair| pair.map(|t| t.map(|corner| corner.as_vec3().to_array()))).collect();
        let mut add = |test, numbers, ns, said: Vec<bool>| {
            let share = |wanted: (bool, bool)| {
                let both = exact.iter().zip(&said).filter(|&(&is, &says)| (is, says) == wanted);
                both.count() as f64 / pairs.len() as f64
            };
            let (missed, invented) = (share((true, false)), share((false, true)));
            let meet = share((true, true)) + missed;
            rows.push(Row { family, test, numbers, ns, meet, missed, invented });
        };
        let (ns, said) = self.time(&facets, |[a, b]| triangles_meet(a, b).is_some());
        add("exact", "f64", ns, said);
        for (test, meets) in [
            ("axes", single::sat as fn(&_, &_) -> bool),
            ("fat axes", single::fat_sat),
            ("Möller", single::moller),
        ] {
            let (ns, said) = self.time(&singles, |[a, b]| meets(a, b));
            add(test, "f32", ns, said);
        }
        for (test, meets) in [
            ("axes", double::sat as fn(&_, &_) -> bool),
            ("fat axes", double::fat_sat),
            ("Möller", double::moller),
        ] {
            let (ns, said) = self.time(&doubles, |[a, b]| meets(a, b));
            add(test, "f64", ns, said);
        }
    }

    /// Nanoseconds a pair in the fastest round, and the answers.
    fn time<T>(&self, pairs: &[T], meets: impl Fn(&T) -> bool) -> (f64, Vec<bool>) {
        // In small portions, so that a disturbance spoils one of them and not all.
        let portions: Vec<&[T]> = pairs.chunks(500).collect();
        let mut best = vec![f64::INFINITY; portions.len()];
        for _ in 0..self.rounds.max(1) {
            for (portion, best) in portions.iter().zip(&mut best) {
                let start = Instant::now();
                let count = portion.iter().filter(|pair| meets(black_box(pair))).count();
                black_box(count);
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        (best.iter().sum::<f64>() * 1e9 / pairs.len() as f64, pairs.iter().map(meets).collect())
    }
}

impl Report {
    /// The table for the terminal.
    pub fn table(&self) -> String {
        let header = ["pairs", "test", "numbers", "ns/pair", "meet %", "missed %", "invented %"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for row in &self.rows {
            rows.push(vec![
                row.family.to_owned(),
                row.test.to_owned(),
                row.numbers.to_owned(),
                format!("{:.1}", row.ns),
                format!("{:.2}", 100.0 * row.meet),
                format!("{:.3}", 100.0 * row.missed),
                format!("{:.3}", 100.0 * row.invented),
            ]);
        }
        format!(
            "{} pairs of triangles a family, fastest of {} rounds; missed and invented against the exact test.\n\n{}",
            self.experiment.pairs,
            self.experiment.rounds,
            table(&rows, 7)
        )
    }

    /// The paper's figures beside ours.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let place = Place { paper: "Maia et al. 2006", place: "§5" };
        let row = |family: &str, test: &str, numbers: &str| {
            self.rows.iter().find(|row| (row.family, row.test, row.numbers) == (family, test, numbers))
        };
        let mut all = Vec::new();
        for numbers in ["f32", "f64"] {
            let times =
                ["axes", "fat axes", "Möller"].map(|test| row("random", test, numbers).map(|row| row.ns));
            let [Some(axes), Some(fat), Some(moller)] = times else { continue };
            let what =
                format!("separating axes against Möller's test, {numbers}: time of Möller's as a multiple");
            let measured = format!("{:.2} of the axes', {:.2} of the fat axes'", moller / axes, moller / fat);
            let why = "The paper's 7 % are of a whole query, in which most triangles are apart along an early axis. Of pairs of which a quarter \
                       meet, Möller's test is the quicker one here: it ends with the plane of one triangle, and the axes have eleven to try.";
            all.push(place.compare(what, "1.07", measured, why));
            if let (Some(plain), Some(fat)) =
                (row("slight contact", "axes", numbers), row("slight contact", "fat axes", numbers))
            {
                let what = format!(
                    "triangles in slight contact, {numbers}: contacts missed by axes, and invented by fat ones where there are none"
                );
                let measured = format!("{:.1} %, {:.1} %", 100.0 * plain.missed, 100.0 * fat.invented);
                let why = "Neither is right: the exact test decides, misses none and invents none.";
                all.push(place.compare(what, "some missed, none missed", measured, why));
            }
        }
        if let (Some(exact), Some(moller)) = (row("random", "exact", "f64"), row("random", "Möller", "f64"))
        {
            let what = "the exact test against Möller's in f64: time as a multiple";
            let measured = format!("{:.2}", exact.ns / moller.ns);
            all.push(place.compare(
                what,
                "no figure",
                measured,
                "What being right costs where the triangles themselves are tested.",
            ));
        }
        all
    }

    /// The same for other programs.
    pub fn csv(&self) -> String {
        let mut csv = "pairs,test,numbers,ns,meet,missed,invented\n".to_owned();
        for row in &self.rows {
            let Row { family, test, numbers, ns, meet, missed, invented } = row;
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{family},{test},{numbers},{ns:.2},{meet},{missed},{invented}");
        }
        csv
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the paper says: plain axes miss slight contacts, and fat ones do not.
    #[test]
    fn plain_axes_miss_slight_contacts() {
        let report = Experiment::QUICK.run(|_| ());
        let missed = |family: &str, test: &str, numbers: &str| {
            let row =
                report.rows.iter().find(|row| (row.family, row.test, row.numbers) == (family, test, numbers));
            row.expect("it was measured").missed
        };
        assert!(missed("slight contact", "axes", "f32") > 0.01);
        assert_eq!(missed("slight contact", "fat axes", "f32"), 0.0);
        for family in ["random", "slight contact", "coplanar"] {
            assert_eq!(missed(family, "exact", "f64"), 0.0);
        }
        // Whatever they miss, they are tests of the same thing.
        for row in &report.rows {
            assert!(row.family != "random" || row.missed + row.invented < 0.02, "{row:?}");
        }
        let of_random = report.rows.iter().find(|row| row.family == "random").expect("a family");
        assert!((0.05..0.6).contains(&of_random.meet), "{}", of_random.meet);
    }
}
