//! Up to where parts touch: what the user says, or what their coordinates are worth.

use impinge::clash::ClashOptions;
use impinge_report::text::short;

use super::parts::Parts;

/// How far parts may be off, and up to where they touch.
pub(super) struct Touch {
    given: Option<f64>,
    /// Of each part, in the world.
    rounding: Vec<f64>,
}

/// Where touching is more than this share of a part's least size, it is worth a remark.
const COARSE: f64 = 0.05;

/// So many parts are named in a remark.
const NAMED: usize = 3;

impl Touch {
    pub(super) fn new(given: Option<f64>, parts: &Parts) -> Touch {
        Touch { given, rounding: parts.list.iter().map(|part| part.rounding).collect() }
    }

    /// The options for parts that stand still.
    pub(super) fn still<'f>(&'f self, options: ClashOptions<'f>) -> ClashOptions<'f> {
        match self.given {
            Some(touch) => options.touch(touch),
            None => options.rounding(Some(&self.rounding)),
        }
    }

    /// The options for parts that move: all touch as far as the coarsest two.
    pub(super) fn moving<'f>(&self, options: ClashOptions<'f>) -> ClashOptions<'f> {
        options.touch(self.given.unwrap_or_else(|| self.range()[1]))
    }

    /// Up to where the finest and the coarsest two parts touch.
    fn range(&self) -> [f64; 2] {
        let mut sorted = self.rounding.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let of_two = |two: Option<&[f64]>| ClashOptions::new().rounding(two).touch_of(0, 1);
        let count = sorted.len().min(2);
        [of_two(sorted.get(..count)), of_two(sorted.get(sorted.len() - count..))]
    }

    /// What the table says of it.
    pub(super) fn line(&self, unit: &str) -> String {
        if let Some(touch) = self.given {
            return format!("touching: up to {} {unit}", short(touch));
        }
        let [finest, coarsest] = self.range().map(rounded);
        if finest == coarsest {
            return format!("touching: up to {coarsest} {unit}, by the precision of the files");
        }
        format!("touching: up to {finest} to {coarsest} {unit}, by the precision of each two parts")
    }

    /// A remark on parts whose coordinates are coarse beside their size.
    pub(super) fn note(&self, parts: &Parts, unit: &str) -> Option<String> {
        if self.given.is_some() {
            return None;
        }
        let mut coarse = Vec::new();
        let mut most = 0.0_f64;
        for (part, rounding) in parts.list.iter().zip(&self.rounding) {
            let size = part.bounds.size();
            // What is flat has no thickness that could be small.
            let flat = 1e-6 * size.max_element();
            let least =
                size.to_array().into_iter().filter(|extent| *extent > flat).fold(f64::INFINITY, f64::min);
            if 8.0 * rounding > COARSE * least {
                coarse.push(part.called.name.as_str());
                most = most.max(8.0 * rounding);
            }
        }
        let (first, rest) = coarse.split_at(coarse.len().min(NAMED));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        (!coarse.is_empty()).then(|| {
            format!(
                "coordinates are stored so coarsely that parts touch up to {} {unit}, which is not small beside {}{more}; --touch sets it",
                rounded(most),
                first.join(", ")
            )
        })
    }
}

/// Two digits are enough to say how coarse something is.
fn rounded(length: f64) -> String {
    short(format!("{length:.1e}").parse().unwrap_or(length))
}
