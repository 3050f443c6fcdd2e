//! The topic of a group: what is wrong, how much, and what people said.

use super::names::short_name;
use super::xml::Xml;
use super::{BcfOptions, BcfVersion, PICTURE, VIEWPOINT};
use crate::groups::{Group, GroupKind};
use crate::guid::{guid, topic_guid};
use crate::report::{Clash, Report, Verdict};
use crate::review::{Comment, Review, Severity};
use crate::text::{point, short};

/// Ids of clashes that a description lists; more are counted.
const MOST_IDS: usize = 20;

pub(super) const TYPE: &str = "Clash";
pub(super) const OPEN: &str = "Open";

/// What a topic says.
pub(super) struct Topic<'r> {
    report: &'r Report,
    group: &'r Group,
    pub(super) guid: String,
    pub(super) status: String,
    pub(super) review: Review,
    pub(super) labels: Vec<&'static str>,
}

impl<'r> Topic<'r> {
    pub(super) fn new(report: &'r Report, group: &'r Group) -> Topic<'r> {
        let review = report.review_of(group);
        let clash = group.gravest(report);
        let mut labels = vec![clash.verdict.name()];
        labels.extend(Some(group.kind).filter(|kind| *kind != GroupKind::Single).map(GroupKind::name));
        let status = review.status.clone().filter(|status| !status.trim().is_empty());
        Topic {
            report,
            group,
            guid: topic_guid(&group.id),
            status: status.unwrap_or_else(|| OPEN.to_owned()),
            review,
            labels,
        }
    }

    fn clash(&self) -> &'r Clash {
        self.group.gravest(self.report)
    }

    /// The names of both sides, and how the two stand to each other.
    fn title(&self) -> String {
        let names = [0, 1].map(|side| {
            let name = short_name(&self.report.parts[self.group.sides[0][side]]);
            match self.group.parts_on(side) {
                1 => name.to_owned(),
                several => format!("{name} and {} more", several - 1),
            }
        });
        let clash = self.clash();
        let measure = clash.measure().map_or(String::new(), |text| format!(", {text} {}", self.report.unit));
        format!("{} × {}: {}{measure}", names[0], names[1], clash.verdict.name())
    }

    fn description(&self) -> String {
        let (clash, unit) = (self.clash(), &self.report.unit);
        let mut lines = Vec::new();
        let count = self.group.members.len();
        match self.group.kind {
            GroupKind::Single => {}
            GroupKind::Repeat => {
                lines.push(format!("{count} clashes of the same shapes; the gravest of them:"));
            }
            GroupKind::Run => lines.push(format!("{count} clashes of one part; the gravest of them:")),
        }
        for (side, part) in [("A", clash.a), ("B", clash.b)] {
            lines.push(format!("{side}: {}", self.report.parts[part].path));
        }
        lines.push(match clash.contained {
            Some(side) => format!("Verdict: inside ({} is contained)", side.name().to_uppercase()),
            None => format!("Verdict: {}", clash.verdict.name()),
        });
        if let Some([at_least, at_most]) = clash.penetration {
            let limit = if clash.limited_by_thickness { "; a part is no thicker there" } else { "" };
            lines.push(format!("Penetration: {} to {} {unit}{limit}", short(at_least), short(at_most)));
        }
        if clash.verdict == Verdict::Near {
            lines.push(format!("Gap: {} {unit}", short(clash.distance)));
        }
        if let Some(separation) = clash.depth {
            lines.push(format!("A move that separates them: {} {unit}", short(separation)));
        }
        if let Some(time) = clash.time {
            lines.push(format!("Time: {} s", short(time)));
        }
        if let Some(place) = clash.point {
            lines.push(format!("At: {} {unit}", point(place)));
        }
        let ids: Vec<&str> = self
            .group
            .members
            .iter()
            .take(MOST_IDS)
            .map(|&member| self.report.clashes[member].id.as_str())
            .collect();
        let more = if count > MOST_IDS { format!(" and {} more", count - MOST_IDS) } else { String::new() };
        lines.push(format!("Id: {}; clashes: {}{more}", self.group.id, ids.join(" ")));
        lines.join("\n")
    }

    /// The comments, each with a GUID, an author and a date.
    fn comments(&self, options: &BcfOptions) -> Vec<(String, String, String, &Comment)> {
        let known = |text: &Option<String>, other: &str| {
            text.clone().filter(|text| !text.trim().is_empty()).unwrap_or_else(|| other.to_owned())
        };
        let comments = self.review.comments.iter().filter(|comment| !comment.text.trim().is_empty());
        let mut used = std::collections::HashSet::new();
        let comment = |(number, comment)| {
            let comment: &Comment = comment;
            let made = || guid("comment", &format!("{}\n{number}\n{}", self.group.id, comment.text));
            let own = comment
                .guid
                .clone()
                .map(|guid| guid.to_lowercase())
                .filter(|own| is_guid(own) && used.insert(own.clone()));
            let date =
                comment.date.clone().filter(|date| is_date(date)).unwrap_or_else(|| options.date.clone());
            (own.unwrap_or_else(made), known(&comment.author, &options.author), date, comment)
        };
        comments.enumerate().map(comment).collect()
    }

    /// The file `markup.bcf`.
    pub(super) fn markup(&self, index: usize, has_picture: bool, options: &BcfOptions) -> String {
        let is_new = options.version == BcfVersion::V3;
        let mut xml = Xml::new();
        xml.open("Markup", &[]);
        xml.open("Topic", &[("Guid", &self.guid), ("TopicType", TYPE), ("TopicStatus", &self.status)]);
        xml.text("Title", &self.title());
        xml.text("Priority", &priority(self.clash().severity));
        xml.text("Index", &index.to_string());
        if is_new {
            xml.open("Labels", &[]);
        }
        for label in &self.labels {
            xml.text(if is_new { "Label" } else { "Labels" }, label);
        }
        if is_new {
            xml.close();
        }
        xml.text("CreationDate", &options.date);
        xml.text("CreationAuthor", &options.author);
        xml.text("AssignedTo", self.review.assignee.as_deref().unwrap_or_default());
        xml.text("Description", &self.description());
        let comments = self.comments(options);
        if is_new && !comments.is_empty() {
            xml.open("Comments", &[]);
        }
        if !is_new {
            xml.close();
        }
        for (guid, author, date, comment) in &comments {
            xml.open("Comment", &[("Guid", guid)]);
            xml.text("Date", date);
            xml.text("Author", author);
            xml.text("Comment", &comment.text);
            xml.close();
        }
        if is_new && !comments.is_empty() {
            xml.close();
        }
        if is_new {
            xml.open("Viewpoints", &[]);
        }
        let viewpoint = guid("viewpoint", &self.group.id);
        xml.open(if is_new { "ViewPoint" } else { "Viewpoints" }, &[("Guid", &viewpoint)]);
        xml.text("Viewpoint", VIEWPOINT);
        if has_picture {
            xml.text("Snapshot", PICTURE);
        }
        xml.finish()
    }
}

