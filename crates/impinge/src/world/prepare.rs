//! Preparing the models of bodies on all cores, before a step asks for them from all sides.

use std::ops::ControlFlow;

use super::World;
use crate::mesh::MaterialSet;
use crate::model::{Model, Purpose, prepare_all};

/// Deformables with fewer faces are left to the first query that asks: threads are no help, and perhaps nobody asks.
const MANY_FACES: usize = 1 << 13;

impl World {
    /// Prepares all bodies for moves and steps, on all cores: the first of them take no longer than the next then. Without it, a step
    /// prepares those that come near each other, and a single move makes what it needs on its own thread. It changes no answer.
    pub fn prepare(&mut self) {
        let all = self.bodies.iter().map(|(index, _)| index).collect();
        self.prepare_bodies(all);
    }

    /// Prepares those of some bodies that were not prepared since they came or were deformed, if threads are wanted.
    pub(super) fn prepare_fresh(&mut self, bodies: impl Iterator<Item = u32>) {
        let is_fresh = |index: &u32| self.bodies.get(*index).is_some_and(|body| !body.is_prepared);
        let fresh: Vec<u32> =
            if self.options.parallel { bodies.filter(is_fresh).collect() } else { Vec::new() };
        if !fresh.is_empty() {
            self.prepare_bodies(fresh);
        }
    }

    /// Prepares a body that has just come, if that is wanted at once. If it is the first to ignore a set of materials, no body is prepared for that.
    pub(super) fn prepare_one(&mut self, index: u32) {
        let ignored = self.body(index).ignored_materials();
        let is_new = !ignored.is_empty() && !self.ignored_sets.contains(&ignored);
        if is_new {
            self.ignored_sets.push(ignored);
            self.bodies.iter_mut().for_each(|body| body.is_prepared = false);
        }
        match (self.options.prepare_on_insert, is_new) {
            (true, true) => self.prepare(),
            (true, false) => self.prepare_bodies(vec![index]),
            (false, _) => {}
        }
    }

    fn prepare_bodies(&mut self, mut fresh: Vec<u32>) {
        fresh.sort_unstable();
        fresh.dedup();
        for &index in &fresh {
            let Some(body) = self.bodies.get_mut(index) else { continue };
            body.is_prepared = true;
            if let Some(deformable) = body.deformable_mut()
                && deformable.model().mesh().face_count() >= MANY_FACES
            {
                deformable.prepare(Purpose::BVH);
            }
        }
        let rigid = fresh.iter().map(|&index| self.body(index)).filter(|body| !body.is_deformable());
        let sets = [MaterialSet::NONE].into_iter().chain(self.ignored_sets.iter().copied());
        let models: Vec<&Model> = rigid
            .flat_map(|body| sets.clone().filter_map(|ignored| body.model().without_materials(ignored)))
            .collect();
        prepare_all(models, Purpose::SWEEPS, || ControlFlow::Continue(()));
    }
}
