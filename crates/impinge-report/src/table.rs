//! The clashes for a terminal: how many of each kind, then one line a group, the gravest first.

use std::fmt::Write;

use crate::check::Invalid;
use crate::groups::Group;
use crate::report::{Clash, Report, Resolved, Side, Status, Verdict};
use crate::review::{Review, Severity};
use crate::text::{counted, point, short, visible};

/// Columns that are there only where they say something.
struct Columns {
    counts: bool,
    severities: bool,
    statuses: bool,
    times: bool,
    reviews: bool,
}

impl Report {
    /// The clashes as a table for people, the gravest first, with a line break at the end: one row for each group, or for each clash where
    /// they are not [grouped](Self::group_clashes). A row shows the gravest clash of its group.
    pub fn table(&self) -> Result<String, Invalid> {
        self.check()?;
        let mut text = self.summary();
        let groups = self.groups.as_deref();
        let reviewed = |review: &Option<Review>| review.is_some();
        let columns = Columns {
            counts: groups.is_some_and(|groups| groups.iter().any(|group| group.members.len() > 1)),
            severities: self.clashes.iter().any(|clash| clash.severity.is_some()),
            statuses: self.resolved.is_some(),
            times: self.clashes.iter().any(|clash| clash.time.is_some()),
            reviews: self.clashes.iter().map(|clash| &clash.review).any(reviewed)
                || groups.is_some_and(|groups| groups.iter().map(|group| &group.review).any(reviewed)),
        };
        let mut rows = vec![self.header(&columns)];
        match groups {
            Some(groups) => rows.extend(groups.iter().map(|group| self.group_cells(group, &columns))),
            None => rows.extend(self.clashes_by_severity().into_iter().map(|clash| {
                let names = [clash.a, clash.b].map(|part| visible(&self.parts[part].name));
                cells(clash, names, &columns)
            })),
        }
        for resolved in self.resolved.iter().flatten() {
            rows.push(resolved_cells(resolved, &columns));
        }
        if rows.len() > 1 {
            text.push('\n');
            push_columns(&mut text, &rows);
        }
        Ok(text)
    }

    /// Counts and remarks, a few lines.
    fn summary(&self) -> String {
        let clashes = counted(self.clashes.len(), "clash", "clashes");
        let mut text = format!("{clashes} among {}", counted(self.parts.len(), "part", "parts"));
        let counts = Verdict::ALL.map(|verdict| {
            (verdict.name(), self.clashes.iter().filter(|clash| clash.verdict == verdict).count())
        });
        push_counts(&mut text, &counts);
        if let Some(groups) = self.groups.as_ref().filter(|groups| groups.len() < self.clashes.len()) {
            let _ = write!(text, "; in {}", counted(groups.len(), "group", "groups"));
        }
        if let Some(resolved) = &self.resolved {
            let with = |status| self.clashes.iter().filter(|clash| clash.status == Some(status)).count();
            let counts =
                [("new", with(Status::New)), ("active", with(Status::Active)), ("resolved", resolved.len())];
            text += "; since the baseline";
            push_counts(&mut text, &counts);
        }
        text.push('\n');
        if self.partial {
            text += "PARTIAL: the search was interrupted, and there may be more\n";
        }
        if self.left_out > 0 {
            let things = counted(self.left_out, "thing", "things");
            let _ = writeln!(
                text,
                "NOT ALL: {things} with faces left out, and nobody looked at them; see the notes"
            );
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {}", visible(note));
        }
        text
    }

    fn header(&self, columns: &Columns) -> Vec<String> {
        let unit = visible(&self.unit);
        let mut cells = vec!["verdict".to_owned()];
        let mut add = |name: &str, is_there: bool| cells.extend(is_there.then(|| name.to_owned()));
        add("count", columns.counts);
        add("severity", columns.severities);
        add("status", columns.statuses);
        add("review", columns.reviews);
        cells.extend(["a".to_owned(), "b".to_owned(), format!("depth or gap ({unit})"), "faces".to_owned()]);
        if columns.times {
            cells.push("time (s)".to_owned());
        }
        cells.extend([format!("at ({unit})"), "id".to_owned()]);
        cells
    }

