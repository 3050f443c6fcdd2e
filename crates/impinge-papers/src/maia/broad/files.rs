//! The results as files.

use std::fmt::Write;

use super::{Report, Row};
use crate::chart::{Axis, Chart, Series};

/// Every file with its name and content.
pub fn files(report: &Report) -> Vec<(String, String)> {
    let most = report.rows.iter().map(|row| row.boxes).max().unwrap_or(0);
    let growth = lines(report, |row| row.percent == 100, |row| f64::from(row.boxes));
    let moving = lines(report, |row| row.boxes == most, |row| f64::from(row.percent));
    vec![
        ("broad.csv".to_owned(), table(report)),
        ("deformables.csv".to_owned(), deformables(report)),
        ("growth.svg".to_owned(), chart("All boxes moving", "boxes", growth)),
        ("moving.svg".to_owned(), chart(&format!("{most} boxes, some moving"), "moving / %", moving)),
    ]
}

fn table(report: &Report) -> String {
    let header = "engine,boxes,percent,median_ms,mean_ms,worst_ms,first_ms,pairs,changes\n".to_owned();
    report.rows.iter().fold(header, |mut csv, row| {
        // Writing to a string cannot fail.
        let _ = writeln!(
            csv,
            "{},{},{},{:.6},{:.6},{:.6},{:.6},{},{}",
            row.engine,
            row.boxes,
            row.percent,
            row.median_ms,
            row.mean_ms,
            row.worst_ms,
            row.first_ms,
            row.pairs,
            row.changes
        );
        csv
    })
}

fn deformables(report: &Report) -> String {
    let of = &report.deformables;
    format!(
        "models,corners_us,image_us,sweep_us,corners_and_sweep_us,image_and_sweep_us,touched\n\
         {},{:.4},{:.4},{:.4},{:.4},{:.4},{:.3}\n",
        of.models,
        of.corners_us,
        of.image_us,
        of.sweep_us,
        of.corners_and_sweep_us,
        of.image_and_sweep_us,
        of.touched
    )
}

/// A line for each engine through the rows that are wanted.
fn lines(report: &Report, wanted: impl Fn(&Row) -> bool, x: impl Fn(&Row) -> f64) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for row in report.rows.iter().filter(|row| wanted(row)) {
        let point = [x(row), row.median_ms];
        match lines.iter_mut().find(|line| line.name == row.engine) {
            Some(line) => line.points.push(point),
            None => lines.push(Series { name: row.engine.to_owned(), points: vec![point] }),
        }
    }
    for line in &mut lines {
        line.points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    }
    lines
}

fn chart(title: &str, label: &str, series: Vec<Series>) -> String {
    let axis = |label: &str| Axis { label: label.to_owned(), logarithmic: true };
    Chart { title: title.to_owned(), axes: [axis(label), axis("time of a step / ms")], series }.svg()
}