/// The word for a priority: that of the severity, with a capital.
pub(super) fn priority(severity: Option<Severity>) -> String {
    let name = severity.map_or("", Severity::name);
    name.chars()
        .enumerate()
        .map(|(place, letter)| if place == 0 { letter.to_ascii_uppercase() } else { letter })
        .collect()
}

/// Whether a text is a GUID as BCF writes it.
pub(super) fn is_guid(text: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| {
            if dashes.contains(&place) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}

/// Whether a text begins as a date with a time does.
fn is_date(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00";
    let rest = text.get(form.len()..).unwrap_or("?");
    let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    let (fraction, zone) = rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len()));
    let is_fraction = fraction.is_empty()
        || fraction
            .strip_prefix('.')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit()));
    let is_zone = zone.is_empty() || zone == "Z" || (zone.len() == 6 && zone.as_bytes()[3] == b':');
    text.len() >= form.len() && text.bytes().zip(form).all(fits) && is_fraction && is_zone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_form_that_schemas_ask_for() {
        for date in ["2024-02-03T04:05:06", "2024-02-03T04:05:06Z", "2024-02-03T04:05:06.123+01:00"] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "",
            "yesterday",
            "2024-02-03",
            "2024-02-03 04:05:06",
            "2024-02-03T04:05:06 UTC",
            "2024-02-03T04:05:06.Z",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }
}
