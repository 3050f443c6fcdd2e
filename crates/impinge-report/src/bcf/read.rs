//! Statuses and comments out of a BCF file, ours or another tool's.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;

use crate::review::{Comment, Review};
use crate::reviews::Reviews;

/// The most that one file of a topic may hold, unpacked.
const MOST_BYTES: u64 = 16 << 20;
/// The most that all of them may.
const MOST_BYTES_OF_ALL: u64 = 1 << 30;

/// Bytes that are not a BCF file: which file inside of it, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct BcfError {
    /// The file inside of the zip file, or what it should be.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

fn refuse(place: &str, reason: &dyn std::fmt::Display) -> BcfError {
    BcfError { place: place.to_owned(), reason: reason.to_string() }
}

impl Reviews {
    /// Reads the topics of a BCF file, of version 2.0, 2.1 or 3.0.
    pub fn read_bcf(bytes: &[u8]) -> Result<Reviews, BcfError> {
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| refuse("the zip file", &error))?;
        let version = text_of(&mut zip, "bcf.version", &mut 0)?;
        let number = version_id(&version).map_err(|error| refuse("bcf.version", &error))?;
        if !matches!(number.as_deref(), Some("2.0" | "2.1" | "3.0")) {
            let reason =
                format!("version {} is none of 2.0, 2.1 and 3.0", number.as_deref().unwrap_or("(none)"));
            return Err(refuse("bcf.version", &reason));
        }
        let names =
            zip.file_names().map(|name| name.map(Cow::into_owned)).collect::<Result<Vec<String>, _>>();
        let mut names = names.map_err(|error| refuse("the zip file", &error))?;
        names.retain(|name| name.ends_with("/markup.bcf"));
        names.sort_unstable();
        let mut reviews = Reviews::default();
        let mut total = 0;
        for name in names {
            let markup = text_of(&mut zip, &name, &mut total)?;
            let (guid, review) = read_markup(&markup).map_err(|reason| refuse(&name, &reason))?;
            reviews.add_topic(&guid, &review);
        }
        Ok(reviews)
    }
}

fn text_of(zip: &mut ZipArchive<Cursor<&[u8]>>, name: &str, total: &mut u64) -> Result<String, BcfError> {
    let file = zip.by_name(name).map_err(|error| refuse(name, &error))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| refuse(name, &error))?;
    *total += bytes.len() as u64;
    if bytes.len() as u64 > MOST_BYTES || *total > MOST_BYTES_OF_ALL {
        return Err(refuse(name, &"is larger than any topic should be"));
    }
    String::from_utf8(bytes).map_err(|error| refuse(name, &error))
}

fn version_id(text: &str) -> Result<Option<String>, String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "Version" => {
                return attribute(&tag, "VersionId");
            }
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.local_name().as_ref() == name {
            let value =
                attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

/// The GUID of a topic, and what is said about it. Elements are known by the way that leads to them, which both versions share but for lists.
fn read_markup(text: &str) -> Result<(String, Review), String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let (mut guid, mut review) = (None, Review::default());
    let mut path: Vec<String> = Vec::new();
    let mut content = String::new();
    loop {
        let event =
            reader.read_event().map_err(|error| format!("byte {}: {error}", reader.error_position()))?;
        match event {
            Event::Start(tag) => {
                path.push(tag.local_name().as_ref().to_owned());
                content.clear();
                opened(&tag, &path, &mut guid, &mut review)?;
            }
            Event::Empty(tag) => {
                path.push(tag.local_name().as_ref().to_owned());
                opened(&tag, &path, &mut guid, &mut review)?;
                path.pop();
            }
            Event::Text(text) => content += &text,
            Event::CData(text) => content += &text,
            Event::GeneralRef(name) => {
                let whole = format!("&{};", &*name);
                content += &quick_xml::escape::unescape(&whole).map_err(|error| error.to_string())?;
            }
            Event::End(_) => {
                closed(&path, &content, &mut review);
                path.pop();
                content.clear();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !path.is_empty() {
        return Err("ends too early".to_owned());
    }
    // Comments are listed in any order; those without a date stay where they are.
    review.comments.sort_by(|one, other| one.date.cmp(&other.date));
    let guid = guid.ok_or_else(|| "there is no Topic with a Guid".to_owned())?;
    Ok((guid, review))
}

/// Whether an element is a comment of the topic.
fn is_comment(path: &[String]) -> bool {
    path == ["Markup", "Comment"] || path == ["Markup", "Topic", "Comments", "Comment"]
}

fn opened(
    tag: &BytesStart<'_>,
    path: &[String],
    guid: &mut Option<String>,
    review: &mut Review,
) -> Result<(), String> {
    if path == ["Markup", "Topic"] {
        *guid = attribute(tag, "Guid")?;
        review.status = attribute(tag, "TopicStatus")?.filter(|status| !status.trim().is_empty());
    } else if is_comment(path) {
        let guid = attribute(tag, "Guid")?;
        review.comments.push(Comment { guid, ..Comment::default() });
    }
    Ok(())
}

fn closed(path: &[String], content: &str, review: &mut Review) {
    let said = Some(content.trim().to_owned()).filter(|text| !text.is_empty());
    if path == ["Markup", "Topic", "AssignedTo"] {
        review.assignee = said;
        return;
    }
    let [outer @ .., field] = path else { return };
    if !is_comment(outer) {
        return;
    }
    if let Some(comment) = review.comments.last_mut() {
        match field.as_str() {
            "Date" => comment.date = said,
            "Author" => comment.author = said,
            "Comment" => comment.text = said.unwrap_or_default(),
            _ => {}
        }
    }
}
