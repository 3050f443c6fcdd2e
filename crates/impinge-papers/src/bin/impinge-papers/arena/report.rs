//! The page that plays a game.

use impinge::Mesh;
use impinge::math::DAffine3;
use impinge_papers::blow::arena::{Actor, Filter, Recording, Report as Played, Role};
use impinge_papers::blow::filters::PAPER;
use impinge_report::text::counted;
use impinge_report::{self as report, Animation, IDENTITY, Kind, Report, Table, Track};

/// The ground, all bodies, and how they moved.
pub(super) fn of(played: &Played) -> Report {
    let film = &played.film;
    let game = &played.game;
    let players = counted(game.players, "player", "players");
    let title = format!("{players}, {}, seed {}", counted(game.objects, "object", "objects"), game.seed);
    let mut parts: Vec<report::Part> = (0..film.ground.len()).map(ground).collect();
    let tracks = film.actors.iter().enumerate().map(|(number, actor)| track(parts.len() + number, actor));
    let is_player = |number: &usize| film.actors[*number].role == Role::Player;
    let followed = (0..film.actors.len()).filter(is_player).map(|number| parts.len() + number);
    let animation = Animation {
        name: title.clone(),
        duration: film.seconds,
        tracks: tracks.collect(),
        followed: followed.collect(),
        film: None,
    };
    parts.extend(film.actors.iter().enumerate().map(|(number, actor)| body(film, number, actor)));
    Report {
        kind: Kind::Arena,
        title,
        unit: "m".to_owned(),
        z_up: true,
        notes: notes(played),
        tables: vec![filters(played)],
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
        closed: None,
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
        closed: None,
    }
}

fn track(part: usize, actor: &Actor) -> Track {
    Track {
        part,
        times: actor.keys.iter().map(|(time, _)| *time).collect(),
        world_from_model: actor.keys.iter().map(|(_, place)| place.as_ref().map(rows)).collect(),
    }
}

/// What each filter decided, beside the paper's share of cases.
fn filters(played: &Played) -> Table {
    let is_case = |filter: &&Filter| !matches!(filter.name, "grid" | "broad phase");
    let all: u64 = played.filters.iter().filter(is_case).map(|filter| filter.decided).sum();
    let all_in_paper: u64 = PAPER.iter().map(|(_, count, _)| count).sum();
    let percent = |part: u64, whole: u64| format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64);
    let row = |filter: &Filter| {
        let own = if is_case(&filter) { percent(filter.decided, all) } else { String::new() };
        let paper = PAPER.iter().find(|(name, ..)| *name == filter.name);
        let paper = paper.map_or(String::new(), |(_, count, _)| percent(*count, all_in_paper));
        let mean = format!("{:.2}", filter.mean_ns / 1000.0);
        vec![filter.name.to_owned(), filter.asked.to_string(), filter.decided.to_string(), own, paper, mean]
    };
    Table {
        title: format!("Filters, {}: pairs, and shares of cases past the first", played.game.method.name()),
        columns: ["filter", "came", "decided", "%", "% in paper", "µs"].map(str::to_owned).into(),
        rows: played.filters.iter().map(row).collect(),
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
