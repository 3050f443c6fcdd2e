//! The tables of the experiment for the terminal, and its file.

use crate::blow::arena::{Filter, Method};

use super::{ClosestRow, CutRow, Run};

/// The paper's table: cases that each test handled, and microseconds a case.
pub const PAPER: [(&str, u64, &str); 4] = [
    ("bounding spheres", 3800, "tiny"),
    ("bounding box safety", 1911, "26.13"),
    ("plane divides entities", 93, "231.94"),
    ("hard case", 842, "450.98"),
];

/// The share of all cases past the grid that a filter decided, in percent: the paper counts from the spheres on.
pub(super) fn share(filters: &[Filter], name: &str) -> f64 {
    let is_counted = |filter: &&Filter| filter.name != "grid" && filter.name != "broad phase";
    let all: u64 = filters.iter().filter(is_counted).map(|filter| filter.decided).sum();
    let own = filters.iter().filter(is_counted).filter(|filter| filter.name == name);
    100.0 * own.map(|filter| filter.decided).sum::<u64>() as f64 / all.max(1) as f64
}

pub(super) fn share_in_paper(name: &str) -> Option<f64> {
    let all: u64 = PAPER.iter().map(|(_, count, _)| count).sum();
    PAPER.iter().find(|row| row.0 == name).map(|(_, count, _)| 100.0 * *count as f64 / all as f64)
}

/// The filters of one run beside the paper's.
fn filters(run: &Run) -> String {
    let mut text = format!(
        "\n{}: {} steps, the pad rests after {:.1} s, the tank stands on it for {:.1} s, {} interpenetrations\n",
        run.way.name, run.steps, run.asleep_at, run.landed, run.interpenetrations
    );
    text += &format!("{:<24}", "filter");
    for word in
        ["came", "decided", "landscape", "% of cases", "mean us", "in paper", "% in paper", "us in paper"]
    {
        text += &format!("{word:>13}");
    }
    text += "\n";
    for (number, filter) in run.filters.iter().enumerate() {
        let paper = PAPER.iter().find(|(name, ..)| *name == filter.name);
        let (count, time) = paper.map_or(("-".to_owned(), "-"), |(_, count, time)| (count.to_string(), time));
        let in_paper = share_in_paper(filter.name).map_or("-".to_owned(), |share| format!("{share:.1}"));
        let own = match filter.name {
            "grid" | "broad phase" => "-".to_owned(),
            name => format!("{:.1}", share(&run.filters, name)),
        };
        let fixed = run.more.as_ref().filter(|_| filter.name != "grid");
        let fixed = fixed.and_then(|more| more.against_fixed.get(number));
        let fixed = fixed.map_or("-".to_owned(), u64::to_string);
        text += &format!(
            "{:<24}{:>13}{:>13}{fixed:>13}{own:>13}{:>13.2}{count:>13}{in_paper:>13}{time:>13}\n",
            filter.name,
            filter.asked,
            filter.decided,
            filter.mean_ns / 1000.0,
        );
    }
    if let Some(more) = &run.more {
        text += &format!("{} cases were collisions; {} speedboxes\n", more.collisions, more.speedboxes);
    }
    text
}

/// How the counts of the published system depend on what the paper does not tell.
fn variations(runs: &[Run]) -> String {
    let mut text = String::from("\nas published, by steps a second and width of a square: cases decided\n");
    text += &format!("{:>8}{:>8}", "steps/s", "square");
    for (name, ..) in PAPER {
        text += &format!("{name:>32}");
    }
    text += "\n";
    for run in runs {
        let Method::Published(options) = run.way.method else { continue };
        text += &format!("{:>8}{:>8}", run.way.rate, options.square);
        for (name, ..) in PAPER {
            let decided =
                run.filters.iter().find(|filter| filter.name == name).map_or(0, |filter| filter.decided);
            text += &format!("{:>32}", format!("{decided} ({:.1} %)", share(&run.filters, name)));
        }
        text += "\n";
    }
    text += &format!("{:>8}{:>8}", "paper", "");
    for (name, count, _) in PAPER {
        let share = share_in_paper(name).unwrap_or(0.0);
        text += &format!("{:>32}", format!("{count} ({share:.1} %)"));
    }
    text + "\n\
        The paper tells neither its steps a second, nor its squares, nor what else was near.\n\
        Cases grow with the steps, and those of the spheres with the bodies that share a square.\n\
        The landscape is in tiles of 40 m, which are bodies here; the column landscape counts the cases with them.\n\
        A tile's box reaches from its lowest ground to its highest: what flies in between is left to the dividing plane.\n\
        The hard case is asked at every halving of time, while the pad settles and the tank stands on it.\n"
}

/// The tables for the terminal: polygons before and after the cuts, the filters of each run beside the paper's, variations of the published
/// system, then ways to closest features.
pub fn table(cuts: &[CutRow], runs: &[Run], varied: &[Run], closest: &[ClosestRow]) -> String {
    let mut text = format!("{:<16}{:>10}{:>10}{:>16}\n", "entity", "polygons", "after", "after in paper");
    for row in cuts {
        text += &format!("{:<16}{:>10}{:>10}{:>16}\n", row.entity, row.before, row.after, row.after_in_paper);
    }
    text.extend(runs.iter().map(filters));
    text += &variations(varied);
    text += &format!("\n{:<48}{:>12}\n", "time of impact by halving, tank on pad", "mean us");
    for row in closest {
        text += &format!("{:<48}{:>12.2}\n", row.name, row.mean_us);
    }
    text
}

/// All filters of all runs as a file.
pub fn csv(runs: &[Run], varied: &[Run]) -> String {
    let mut text = String::from("way,rate,square,filter,came,decided,mean_ns\n");
    for run in runs.iter().chain(varied) {
        let square = match run.way.method {
            Method::Published(options) => options.square.to_string(),
            Method::Swept(_) => String::new(),
        };
        for Filter { name, asked, decided, mean_ns } in &run.filters {
            let way = run.way.name.replace(',', ";");
            text += &format!("{way},{},{square},{name},{asked},{decided},{mean_ns:.1}\n", run.way.rate);
        }
    }
    text
}
