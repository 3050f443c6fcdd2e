//! A world that is told where its bodies are, and the same put together by hand: a broad phase and a test for each pair.

use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::broad_phase::BroadPhase;
use impinge::math::DVec3;
use impinge::world::{Body, Handle, World, WorldOptions};
use impinge::{Model, Placement};

use super::scene::{Moved, Scene};
use super::{CONTACT_DISTANCE, Found, Side};

/// [`World::teleport`] and [`World::step`].
pub(crate) struct ByWorld {
    world: World,
    handles: Vec<Handle>,
}

impl ByWorld {
    pub(crate) fn new(scene: &Scene) -> ByWorld {
        let options = WorldOptions::new().contact_distance(CONTACT_DISTANCE).parallel(false);
        let mut world = World::with_options(options);
        let model = Arc::new(Model::new(scene.mesh().clone()));
        let bodies = scene.bodies();
        let insert =
            |body: &Moved| world.insert(Body::moving(model.clone(), body.trs)).expect("a free place");
        let handles = bodies.iter().map(insert).collect();
        ByWorld { world, handles }
    }
}

impl Side for ByWorld {
    fn step(&mut self, moved: &[Moved]) {
        for body in moved {
            self.world.teleport(self.handles[body.index as usize], body.trs).expect("a body that is there");
        }
        self.world.step(&[]).expect("nothing that can fail");
    }

    fn found(&mut self, scene: &Scene) -> Found {
        let pairs = self.world.statistics().decided() as usize;
        self.world.clear_statistics();
        let contacts = self.world.contacts();
        let does_move = |handle: Handle| scene.does_move(handle.index());
        let contacts = contacts.iter().filter(|contact| contact.bodies.into_iter().any(does_move)).count();
        Found { pairs, contacts }
    }
}

/// [`BroadPhase`] and [`is_within`](impinge::Placed::is_within).
pub(crate) struct ByPairs {
    model: Model,
    places: Vec<Placement>,
    broad: BroadPhase,
    has_moved: Vec<bool>,
    found: Found,
}

impl ByPairs {
    pub(crate) fn new(scene: &Scene) -> ByPairs {
        let model = Model::new(scene.mesh().clone());
        let places: Vec<Placement> = scene.bodies().iter().map(|body| body.trs.into()).collect();
        let mut broad = BroadPhase::new();
        for (index, place) in (0..).zip(&places) {
            broad.insert(index, bounds(&model, place)).expect("a box that is new");
        }
        broad.step();
        let has_moved = vec![false; places.len()];
        ByPairs { model, places, broad, has_moved, found: Found::default() }
    }
}

/// Boxes that overlap where bodies may be in contact.
fn bounds(model: &Model, place: &Placement) -> Aabb {
    let Aabb { min, max } = model.at(*place).bounds();
    let half = DVec3::splat(CONTACT_DISTANCE / 2.0);
    Aabb { min: min - half, max: max + half }
}

impl Side for ByPairs {
    fn step(&mut self, moved: &[Moved]) {
        for body in moved {
            let place = Placement::from(body.trs);
            self.places[body.index as usize] = place;
            self.has_moved[body.index as usize] = true;
            self.broad.move_to(body.index, bounds(&self.model, &place)).expect("a box that is there");
        }
        self.found = Found::default();
        for pair in self.broad.step().pairs {
            let [a, b] = pair.ids().map(|index| index as usize);
            if self.has_moved[a] || self.has_moved[b] {
                let [placed_a, placed_b] = [a, b].map(|index| self.model.at(self.places[index]));
                self.found.pairs += 1;
                self.found.contacts += usize::from(placed_a.is_within(&placed_b, CONTACT_DISTANCE));
            }
        }
    }

    fn found(&mut self, _: &Scene) -> Found {
        self.found
    }
}
