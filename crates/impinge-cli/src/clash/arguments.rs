//! The options of `impinge clash`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge_report::{Clash, Severity, Verdict};

use super::bcf::Version;
use crate::reading::Reading;

/// Find every clash among the parts of a scene
#[derive(Debug, Args)]
#[command(after_help = super::help::TEXT)]
pub(crate) struct ClashArgs {
    /// Scenes and mesh files, packed by gzip or ZIP or not, or folders of them
    #[arg(required = true, value_name = "SCENE")]
    pub(super) scenes: Vec<PathBuf>,

    /// Parts closer than this are near
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_hyphen_values = true)]
    pub(super) clearance: f64,

    /// What rounding may do: overlaps and gaps up to this are touching [default: four times the rounding of both parts' stored coordinates]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(super) touch: Option<f64>,

    /// Leave out overlaps of solids that are no deeper than this; what goes through a thin part is never left out
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "no_depth")]
    pub(super) tolerance: Option<f64>,

    /// Make each group, or each connected component of a mesh without groups, a part
    #[arg(long)]
    pub(super) split: bool,

    /// Look only at pairs of parts in different sets; with one set, at pairs within it. * and ? in patterns
    #[arg(long = "set", value_name = "NAME=PATTERN")]
    pub(super) sets: Vec<String>,

    /// Leave out parts with such names or paths; * and ? in patterns
    #[arg(long, value_name = "PATTERN")]
    pub(super) ignore: Vec<String>,

    /// Leave out pairs that a text file lists: one a line, two patterns with a tab or comma between them, in either order
    #[arg(long, value_name = "FILE")]
    pub(super) ignore_pairs: Option<PathBuf>,
    /// Rules for pairs of sets of parts: which verdicts count, tolerance, clearance, severity, what is ignored or hosted
    #[arg(long, value_name = "FILE.toml")]
    pub(super) rules: Option<PathBuf>,

    /// Leave out pairs of parts of the same node or file
    #[arg(long)]
    pub(super) ignore_same_body: bool,

    /// Look for parts that cross themselves, too, as they are at rest
    #[arg(long = "self")]
    pub(super) itself: bool,

    /// Play an animation of the scene, or `all` one after the other: when parts first meet, and for how long
    #[arg(long, value_name = "NAME")]
    pub(super) animation: Option<String>,

    /// With --animation, seconds between the moments at which parts in contact, and skins and morphs, are looked at
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0 / 30.0, allow_hyphen_values = true, requires = "animation")]
    pub(super) every: f64,

    /// What a length of 1 is called [default: m for glTF, otherwise units]
    #[arg(long, value_name = "NAME")]
    pub(super) unit: Option<String>,

    /// Leave out how deep overlaps are, which takes most of the time where there are many
    #[arg(long)]
    pub(super) no_depth: bool,

    /// Leave out what merely touches
    #[arg(long)]
    pub(super) ignore_touching: bool,

    /// Compare with the JSON document of an earlier run: what is new, active, resolved
    #[arg(long, value_name = "OLD.json")]
    pub(super) baseline: Option<PathBuf>,

    /// Exit with 1 only for these: duplicate, overlapping, inside, touching, near, new, critical, major, minor, info
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_enum)]
    pub(super) fail_on: Vec<FailOn>,

    /// Give every clash a row of its own, and not one for each group of clashes that are one matter
    #[arg(long)]
    pub(super) ungrouped: bool,

    /// Write a page to look at: one file that needs no network
    #[arg(long, value_name = "OUT.html")]
    pub(super) report: Option<PathBuf>,

    /// Write a BCF file: a topic with a viewpoint and a picture for each group of clashes
    #[arg(long, value_name = "OUT.bcf")]
    pub(super) bcf: Option<PathBuf>,

    /// The version of the BCF file
    #[arg(long, value_name = "VERSION", value_enum, default_value = "2.1", requires = "bcf")]
    pub(super) bcf_version: Version,

    /// Merge what people said: statuses, assignees and comments of a BCF file or a file of notes. May be given more than once
    #[arg(long, value_name = "FILE")]
    pub(super) status: Vec<PathBuf>,

    /// Print one JSON document in place of the table
    #[arg(long, conflicts_with = "csv")]
    pub(super) json: bool,

    /// Print comma-separated values in place of the table
    #[arg(long)]
    pub(super) csv: bool,

    #[command(flatten)]
    pub(super) reading: Reading,
}

impl ClashArgs {
    /// An option that was given and is about files or output.
    pub(super) fn about_files(&self) -> Option<&'static str> {
        let given = [
            ("--report", self.report.is_some()),
            ("--bcf", self.bcf.is_some()),
            ("--json", self.json),
            ("--csv", self.csv),
            ("--split", self.split),
            ("--animation", self.animation.is_some()),
            ("--fail-on", !self.fail_on.is_empty()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// An option that was given and is about meshes, or how they are read.
    pub(super) fn about_meshes(&self) -> Option<&'static str> {
        let given =
            [("--split", self.split), ("--self", self.itself), ("--animation", self.animation.is_some())];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Duplicate,
    Overlapping,
    Inside,
    Touching,
    Near,
    New,
    Critical,
    Major,
    Minor,
    Info,
}

impl FailOn {
    fn verdict(self) -> Option<Verdict> {
        Some(match self {
            FailOn::Duplicate => Verdict::Duplicate,
            FailOn::Overlapping => Verdict::Overlapping,
            FailOn::Inside => Verdict::Inside,
            FailOn::Touching => Verdict::Touching,
            FailOn::Near => Verdict::Near,
            _ => return None,
        })
    }

    pub(super) fn severity(self) -> Option<Severity> {
        Some(match self {
            FailOn::Critical => Severity::Critical,
            FailOn::Major => Severity::Major,
            FailOn::Minor => Severity::Minor,
            FailOn::Info => Severity::Info,
            _ => return None,
        })
    }

    pub(super) fn is_meant(self, clash: &Clash) -> bool {
        match self {
            FailOn::New => clash.status == Some(impinge_report::Status::New),
            _ => match self.severity() {
                Some(severity) => clash.severity == Some(severity),
                None => self.verdict() == Some(clash.verdict),
            },
        }
    }
}
