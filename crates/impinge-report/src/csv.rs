//! The clashes as CSV (RFC 4180): a header, one row a clash, numbers with all their digits. Names are made safe: spreadsheets take
//! what begins as a formula for one.

use crate::check::Invalid;
use crate::groups::Group;
use crate::report::{Clash, Point, Report, Resolved, Status};
use crate::review::Severity;
use crate::text::visible;

const HEADER: [&str; 42] = [
    "id",
    "status",
    "verdict",
    "contained",
    "a",
    "b",
    "name_a",
    "name_b",
    "path_a",
    "path_b",
    "x",
    "y",
    "z",
    "min_x",
    "min_y",
    "min_z",
    "max_x",
    "max_y",
    "max_z",
    "face_pairs",
    "distance",
    "depth",
    "direction_x",
    "direction_y",
    "direction_z",
    "time",
    "duration",
    "moment",
    "sampled",
    "unit",
    "penetration_at_least",
    "penetration_at_most",
    "limited_by_thickness",
    "group",
    "severity",
    "review_status",
    "assignee",
    "volume",
    "volume_error",
    "volume_estimated",
    "estimated",
    "at_work_limit",
];

impl Report {
    /// The clashes as CSV, sorted by the parts' indices; those that are resolved follow.
    ///
    /// Names that begin with what begins a formula in a spreadsheet (`=`, `+`, `-`, `@`) have a `'` in front, and controls in them are
    /// escapes. There is no byte order mark: it would be a part of the first heading for most programs, while spreadsheets ask for the encoding
    /// when they import a file.
    pub fn csv(&self) -> Result<String, Invalid> {
        self.check()?;
        let mut csv = String::new();
        push_row(&mut csv, &HEADER.map(str::to_owned));
        let groups = self.group_of_clashes();
        for index in self.indices_by_parts() {
            let group = groups[index].and_then(|number| self.groups.as_ref()?.get(number));
            push_row(&mut csv, &self.row(&self.clashes[index], group));
        }
        for resolved in self.resolved.iter().flatten() {
            push_row(&mut csv, &self.resolved_row(resolved));
        }
        Ok(csv)
    }

    fn row(&self, clash: &Clash, group: Option<&Group>) -> [String; HEADER.len()] {
        let (a, b) = (&self.parts[clash.a], &self.parts[clash.b]);
        let [x, y, z] = numbers(clash.point);
        let [min_x, min_y, min_z] = numbers(clash.bounds.map(|[min, _]| min));
        let [max_x, max_y, max_z] = numbers(clash.bounds.map(|[_, max]| max));
        let [direction_x, direction_y, direction_z] = numbers(clash.direction);
        // Its own, or else that of its group.
        let review = clash.review.as_ref().or_else(|| group?.review.as_ref());
        let said = |text: Option<&String>| text.map_or(String::new(), |text| safe(text));
        [
            safe(&clash.id),
            clash.status.map_or("", Status::name).to_owned(),
            clash.verdict.name().to_owned(),
            clash.contained.map_or("", crate::Side::name).to_owned(),
            clash.a.to_string(),
            clash.b.to_string(),
            safe(&a.name),
            safe(&b.name),
            safe(&a.path),
            safe(&b.path),
            x,
            y,
            z,
            min_x,
            min_y,
            min_z,
            max_x,
            max_y,
            max_z,
            clash.face_pairs.to_string(),
            number(Some(clash.distance)),
            number(clash.depth),
            direction_x,
            direction_y,
            direction_z,
            number(clash.time),
            number(clash.duration),
            number(clash.moment),
            clash.sampled.to_string(),
            safe(&self.unit),
            number(clash.penetration.map(|[at_least, _]| at_least)),
            number(clash.penetration.map(|[_, at_most]| at_most)),
            clash.limited_by_thickness.to_string(),
            group.map_or(String::new(), |group| safe(&group.id)),
            clash.severity.map_or("", Severity::name).to_owned(),
            said(review.and_then(|review| review.status.as_ref())),
            said(review.and_then(|review| review.assignee.as_ref())),
            number(clash.volume.map(|[volume, _]| volume)),
            number(clash.volume.map(|[_, error]| error)),
            clash.volume_estimated.to_string(),
            clash.estimated.to_string(),
            clash.at_work_limit.to_string(),
        ]
    }

    fn resolved_row(&self, resolved: &Resolved) -> [String; HEADER.len()] {
        let [x, y, z] = numbers(resolved.point);
        let known = [
            ("id", safe(&resolved.id)),
            ("status", Status::Resolved.name().to_owned()),
            ("verdict", resolved.verdict.name().to_owned()),
            ("name_a", safe(&resolved.names[0])),
            ("name_b", safe(&resolved.names[1])),
            ("path_a", safe(&resolved.paths[0])),
            ("path_b", safe(&resolved.paths[1])),
            ("x", x),
            ("y", y),
            ("z", z),
            ("unit", safe(&self.unit)),
        ];
        HEADER.map(|column| {
            known.iter().find(|(name, _)| *name == column).map_or(String::new(), |(_, value)| value.clone())
        })
    }
}

