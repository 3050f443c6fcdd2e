//! A page that plays a game: one file that needs nothing else.

use impinge::math::DVec3;
use impinge::world::Handle;

use super::{Arena, Report, Role};

/// Where bodies were.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Heights of the landscape, row by row, and the width of a cell.
    pub ground: Vec<Vec<f64>>,
    /// See above.
    pub cell: f64,
    /// For each frame: what, where and which way it looks.
    pub frames: Vec<Vec<Actor>>,
}

/// A body in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actor {
    /// What it is.
    pub role: Role,
    /// Where.
    pub place: DVec3,
    /// Where its first axis looks.
    pub ahead: DVec3,
}

impl Arena {
    /// Notes where all bodies are.
    pub(super) fn take_picture(&mut self) {
        let actor = |(handle, role): (&Handle, &Role)| {
            let map = self.world.get(*handle).ok()?.placement().world_from_model();
            Some(Actor { role: *role, place: map.translation, ahead: map.matrix3.x_axis })
        };
        let actors = self.roles.iter().filter_map(actor).collect();
        self.report.film.frames.push(actors);
    }
}

/// The page of a game that was [filmed](super::Game::film).
pub fn page(report: &Report) -> String {
    let mut frames = String::from("[");
    for (number, frame) in report.film.frames.iter().enumerate() {
        frames += if number > 0 { ",[" } else { "[" };
        for (i, actor) in frame.iter().enumerate() {
            let role = match actor.role {
                Role::Player => 0,
                Role::Tank => 1,
                Role::Pad => 2,
                Role::Cargo => 3,
                Role::Crate => 4,
            };
            let place = actor.place;
            let comma = if i > 0 { "," } else { "" };
            let (ahead, across) = (actor.ahead.x, actor.ahead.y);
            frames +=
                &format!("{comma}{role},{:.1},{:.1},{:.1},{ahead:.2},{across:.2}", place.x, place.y, place.z);
        }
        frames += "]";
    }
    frames += "]";
    let rows: Vec<String> = report
        .film
        .ground
        .iter()
        .map(|row| {
            let numbers: Vec<String> = row.iter().map(|height| format!("{height:.1}")).collect();
            format!("[{}]", numbers.join(","))
        })
        .collect();
    include_str!("page.html")
        .replace("/*frames*/", &frames)
        .replace("/*ground*/", &format!("[{}]", rows.join(",")))
        .replace("/*cell*/", &report.film.cell.to_string())
        .replace("/*title*/", &format!("{} players, {} objects", report.game.players, report.game.objects))
}
