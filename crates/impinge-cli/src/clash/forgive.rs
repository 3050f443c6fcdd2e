//! Overlaps that the user forgives: no deeper than a tolerance.

use impinge_report::text::{counted, short, with_digits};
use impinge_report::{Clash, Report, Verdict};

/// An overlap is shallow where it is no deeper than this share of the box around where it is.
const SHALLOW: f64 = 0.01;

/// Fewer shallow overlaps than this need no hint.
const FEW: usize = 3;

/// Leaves out overlaps to which it applies and that are no deeper than `tolerance`, and notes how many they are. What thickness limits is never left out: it may go
/// all the way through.
pub(super) fn forgive(report: &mut Report, tolerance: f64, applies: impl Fn(&Clash) -> bool) {
    let before = report.clashes.len();
    let is_forgiven = |clash: &Clash| depth_of(clash).is_some_and(|depth| depth <= tolerance);
    report.clashes.retain(|clash| !(is_forgiven(clash) && applies(clash)));
    let forgiven = before - report.clashes.len();
    if forgiven > 0 {
        let overlaps = counted(forgiven, "overlap", "overlaps");
        let (depth, unit) = (short(tolerance), &report.unit);
        report.notes.push(format!("{overlaps} no deeper than {depth} {unit} left out by --tolerance"));
    }
}

/// The depth that an overlap does not exceed, where it can be forgiven.
pub(super) fn depth_of(clash: &Clash) -> Option<f64> {
    let is_overlap = clash.verdict == Verdict::Overlapping && !clash.limited_by_thickness;
    clash.penetration.filter(|_| is_overlap).map(|[_, at_most]| at_most)
}

/// A line that suggests a tolerance, where at least half of all overlaps are shallow.
pub(super) fn suggestion(report: &Report) -> Option<String> {
    let overlaps = report.clashes.iter().filter(|clash| clash.verdict == Verdict::Overlapping).count();
    let shallow = report.clashes.iter().filter_map(|clash| {
        let [min, max] = clash.bounds?;
        let size = (0..3).map(|axis| (max[axis] - min[axis]).powi(2)).sum::<f64>().sqrt();
        depth_of(clash).filter(|depth| *depth <= SHALLOW * size)
    });
    let (count, deepest) = shallow.fold((0, 0.0_f64), |(count, most), depth| (count + 1, most.max(depth)));
    if count < FEW || 2 * count < overlaps || deepest <= 0.0 {
        return None;
    }
    let tolerance = with_digits(deepest, 1, f64::ceil);
    let within = report.clashes.iter().filter_map(depth_of).filter(|depth| *depth <= tolerance).count();
    let (depth, unit) = (short(tolerance), &report.unit);
    Some(format!(
        "{within} of {overlaps} overlaps are no deeper than {depth} {unit}; --tolerance {depth} leaves them out"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(b: usize, depth: f64) -> Clash {
        let penetration = Some([0.99 * depth, depth]);
        let bounds = Some([[0.0; 3], [10.0, 0.0, 0.0]]);
        Clash { penetration, bounds, ..Clash::new(0, b, Verdict::Overlapping) }
    }

    #[test]
    fn shallow_overlaps_are_left_out_and_counted() {
        let mut report = Report { unit: "mm".to_owned(), ..Report::default() };
        report.clashes = vec![overlap(1, 1e-4), overlap(2, 0.0421), overlap(3, 2e-3), overlap(4, 3.0)];
        // As deep as its thickness allows, and what is no overlap.
        report.clashes.push(Clash { limited_by_thickness: true, ..overlap(5, 1e-3) });
        report.clashes.push(Clash { verdict: Verdict::Inside, ..overlap(6, 1e-3) });
        let line = suggestion(&report);
        assert_eq!(
            line.as_deref(),
            Some("3 of 5 overlaps are no deeper than 0.05 mm; --tolerance 0.05 leaves them out")
        );
        forgive(&mut report, 0.05, |_| true);
        let left: Vec<usize> = report.clashes.iter().map(|clash| clash.b).collect();
        assert_eq!(left, [4, 5, 6]);
        assert_eq!(report.notes, ["3 overlaps no deeper than 0.05 mm left out by --tolerance"]);
        assert_eq!(suggestion(&report), None);
        forgive(&mut report, 0.05, |_| true);
        assert_eq!(report.notes.len(), 1);
    }
}
