//! What people said about a clash: its status, who looks after it, comments.

/// What people said about a clash or a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Review {
    /// The word of whoever set it, such as `Open` or `Closed`.
    pub status: Option<String>,
    /// Who looks after it.
    pub assignee: Option<String>,
    /// In the order in which they were made.
    pub comments: Vec<Comment>,
}

/// A remark.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Comment {
    /// Its GUID in a BCF file, where it came from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// Who said it.
    pub author: Option<String>,
    /// When, as ISO 8601 writes it.
    pub date: Option<String>,
    /// The remark itself.
    pub text: String,
}

/// How grave rules say that a clash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It stops the work.
    Critical,
    /// It must be solved.
    Major,
    /// It should be solved.
    Minor,
    /// It is good to know.
    Info,
}

impl Severity {
    /// All severities, the gravest first.
    pub const ALL: [Severity; 4] = [Severity::Critical, Severity::Major, Severity::Minor, Severity::Info];

    /// The word for it, the same in all outputs.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Critical => "critical",
            Severity::Major => "major",
            Severity::Minor => "minor",
            Severity::Info => "info",
        }
    }
}
