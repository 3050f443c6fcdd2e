//! What a player wants: fly to a pad, land on it, take off again; now and then drop cargo.

use impinge::math::DVec3;
use impinge::shapes::Random;

use crate::blow::arena::audit::Window;
use crate::blow::game_world::{CloseFeature, Entity, Moved};

/// In meters a second.
const CRUISE: f64 = 18.0;
const DESCENT: f64 = 5.0;
const CLIMB: f64 = 8.0;
/// Degrees a second.
const TURN: f64 = 90.0;
/// How high above the ground one flies, at least.
const HEIGHT: f64 = 12.0;
/// After so many steps without getting on, another way is tried.
const PATIENCE: u32 = 12;
/// For so many seconds it does not fly towards what it hit.
const MINDED: f64 = 0.25;

/// A player.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) handle: Entity,
    /// What is wished for, and what hits have left of it.
    pub(super) velocity: DVec3,
    plan: Plan,
    /// Seconds until something else is done.
    patience: f64,
    /// The height of this player's way above the ground: not all fly at the same.
    height: f64,
    /// Out of the way of something, and for how many seconds yet.
    dodges_for: f64,
    dodge: DVec3,
    /// Normals of what it hit lately, towards that, and for how many seconds they are minded yet.
    walls: Vec<(DVec3, f64)>,
    /// For how many steps it has hardly moved, and from where.
    held: (u32, DVec3),
    /// What is judged: a new plan begins anew.
    pub(super) window: Window,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    /// To a place above a pad, or anywhere.
    Fly(DVec3, Option<Entity>),
    Land(DVec3),
    Rest,
    TakeOff,
}

/// What a pilot knows.
pub(super) struct Orders<'o> {
    pub(super) place: DVec3,
    pub(super) ground: f64,
    pub(super) pads: &'o [(Entity, DVec3)],
    /// How far from the middle one may fly.
    pub(super) limit: f64,
}

/// What a pilot does besides flying.
pub(super) struct Wishes {
    pub(super) drops_cargo: bool,
}

impl Agent {
    pub(super) fn new(handle: Entity, place: DVec3) -> Agent {
        Agent {
            handle,
            velocity: DVec3::ZERO,
            plan: Plan::TakeOff,
            patience: 1.0,
            height: HEIGHT + 1.5 * f64::from(handle.index() % 8),
            dodges_for: 0.0,
            dodge: DVec3::Z,
            walls: Vec::new(),
            held: (0, place),
            window: Window::new(place),
        }
    }

    /// What it wants to do in the next step.
    pub(super) fn decide(&mut self, orders: &Orders<'_>, random: &mut Random, seconds: f64) -> Wishes {
        self.patience -= seconds;
        self.dodges_for -= seconds;
        self.walls.iter_mut().for_each(|(_, left)| *left -= seconds);
        self.walls.retain(|(_, left)| *left > 0.0);
        let mut drops_cargo = false;
        let Orders { place, ground, .. } = *orders;
        match self.plan {
            Plan::Rest if self.patience <= 0.0 => self.begin(Plan::TakeOff, 1.5 + random.unit(), place),
            Plan::TakeOff if self.patience <= 0.0 => {
                drops_cargo = random.below(6) == 0 && place.z > ground + 8.0;
                let goal = self.choose(orders, random);
                self.begin(goal, 30.0, place);
            }
            Plan::Fly(goal, pad) if self.patience <= 0.0 || (goal - place).truncate().length() < 0.5 => {
                let next = match pad {
                    Some(_) if self.patience > 0.0 => Plan::Land(goal),
                    _ => self.choose(orders, random),
                };
                let patience = if matches!(next, Plan::Land(_)) { 12.0 } else { 30.0 };
                self.begin(next, patience, place);
            }
            Plan::Land(_) if self.patience <= 0.0 => self.begin(Plan::TakeOff, 2.0, place),
            _ => {}
        }
        self.velocity = match self.plan {
            Plan::Rest => DVec3::ZERO,
            Plan::TakeOff => DVec3::Z * CLIMB,
            Plan::Land(goal) => {
                let aside = (goal - place).truncate().clamp_length_max(0.3);
                DVec3::new(aside.x, aside.y, -DESCENT)
            }
            Plan::Fly(goal, _) => {
                let way = (goal - place).truncate();
                let level = (way * 2.0).clamp_length_max(CRUISE);
                let up = (ground + self.height - place.z).clamp(-DESCENT, CLIMB);
                DVec3::new(level.x, level.y, up)
            }
        };
        if self.dodges_for > 0.0 && matches!(self.plan, Plan::Fly(..) | Plan::TakeOff) {
            self.velocity = self.velocity * 0.3 + self.dodge * CLIMB;
        }
        let way = self.past_walls(self.velocity);
        let is_hindered = way != self.velocity && way.length() < 1.0;
        self.velocity = way;
        if is_hindered && matches!(self.plan, Plan::Land(_)) {
            // Neither down nor along: there is no place to land here.
            self.begin(Plan::TakeOff, 1.5, place);
        }
        if is_hindered {
            // Something above and below, or in a corner: out by whatever way is open.
            self.dodge(random.direction(), random);
            self.velocity = self.dodge * CLIMB;
        }
        Wishes { drops_cargo }
    }

