//! The page without a picture: tables that any browser shows, without scripts.

use std::fmt::Write;

use super::{HAS_PICTURES, escaped};
use crate::check::Invalid;
use crate::report::{Clash, Report, Side, Status};
use crate::text::{counted, point, short};

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}\
h1{font-size:1.3rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .7rem .3rem 0;\
border-bottom:1px solid #8884;vertical-align:top}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}\
.note{border-left:3px solid #c80;padding-left:.7rem}.id{font-family:ui-monospace,monospace;font-size:.85em;opacity:.7}";

/// How to get the page with the 3D view.
const MISSING: &str = "This copy of impinge was built without the 3D view, because npm was not found or could not get the \
page's packages. Install Node.js with npm, run <code>cargo clean --package impinge-report</code> and build again.";

impl Report {
    /// The clashes as tables, in one file without scripts.
    pub fn plain_html(&self) -> Result<String, Invalid> {
        self.check()?;
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
            escaped(&self.heading())
        );
        let title = if self.title.is_empty() { "impinge" } else { &self.title };
        let _ = writeln!(page, "<h1>{}</h1>", escaped(title));
        if !HAS_PICTURES {
            let _ = writeln!(page, "<p class=\"note\">{MISSING}</p>");
        }
        if self.partial {
            page += "<p class=\"note\">The search was interrupted; there may be more to find.</p>\n";
        }
        for note in &self.notes {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escaped(note));
        }
        let clashes = counted(self.clashes.len(), "clash", "clashes");
        let parts = counted(self.parts.len(), "part", "parts");
        let _ = writeln!(page, "<p>{clashes} among {parts}. Lengths are in {}.</p>", escaped(&self.unit));
        self.push_tables(&mut page);
        self.push_clashes(&mut page);
        self.push_sweep(&mut page);
        page += "</body>\n</html>\n";
        Ok(page)
    }

    fn push_tables(&self, page: &mut String) {
        for table in &self.tables {
            let _ = writeln!(page, "<table>\n<caption>{}</caption>\n<thead><tr>", escaped(&table.title));
            for heading in &table.columns {
                let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(heading));
            }
            *page += "</tr></thead>\n<tbody>\n";
            for row in &table.rows {
                let cells = row.iter().map(|cell| format!("<td class=\"n\">{}</td>", escaped(cell)));
                let _ = writeln!(page, "<tr>{}</tr>", cells.collect::<String>());
            }
            *page += "</tbody>\n</table>\n";
        }
    }

    fn push_clashes(&self, page: &mut String) {
        let resolved = self.resolved.as_deref().unwrap_or_default();
        if self.clashes.is_empty() && resolved.is_empty() {
            return;
        }
        *page += "<table>\n<thead><tr>";
        for heading in ["Verdict", "Status", "A", "B", "Depth or gap", "Pairs of faces", "Time", "At", "Id"] {
            let _ = write!(page, "<th scope=\"col\">{heading}</th>");
        }
        *page += "</tr></thead>\n<tbody>\n";
        for clash in self.clashes_by_severity() {
            self.push_row(page, clash);
        }
        for gone in resolved {
            let at = gone.point.map_or(String::new(), point);
            let [a, b] = gone.names.each_ref().map(|name| escaped(name));
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{a}</td><td>{b}</td><td></td><td></td><td></td><td class=\"n\">{at}</td>\
                 <td class=\"id\">{}</td></tr>",
                gone.verdict.name(),
                Status::Resolved.name(),
                escaped(&gone.id)
            );
        }
        *page += "</tbody>\n</table>\n";
    }

    fn push_row(&self, page: &mut String, clash: &Clash) {
        let contained = match clash.contained {
            Some(Side::A) => " (A in B)",
            Some(Side::B) => " (B in A)",
            None => "",
        };
        let measure = clash.measure().unwrap_or_default();
        let time = clash.time.map_or(String::new(), |time| format!("{} s", short(time)));
        let part = |index: usize| {
            let part = &self.parts[index];
            format!("<td title=\"{}\">{}</td>", escaped(&part.path), escaped(&part.name))
        };
        let _ = writeln!(
            page,
            "<tr><td>{}{contained}</td><td>{}</td>{}{}<td class=\"n\">{measure}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{time}</td><td class=\"n\">{}</td><td class=\"id\">{}</td></tr>",
            clash.verdict.name(),
            clash.status.map_or("", Status::name),
            part(clash.a),
            part(clash.b),
            clash.face_pairs,
            clash.point.map_or(String::new(), point),
            escaped(&clash.id)
        );
    }

    fn push_sweep(&self, page: &mut String) {
        let Some(sweep) = &self.sweep else { return };
        let name = escaped(&self.parts[sweep.moving].name);
        let _ = writeln!(page, "<p>{name} gets {} of its way.</p>\n<table>", short(sweep.fraction));
        *page +=
            "<thead><tr><th scope=\"col\">Contact</th><th scope=\"col\">Normal</th></tr></thead>\n<tbody>\n";
        for contact in &sweep.contacts {
            let (at, normal) = (point(contact.point), point(contact.normal));
            let _ = writeln!(page, "<tr><td class=\"n\">{at}</td><td class=\"n\">{normal}</td></tr>");
        }
        *page += "</tbody>\n</table>\n";
    }
}

#[cfg(test)]
mod tests {
    use crate::report::Table;
    use crate::sample;

    #[test]
    fn the_tables_say_what_was_found() {
        let mut report = sample::two_boxes();
        report.partial = true;
        report.notes.push("sizes differ by 1000".to_owned());
        report.tables.push(Table {
            title: "what <filters> did".to_owned(),
            columns: ["filter", "decided"].map(str::to_owned).into(),
            rows: vec![["spheres", "3800"].map(str::to_owned).into()],
        });
        let page = report.plain_html().unwrap();
        let expected = [
            "<h1>two boxes</h1>",
            "The search was interrupted",
            "<p class=\"note\">sizes differ by 1000</p>",
            "1 clash among 2 parts. Lengths are in mm.",
            "<td>overlapping</td>",
            "<caption>what &lt;filters&gt; did</caption>",
            "<tr><td class=\"n\">spheres</td><td class=\"n\">3800</td></tr>",
            "<td title=\"scene/left\">left</td>",
            "depth 0.202",
            "(0.5, 0.25, 0)",
        ];
        for text in expected {
            assert!(page.contains(text), "{text}");
        }
        assert_eq!(page.contains("built without the 3D view"), !crate::HAS_PICTURES);
    }
}