    fn group_cells(&self, group: &Group, columns: &Columns) -> Vec<String> {
        let count = group.members.len();
        let clash = group.gravest(self);
        let names = [0, 1].map(|side| {
            let name = visible(&self.parts[group.sides[0][side]].name);
            match group.parts_on(side) {
                1 => name,
                several => format!("{name} +{}", several - 1),
            }
        });
        let status = |status: Status| {
            group.members.iter().filter(|&&member| self.clashes[member].status == Some(status)).count()
        };
        let shown = Clash { id: group.id.clone(), ..clash.without_places() };
        let mut row = cells(&shown, names, columns);
        if columns.counts && count > 1 {
            row[1] = format!("{count} ×");
        }
        let mut place = 1 + usize::from(columns.counts) + usize::from(columns.severities);
        if columns.statuses {
            let new = status(Status::New);
            if new > 0 && new < count {
                row[place] = format!("{new} new");
            }
            place += 1;
        }
        if columns.reviews
            && let Some(review) = &group.review
        {
            row[place] = review_cell(review);
        }
        row
    }
}

fn cells(clash: &Clash, names: [String; 2], columns: &Columns) -> Vec<String> {
    let mut cells = vec![match clash.contained {
        Some(Side::A) => "inside (a in b)".to_owned(),
        Some(Side::B) => "inside (b in a)".to_owned(),
        None => clash.verdict.name().to_owned(),
    }];
    if columns.counts {
        cells.push(String::new());
    }
    if columns.severities {
        cells.push(clash.severity.map_or("", Severity::name).to_owned());
    }
    if columns.statuses {
        cells.push(clash.status.map_or("", Status::name).to_owned());
    }
    if columns.reviews {
        cells.push(clash.review.as_ref().map_or(String::new(), review_cell));
    }
    cells.extend(names);
    cells.push(clash.measure().unwrap_or_else(|| "–".to_owned()));
    cells.push(if clash.face_pairs > 0 { clash.face_pairs.to_string() } else { "–".to_owned() });
    if columns.times {
        let sampled = if clash.sampled { " (sampled)" } else { "" };
        cells.push(clash.time.map_or("–".to_owned(), |time| format!("{}{sampled}", short(time))));
    }
    cells.extend([clash.point.map_or("–".to_owned(), point), clash.id.clone()]);
    cells
}

/// Status, who looks after it, and how many comments there are.
fn review_cell(review: &Review) -> String {
    let mut words = vec![];
    words.extend(review.status.as_deref().map(visible));
    words.extend(review.assignee.as_deref().map(|name| format!("({})", visible(name))));
    if !review.comments.is_empty() {
        words.push(counted(review.comments.len(), "comment", "comments"));
    }
    words.join(" ")
}

fn resolved_cells(resolved: &Resolved, columns: &Columns) -> Vec<String> {
    let [a, b] = &resolved.names;
    let mut cells = vec![resolved.verdict.name().to_owned()];
    cells.extend(
        [columns.counts, columns.severities].into_iter().filter(|shown| *shown).map(|_| String::new()),
    );
    cells.push(Status::Resolved.name().to_owned());
    if columns.reviews {
        cells.push(String::new());
    }
    cells.extend([visible(a), visible(b), "–".to_owned(), "–".to_owned()]);
    if columns.times {
        cells.push("–".to_owned());
    }
    cells.extend([resolved.point.map_or("–".to_owned(), point), visible(&resolved.id)]);
    cells
}

/// `: 2 overlapping, 1 near`, without what is 0.
fn push_counts(text: &mut String, counts: &[(&str, usize)]) {
    let counts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if !counts.is_empty() {
        let _ = write!(text, ": {}", counts.join(", "));
    }
}

