//! The orders in which clashes are listed.

use std::cmp::Ordering;

use crate::report::{Clash, Report};

impl Clash {
    /// By parts, then by time: the order of JSON and CSV.
    pub(crate) fn place_in_list(&self, other: &Clash) -> Ordering {
        let time = |clash: &Clash| clash.time.unwrap_or(f64::NEG_INFINITY);
        (self.a, self.b).cmp(&(other.a, other.b)).then(time(self).total_cmp(&time(other)))
    }

    /// By severity, where rules say it, then by verdict, the deeper, the larger and the closer first: the order for people.
    fn graver(&self, other: &Clash) -> Ordering {
        let penetration = |clash: &Clash| clash.penetration.map_or(0.0, |[_, at_most]| at_most);
        let volume = |clash: &Clash| clash.volume.map_or(0.0, |[volume, _]| volume);
        let depth = |clash: &Clash| clash.depth.unwrap_or(0.0);
        // Without rules none has a severity, with them all.
        let severity = |clash: &Clash| (clash.severity.is_none(), clash.severity);
        let gravest = severity(self).cmp(&severity(other)).then(self.verdict.cmp(&other.verdict));
        let gravest = gravest.then(penetration(other).total_cmp(&penetration(self)));
        let gravest = gravest.then(volume(other).total_cmp(&volume(self)));
        let gravest = gravest.then(depth(other).total_cmp(&depth(self)));
        gravest.then(self.distance.total_cmp(&other.distance)).then(self.place_in_list(other))
    }
}

impl Report {
    /// The clashes by parts, as JSON and CSV list them.
    pub fn clashes_by_parts(&self) -> Vec<&Clash> {
        self.indices_by_parts().into_iter().map(|index| &self.clashes[index]).collect()
    }

    /// Indices of the clashes by parts.
    pub(crate) fn indices_by_parts(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.clashes.len()).collect();
        indices.sort_by(|&one, &other| self.clashes[one].place_in_list(&self.clashes[other]));
        indices
    }

    /// The clashes by severity, as tables and pages list them: by that of rules, then by verdict, the deeper and the closer first.
    pub fn clashes_by_severity(&self) -> Vec<&Clash> {
        self.indices_by_severity().into_iter().map(|index| &self.clashes[index]).collect()
    }

    /// Indices of the clashes by severity: by that of rules, then by verdict, the deeper and the closer first.
    pub fn indices_by_severity(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.clashes.len()).collect();
        indices.sort_by(|&one, &other| self.clashes[one].graver(&self.clashes[other]));
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    #[test]
    fn the_gravest_come_first() {
        let near = |b, distance| Clash { distance, ..Clash::new(0, b, Verdict::Near) };
        let deep = |b, depth| Clash { depth: Some(depth), ..Clash::new(0, b, Verdict::Overlapping) };
        let clashes = vec![
            near(1, 2.0),
            near(2, 1.0),
            deep(3, 0.1),
            Clash::new(0, 4, Verdict::Touching),
            deep(5, 0.2),
            Clash::new(0, 6, Verdict::Duplicate),
            // A shaft in its bearing: a long way to go, and hardly deep; and what is deep.
            Clash { penetration: Some([1e-4, 2e-4]), ..deep(8, 100.0) },
            Clash { penetration: Some([0.2, 0.3]), ..deep(9, 0.05) },
            Clash::new(0, 7, Verdict::Inside),
            Clash::new(0, 0, Verdict::Touching),
        ];
        let report = Report { clashes, ..Report::default() };
        let order = |list: Vec<&Clash>| list.iter().map(|clash| clash.b).collect::<Vec<_>>();
        assert_eq!(order(report.clashes_by_severity()), [6, 9, 8, 5, 3, 7, 0, 4, 2, 1]);
        assert_eq!(order(report.clashes_by_parts()), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}
