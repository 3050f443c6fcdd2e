//! The results as files: tables that other programs read, and the paper's figures.

use std::fmt::Write;

use super::{ObjectReport, Report, Row, TreeKind, alignment, considered, contrasts, explanation, exponents};
use crate::chart::{Axis, Chart, Series};

/// Every file with its name and content.
pub fn files(report: &Report) -> Vec<(String, String)> {
    let mut files = vec![
        ("distances.csv".to_owned(), distances(report)),
        ("objects.csv".to_owned(), objects(&report.objects)),
        ("growth.csv".to_owned(), objects(&report.growth)),
        ("exponents.csv".to_owned(), powers(report)),
        ("costs.csv".to_owned(), costs(&report.objects)),
        ("octahedra.csv".to_owned(), octahedra(report)),
        ("octahedra.txt".to_owned(), explanation(&contrasts(report))),
        ("construction.csv".to_owned(), construction(report)),
    ];
    for object in &report.objects {
        let name = format!("time-{}-{}.svg", object.shape, object.triangles);
        files.push((name, time_by_distance(object).svg()));
        let name = format!("obb-{}-{}.svg", object.shape, object.triangles);
        files.push((name, beside_obb(object).svg()));
        if !object.peers.is_empty() {
            let name = format!("peers-{}-{}.svg", object.shape, object.triangles);
            files.push((name, beside_peers(object).svg()));
        }
    }
    if report.objects.iter().any(|object| !object.peers.is_empty()) {
        files.push(("peers.csv".to_owned(), peers(&report.objects)));
        files.push(("peers-growth.csv".to_owned(), peers(&report.growth)));
    }
    files.push(("alignment.svg".to_owned(), alignment()));
    files.extend(considered().map(|svg| ("considered.svg".to_owned(), svg)));
    let us = |row: &Row| row.summary().mean_ns / 1e3;
    files.push(("growth.svg".to_owned(), by_triangles(&report.growth, GROWTH, us).svg()));
    files.push(("build.svg".to_owned(), by_triangles(&report.growth, BUILD, |row| row.build_ms).svg()));
    files
}

const GROWTH: [&str; 2] = ["Two tori: mean over all distances and rotations", "time per query / µs"];
const BUILD: [&str; 2] = ["Building the tree of a torus", "time / ms"];

fn distances(report: &Report) -> String {
    let mut csv = "shape,triangles,k,distance,mean_ns,hits,visits,box_tests,face_tests\n".to_owned();
    for object in &report.objects {
        for row in &object.rows {
            for m in &row.measurements {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    csv,
                    "{},{},{},{},{:.1},{},{},{},{}",
                    object.shape,
                    object.triangles,
                    row.key(),
                    m.distance,
                    m.mean_ns,
                    m.hits,
                    m.visits,
                    m.box_tests,
                    m.face_tests
                );
            }
        }
    }
    csv
}

fn objects(objects: &[ObjectReport]) -> String {
    let mut csv =
        "shape,triangles,k,mean_ns,worst_ns,hits,visits,box_tests,face_tests,build_ms,bytes\n".to_owned();
    for object in objects {
        for row in &object.rows {
            let all = row.summary();
            let _ = writeln!(
                csv,
                "{},{},{},{:.1},{:.1},{},{},{},{},{:.4},{}",
                object.shape,
                object.triangles,
                row.key(),
                all.mean_ns,
                all.worst_ns,
                all.hits,
                all.visits,
                all.box_tests,
                all.face_tests,
                row.build_ms,
                row.bytes
            );
        }
    }
    csv
}

fn powers(report: &Report) -> String {
    exponents(report).iter().fold("k,time,time_paper_range,box_tests,build\n".to_owned(), |mut csv, of| {
        let values = [of.time, of.time_paper_range, of.box_tests, of.build];
        let _ = writeln!(csv, "{},{}", of.key, values.map(|value| format!("{value:.4}")).join(","));
        csv
    })
}

fn costs(objects: &[ObjectReport]) -> String {
    let mut csv =
        "shape,triangles,k,start_ns,visit_ns,face_ns,visits,box_tests,face_tests,error\n".to_owned();
    for object in objects {
        for row in &object.rows {
            let (all, costs) = (row.summary(), row.costs);
            let values =
                [costs.start_ns, costs.visit_ns, costs.face_ns, all.visits, all.box_tests, all.face_tests];
            let values = values.map(|value| format!("{value:.3}")).join(",");
            let _ = writeln!(
                csv,
                "{},{},{},{values},{:.4}",
                object.shape,
                object.triangles,
                row.key(),
                costs.error
            );
        }
    }
    csv
}

