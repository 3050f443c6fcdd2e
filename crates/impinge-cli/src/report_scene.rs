//! What reports show: shapes, where they stand, where their surfaces meet. All commands that write a page share this.

use std::path::Path;

use impinge::math::{DAffine3, DVec3};
use impinge::query::{
    Contained, CurvePolyline, FacePair, IntersectionCurve, SeparatingTranslation, SharedSurfaceOptions,
    SharedVolume, Witness,
};
use impinge::{Mesh, Placed, Placement, Verdict};
use impinge_formats::write_bytes;
use impinge_report::terminal::Error;
use impinge_report::{self as report, Report};

use crate::input::Subject;
use crate::unit;

/// What a mesh looks like.
pub(crate) fn shape(mesh: &Mesh) -> report::Model {
    let fans = |face: u32| mesh.fan(face).map(move |corners| (mesh.label(face), corners));
    let positions = mesh.vertices().map(|vertex| vertex.to_array());
    report::Model::of_triangles(positions, (0..mesh.face_count() as u32).flat_map(fans))
}

/// A matrix row by row.
pub(crate) fn rows(map: &DAffine3) -> report::Matrix {
    impinge::glam::DMat4::from(*map).transpose().to_cols_array()
}

/// Where the surfaces of two models meet.
pub(crate) struct Places {
    pub(crate) curve: Vec<report::Polyline>,
    /// The faces of each that meet the other, sorted.
    pub(crate) faces: [Vec<u32>; 2],
}

/// The curve along which the surfaces of two models meet.
pub(crate) fn curve(a: &Placed<'_>, b: &Placed<'_>) -> Vec<report::Polyline> {
    lines(&a.intersection_curve(b))
}

fn lines(curve: &IntersectionCurve) -> Vec<report::Polyline> {
    let line = |piece: &CurvePolyline| report::Polyline {
        points: piece.points_in_world.iter().map(DVec3::to_array).collect(),
        closed: piece.closed,
    };
    curve.polylines.iter().map(line).collect()
}

impl Places {
    /// The curve, and the faces along it.
    pub(crate) fn of(a: &Placed<'_>, b: &Placed<'_>) -> Places {
        let curve = a.intersection_curve(b);
        Places { curve: lines(&curve), faces: [curve.faces_a, curve.faces_b] }
    }

    /// The curve, and the faces of all pairs that meet.
    pub(crate) fn new(curve: Vec<report::Polyline>, pairs: &[FacePair]) -> Places {
        let sides: [fn(&FacePair) -> u32; 2] = [|pair| pair.face_a, |pair| pair.face_b];
        let faces = sides.map(|side| {
            let mut faces: Vec<u32> = pairs.iter().map(side).collect();
            faces.sort_unstable();
            faces.dedup();
            faces
        });
        Places { curve, faces }
    }

    /// The box around the curve; none where there is no curve.
    pub(crate) fn bounds(&self) -> Option<[report::Point; 2]> {
        let points = self.curve.iter().flat_map(|line| &line.points).map(|point| DVec3::from_array(*point));
        points
            .map(|point| [point; 2])
            .reduce(|[min, max], [low, high]| [min.min(low), max.max(high)])
            .map(|corners| corners.map(|corner| corner.to_array()))
    }
}

/// The surface of what two parts share may have so many triangles; else a box has to do.
const MOST_SHARED_TRIANGLES: usize = 24_000;