    fn begin(&mut self, plan: Plan, patience: f64, place: DVec3) {
        self.plan = plan;
        self.patience = patience;
        self.window = Window::new(place);
    }

    /// What is left of a way without what leads towards something that it hit lately.
    fn past_walls(&self, mut way: DVec3) -> DVec3 {
        for _ in 0..3 {
            for (wall, _) in &self.walls {
                way -= *wall * way.dot(*wall).max(0.0);
            }
        }
        way
    }

    /// Gives way for a while, in a direction or past what is there.
    fn dodge(&mut self, direction: DVec3, random: &mut Random) {
        let open = self.past_walls(direction);
        // Where hardly anything is left, away from it all.
        let away: DVec3 = self.walls.iter().map(|(wall, _)| -*wall).sum();
        let open = if open.length() > 0.3 { open } else { open + away + 0.3 * random.direction() };
        self.dodge = open.normalize_or(DVec3::Z);
        self.dodges_for = 0.4 + 0.4 * random.unit();
    }

    /// A pad not too far away, or any place.
    fn choose(&self, orders: &Orders<'_>, random: &mut Random) -> Plan {
        for _ in 0..12 {
            if orders.pads.is_empty() {
                break;
            }
            let (pad, at) = orders.pads[random.below(orders.pads.len() as u32) as usize];
            let is_within = at.truncate().abs().max_element() < orders.limit;
            if is_within && (at - orders.place).truncate().length() < 160.0 {
                return Plan::Fly(at, Some(pad));
            }
        }
        let at = random.in_cube() * orders.limit;
        Plan::Fly(DVec3::new(at.x, at.y, 0.0), None)
    }

    /// By how many degrees it turns about the way up, to look where it flies.
    pub(super) fn turn(&self, ahead: DVec3, seconds: f64) -> f64 {
        let level = DVec3::new(self.velocity.x, self.velocity.y, 0.0);
        if !matches!(self.plan, Plan::Fly(..)) || level.length() < 1.0 || self.dodges_for > 0.0 {
            return 0.0;
        }
        let way = level.normalize();
        let sine = ahead.x * way.y - ahead.y * way.x;
        let most = TURN * seconds;
        if ahead.dot(way) < 0.0 { most.copysign(sine) } else { (sine * 57.0).clamp(-most, most) }
    }

    /// Takes in what became of a move. What it landed on, where it did.
    pub(super) fn answer(&mut self, made: &Moved, place: DVec3, random: &mut Random) -> Option<Entity> {
        self.window.add(made, self.velocity.length() / super::RATE, place);
        let floor = made.hits.iter().find(|hit| hit.features.iter().any(|hit| hit.normal.z < -0.6));
        let landed = floor.filter(|_| matches!(self.plan, Plan::Land(_))).map(|hit| hit.other);
        let features = || made.hits.iter().flat_map(|hit| &hit.features);
        for hit in features() {
            self.walls.retain(|(wall, _)| wall.dot(hit.normal) < 0.99);
            self.walls.push((hit.normal, MINDED));
        }
        self.held =
            if place.distance(self.held.1) > 0.05 { (0, place) } else { (self.held.0 + 1, self.held.1) };
        if landed.is_some() {
            self.begin(Plan::Rest, 0.5 + 2.0 * random.unit(), place);
        } else if self.held.0 > PATIENCE {
            // Whatever holds it, some other way leads out.
            if matches!(self.plan, Plan::Land(_)) {
                self.begin(Plan::TakeOff, 1.5, place);
            }
            self.held = (0, place);
            self.dodge(random.direction() + DVec3::Z * 0.5, random);
        } else if let Some(CloseFeature { normal, .. }) = features().next().copied()
            && self.dodges_for <= 0.0
        {
            // Away from it, and up unless that is where it is.
            let up = if normal.z > 0.3 { -0.3 } else { 1.0 };
            let aside = normal.any_orthonormal_vector() * (random.unit() - 0.5);
            self.dodge(DVec3::Z * up - normal + aside, random);
        }
        landed
    }

    /// What it is about, in a word.
    pub(super) fn plan(&self) -> &'static str {
        match self.plan {
            Plan::Fly(..) => "fly",
            Plan::Land(_) => "land",
            Plan::Rest => "rest",
            Plan::TakeOff => "take off",
        }
    }
}
