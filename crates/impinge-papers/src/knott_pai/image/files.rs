//! The results as files.

use std::fmt::Write;

use super::{Growth, Report};
use crate::chart::{Axis, Chart, Series};

/// Every file with its name and content.
pub fn files(report: &Report) -> Vec<(String, String)> {
    let chart = |title: &str, label: &str, growths: &[Growth]| {
        let line = |growth: &Growth| Series {
            name: growth.way.name.to_owned(),
            points: growth.rows.iter().map(|row| [row.count as f64, row.mean_ms]).collect(),
        };
        let axes = [axis(label, true), axis("time / ms", true)];
        Chart { title: title.to_owned(), axes, series: growths.iter().map(line).collect() }.svg()
    };
    vec![
        ("objects.csv".to_owned(), growth(&report.objects)),
        ("polygons.csv".to_owned(), growth(&report.polygons)),
        ("misses.csv".to_owned(), misses(report)),
        ("setup.csv".to_owned(), setup(report)),
        ("differences.csv".to_owned(), differences(report)),
        (
            "objects.svg".to_owned(),
            chart("Time against the number of boxes (Figure 9)", "boxes", &report.objects),
        ),
        (
            "polygons.svg".to_owned(),
            chart("Time against the number of polygons (Figure 10)", "polygons", &report.polygons),
        ),
        ("misses.svg".to_owned(), misses_chart(report)),
    ]
}

fn axis(label: &str, logarithmic: bool) -> Axis {
    Axis { label: label.to_owned(), logarithmic }
}

fn growth(growths: &[Growth]) -> String {
    let mut csv = "way,count,trials,mean_ms,deviation_ms,median_ms,work_ms,found,layers\n".to_owned();
    for growth in growths {
        for row in &growth.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(
                csv,
                "{},{},{},{:.6},{:.6},{:.6},{:.6},{:.3},{:.1}",
                growth.way.name.replace(", ", " "),
                row.count,
                row.trials,
                row.mean_ms,
                row.deviation_ms,
                row.median_ms,
                row.work_ms,
                row.found,
                row.layers
            );
        }
    }
    csv
}

fn misses(report: &Report) -> String {
    let header = "polygons,trials,one_layer,three_views,all_layers,precision\n".to_owned();
    report.misses.iter().fold(header, |mut csv, row| {
        let _ = writeln!(
            csv,
            "{},{},{:.4},{:.4},{:.4},{:.6}",
            row.polygons, row.trials, row.one_layer, row.three_views, row.all_layers, row.precision
        );
        csv
    })
}

fn misses_chart(report: &Report) -> String {
    let line = |name: &str, of: fn(&super::Miss) -> f64| Series {
        name: name.to_owned(),
        points: report.misses.iter().map(|row| [row.polygons as f64, of(row)]).collect(),
    };
    let series = vec![
        line("1 view, 1 layer", |row| row.one_layer),
        line("3 views, 1 layer", |row| row.three_views),
        line("3 views, all", |row| row.all_layers),
    ];
    let axes = [axis("polygons", true), axis("share found", false)];
    Chart { title: "Found against the density of meshes".to_owned(), axes, series }.svg()
}

fn setup(report: &Report) -> String {
    let header = "scene,open_ms,first_ms,second_ms,moved_ms\n".to_owned();
    report.setup.iter().fold(header, |mut csv, row| {
        let name = row.scene.replace(',', "");
        let _ = writeln!(
            csv,
            "{name},{:.4},{:.4},{:.4},{:.4}",
            row.open_ms, row.first_ms, row.second_ms, row.moved_ms
        );
        csv
    })
}

fn differences(report: &Report) -> String {
    let header = "first,second,depth,precision\n".to_owned();
    report.accuracy.differences.iter().fold(header, |mut csv, difference| {
        let [a, b] = difference.pair;
        let _ = writeln!(csv, "{a},{b},{:.9},{:.9}", difference.depth, report.accuracy.precision);
        csv
    })
}
