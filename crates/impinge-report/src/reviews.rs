//! What people said about clashes, read from files and merged into a report.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

#[cfg(any(test, feature = "bcf"))]
use crate::groups::Group;
use crate::groups::GroupKind;
use crate::guid::topic_guid;
use crate::report::Report;
use crate::review::{Comment, Review};

/// What people said, by ids of clashes and groups or by GUIDs of topics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reviews {
    by_id: BTreeMap<String, Review>,
    /// In lower case.
    by_guid: BTreeMap<String, Review>,
}

/// Text that is not a file of notes: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct NotesError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

/// A file of notes.
#[derive(Deserialize)]
struct Notes {
    schema: u32,
    notes: BTreeMap<String, Note>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    status: Option<String>,
    assignee: Option<String>,
    /// A single comment, with its author and date.
    comment: Option<String>,
    author: Option<String>,
    date: Option<String>,
    #[serde(default)]
    comments: Vec<NoteComment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteComment {
    guid: Option<String>,
    author: Option<String>,
    date: Option<String>,
    text: String,
}

impl Reviews {
    /// Reads a file of notes:
    ///
    /// ```json
    /// {"schema":1,"notes":{"<id of a clash or a group>":{"status":"…","assignee":"…",
    ///   "comment":"…","author":"…","date":"…","comments":[{"author":"…","date":"…","text":"…"}]}}}
    /// ```
    ///
    /// All fields of a note may be missing.
    pub fn read_notes(json: &str) -> Result<Reviews, NotesError> {
        let file: Notes = serde_json::from_str(json).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
            NotesError { line: error.line(), column: error.column(), reason }
        })?;
        if file.schema != crate::SCHEMA {
            let reason = format!("schema {} is not known", file.schema);
            return Err(NotesError { line: 1, column: 1, reason });
        }
        let mut reviews = Reviews::default();
        for (id, note) in file.notes {
            let Note { status, assignee, comment, author, date, comments } = note;
            let listed = comments.into_iter().map(|NoteComment { guid, author, date, text }| Comment {
                guid,
                author,
                date,
                text,
            });
            let mut review = Review { status, assignee, comments: listed.collect() };
            if let Some(text) = comment.filter(|text| !text.trim().is_empty()) {
                review.comments.push(Comment { guid: None, author, date, text });
            }
            reviews.by_id.insert(id, review);
        }
        Ok(reviews)
    }

    /// Adds a topic of a BCF file.
    #[cfg(feature = "bcf")]
    pub(crate) fn add_topic(&mut self, guid: &str, review: &Review) {
        self.by_guid.entry(guid.to_lowercase()).or_default().add(review);
    }

    /// How many clashes and groups somebody said something about.
    pub fn len(&self) -> usize {
        self.by_id.len() + self.by_guid.len()
    }

    /// Whether nobody said anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is said about an id, and under which key.
    fn of(&self, id: &str) -> Option<(String, Review)> {
        let guid = topic_guid(id);
        match (self.by_id.get(id), self.by_guid.get(&guid)) {
            (None, None) => None,
            (Some(review), None) => Some((id.to_owned(), review.clone())),
            (None, Some(review)) => Some((guid, review.clone())),
            (Some(review), Some(topic)) => {
                let mut both = topic.clone();
                both.add(review);
                Some((id.to_owned(), both))
            }
        }
    }
}

impl Review {
    /// Adds what was said later: its status and assignee count, where it has them, and comments that are new are put behind the others.
    pub(crate) fn add(&mut self, later: &Review) {
        for (own, other) in [(&mut self.status, &later.status), (&mut self.assignee, &later.assignee)] {
            if other.is_some() {
                own.clone_from(other);
            }
        }
        for comment in &later.comments {
            let is_same = |known: &Comment| {
                (known.guid.is_some() && known.guid == comment.guid)
                    || (&known.text, &known.author, &known.date)
                        == (&comment.text, &comment.author, &comment.date)
            };
            match self.comments.iter_mut().find(|known| is_same(known)) {
                Some(known) => known.clone_from(comment),
                None => self.comments.push(comment.clone()),
            }
        }
    }
}

impl Report {
    /// Merges what people said into the groups and clashes that they meant, and gives back how many of them are of none that is here.
    /// Clashes of the baseline that are resolved are not counted. The clashes must be [grouped](Self::group_clashes).
    pub fn merge(&mut self, reviews: &Reviews) -> usize {
        let mut found: HashSet<String> = HashSet::new();
        let mut groups = self.groups.take();
        for group in groups.iter_mut().flatten() {
            if let Some((key, review)) = reviews.of(&group.id) {
                found.insert(key);
                if let (GroupKind::Single, [member]) = (group.kind, group.members.as_slice()) {
                    self.clashes[*member].review.get_or_insert_default().add(&review);
                }
                group.review.get_or_insert_default().add(&review);
            }
        }
        let named: HashSet<String> = groups.iter().flatten().map(|group| group.id.clone()).collect();
        for clash in self.clashes.iter_mut().filter(|clash| !named.contains(&clash.id)) {
            if let Some((key, review)) = reviews.of(&clash.id) {
                found.insert(key);
                clash.review.get_or_insert_default().add(&review);
            }
        }
        self.groups = groups;
        let resolved = self.resolved.iter().flatten().filter_map(|clash| reviews.of(&clash.id));
        found.extend(resolved.map(|(key, _)| key));
        reviews.len().saturating_sub(found.len())
    }

