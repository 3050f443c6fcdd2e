//! How parts of a report move: animations, how they are filmed, and sweeps.

use crate::place::{Matrix, Point};

/// How parts move. Those without a track stand still.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name; empty where it has none.
    pub name: String,
    /// How long it lasts, in seconds.
    pub duration: f64,
    /// One for each part that moves.
    pub tracks: Vec<Track>,
    /// Parts that the page can follow, the first of them from the start. Where there is one, the page opens playing.
    pub followed: Vec<usize>,
    /// How it is filmed; `None` where the page sees to that itself.
    pub film: Option<Film>,
}

/// How an animation is filmed. Its page opens playing, with the notes as a caption. Bodies cast shadows, and faces are seen from their
/// front only: so one looks into a room through the back of its walls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    /// Where the camera stands at the start. It goes along with the part that is followed, if there is one.
    pub camera: Point,
    /// What the camera looks at.
    pub target: Point,
    /// While a part is followed, what is this far before it is cut away, such as roofs; `None` cuts nothing.
    pub cutaway: Option<f64>,
    /// Red, green and blue of each part, from 0 to 255.
    pub colors: Vec<[u8; 3]>,
}

/// How one part moves: where it stands at some times. Between two of them it is turned and moved evenly; before the first and
/// after the last it stands still.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The part.
    pub part: usize,
    /// Seconds, ascending.
    pub times: Vec<f64>,
    /// Where it stands at each of the times; with `None` it is not there until the next one.
    pub world_from_model: Vec<Option<Matrix>>,
}

/// A motion that was swept.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The part that moves.
    pub moving: usize,
    /// What came of it.
    pub verdict: SweepStatus,
    /// How far it got, from 0 to 1.
    pub fraction: f64,
    /// Poses along the whole way that was asked for, from the start to the end.
    pub path: Vec<Matrix>,
    /// Where it stopped.
    pub stop: Matrix,
    /// Where it touches at the stop.
    pub contacts: Vec<Contact>,
}

/// What came of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepStatus {
    /// Nothing is in the way.
    Clear,
    /// Something is.
    Hit,
    /// Something overlapped already.
    StartedOverlapping,
}

/// A place where two parts touch.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Contact {
    /// Where.
    pub point: Point,
    /// The unit vector from the moving part to the other one.
    pub normal: Point,
}
