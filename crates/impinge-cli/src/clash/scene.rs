//! Scenes in memory, asked as `impinge clash` asks files.

use std::ffi::OsString;

use clap::Parser;
use impinge::clash::Progress;
use impinge_report::Report;
use impinge_report::terminal::{Error, one_line};

use super::arguments::ClashArgs;
use super::parts::{Parts, ScenePart};
use super::question::{Drawn, Question, Watch};
use crate::numbers;

/// A scene of parts in memory.
///
/// ```
/// use std::sync::Arc;
///
/// use impinge::{Model, Trs, shapes};
/// use impinge_cli::{ClashScene, Observer, ScenePart};
///
/// let cube = Arc::new(Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?));
/// let mut scene = ClashScene::new("two cubes", Some("mm"));
/// for (name, x) in [("left", 0.0), ("right", 0.75)] {
///     let placement = Trs::translation([x, 0.0, 0.0])?.into();
///     scene.add(name, ScenePart { model: Arc::clone(&cube), placement, rounding: 0.0, properties: Default::default() })?;
/// }
/// let report = scene.clash(&["--clearance".into(), "0.1".into()], false, &Observer::NONE).map_err(|error| error.to_string())?;
/// assert_eq!(report.clashes.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClashScene {
    title: String,
    parts: Parts,
}

/// An observer of a search, from any thread, who may end it.
#[derive(Clone, Copy)]
pub struct Observer<'o> {
    /// Told of the progress.
    pub progress: &'o (dyn Fn(Progress) + Sync),
    /// Asked whether the search goes on.
    pub goes_on: &'o (dyn Fn() -> bool + Sync),
}

impl Observer<'_> {
    /// Nobody.
    pub const NONE: Observer<'static> = Observer { progress: &|_| {}, goes_on: &|| true };
}

/// The options of the command, without a program's name.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    arguments: ClashArgs,
}

impl ClashScene {
    /// An empty scene with a title, in a unit of length.
    pub fn new(title: &str, unit: Option<&str>) -> ClashScene {
        let mut parts = Parts::default();
        parts.unit = unit.map(str::to_owned);
        ClashScene { title: title.to_owned(), parts }
    }

    /// Adds a part. Refused where its place is out of range; the text says why.
    pub fn add(&mut self, name: &str, part: ScenePart) -> Result<(), String> {
        self.parts.push(name, part)
    }

    /// Counts something that could not be made a part, so that nobody looks at it; the note names it.
    pub fn leave_out(&mut self, note: &str) {
        self.parts.unread += 1;
        self.parts.notes.push(note.to_owned());
    }

    /// Looks for clashes, with options of `impinge clash` that are about neither files nor output. With `pictures`, the report has what its page shows.
    pub fn clash(
        &self,
        options: &[OsString],
        pictures: bool,
        observer: &Observer<'_>,
    ) -> Result<Report, Error> {
        let arguments = parse(options, &self.title)?;
        if let Some(option) = arguments.about_files() {
            return Err(Error::option(option, "is not for scenes in memory"));
        }
        let mut question = Question::new(&arguments)?;
        question.drawn = if pictures { Drawn::All } else { Drawn::Nothing };
        let watch = Watch { progress: observer.progress, goes_on: observer.goes_on };
        Ok(question.answer(&self.parts, &watch, None)?.report)
    }
}

/// The options of a search, without files.
pub(super) fn parse(options: &[OsString], title: &str) -> Result<ClashArgs, Error> {
    let words = [OsString::from("--"), OsString::from(title)];
    let words = numbers::join_lists(options.iter().cloned().chain(words), &[]);
    let parsed =
        Words::try_parse_from(words).map_err(|refusal| Error::option("options", one_line(&refusal)))?;
    Ok(parsed.arguments)
}
