//! `impinge check --engine image`: the same question, answered by images that are as exact as their pixels.

use impinge::math::DVec3;
use impinge::query::Contained;
use impinge::{Placement, Verdict};
use impinge_image::{Answer, Device, Options, Scene};
use impinge_report::terminal::{self, Error, Output, Status};
use impinge_report::text::{counted, point};

use super::text::{sentence, word};
use super::{CheckArgs, Question};
use crate::batch::{self, Pose};
use crate::image::look_options::{self, again_with_pictures};
use crate::image::precision_line;
use crate::input::names;
use crate::json::{self, ImageFields, WorkDone};
use crate::unit;

/// What an image cannot say.
pub(super) fn refuse(arguments: &CheckArgs) -> Result<(), Error> {
    let reasons = [
        ("--pairs", arguments.pairs, "--engine image tells edges inside of solids, not pairs of faces"),
        ("--curve", arguments.curve.is_some(), "--engine image finds no curve"),
        ("--report", arguments.report.is_some(), "--engine image finds no faces to show"),
        (
            "--touch",
            arguments.touch != 0.0,
            "--engine image never says touching: its precision is what it states",
        ),
        ("--surface", arguments.surface, "--engine image needs solids: it looks for edges inside of them"),
    ];
    match reasons.into_iter().find(|(_, given, _)| *given) {
        Some((option, _, reason)) => Err(Error::option(option, reason)),
        None => look_options::check(&arguments.looking.options()),
    }
}

/// The two models in a scene where only B moves.
struct Watch<'a> {
    question: &'a Question<'a>,
    exact: bool,
    options: Options,
    device: Device,
    scene: Scene,
}

/// What an image says of one placement.
struct Sight {
    verdict: Verdict,
    point: Option<DVec3>,
    answer: Answer,
}

const A: u32 = 0;
const B: u32 = 1;

