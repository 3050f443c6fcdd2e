//! Changes of bodies that keep their handles: layers, kind, the user's number, or all of it.

use super::{Body, Call, CollisionLayers, Handle, Kind, World, WorldError};
use crate::mesh::MaterialSet;
use crate::query::{size_of, skin_for};

impl World {
    /// Sets the collision layers of a body. What touches it wakes up. If it overlaps others that it collides with from now on, they are listed by
    /// [`overlaps`](Self::overlaps); contacts that this begins and ends are told by the next [`step`](Self::step).
    pub fn set_layers(&mut self, handle: Handle, layers: CollisionLayers) -> Result<(), WorldError> {
        self.note(|| Call::SetLayers(handle, layers));
        self.alter(handle, |body| body.clone().in_layers(layers)).map(drop)
    }

    /// Sets the materials whose faces, of others, are not there for a body: see [`Body::ignoring_materials`]. What touches it wakes up. If it overlaps others
    /// that are there for it from now on, they are listed by [`overlaps`](Self::overlaps).
    pub fn set_ignored_materials(&mut self, handle: Handle, ignored: MaterialSet) -> Result<(), WorldError> {
        self.note(|| Call::SetIgnoredMaterials(handle, ignored));
        self.alter(handle, |body| body.clone().ignoring_materials(ignored)).map(drop)
    }

    /// Sets the kind of a body: what moved is fixed or a sensor from now on, or the other way round. What touches it wakes up, and so does the body, if it
    /// moves. If it overlaps others that it stops from now on, they are listed by [`overlaps`](Self::overlaps).
    pub fn set_kind(&mut self, handle: Handle, kind: Kind) -> Result<(), WorldError> {
        self.note(|| Call::SetKind(handle, kind));
        self.alter(handle, |body| body.clone().of_kind(kind)).map(drop)
    }

    /// Sets the user's number of a body. Nothing wakes up.
    pub fn set_data(&mut self, handle: Handle, data: u64) -> Result<(), WorldError> {
        self.note(|| Call::SetData(handle, data));
        let index = self.bodies.index_of(handle)?;
        let body = self.bodies.get_mut(index).ok_or(WorldError::Unknown { handle })?;
        body.set_data(data);
        if self.filter.is_some() {
            // The user's filter may read it.
            self.unseen.insert(index);
        }
        Ok(())
    }

    /// Puts a body in the place of another, which is returned: its handle names the new one. What touched the old one wakes up. If the new one overlaps
    /// others, they are listed by [`overlaps`](Self::overlaps).
    ///
    /// ```
    /// use impinge::world::{Body, World};
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let mut world = World::new();
    /// let standing = Model::new(shapes::cuboid([-0.3, -0.3, 0.0], [0.3, 0.3, 1.8])?);
    /// let player = world.insert(Body::moving(standing, Trs::IDENTITY).with_data(7))?;
    /// // The player crouches, and keeps its handle.
    /// let low = Model::new(shapes::cuboid([-0.3, -0.3, 0.0], [0.3, 0.3, 0.9])?);
    /// let place = *world.get(player)?.placement();
    /// let upright = world.replace(player, Body::moving(low, place).with_data(7))?;
    /// assert_eq!(upright.data(), world.get(player)?.data());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "get_mut")]
    #[doc(alias = "set_shape")]
    pub fn replace(&mut self, handle: Handle, body: Body) -> Result<Body, WorldError> {
        self.note(|| Call::Replace(handle, body.clone()));
        self.alter(handle, |_| body)
    }

    /// Puts a body in the place of another as [`replace`](Self::replace) does, if the exact test finds the new one free of all others, and returns the old one; `None`, with nothing
    /// changed, where it does not. So a player stands up only where there is room.
    #[doc(alias = "stand_up")]
    pub fn try_replace(&mut self, handle: Handle, body: Body) -> Result<Option<Body>, WorldError> {
        self.note(|| Call::TryReplace(handle, body.clone()));
        let index = self.bodies.index_of(handle)?;
        if !self.would_be_free(index, &body) {
            return Ok(None);
        }
        let old = self.alter(handle, |_| body)?;
        self.unseen.remove(index);
        Ok(Some(old))
    }

    /// Whether a body would overlap no other in the place of one.
    fn would_be_free(&self, index: u32, body: &Body) -> bool {
        let handle = self.bodies.handle(index);
        let mut near = Vec::new();
        self.broad.overlapping(&body.placed().bounds(), &mut near);
        near.into_iter().filter(|other| *other != index).all(|other| {
            let it = (self.bodies.handle(other), self.body(other));
            let is_stopped = body.is_solid()
                && it.1.is_solid()
                && body.may_meet(it.1)
                && self.filter.as_ref().is_none_or(|filter| {
                    if index < other { filter((handle, body), it) } else { filter(it, (handle, body)) }
                });
            !is_stopped || self.is_free_of(&body.facing(it.1), &it.1.facing(body))
        })
    }

    /// Puts what becomes of a body in its place, and gives the body back as it was.
    fn alter(
        &mut self,
        handle: Handle,
        become_other: impl FnOnce(&Body) -> Body,
    ) -> Result<Body, WorldError> {
        let index = self.bodies.index_of(handle)?;
        let margin = self.margin();
        let old = self.bodies.get_mut(index).ok_or(WorldError::Unknown { handle })?;
        let new = become_other(old).awake();
        self.broad.move_to(index, new.bounds(margin))?;
        self.wake_around(index);
        let is_moving = new.kind() == Kind::Moving;
        let old = self.bodies.get_mut(index).ok_or(WorldError::Unknown { handle })?;
        let old = std::mem::replace(old, new);
        let skin = skin_for(size_of(&self.body(index).placed()));
        self.skin = self.skin.max(skin.min(self.options.contact_distance / 8.0));
        if is_moving {
            self.awake.insert(index);
        } else {
            self.awake.remove(index);
        }
        self.wide.remove(index);
        self.kept.clear();
        self.changed.insert(index);
        self.unseen.insert(index);
        self.prepare_one(index);
        Ok(old)
    }
}
