//! All tables of an experiment for the terminal, and its files.

use std::fmt::Write;

use super::{PointRow, Report, comparisons, text};
use crate::comparison::Comparison;
use crate::zachmann::dop_tree::table;

impl Report {
    /// The tables for the terminal.
    pub fn table(&self) -> String {
        let mut header: Vec<String> =
            ["mover", "triangles", "against", "triangles", "motion", "hits", "us", "features"]
                .map(str::to_owned)
                .to_vec();
        for peer in self.rows.first().map_or(&[][..], |row| &row.peers) {
            header.extend([format!("{} us", peer.name), "ratio".to_owned(), "late".to_owned()]);
        }
        let mut lines = vec![header];
        for row in &self.rows {
            let mut line = vec![
                row.mover.to_owned(),
                row.mover_triangles.to_string(),
                row.target.to_owned(),
                row.target_triangles.to_string(),
                row.motion.to_owned(),
                row.hits.to_string(),
                format!("{:.1}", row.us),
                format!("{:.0}", row.feature_tests),
            ];
            for peer in &row.peers {
                let late = format!("{} of {}", peer.late, peer.sweeps);
                line.extend([format!("{:.1}", peer.us), format!("{:.1}", peer.us / row.us), late]);
            }
            lines.push(line);
        }
        let mut text =
            format!("{} sweeps a row; time a sweep.\n\n{}", self.experiment.sweeps, table(&lines, 6));
        // Writing to a string cannot fail.
        let [large, level] = self.internal.map(|share| 100.0 * share);
        let _ = writeln!(
            text,
            "\nInternal edges: {large:.1} % of bumpy, {level:.1} % of the level (paper: over 30 %)."
        );
        let PointRow { sweep_ns, ray_ns, differ, .. } = self.points;
        let _ = writeln!(
            text,
            "Points against the level: {:.2} million a second; rays that ask the same: {:.2} million, {:.1} times \
             as many. They differ in {differ} answers.",
            1e3 / sweep_ns,
            1e3 / ray_ns,
            sweep_ns / ray_ns
        );
        text + &text::tables(&self.engines, &self.shortcuts, &self.surfaces)
    }

    /// The paper's figures beside ours.
    pub fn comparisons(&self) -> Vec<Comparison> {
        comparisons::comparisons(self)
    }

    /// The files: their names, and the rows as CSV.
    pub fn files(&self) -> [(&'static str, String); 4] {
        [
            ("sweep.csv", self.csv()),
            ("engines.csv", text::engines_csv(&self.engines)),
            ("shortcuts.csv", text::shortcuts_csv(&self.shortcuts)),
            ("surfaces.csv", text::surfaces_csv(&self.surfaces)),
        ]
    }

    /// The rows of movers and meshes as CSV.
    fn csv(&self) -> String {
        let mut text = String::from(
            "mover,mover_triangles,target,target_triangles,motion,hits,us,feature_tests,peers\n",
        );
        for row in &self.rows {
            let peers: Vec<String> = row
                .peers
                .iter()
                .map(|peer| format!("{}:{:.3}:{}:{}", peer.name, peer.us, peer.late, peer.sweeps))
                .collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{:.3},{:.1},{}",
                row.mover,
                row.mover_triangles,
                row.target,
                row.target_triangles,
                row.motion,
                row.hits,
                row.us,
                row.feature_tests,
                peers.join(" ")
            );
        }
        text
    }
}