impl Watch<'_> {
    fn at(&mut self, world_from_b: Placement) -> Result<Sight, Error> {
        self.scene.place(B, world_from_b)?;
        let mut answer = self.device.find(&self.scene, &self.options)?;
        let (a, b) = (&self.question.a.model, &self.question.b.model);
        let placed = [a.at(self.question.world_from_a), b.at(world_from_b)];
        if self.exact {
            answer.confirm(&placed);
        }
        let verdict = if !answer.interferes {
            Verdict::Clear
        } else if self.exact {
            placed[0].verdict(&placed[1])
        } else {
            self.contained(&mut answer, world_from_b)?.map_or(Verdict::Overlapping, Verdict::Inside)
        };
        let point = answer.interferences.first().and_then(|found| found.points.first().copied());
        Ok(Sight { verdict, point, answer })
    }

    /// Which model is inside of the other, as far as an image can tell: it is within the box of the other, so that all its edges
    /// are drawn, every pixel of them is inside, and no edge of the other is inside of it. The pixels take a second look, and
    /// where that is coarser, so is the answer.
    fn contained(
        &mut self,
        answer: &mut Answer,
        world_from_b: Placement,
    ) -> Result<Option<Contained>, Error> {
        let [found] = &answer.interferences[..] else { return Ok(None) };
        let object = found.penetrating;
        let (a, b) = (&self.question.a.model, &self.question.b.model);
        let (a, b) = ((a, &self.question.world_from_a), (b, &world_from_b));
        let ((inner, world_from_inner), (outer, world_from_outer), which) =
            if object == A { (a, b, Contained::A) } else { (b, a, Contained::B) };
        let bounds = outer.bounds();
        let in_outer = |vertex| world_from_outer.point_to_model(world_from_inner.point_to_world(vertex));
        let is_within = inner.mesh().vertices().all(|vertex| bounds.contains(in_outer(vertex)));
        if !is_within || !answer.complete || answer.not_closed {
            return Ok(None);
        }
        let again = again_with_pictures(&mut self.device, &self.scene, &self.options, answer)?;
        let pixels = again.pictures.iter().flatten().flat_map(|layer| layer.edges.iter().zip(&layer.counts));
        let mut own = pixels.filter(|(edge, _)| edge.is_some_and(|(of, _)| of == object)).peekable();
        let surrounded = own.peek().is_some() && own.all(|(_, count)| *count > 0);
        if surrounded {
            answer.precision = answer.precision.max(again.precision);
        }
        Ok(surrounded.then_some(which))
    }

    fn print(&self, sight: &Sight, row: Option<(usize, usize)>, output: &mut Output) -> Result<(), Error> {
        let question = self.question;
        if question.json {
            return output.json(&self.document(sight, row.map(|(index, _)| index)));
        }
        let unit = question.unit.unwrap_or(unit::UNNAMED);
        let at = sight.point.map(|place| point(place.to_array()));
        if let Some((index, count)) = row {
            let width = count.saturating_sub(1).to_string().len();
            let verdict = word(sight.verdict);
            let place = at.map_or(String::new(), |at| format!("  at {at}"));
            let unit = question.unit.filter(|_| !place.is_empty());
            let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
            let line = format!("{index:>width$}  {verdict:<11}{place}{unit}");
            return output.print(&format!("{}\n", line.trim_end()));
        }
        let [[a, b], _] = names(question.a, question.b);
        let mut text = sentence(sight.verdict, &a, &b);
        if let Some(at) = at {
            text += &format!("  at         {at} {unit}\n");
        }
        text += &precision_line(&sight.answer, unit);
        let looks = counted(sight.answer.work.looks as usize, "look", "looks");
        let layers = counted(sight.answer.work.layers as usize, "layer of edges", "layers of edges");
        text += &format!("  work       {looks}, {layers}, drawn by {}\n", self.device.name());
        output.print(&text)
    }

    fn document(&self, sight: &Sight, index: Option<usize>) -> json::Check<'_> {
        let (verdict, contained) = json::verdict(sight.verdict);
        let witness = |point: DVec3| json::Witness {
            face_a: None,
            face_b: None,
            point: point.to_array(),
            node_a: None,
            primitive_a: None,
            node_b: None,
            primitive_b: None,
        };
        json::Check {
            index,
            schema: json::SCHEMA,
            verdict,
            contained,
            witness: sight.point.map(witness),
            pairs: None,
            work: WorkDone { box_tests: 0, face_tests: 0 },
            unit: self.question.unit,
            image: Some(ImageFields {
                precision: sight.answer.precision,
                complete: sight.answer.complete,
                device: self.device.name(),
                image_work: sight.answer.work.into(),
            }),
        }
    }
}

/// Answers for one placement of B, or for all rows of a file, one after the other: there is one device.
pub(super) fn run(
    arguments: &CheckArgs,
    question: &Question<'_>,
    world_from_b: Placement,
    poses: Option<&[Pose]>,
    output: &mut Output,
) -> Result<Status, Error> {
    let mut scene = Scene::new();
    let shapes = [question.a, question.b].map(|subject| scene.add_shape(&subject.model));
    scene.add(shapes[0], question.world_from_a);
    scene.add(shapes[1], world_from_b);
    let (exact, options) = (arguments.looking.exact, arguments.looking.options());
    let mut watch = Watch { question, exact, options, device: arguments.looking.device()?, scene };
    let Some(poses) = poses else {
        let message = format!("looking at {} and {}", question.a.name, question.b.name);
        let sight = terminal::with_spinner(message, || watch.at(world_from_b))?;
        watch.print(&sight, None, output)?;
        return Ok(status(&sight));
    };
    let bar = batch::progress(poses.len(), "poses");
    let mut all = Status::Nothing;
    for (index, pose) in poses.iter().enumerate() {
        let sight = watch.at(pose.world_from_b)?;
        if status(&sight) == Status::Found {
            all = Status::Found;
        }
        bar.suspend(|| {
            watch.print(&sight, Some((index, poses.len())), output).and_then(|()| output.flush())
        })?;
        bar.inc(1);
        if output.is_closed() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(all)
}

fn status(sight: &Sight) -> Status {
    if sight.verdict == Verdict::Clear { Status::Nothing } else { Status::Found }
}
