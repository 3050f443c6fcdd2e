//! Characters: bodies that walk, climb stairs, fall, jump, crouch and stand on lifts.

use std::sync::Arc;

use super::{CharacterOptions, Ground, Handle, Slide, SlideOptions, World, WorldError};
use crate::model::Model;
use impinge_core::math::{DAffine3, DVec3, IntoPoint};
use impinge_core::transform::Placement;

/// A controller of a body in a world that walks: it slides along walls, climbs steps, keeps to the ground, and falls where there is none.
///
/// [`update`](Self::update) moves the body past others as they stand. Lifts carry it and doors push it in [`World::step`], as they do other bodies.
///
/// ```
/// use std::sync::Arc;
/// use impinge::world::{Body, Character, World};
/// use impinge::{Model, Trs, shapes};
///
/// let mut world = World::new();
/// world.insert(Body::fixed(Model::new(shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?), Trs::IDENTITY))?;
/// world.insert(Body::fixed(Model::new(shapes::cuboid([1.0, -9.0, 0.0], [9.0, 9.0, 0.2])?), Trs::IDENTITY))?;
/// // The origin is between its feet, exactly on the floor.
/// let shape = Arc::new(Model::new(shapes::cuboid([-0.3, -0.3, 0.0], [0.3, 0.3, 1.8])?));
/// let body = world.insert(Body::moving(shape, Trs::IDENTITY))?;
/// let mut character = Character::new(body);
/// for _ in 0..60 {
///     // 2 m/s for a second, up the step.
///     let step = character.update(&mut world, [2.0, 0.0, 0.0], 1.0 / 60.0)?;
///     assert!(step.is_grounded);
///     world.step(&[])?;
/// }
/// let place = world.get(body)?.placement().world_from_model().translation;
/// assert!((place.x - 2.0).abs() < 1e-6 && (place.z - 0.2).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "KinematicCharacterController")]
pub struct Character {
    body: Handle,
    options: CharacterOptions,
    /// The velocity upwards; negative in a fall.
    rising: f64,
    is_grounded: bool,
    /// The ground, and where it was after the last update.
    ground: Option<(Ground, Placement)>,
    /// The shape to stand up to, of one that crouches.
    upright: Option<Arc<Model>>,
}

/// The result of an update of a character.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct CharacterStep {
    /// The translation that was made.
    pub moved: DVec3,
    /// The placement of the body.
    pub placement: Placement,
    /// Whether the character stands on the ground.
    pub is_grounded: bool,
    /// The ground below: the body, the normal and the point. A character that is not grounded may slide down one that is too steep.
    pub ground: Option<Ground>,
    /// The velocity of the ground at that point since the last update; zero of a ground that was not the ground then.
    pub ground_velocity: DVec3,
    /// The bodies that were met, each once, with the normal from the character to the other.
    pub met: Vec<(Handle, DVec3)>,
    /// Whether the character took a step up.
    pub stepped: bool,
    /// Whether the body overlaps others by more than rounding, and stays where it is: see [`World::resolve_overlap`].
    pub started_overlapping: bool,
}

/// A jump that gets on by less than its way, but for this part of it, has met a ceiling.
const LEAST_LOSS: f64 = 1e-3;

impl Character {
    /// A character with default options that moves a body.
    pub fn new(body: Handle) -> Character {
        Character::with_options(body, CharacterOptions::default())
    }

    /// A character with given options that moves a body.
    pub fn with_options(body: Handle, options: CharacterOptions) -> Character {
        Character { body, options, rising: 0.0, is_grounded: false, ground: None, upright: None }
    }

    /// The body that the character moves.
    pub fn body(&self) -> Handle {
        self.body
    }

    /// The options of the character.
    pub fn options(&self) -> &CharacterOptions {
        &self.options
    }

    /// Sets the options from the next update on.
    pub fn set_options(&mut self, options: CharacterOptions) {
        self.options = options;
    }

    /// Whether the character stood on the ground after the last update.
    pub fn is_grounded(&self) -> bool {
        self.is_grounded
    }

    /// The ground after the last update.
    pub fn ground(&self) -> Option<&Ground> {
        self.ground.as_ref().map(|(ground, _)| ground)
    }

    /// The velocity upwards; negative in a fall, and zero on the ground.
    pub fn rising(&self) -> f64 {
        self.rising
    }

    /// Leaves the ground with a velocity upwards, whether there is one or not: ask [`is_grounded`](Self::is_grounded) before.
    pub fn jump(&mut self, velocity: f64) {
        (self.rising, self.is_grounded) = (velocity, false);
    }

