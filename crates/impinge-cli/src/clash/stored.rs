//! Scenes whose meshes are stored elsewhere: parts are known by their boxes, and whoever has the meshes tests them in tiles.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::clash::ClashOptions;
use impinge::clash::tiles::{Finding, Outline, Plan};
use impinge::{Model, Placed, Placement};
use impinge_formats::Properties;
use impinge_report::Report;
use impinge_report::terminal::{self, Error, Status};

use super::parts::{Called, Part, Parts, StoredModel, Unplaced};
use super::question::{Drawn, Question, Watch};
use super::scene::{Observer, parse};

/// A scene whose meshes are stored elsewhere.
pub struct StoredScene {
    title: String,
    parts: Parts,
}

/// Names of a part: its name, the path that leads to it, and how many bytes of that are the file's.
#[derive(Clone, Debug)]
pub struct StoredName {
    /// The name of the part.
    pub name: String,
    /// The file without its folders, and what leads to the part in it.
    pub path: String,
    /// How many bytes of the path are the file's.
    pub file_bytes: usize,
}

/// A part whose mesh is stored elsewhere.
#[derive(Clone, Debug)]
pub struct StoredPart {
    /// What the part is called.
    pub called: StoredName,
    /// What leads to it in its file, as it is compared from run to run.
    pub names: String,
    /// A number that parts of one body share.
    pub body: usize,
    /// The number of its model.
    pub model: usize,
    /// Where it stands.
    pub placement: Placement,
    /// The box around it in the world.
    pub bounds: Aabb,
    /// How far a point of it may be off in the world.
    pub rounding: f64,
    /// Its class and properties, for rules.
    pub properties: Arc<Properties>,
}

/// A search whose pairs are tested elsewhere.
pub struct TiledSearch<'s> {
    /// The pairs.
    pub plan: &'s Plan,
    /// The parts.
    pub outlines: &'s [Outline],
    /// What to look for. Its rounding, if any, has an entry for each part.
    pub options: ClashOptions<'s>,
}

/// Answers on the pairs of a search.
#[derive(Debug, Default)]
pub struct Tested {
    /// Findings by the numbers of pairs, in any order.
    pub found: Vec<(u32, Finding)>,
    /// Pairs that nobody could test, and why.
    pub failed: Vec<(Vec<u32>, String)>,
    /// Whether the search was ended before all pairs were tested.
    pub partial: bool,
}

/// A service that has the meshes, and tests pairs.
pub trait Tester: Sync {
    /// Tests the pairs of a search.
    fn test(&self, search: &TiledSearch<'_>) -> Result<Tested, Error>;

    /// The models with these numbers, for pictures.
    fn load(&self, models: &[usize]) -> Result<Vec<Arc<Model>>, Error>;
}

impl StoredScene {
    /// An empty scene with a title.
    pub fn new(title: &str, unit: Option<&str>, z_up: bool) -> StoredScene {
        let mut parts = Parts::default();
        (parts.unit, parts.z_up) = (unit.map(str::to_owned), z_up);
        StoredScene { title: title.to_owned(), parts }
    }

    /// Adds a model, by the next number.
    pub fn add_model(&mut self, model: StoredModel) {
        self.parts.stored.push(model);
    }

    /// Adds a part. Refused where its model is none of those that were added; the text says why.
    pub fn add(&mut self, part: StoredPart) -> Result<(), String> {
        let models = self.parts.stored.len();
        if part.model >= models {
            return Err(format!("its model is {}, but there are {models}", part.model));
        }
        self.parts.list.push(Part {
            called: called(part.called)?,
            names: part.names,
            body: part.body,
            model: part.model,
            placement: part.placement,
            bounds: part.bounds,
            rounding: part.rounding,
            file: 0,
            node: None,
            node_from_copy: None,
            deformation: None,
            properties: part.properties,
        });
        Ok(())
    }

    /// Adds a remark of a reader.
    pub fn note(&mut self, note: String) {
        self.parts.notes.push(note);
    }

    /// Counts things with faces that nobody could read; remarks name them.
    pub fn leave_out(&mut self, count: usize) {
        self.parts.unread += count;
    }

    /// Adds a part that could not be placed, with a remark that says why.
    pub fn leave_out_part(&mut self, name: StoredName, note: String) -> Result<(), String> {
        self.parts.unplaced.push(Unplaced { called: called(name)?, note });
        Ok(())
    }

    /// Looks for clashes, with options of `impinge clash` that are about neither files nor output. With `pictures`, the report has what its page shows.
    pub fn clash(
        &self,
        options: &[OsString],
        pictures: bool,
        tester: &dyn Tester,
        observer: &Observer<'_>,
    ) -> Result<Report, Error> {
        let arguments = parse(options, &self.title)?;
        if let Some(option) = arguments.about_files().or(arguments.about_meshes()) {
            return Err(Error::option(option, "is not for stored scenes"));
        }
        let mut question = Question::new(&arguments)?;
        question.drawn = if pictures { Drawn::All } else { Drawn::Nothing };
        let watch = Watch { progress: observer.progress, goes_on: observer.goes_on };
        Ok(question.answer(&self.parts, &watch, Some(tester))?.report)
    }

    /// Runs `impinge clash` with these options: prints, writes files, and returns the status that the process should end with. No output replaces an input.
    pub fn run(
        &self,
        options: &[OsString],
        inputs: &[PathBuf],
        tester: &dyn Tester,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Status {
        terminal::finish(crate::PROGRAM, |output| {
            let arguments = parse(options, &self.title)?;
            if let Some(option) = arguments.about_meshes() {
                return Err(Error::option(option, "is not for stored scenes"));
            }
            let question = Question::new(&arguments)?;
            super::refuse_inputs(&arguments, inputs)?;
            super::present(&question, &self.parts, Some(tester), goes_on, output)
        })
    }
}

fn called(name: StoredName) -> Result<Called, String> {
    let StoredName { name, path, file_bytes } = name;
    if !path.is_char_boundary(file_bytes) {
        return Err(format!("its path has no {file_bytes} bytes of a file"));
    }
    Ok(Called { name, path, file_bytes })
}

/// Clashes that are drawn, of a scene whose meshes are stored elsewhere: so many of the gravest.
const MOST_DRAWN: usize = 1000;

/// The parts that are drawn, with their models.
pub(super) struct Loaded {
    /// Models by their numbers.
    models: HashMap<usize, Arc<Model>>,
    parts: HashSet<usize>,
}

impl Loaded {
    /// Loads the models of the gravest clashes' parts.
    pub(super) fn of_gravest(parts: &Parts, report: &Report, tester: &dyn Tester) -> Result<Loaded, Error> {
        let gravest = report.clashes_by_severity().into_iter().take(MOST_DRAWN);
        let drawn: HashSet<usize> = gravest.flat_map(|clash| [clash.a, clash.b]).collect();
        let mut numbers: Vec<usize> = drawn.iter().map(|part| parts.list[*part].model).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let models = tester.load(&numbers)?;
        Ok(Loaded { models: numbers.into_iter().zip(models).collect(), parts: drawn })
    }

    /// Where a part stands, if it is drawn.
    pub(super) fn placed(&self, parts: &Parts, number: usize) -> Option<Placed<'_>> {
        let part = &parts.list[number];
        let model = self.models.get(&part.model).filter(|_| self.parts.contains(&number))?;
        Some(model.at(part.placement))
    }
}