/// Columns get no wider than this: a cell that is longer pushes the others of its row aside.
const WIDEST_COLUMN: usize = 60;

/// Two blanks between columns, each as wide as its longest cell.
fn push_columns(text: &mut String, rows: &[Vec<String>]) {
    let width = |column: usize| {
        let lengths = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.max().unwrap_or(0).min(WIDEST_COLUMN)
    };
    let widths: Vec<usize> = (0..rows.iter().map(Vec::len).max().unwrap_or(0)).map(width).collect();
    for row in rows {
        let start = text.len();
        for (number, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(if number == 0 { "" } else { "  " });
            text.push_str(cell);
            // Not by a format's width, which may not be above 65,535.
            text.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
        }
        let end = start + text[start..].trim_end().len();
        text.truncate(end);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_table_says_what_was_found() {
        let mut report = sample::two_boxes();
        report.parts.push(report.parts[1].clone());
        report.parts[2].name = "bolt \u{1b}[2J".to_owned();
        report.clashes.push(Clash { distance: 0.5, ..Clash::new(0, 2, Verdict::Near) });
        report.clashes.push(Clash { contained: Some(Side::B), ..Clash::new(1, 2, Verdict::Inside) });
        report.notes.push("two\nlines".to_owned());
        report.name_clashes();
        let ids = [0, 2, 1].map(|index: usize| report.clashes[index].id.clone());
        let expected = format!(
            "3 clashes among 3 parts: 1 overlapping, 1 inside, 1 near\n\
             note: two\\nlines\n\
             \n\
             verdict          a      b               depth or gap (mm)  faces  at (mm)         id\n\
             overlapping      left   right           depth 0.202        8      (0.5, 0.25, 0)  {}\n\
             inside (b in a)  right  bolt \\u{{1b}}[2J  –                  –      –               {}\n\
             near             left   bolt \\u{{1b}}[2J  gap 0.5            –      –               {}\n",
            ids[0], ids[1], ids[2],
        );
        assert_eq!(report.table().unwrap(), expected);
    }

    #[test]
    fn baseline_and_times_have_columns() {
        let mut report = sample::two_boxes();
        report.clashes[0].status = Some(Status::New);
        report.clashes[0].time = Some(1.5);
        report.clashes[0].sampled = true;
        report.partial = true;
        report.resolved = Some(vec![Resolved {
            id: "0123".to_owned(),
            verdict: Verdict::Near,
            names: ["old".to_owned(), "gone".to_owned()],
            paths: Default::default(),
            point: None,
        }]);
        let id = &report.clashes[0].id;
        let expected = format!(
            "1 clash among 2 parts: 1 overlapping; since the baseline: 1 new, 1 resolved\n\
             PARTIAL: the search was interrupted, and there may be more\n\
             \n\
             verdict      status    a     b      depth or gap (mm)  faces  time (s)       at (mm)         id\n\
             overlapping  new       left  right  depth 0.202        8      1.5 (sampled)  (0.5, 0.25, 0)  {id}\n\
             near         resolved  old   gone   –                  –      –              –               0123\n",
        );
        assert_eq!(report.table().unwrap(), expected);
    }

    #[test]
    fn names_and_units_may_be_of_any_length() {
        let mut report = sample::two_boxes();
        report.parts[0].name = "n".repeat(70_000);
        report.unit = "u".repeat(70_000);
        report.notes.push("x".repeat(70_000));
        let table = report.table().unwrap();
        assert!(table.contains(&report.parts[0].name) && table.contains(&report.unit));
        // One long name does not widen all rows.
        report.parts.push(report.parts[1].clone());
        report.clashes.extend((0..100).map(|_| Clash::new(1, 2, Verdict::Touching)));
        assert!(report.table().unwrap().len() < table.len() + 100 * 400);
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        let report = Report { unit: "m".to_owned(), ..Report::default() };
        assert_eq!(report.table().unwrap(), "0 clashes among 0 parts\n");
    }
}