    /// Moves the character for a time by the velocity that is wished for. Only the level part of that counts: it falls and jumps by itself.
    pub fn update(
        &mut self,
        world: &mut World,
        wish: impl IntoPoint,
        seconds: f64,
    ) -> Result<CharacterStep, WorldError> {
        let CharacterOptions { up, step_up, steepest, snap, gravity, planes } = self.options;
        let wish = wish.into_point();
        let level = (wish - up * wish.dot(up)) * seconds;
        let ground_velocity = self.ground_velocity(world, seconds);
        // A floor of just that angle is one, however it is rounded.
        let floor = (libm::cos(steepest.clamp(0.0, 89.0).to_radians()) - 1e-9).min(1.0 - 1e-9);
        let contact = world.options().contact_distance;
        let options = SlideOptions::new().up(up).floor(floor).planes(planes);
        let walks = self.is_grounded && self.rising <= 0.0;
        let rising = if walks { 0.0 } else { self.rising - gravity * seconds };
        let (by, options) = if walks {
            // On the way down the steepest slope it is farther to the ground, the faster it goes.
            let slope = (1.0 - floor * floor).sqrt() / floor;
            (
                self.along_ground(level),
                options.step_up(step_up).snap((snap + level.length() * slope).max(contact)),
            )
        } else {
            let rise = rising * seconds;
            // What leaves the ground slowly must not be put back on it.
            let snap = if rise > 0.0 { contact.min(0.5 * rise) } else { contact };
            (level + up * rise, options.snap(snap))
        };
        let mut slide = world.slide(self.body, by, &options)?;
        if slide.started_overlapping && world.resolve_overlap(self.body, contact)?.is_some() {
            // What was put where it just touches may overlap by rounding.
            slide = world.slide(self.body, by, &options)?;
        }
        // What was refused has changed nothing.
        self.rising = rising;
        if walks {
            self.is_grounded = slide.ground.is_some_and(|ground| !ground.is_steep);
        } else {
            self.land(&slide, by, seconds);
        }
        let place = |ground: Ground| Some((ground, *world.get(ground.body).ok()?.placement()));
        self.ground = slide.ground.and_then(place);
        let Slide { moved, placement, ground, met, stepped, started_overlapping } = slide;
        Ok(CharacterStep {
            moved,
            placement,
            is_grounded: self.is_grounded,
            ground,
            ground_velocity,
            met,
            stepped,
            started_overlapping,
        })
    }

    /// The way over the ground that is as long as a given one on the level.
    fn along_ground(&self, level: DVec3) -> DVec3 {
        let up = self.options.up;
        let Some((ground, _)) = self.ground.as_ref().filter(|(ground, _)| !ground.is_steep) else {
            return level;
        };
        let rise = ground.normal.dot(up);
        // An edge, on which a round foot stands, may be steeper than any floor.
        let steepest = libm::cos(self.options.steepest.to_radians()) - 1e-9;
        if rise < steepest { level } else { level - up * (level.dot(ground.normal) / rise) }
    }

    /// Ends a fall on the ground, or a jump at a ceiling.
    fn land(&mut self, slide: &Slide, by: DVec3, seconds: f64) {
        let up = self.options.up;
        let [asked, made] = [by.dot(up), slide.moved.dot(up)];
        if self.rising > 0.0 {
            // A ceiling ends the jump.
            if made < asked * (1.0 - LEAST_LOSS) && slide.met.iter().any(|(_, normal)| normal.dot(up) > 0.0) {
                self.rising = (made / seconds).clamp(0.0, self.rising);
            }
            return;
        }
        self.is_grounded = slide.ground.is_some_and(|ground| !ground.is_steep);
        self.rising = match self.is_grounded {
            true => 0.0,
            // A slope slows the fall.
            false if !slide.met.is_empty() && seconds > 0.0 => (made / seconds).clamp(self.rising, 0.0),
            false => self.rising,
        };
    }

    /// The velocity of the ground since the last update, at the point that was stood on.
    fn ground_velocity(&self, world: &World, seconds: f64) -> DVec3 {
        let Some((ground, before)) = &self.ground else { return DVec3::ZERO };
        let Ok(body) = world.get(ground.body) else { return DVec3::ZERO };
        let now: &DAffine3 = body.placement().world_from_model();
        if body.placement() == before || seconds <= 0.0 {
            return DVec3::ZERO;
        }
        let local = before.world_from_model().inverse().transform_point3(ground.point);
        (now.transform_point3(local) - ground.point) / seconds
    }

    /// Takes on a lower shape, and remembers the one to stand up to. Its feet should be where those of the other are. False, with nothing changed, where
    /// the exact test finds no room for it, or the body is deformable.
    pub fn crouch(&mut self, world: &mut World, low: impl Into<Arc<Model>>) -> Result<bool, WorldError> {
        let body = world.get(self.body)?;
        let Some(model) = body.rigid().cloned() else { return Ok(false) };
        let low = body.clone().with_model(low);
        if world.try_replace(self.body, low)?.is_none() {
            return Ok(false);
        }
        self.upright.get_or_insert(model);
        Ok(true)
    }

    /// Whether the character crouches.
    pub fn is_crouching(&self) -> bool {
        self.upright.is_some()
    }

    /// Stands up where there is room by the exact test; false, with nothing changed, where there is none.
    pub fn stand_up(&mut self, world: &mut World) -> Result<bool, WorldError> {
        let Some(upright) = &self.upright else { return Ok(true) };
        let body = world.get(self.body)?.clone().with_model(Arc::clone(upright));
        if world.try_replace(self.body, body)?.is_none() {
            return Ok(false);
        }
        self.upright = None;
        Ok(true)
    }
}