    /// What was said about a group and its members. A status that all members share is that of the group.
    #[cfg(any(test, feature = "bcf"))]
    pub(crate) fn review_of(&self, group: &Group) -> Review {
        let members = || group.members.iter().map(|&member| &self.clashes[member].review);
        let mut whole = Review::default();
        for review in members().flatten() {
            whole.add(&Review { status: None, ..review.clone() });
        }
        let mut statuses = members().map(|review| review.as_ref().and_then(|review| review.status.clone()));
        let first = statuses.next().flatten();
        whole.status = first.filter(|first| statuses.all(|status| status.as_ref() == Some(first)));
        if let Some(review) = &group.review {
            whole.add(review);
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Clash, Verdict};
    use crate::sample;

    fn report() -> Report {
        let mut report = sample::two_boxes();
        for number in 2..5 {
            let mut part = report.parts[1].clone();
            part.path = format!("scene/{number}");
            report.parts.push(part);
            report.clashes.push(Clash::new(0, number, Verdict::Touching));
        }
        report.name_clashes();
        report.group_clashes();
        report
    }

    #[test]
    fn notes_are_merged_by_ids_of_clashes_and_groups() {
        let mut report = report();
        let [single, run] = report.groups.as_deref().unwrap() else { panic!("two groups") };
        let (single, run, member) = (single.id.clone(), run.id.clone(), report.clashes[2].id.clone());
        let notes = format!(
            r#"{{"schema":1,"notes":{{"{single}":{{"status":"Closed","comment":"done","author":"Ann"}},
               "{run}":{{"assignee":"Bob"}},"{member}":{{"status":"Open","comments":[{{"text":"one"}},{{"text":"two"}}]}},
               "gone":{{"status":"Open"}}}}}}"#
        );
        let reviews = Reviews::read_notes(&notes).unwrap();
        assert_eq!((reviews.len(), report.merge(&reviews)), (4, 1));
        let groups = report.groups.clone().unwrap();
        assert_eq!(groups[0].review.as_ref().unwrap().status.as_deref(), Some("Closed"));
        assert_eq!(report.clashes[0].review, groups[0].review);
        assert_eq!(groups[1].review.as_ref().unwrap().assignee.as_deref(), Some("Bob"));
        assert_eq!(report.clashes[2].review.as_ref().unwrap().comments.len(), 2);
        // Merging once more changes nothing.
        let before = report.clone();
        report.merge(&reviews);
        assert_eq!(report, before);
        // Not all members are open, so the group is not said to be; their comments are its own.
        let whole = report.review_of(&groups[1]);
        assert_eq!((whole.status, whole.comments.len()), (None, 2));
        assert_eq!(report.review_of(&groups[0]).comments.len(), 1);
        let table = report.table().unwrap();
        assert!(table.contains("Closed 1 comment") && table.contains("(Bob)"), "{table}");
    }

    #[test]
    fn the_last_word_counts_and_comments_add_up() {
        let comment = |text: &str, guid: Option<&str>| Comment {
            guid: guid.map(str::to_owned),
            text: text.to_owned(),
            ..Comment::default()
        };
        let mut review = Review {
            status: Some("Open".to_owned()),
            assignee: None,
            comments: vec![comment("a", Some("1"))],
        };
        review.add(&Review {
            status: None,
            assignee: Some("Eve".to_owned()),
            comments: vec![comment("b", None)],
        });
        review.add(&Review {
            status: Some("Closed".to_owned()),
            assignee: None,
            comments: vec![comment("a, changed", Some("1")), comment("b", None)],
        });
        assert_eq!((review.status.as_deref(), review.assignee.as_deref()), (Some("Closed"), Some("Eve")));
        assert_eq!(review.comments, [comment("a, changed", Some("1")), comment("b", None)]);
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| Reviews::read_notes(text).unwrap_err().to_string();
        assert!(error("").starts_with("line 1, column 0: EOF"), "{}", error(""));
        assert_eq!(error(r#"{"schema":2,"notes":{}}"#), "line 1, column 1: schema 2 is not known");
        let unknown = error("{\"schema\":1,\n\"notes\":{\"x\":{\"state\":\"Open\"}}}");
        assert!(
            unknown.starts_with("line 2, column ") && unknown.contains("unknown field `state`"),
            "{unknown}"
        );
    }
}
