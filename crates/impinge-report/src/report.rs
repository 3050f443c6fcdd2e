//! What a report holds. All points are in the world, all matrices are written row by row.

use crate::groups::Group;
use crate::identity::Identity;
pub use crate::motion::{Animation, Contact, Film, Sweep, SweepStatus, Track};
pub use crate::place::{IDENTITY, Matrix, Point};
use crate::review::{Review, Severity};

/// Everything that was found, and what a page needs to show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Which question was asked.
    pub kind: Kind,
    /// The heading: the name of a scene, or of two files.
    pub title: String,
    /// What a length of 1 is called.
    pub unit: String,
    /// The third axis points up, as in most files of CAD, and not the second, as in glTF. The page can be told otherwise.
    pub z_up: bool,
    /// The work was interrupted: there may be more to find.
    pub partial: bool,
    /// Remarks and warnings, one line each.
    pub notes: Vec<String>,
    /// How many things with faces nobody looked at, because they could not be read or placed; the notes name them.
    pub left_out: usize,
    /// Pairs of parts that nobody could test, because their meshes could not be read or whoever tested them failed.
    pub errors: Vec<Failure>,
    /// Pairs of parts of which one may be inside of the other, which is open: they are no clashes as far as can be told.
    pub unknown: Vec<[usize; 2]>,
    /// Figures beside the picture.
    pub tables: Vec<Table>,
    /// Shapes; several parts may share one.
    pub models: Vec<Model>,
    /// What stands where.
    pub parts: Vec<Part>,
    /// What was found, in any order.
    pub clashes: Vec<Clash>,
    /// Clashes that are one matter, the gravest first; [`Report::group_clashes`] sets them. `None` where nobody asked.
    pub groups: Option<Vec<Group>>,
    /// How far the two parts of a check are apart; `None` where they meet, or where nobody asked.
    pub gap: Option<Gap>,
    /// Clashes of a baseline that are gone; `None` where there was no baseline.
    pub resolved: Option<Vec<Resolved>>,
    /// Motion of the parts, for animations and arenas.
    pub animation: Option<Animation>,
    /// The motion that was swept.
    pub sweep: Option<Sweep>,
    /// The page asks a server how the two parts stand to each other; see [`live`](crate::live).
    pub live: bool,
}

/// Pairs of parts that could not be tested, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    /// What went wrong.
    pub reason: String,
    /// The pairs of parts.
    pub pairs: Vec<[usize; 2]>,
}

/// A table of figures. The first column names what a row is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// The headings.
    pub columns: Vec<String>,
    /// The cells, as many in each row as there are headings.
    pub rows: Vec<Vec<String>>,
}

/// The question that a report answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// All clashes of many parts.
    #[default]
    Clash,
    /// How two models stand to each other.
    Check,
    /// How far a model can move.
    Sweep,
    /// A game or simulation, to be played back.
    Arena,
}

/// A shape in its own frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The vertices.
    pub positions: Vec<Point>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the face that the user knows it by; empty where triangle `i` is face `i`.
    pub faces: Vec<u32>,
}

impl Model {
    /// A shape of triangles, each with the face that the user knows it by.
    pub fn of_triangles(
        positions: impl IntoIterator<Item = Point>,
        triangles: impl IntoIterator<Item = (u32, [u32; 3])>,
    ) -> Model {
        let (faces, triangles) = triangles.into_iter().unzip();
        Model { positions: positions.into_iter().collect(), triangles, faces }
    }
}

/// A shape that stands somewhere. Its index is its place in [`Report::parts`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// A short name for people.
    pub name: String,
    /// Where it comes from, such as file and nodes.
    pub path: String,
    /// Its shape, as an index into [`Report::models`]; `None` where there is nothing to draw.
    pub model: Option<usize>,
    /// Where it stands.
    pub world_from_model: Matrix,
    /// What it is known by from run to run; ids of clashes are made from it.
    pub identity: Identity,
    /// Whether its surface is closed, so that it has an inside; `None` where nobody looked.
    pub closed: Option<bool>,
}