/// A volume and how far it may be off; none where they are too large for a number.
pub(crate) fn finite_volume(shared: &SharedVolume) -> Option<[f64; 2]> {
    Some([shared.volume, shared.error]).filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

/// A box around what two overlapping parts share. What is inside of another is its own picture.
pub(crate) fn shared_bounds(verdict: report::Verdict, shared: &SharedVolume) -> Option<[report::Point; 2]> {
    let is_drawn = verdict == report::Verdict::Overlapping && shared.volume > 0.0;
    let corners = [shared.bounds.min, shared.bounds.max];
    (is_drawn && corners.iter().all(|corner| corner.is_finite()))
        .then(|| corners.map(|corner| corner.to_array()))
}

/// The surface of what two parts share, where a clash has a box around it, if that is small enough for a page.
pub(crate) fn shared(a: &Placed<'_>, b: &Placed<'_>, clash: &report::Clash) -> Option<report::Shared> {
    clash.shared_bounds?;
    let options = SharedSurfaceOptions::new().most(MOST_SHARED_TRIANGLES);
    let found = a.shared_surface_with(b, options).filter(|found| found.is_complete)?;
    let is_sound = found.origin_in_world.is_finite() && found.positions.iter().all(|point| point.is_finite());
    (is_sound && !found.triangles.is_empty()).then(|| report::Shared {
        origin: found.origin_in_world.to_array(),
        model: report::Model {
            positions: found.positions.iter().map(DVec3::to_array).collect(),
            triangles: found.triangles,
            faces: Vec::new(),
        },
    })
}

/// The word of reports for a verdict, and which of the two is contained; none for models that are clear of each other.
pub(crate) fn verdict(verdict: Verdict) -> Option<(report::Verdict, Option<report::Side>)> {
    Some(match verdict {
        Verdict::Clear => return None,
        Verdict::Touching => (report::Verdict::Touching, None),
        Verdict::Overlapping => (report::Verdict::Overlapping, None),
        Verdict::Inside(Contained::A) => (report::Verdict::Inside, Some(report::Side::A)),
        Verdict::Inside(Contained::B) => (report::Verdict::Inside, Some(report::Side::B)),
    })
}

/// What is said of two models that meet, and where they do; none for models that are clear of each other. What ends an overlap is told
/// with `depth`.
pub(crate) fn clash(
    a: &Placed<'_>,
    b: &Placed<'_>,
    answer: (Verdict, Option<Witness>),
    pairs: &[FacePair],
    depth: bool,
) -> Option<report::Clash> {
    let (verdict, contained) = verdict(answer.0)?;
    let places = Places::new(curve(a, b), pairs);
    let is_deep = matches!(answer.0, Verdict::Overlapping | Verdict::Inside(_));
    let separation =
        if depth && is_deep { a.separating_translation(b, f64::MAX).ok().flatten() } else { None };
    let penetration = if depth && is_deep { a.penetration(b) } else { None };
    let bounds = places.bounds();
    let volume = if depth && is_deep { a.shared_volume(b) } else { None };
    let [faces_a, faces_b] = places.faces;
    let mut clash = report::Clash {
        volume: volume.and_then(|shared| finite_volume(&shared)),
        volume_estimated: volume.is_some_and(|shared| shared.is_estimated),
        shared_bounds: volume.and_then(|shared| shared_bounds(verdict, &shared)),
        contained,
        point: answer.1.map(|witness| witness.point_in_world.to_array()),
        bounds,
        face_pairs: pairs.len() as u64,
        penetration: penetration.map(|found| [found.at_least, found.at_most]),
        limited_by_thickness: penetration.is_some_and(|found| found.limited_by_thickness),
        depth: separation.map(|short| short.distance),
        direction: separation.map(|short| direction_of_second(&short)),
        curve: places.curve,
        faces_a,
        faces_b,
        ..report::Clash::new(0, 1, verdict)
    };
    clash.shared = shared(a, b, &clash);
    Some(clash)
}

/// Reports move the second part, separations the first.
pub(crate) fn direction_of_second(separation: &SeparatingTranslation) -> report::Point {
    // Zero has no sign.
    (-separation.direction + DVec3::ZERO).to_array()
}

/// A report of two models, of which nothing is said yet.
pub(crate) fn pair(a: (&Subject, Placement), b: (&Subject, Placement), unit: Option<&str>) -> Report {
    let [a_name, b_name] = [a.0, b.0].map(file_name);
    let title = format!("{a_name} and {b_name}");
    let names =
        if a_name == b_name { [format!("A ({a_name})"), format!("B ({b_name})")] } else { [a_name, b_name] };
    scene(title, &[a, b], &names, unit)
}

/// A report of one model, of which nothing is said yet.
pub(crate) fn alone(subject: (&Subject, Placement), unit: Option<&str>) -> Report {
    let name = file_name(subject.0);
    scene(name.clone(), &[subject], &[name], unit)
}

fn scene(title: String, subjects: &[(&Subject, Placement)], names: &[String], unit: Option<&str>) -> Report {
    let placed: Vec<Placed<'_>> =
        subjects.iter().map(|(subject, placement)| subject.model.at(*placement)).collect();
    let mut report = of_models(title, &placed, names, unit);
    report.z_up = subjects.iter().any(|(subject, _)| subject.z_up);
    for (part, (subject, _)) in report.parts.iter_mut().zip(subjects) {
        part.path.clone_from(&subject.name);
    }
    report
}

/// A report of models, of which nothing is said yet.
pub(crate) fn of_models(
    title: String,
    placed: &[Placed<'_>],
    names: &[String],
    unit: Option<&str>,
) -> Report {
    let parts = placed.iter().zip(names).enumerate();
    Report {
        title,
        unit: unit.unwrap_or(unit::UNNAMED).to_owned(),
        models: placed.iter().map(|placed| shape(placed.model().mesh())).collect(),
        parts: parts
            .map(|(number, (placed, name))| report::Part {
                name: name.clone(),
                path: name.clone(),
                model: Some(number),
                world_from_model: rows(placed.placement().world_from_model()),
                identity: report::Identity::default(),
                closed: None,
            })
            .collect(),
        ..Report::default()
    }
}

/// The last piece of the path.
fn file_name(subject: &Subject) -> String {
    let path = Path::new(&subject.name);
    path.file_name().map_or_else(|| subject.name.clone(), |name| name.to_string_lossy().into_owned())
}

/// The page as text.
pub(crate) fn page(report: &Report) -> Result<String, Error> {
    report.html().map_err(|error| Error::option("the report", error.to_string()))
}

/// Writes the page, whole or not at all.
pub(crate) fn write(file: &Path, report: &Report) -> Result<(), Error> {
    Ok(write_bytes(file, page(report)?)?)
}