/// Tables 4 and 6: a peer's times beside those of boxes.
fn peers(objects: &[ObjectReport]) -> String {
    let mut csv =
        "shape,triangles,peer,mean_ns,worst_ns,hits,disagreements,build_ms,own_mean_ns,own_build_ms\n"
            .to_owned();
    for object in objects {
        let Some(own) = object.rows.first() else { continue };
        for peer in &object.peers {
            let _ = writeln!(
                csv,
                "{},{},{},{:.1},{:.1},{},{},{:.4},{:.1},{:.4}",
                object.shape,
                object.triangles,
                peer.name,
                peer.mean_ns(),
                peer.worst_ns(),
                peer.hits(),
                peer.disagreements(),
                peer.build_ms,
                own.summary().mean_ns,
                own.build_ms
            );
        }
    }
    csv
}

fn octahedra(report: &Report) -> String {
    let header = "object,flat_share,time,box_tests,face_tests,tilted_face_tests,volume,enclosed,aligned,undecided,\
                  box_tests_apart_6,box_tests_apart_8,slack,slack_14,face_tests_14\n";
    contrasts(report).iter().fold(header.to_owned(), |mut csv, c| {
        let values = [
            c.flat_share,
            c.time,
            c.box_tests,
            c.face_tests,
            c.tilted_face_tests,
            c.volume,
            c.enclosed,
            c.aligned,
            c.undecided,
            c.box_tests_apart[0],
            c.box_tests_apart[1],
            c.slack,
            c.slack_14,
            c.face_tests_14,
        ];
        let _ = writeln!(csv, "{},{}", c.object, values.map(|value| format!("{value:.4}")).join(","));
        csv
    })
}

/// Figures 4 and 5: time against distance.
fn time_by_distance(object: &ObjectReport) -> Chart {
    let series = |row: &Row| Series {
        name: row.label(),
        points: row.measurements.iter().map(|m| [m.distance, m.mean_ns / 1e3]).collect(),
    };
    Chart {
        title: format!("Two objects: {}, {} triangles each", object.shape, object.triangles),
        axes: [
            Axis { label: "distance of the centers".to_owned(), logarithmic: false },
            Axis { label: "time per query / µs".to_owned(), logarithmic: true },
        ],
        series: object.rows.iter().map(series).collect(),
    }
}

/// The histogram of depths of §4.2, ours and the paper's.
fn construction(report: &Report) -> String {
    let mut csv = "object,triangles,depth,leaves,paper\n".to_owned();
    for of in &report.construction {
        for depth in of.depths() {
            let (leaves, paper) = (of.leaves_at(depth), of.paper.leaves_at(depth));
            let _ = writeln!(csv, "{},{},{depth},{leaves},{paper}", of.object, of.triangles);
        }
    }
    csv
}

/// Figures 7 and 8: boxes, built by both rules, beside the OBB-tree.
fn beside_obb(object: &ObjectReport) -> Chart {
    let mut chart = time_by_distance(object);
    let is_shown = |row: &Row| row.k == 6 || row.tree == TreeKind::Obb;
    let mut rows = object.rows.iter();
    chart.series.retain(|_| rows.next().is_some_and(is_shown));
    chart
}

/// Figures 7 and 8: boxes beside other libraries.
fn beside_peers(object: &ObjectReport) -> Chart {
    let mut chart = time_by_distance(object);
    chart.series.truncate(1);
    chart.series.extend(object.peers.iter().map(|peer| Series {
        name: peer.name.clone(),
        points: peer.measurements.iter().map(|m| [m.distance, m.mean_ns / 1e3]).collect(),
    }));
    chart
}

/// Figure 6: growth with the number of triangles.
fn by_triangles(growth: &[ObjectReport], [title, label]: [&str; 2], value: impl Fn(&Row) -> f64) -> Chart {
    let rows = growth.first().map_or(0, |object| object.rows.len());
    let series = |index: usize| Series {
        name: growth[0].rows[index].label(),
        points: growth.iter().map(|object| [object.triangles as f64, value(&object.rows[index])]).collect(),
    };
    Chart {
        title: title.to_owned(),
        axes: [
            Axis { label: "triangles of each torus".to_owned(), logarithmic: true },
            Axis { label: label.to_owned(), logarithmic: true },
        ],
        series: (0..rows).map(series).collect(),
    }
}
