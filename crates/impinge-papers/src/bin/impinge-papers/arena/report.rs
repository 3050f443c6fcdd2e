//! The page that plays a game.

use impinge::Mesh;
use impinge::math::DAffine3;
use impinge_papers::blow::arena::{Actor, Recording, Report as Played};
use impinge_report::text::counted;
use impinge_report::{self as report, Animation, IDENTITY, Kind, Report, Track};

/// The ground, all bodies, and how they moved.
pub(super) fn of(played: &Played) -> Report {
    let film = &played.film;
    let game = &played.game;
    let players = counted(game.players, "player", "players");
    let title = format!("{players}, {}, seed {}", counted(game.objects, "object", "objects"), game.seed);
    let mut parts: Vec<report::Part> = (0..film.ground.len()).map(ground).collect();
    let tracks = film.actors.iter().enumerate().map(|(number, actor)| track(parts.len() + number, actor));
    let animation = Animation { name: title.clone(), duration: film.seconds, tracks: tracks.collect() };
    parts.extend(film.actors.iter().enumerate().map(|(number, actor)| body(film, number, actor)));
    Report {
        kind: Kind::Arena,
        title,
        unit: "m".to_owned(),
        z_up: true,
        notes: notes(played),
        models: film.ground.iter().chain(&film.shapes).map(shape).collect(),
        parts,
        animation: Some(animation),
        ..Report::default()
    }
}

fn ground(number: usize) -> report::Part {
    let name = format!("ground {number}");
    report::Part {
        path: name.clone(),
        name,
        model: Some(number),
        world_from_model: IDENTITY,
        identity: report::Identity::default(),
    }
}

/// A body where it is first seen.
fn body(film: &Recording, number: usize, actor: &Actor) -> report::Part {
    let name = format!("{} {number}", actor.role.name());
    let first = actor.keys.iter().find_map(|(_, place)| place.as_ref());
    report::Part {
        path: name.clone(),
        name,
        model: Some(film.ground.len() + actor.shape),
        world_from_model: first.map_or(IDENTITY, rows),
        identity: report::Identity::default(),
    }
}

fn track(part: usize, actor: &Actor) -> Track {
    Track {
        part,
        times: actor.keys.iter().map(|(time, _)| *time).collect(),
        world_from_model: actor.keys.iter().map(|(_, place)| place.as_ref().map(rows)).collect(),
    }
}

fn notes(played: &Played) -> Vec<String> {
    let steps = counted(played.steps, "step", "steps");
    let mut notes = Vec::new();
    if played.game.check {
        let found = played.interpenetrations as usize;
        let found = counted(found, "interpenetration", "interpenetrations");
        notes.push(format!("{found} in {steps}, by the exact test."));
    }
    if played.film.seconds < played.game.seconds {
        let shown = played.film.seconds;
        notes.push(format!("The first {shown:.1} s of {:.1} s are shown.", played.game.seconds));
    }
    notes
}

/// What a mesh looks like.
fn shape(mesh: &Mesh) -> report::Model {
    let positions = mesh.vertices().map(|vertex| vertex.to_array());
    let fans = |face: u32| mesh.fan(face).map(move |corners| (mesh.label(face), corners));
    report::Model::of_triangles(positions, (0..mesh.face_count() as u32).flat_map(fans))
}

/// A matrix row by row.
fn rows(map: &DAffine3) -> report::Matrix {
    impinge::glam::DMat4::from(*map).transpose().to_cols_array()
}
