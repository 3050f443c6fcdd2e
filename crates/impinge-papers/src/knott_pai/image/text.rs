//! Tables for the terminal.

use std::fmt::Write;

use super::misses::PUSH;
use super::{Growth, RESOLUTION, Report};

/// All tables.
pub fn tables(report: &Report) -> String {
    let mut text = format!("Images of {RESOLUTION} x {RESOLUTION} pixels, drawn by {}\n", report.device);
    text += "paper: one view, one layer; all: three views, all layers. read: pairs, by reading the buffer; queries: objects, by \
             occlusion queries;\nany: whether there is any, where nothing is.\n";
    text += &growth(
        "boxes",
        "Figure 9: time against the number of boxes, strips of twelve triangles",
        &report.objects,
    );
    text += &growth(
        "polygons",
        "Figure 10: time against the number of polygons of two balls with bumps",
        &report.polygons,
    );
    text += &misses(report);
    text += &setup(report);
    text + &accuracy(report)
}

fn growth(what: &str, title: &str, growths: &[Growth]) -> String {
    let mut text = format!(
        "\n{title}; ms\n\n{:<16}{what:>10}{:>8}{:>11}{:>11}{:>11}{:>11}{:>8}{:>9}\n",
        "", "trials", "mean", "deviation", "median", "work", "found", "layers"
    );
    for growth in growths {
        for row in &growth.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:<16}{:>10}{:>8}{:>11.3}{:>11.3}{:>11.3}{:>11.3}{:>8.2}{:>9.1}",
                growth.way.name,
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
    text += "\np: time ~ n^p, fitted; work is processor time of all threads, fixed is that of a question about two boxes, net is work without it: what\n\
             grows. The paper found 1. Objects fill the same part of the image whatever their number: their edges cover pixels as n^(2/3) of boxes and\n\
             as n^(1/2) of polygons, and vertices are n.\n\n";
    let _ = writeln!(
        text,
        "{:<16}{:>10}{:>10}{:>11}{:>16}{:>14}",
        "", "p of net", "fixed", "p of work", "upper half", "p of mean"
    );
    for growth in growths {
        let (name, work, upper, wall) =
            (growth.way.name, growth.power, growth.upper_power, growth.wall_power);
        let (net, fixed) = (growth.net_power, growth.fixed_ms);
        let _ = writeln!(text, "{name:<16}{net:>10.2}{fixed:>10.3}{work:>11.2}{upper:>16.2}{wall:>14.2}");
    }
    text
}

fn misses(report: &Report) -> String {
    let mut text = format!(
        "\nFound among balls that were pushed {PUSH} into each other: shares\n\n{:>10}{:>8}{:>17}{:>18}{:>21}{:>12}\n",
        "polygons", "trials", "1 view, 1 layer", "3 views, 1 layer", "3 views, all layers", "precision"
    );
    for row in &report.misses {
        let _ = writeln!(
            text,
            "{:>10}{:>8}{:>17.2}{:>18.2}{:>21.2}{:>12.5}",
            row.polygons, row.trials, row.one_layer, row.three_views, row.all_layers, row.precision
        );
    }
    text
}

fn setup(report: &Report) -> String {
    let mut text = format!(
        "\nSetting up: ms to open the device, of the first question, of the second, and of those after something moved\n\n\
         {:<20}{:>10}{:>10}{:>10}{:>10}{:>16}\n",
        "", "open", "first", "second", "moved", "second / first"
    );
    for row in &report.setup {
        let _ = writeln!(
            text,
            "{:<20}{:>10.2}{:>10.2}{:>10.2}{:>10.2}{:>16.3}",
            row.scene,
            row.open_ms,
            row.first_ms,
            row.second_ms,
            row.moved_ms,
            row.second_ms / row.first_ms
        );
    }
    text
}

fn accuracy(report: &Report) -> String {
    let of = &report.accuracy;
    let mut text = format!(
        "\n{} boxes: {} pairs seen, {} by the exact test; precision {:.5}; {} differ, {} by more than the precision\n",
        of.boxes,
        of.seen,
        of.exact,
        of.precision,
        of.differences.len(),
        of.beyond_precision()
    );
    for difference in &of.differences {
        let [a, b] = difference.pair;
        let depth = difference.depth;
        let what = if depth >= 0.0 { "missed, deep" } else { "false, apart" };
        let _ = writeln!(text, "  {a:>4} {b:>4}  {what} {:.6}", depth.abs());
    }
    text
}