/// Text that no spreadsheet takes for a formula, and that stays in its cell. Numbers are written by us and need no such thing.
fn safe(text: &str) -> String {
    let mut safe = visible(text);
    // The full-width forms are taken for the others in some places, and blanks in front are passed over.
    let is_formula = safe.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if is_formula {
        safe.insert(0, '\'');
    }
    safe
}

/// The shortest form that reads back the same.
fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:?}"))
}

fn numbers(point: Option<Point>) -> [String; 3] {
    point.map_or_else(Default::default, |point| point.map(|value| number(Some(value))))
}

fn push_row(csv: &mut String, fields: &[String]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            csv.push(',');
        }
        if field.contains([',', '"', '\r', '\n']) || field.trim() != field {
            csv.push('"');
            csv.push_str(&field.replace('"', "\"\""));
            csv.push('"');
        } else {
            csv.push_str(field);
        }
    }
    csv.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;
    use crate::sample;

    /// Reads CSV as the RFC says, so that the test does not trust the writer.
    fn read(csv: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
        let mut letters = csv.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, quoted) {
                ('"', true) if letters.next_if_eq(&'"').is_some() => field.push('"'),
                ('"', _) => quoted = !quoted,
                (',', false) => row.push(std::mem::take(&mut field)),
                ('\r', false) => assert_eq!(letters.peek(), Some(&'\n')),
                ('\n', false) => {
                    row.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut row));
                }
                _ => field.push(letter),
            }
        }
        assert!(!quoted && field.is_empty() && row.is_empty(), "the last line is complete");
        rows
    }

    #[test]
    fn every_row_has_every_column() {
        let mut report = sample::two_boxes();
        report.clashes[0].status = Some(Status::New);
        report.resolved = Some(vec![Resolved {
            id: "0123".to_owned(),
            verdict: Verdict::Near,
            names: ["old".to_owned(), "gone".to_owned()],
            paths: ["s/old".to_owned(), "s/gone".to_owned()],
            point: Some([1.0, 2.0, 0.1]),
        }]);
        let rows = read(&report.csv().unwrap());
        assert_eq!(rows[0], HEADER);
        let value = |row: usize, column: &str| {
            let place = HEADER.iter().position(|name| *name == column).unwrap();
            assert_eq!(rows[row].len(), HEADER.len());
            rows[row][place].as_str()
        };
        let expected = [
            ("status", "new", "resolved"),
            ("verdict", "overlapping", "near"),
            ("a", "0", ""),
            ("name_b", "right", "gone"),
            ("path_a", "scene/left", "s/old"),
            ("z", "0.0", "0.1"),
            ("max_y", "0.5", ""),
            ("face_pairs", "8", ""),
            ("depth", "0.25", ""),
            ("direction_x", "1.0", ""),
            ("time", "", ""),
            ("sampled", "false", ""),
            ("unit", "mm", "mm"),
        ];
        for (column, clash, resolved) in expected {
            assert_eq!([value(1, column), value(2, column)], [clash, resolved], "{column}");
        }
    }

    #[test]
    fn names_of_any_kind_come_back() {
        let names = ["a,b", "say \"no\"", " blanks ", "\"", "", "1=1", "a-b", "</script>", "größe"];
        for name in names {
            let mut report = sample::two_boxes();
            report.parts[0].name = name.to_owned();
            let csv = report.csv().unwrap();
            assert_eq!(read(&csv)[1][6], name, "{csv}");
        }
    }

    #[test]
    fn no_text_is_a_formula_or_leaves_its_cell() {
        let cases = [
            ("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")"),
            ("+1", "'+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("  =1", "'  =1"),
            ("＝1", "'＝1"),
            ("\t=1", "\\t=1"),
            ("two\r\nlines", "two\\r\\nlines"),
            ("nul\0", "nul\\u{0}"),
        ];
        for (text, expected) in cases {
            let mut report = sample::two_boxes();
            for part in &mut report.parts {
                (part.name, part.path) = (text.to_owned(), text.to_owned());
            }
            (report.unit, report.clashes[0].id) = (text.to_owned(), text.to_owned());
            report.clashes[0].point = Some([-1.5, 0.0, 0.0]);
            let both = || [text.to_owned(), text.to_owned()];
            let (id, verdict) = (text.to_owned(), Verdict::Near);
            report.resolved = Some(vec![Resolved { id, verdict, names: both(), paths: both(), point: None }]);
            let rows = read(&report.csv().unwrap());
            for row in &rows[1..] {
                for column in [0, 6, 7, 8, 9, 29] {
                    assert_eq!(row[column], expected, "{}", HEADER[column]);
                }
            }
            // Numbers stay numbers.
            assert_eq!(rows[1][10], "-1.5");
        }
    }
}