/// Two parts that meet, or are too close.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// What it is called from run to run; [`Report::name_clashes`] sets it.
    pub id: String,
    /// The part with the lower index.
    pub a: usize,
    /// The part with the higher index, or the same one where a part meets itself.
    pub b: usize,
    /// How the two stand to each other.
    pub verdict: Verdict,
    /// Which of them is contained, for [`Verdict::Inside`].
    pub contained: Option<Side>,
    /// A place where they meet.
    pub point: Option<Point>,
    /// A box around where they meet: least and greatest corner.
    pub bounds: Option<[Point; 2]>,
    /// How many pairs of faces meet.
    pub face_pairs: u64,
    /// The gap; 0 where they meet.
    pub distance: f64,
    /// How deep they reach into each other: at least, and at most.
    pub penetration: Option<[f64; 2]>,
    /// Whether more depth than that does not fit into the thickness of one of them.
    pub limited_by_thickness: bool,
    /// Whether a work limit ended the search for the depth, so that the interval is wide.
    pub at_work_limit: bool,
    /// The volume that both share, and how far it may be off.
    pub volume: Option<[f64; 2]>,
    /// Whether a part crosses itself there, so that the volume is an estimate.
    pub volume_estimated: bool,
    /// Whether verdict or depth is an estimate: a part of which the other is inside is open.
    pub estimated: bool,
    /// A box around what both share: least and greatest corner.
    pub shared_bounds: Option<[Point; 2]>,
    /// An upper bound on the move that separates them.
    pub depth: Option<f64>,
    /// The unit vector along which `b` would have to move by the depth.
    pub direction: Option<Point>,
    /// When they begin to meet so, in seconds of the animation.
    pub time: Option<f64>,
    /// For how long they meet, in seconds.
    pub duration: Option<f64>,
    /// When point, curve and depth were taken, in seconds; `None` is at `time`.
    pub moment: Option<f64>,
    /// Found by looking at single moments, so that what is between them may have been missed.
    pub sampled: bool,
    /// What became of it since the baseline; [`Report::compare`] sets it.
    pub status: Option<Status>,
    /// How grave rules say that it is; `None` without rules.
    pub severity: Option<Severity>,
    /// What people said about it; [`Report::merge`] sets it.
    pub review: Option<Review>,
    /// The lines along which the surfaces cross.
    pub curve: Vec<Polyline>,
    /// Faces of `a` that meet `b`, by the user's numbers.
    pub faces_a: Vec<u32>,
    /// Faces of `b` that meet `a`.
    pub faces_b: Vec<u32>,
    /// The closest points, on `a` and on `b`.
    pub closest: Option<[Point; 2]>,
    /// The surface of what both share; `None` where there is none, or where a box has to do.
    pub shared: Option<Shared>,
}

/// What two parts share, as a solid to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// The point of the world that the shape's positions are relative to.
    pub origin: Point,
    /// The surface, along the axes of the world; triangles are counter-clockwise seen from outside.
    pub model: Model,
}

impl Clash {
    /// A clash of which nothing is known but the verdict.
    pub fn new(a: usize, b: usize, verdict: Verdict) -> Clash {
        Clash {
            id: String::new(),
            a,
            b,
            verdict,
            contained: None,
            point: None,
            bounds: None,
            face_pairs: 0,
            distance: 0.0,
            penetration: None,
            limited_by_thickness: false,
            at_work_limit: false,
            volume: None,
            volume_estimated: false,
            estimated: false,
            shared_bounds: None,
            depth: None,
            direction: None,
            time: None,
            duration: None,
            moment: None,
            sampled: false,
            status: None,
            severity: None,
            review: None,
            curve: Vec::new(),
            faces_a: Vec::new(),
            faces_b: Vec::new(),
            closest: None,
            shared: None,
        }
    }
}

impl Clash {
    /// All but curves, faces and surfaces, which may be long.
    pub(crate) fn without_places(&self) -> Clash {
        Clash {
            id: self.id.clone(),
            review: self.review.clone(),
            curve: Vec::new(),
            faces_a: Vec::new(),
            faces_b: Vec::new(),
            shared: None,
            ..*self
        }
    }
}

/// How two parts stand to each other, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They are the same thing twice.
    Duplicate,
    /// Their interiors meet, or their surfaces cross.
    Overlapping,
    /// One is contained in the other.
    Inside,
    /// They meet, but not so.
    Touching,
    /// They are closer than the clearance that was asked for.
    Near,
}

impl Verdict {
    /// All verdicts, the gravest first.
    pub const ALL: [Verdict; 5] =
        [Verdict::Duplicate, Verdict::Overlapping, Verdict::Inside, Verdict::Touching, Verdict::Near];

    /// The word for it, the same in all outputs.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Duplicate => "duplicate",
            Verdict::Overlapping => "overlapping",
            Verdict::Inside => "inside",
            Verdict::Touching => "touching",
            Verdict::Near => "near",
        }
    }
}

/// One of the two parts of a clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// The word for it, the same in all outputs.
    pub fn name(self) -> &'static str {
        match self {
            Side::A => "a",
            Side::B => "b",
        }
    }
}

/// What became of a clash since the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The baseline does not have it.
    New,
    /// The baseline has it, too.
    Active,
    /// Only the baseline has it.
    Resolved,
}

impl Status {
    /// The word for it, the same in all outputs.
    pub fn name(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Active => "active",
            Status::Resolved => "resolved",
        }
    }
}

/// A clash of the baseline that is gone. Its parts may be gone, too, so it carries their names.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Resolved {
    /// What the baseline called it.
    pub id: String,
    /// What it was.
    pub verdict: Verdict,
    /// The names of its parts.
    pub names: [String; 2],
    /// The paths of its parts.
    pub paths: [String; 2],
    /// Where it was.
    pub point: Option<Point>,
}

/// How far two parts are apart.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Gap {
    /// The length of the gap.
    pub distance: f64,
    /// The closest points, on the first part and on the second.
    pub closest: [Point; 2],
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    /// The points, the first one not repeated at the end.
    pub points: Vec<Point>,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}
