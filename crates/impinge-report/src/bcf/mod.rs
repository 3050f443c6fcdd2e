//! BCF, the format in which tools of the building trade exchange issues: a zip file with a folder for each topic.
//!
//! Each group of clashes is a topic, under a GUID that is made from its id. Viewpoints are in metres with the third axis up.

mod markup;
mod names;
mod read;
mod viewpoint;
mod xml;

use std::collections::BTreeSet;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use self::markup::Topic;
use self::xml::Xml;
use crate::check::Invalid;
use crate::report::Report;
use crate::view::Upright;

pub use self::read::BcfError;

/// The file of a topic's viewpoint.
const VIEWPOINT: &str = "viewpoint.bcfv";
/// The file of a topic's picture.
const PICTURE: &str = "snapshot.png";

/// A version of BCF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BcfVersion {
    /// Version 2.1, which most tools read.
    #[default]
    V2,
    /// Version 3.0.
    V3,
}

impl BcfVersion {
    /// What the version is called in files.
    pub fn name(self) -> &'static str {
        match self {
            BcfVersion::V2 => "2.1",
            BcfVersion::V3 => "3.0",
        }
    }
}

/// What a BCF file says that no report knows.
#[derive(Clone, Debug, PartialEq)]
pub struct BcfOptions {
    /// The version to write.
    pub version: BcfVersion,
    /// When the topics are said to be created: `2024-02-03T04:05:06Z`.
    pub date: String,
    /// Who is said to have created them.
    pub author: String,
    /// How many metres a length of 1 is.
    pub meters: f64,
}

impl Report {
    /// The groups as topics of a BCF file, with a picture of each group as far as there are any. The same input gives the same bytes.
    ///
    /// Where the clashes are not [grouped](Self::group_clashes), there are no topics.
    pub fn bcf(&self, options: &BcfOptions, pictures: &[Option<Vec<u8>>]) -> Result<Vec<u8>, Invalid> {
        self.check()?;
        let scene = Upright::new(self);
        let groups = self.groups.as_deref().unwrap_or_default();
        let topics: Vec<Topic<'_>> = groups.iter().map(|group| Topic::new(self, group)).collect();
        let mut zip = Zip(ZipWriter::new(Cursor::new(Vec::new())));
        zip.add("bcf.version", version(options.version).as_bytes())?;
        if options.version == BcfVersion::V3 {
            zip.add("extensions.xml", self.extensions(&topics, options).as_bytes())?;
        }
        for (index, (topic, group)) in topics.iter().zip(groups).enumerate() {
            let picture = pictures.get(index).and_then(Option::as_ref);
            let folder = &topic.guid;
            zip.add(
                &format!("{folder}/markup.bcf"),
                topic.markup(index, picture.is_some(), options).as_bytes(),
            )?;
            let viewpoint = viewpoint::viewpoint(self, group, &scene, options);
            zip.add(&format!("{folder}/{VIEWPOINT}"), viewpoint.as_bytes())?;
            if let Some(picture) = picture {
                zip.add(&format!("{folder}/{PICTURE}"), picture)?;
            }
        }
        Ok(zip.0.finish().map_err(|error| unwritable(&error))?.into_inner())
    }

    /// The words that topics of BCF 3.0 may use.
    fn extensions(&self, topics: &[Topic<'_>], options: &BcfOptions) -> String {
        let mut xml = Xml::new();
        xml.open("Extensions", &[]);
        let mut list = |name: &'static str, item: &str, words: BTreeSet<String>| {
            xml.open(name, &[]);
            words.iter().for_each(|word| xml.text(item, word));
            xml.close();
        };
        let words =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<String>>();
        list("TopicTypes", "TopicType", words(&[markup::TYPE]));
        let mut statuses = words(&[markup::OPEN, "Closed"]);
        statuses.extend(topics.iter().map(|topic| topic.status.clone()));
        list("TopicStatuses", "TopicStatus", statuses);
        let priorities = crate::Severity::ALL.map(|severity| markup::priority(Some(severity)));
        list("Priorities", "Priority", priorities.into_iter().collect());
        let labels = topics.iter().flat_map(|topic| &topic.labels).map(|label| (*label).to_owned());
        list("TopicLabels", "TopicLabel", labels.collect());
        let mut users = words(&[&options.author]);
        users.extend(topics.iter().filter_map(|topic| topic.review.assignee.clone()));
        list("Users", "User", users);
        xml.finish()
    }
}

fn version(version: BcfVersion) -> String {
    let mut xml = Xml::new();
    match version {
        BcfVersion::V2 => {
            xml.open("Version", &[("VersionId", version.name())]);
            xml.text("DetailedVersion", version.name());
        }
        BcfVersion::V3 => xml.empty("Version", &[("VersionId", version.name())]),
    }
    xml.finish()
}

struct Zip(ZipWriter<Cursor<Vec<u8>>>);

impl Zip {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Invalid> {
        // Pictures are compressed already. No clock: all files are of the first day that zip knows.
        let method = if name == "snapshot.png" || name.ends_with(".png") {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(0o644);
        self.0.start_file(name, options).map_err(|error| unwritable(&error))?;
        self.0.write_all(bytes).map_err(|error| unwritable(&error))
    }
}

/// Writing to memory is not expected to fail, but for more than zip can hold.
fn unwritable(error: &dyn std::error::Error) -> Invalid {
    Invalid { place: "/groups".to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests;
