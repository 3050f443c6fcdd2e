//! Bodies of a world.

use std::sync::Arc;

use crate::mesh::MaterialSet;
use crate::model::{Deformable, Model, Placed};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

/// A body of a world, a collider: a model, its placement, kind and layers.
#[doc(alias = "collider")]
#[derive(Clone, Debug)]
pub struct Body {
    shape: Shape,
    pub(super) placement: Placement,
    kind: Kind,
    layers: CollisionLayers,
    ignored_materials: MaterialSet,
    data: u64,
    /// Whether the body sleeps, since nothing of its island moves.
    pub(super) is_asleep: bool,
    /// The number of steps for which the body has not moved.
    pub(super) still_for: u32,
    /// Whether the model was prepared for steps since its vertices last moved.
    pub(super) is_prepared: bool,
}

/// The kind of a body: fixed, moving, a sensor or kinematic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Kind {
    /// A body that stands still and stops others: ground, walls.
    Fixed,
    /// A body that moves, stops others and is stopped.
    Moving,
    /// A body that stops nothing and is stopped by nothing: it tells which bodies are in it.
    Sensor,
    /// A body that moves as it is told, carries what stands on it and pushes what is in its way: a lift, a door, a platform. Of two that meet in a step, the one with
    /// the lower handle has the right of way: it pushes the other.
    Kinematic,
}

/// Collision layers, which decide what bodies collide at all: those of which each is in a layer of the other's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct CollisionLayers {
    /// The layers that the body is in.
    pub memberships: u32,
    /// The layers that the body collides with.
    pub mask: u32,
}

impl Default for CollisionLayers {
    /// The first layer, with a mask of all layers.
    fn default() -> CollisionLayers {
        CollisionLayers { memberships: 1, mask: u32::MAX }
    }
}

impl CollisionLayers {
    /// Whether bodies of these layers collide.
    #[inline]
    pub fn meet(self, other: CollisionLayers) -> bool {
        self.memberships & other.mask != 0 && other.memberships & self.mask != 0
    }
}

#[derive(Clone, Debug)]
enum Shape {
    Rigid(Arc<Model>),
    Deformable(Box<Deformable>),
}

impl Body {
    fn new(shape: Shape, placement: Placement, kind: Kind) -> Body {
        Body {
            shape,
            placement,
            kind,
            layers: CollisionLayers::default(),
            ignored_materials: MaterialSet::NONE,
            data: 0,
            is_asleep: false,
            still_for: 0,
            is_prepared: false,
        }
    }

    /// A body that stands still: the ground, a wall. Many may share one model.
    pub fn fixed(model: impl Into<Arc<Model>>, at: impl Into<Placement>) -> Body {
        Body::new(Shape::Rigid(model.into()), at.into(), Kind::Fixed)
    }

    /// A body that moves.
    pub fn moving(model: impl Into<Arc<Model>>, at: impl Into<Placement>) -> Body {
        Body::new(Shape::Rigid(model.into()), at.into(), Kind::Moving)
    }

    /// A body that moves as it is told, carries what stands on it and pushes what is in its way: a lift, a door, a platform. Fixed bodies stop it, and what
    /// it overlaps holds it fast: a door that slides into a wall has [layers](Self::in_layers) in which it does not meet the wall.
    pub fn kinematic(model: impl Into<Arc<Model>>, at: impl Into<Placement>) -> Body {
        Body::new(Shape::Rigid(model.into()), at.into(), Kind::Kinematic)
    }

    /// A body that tells which bodies are in it, and stops nothing.
    #[doc(alias = "trigger")]
    pub fn sensor(model: impl Into<Arc<Model>>, at: impl Into<Placement>) -> Body {
        Body::new(Shape::Rigid(model.into()), at.into(), Kind::Sensor)
    }

    /// A body whose vertices move.
    pub fn deformable(deformable: Deformable, at: impl Into<Placement>) -> Body {
        Body::new(Shape::Deformable(Box::new(deformable)), at.into(), Kind::Moving)
    }

    /// Sets the collision layers.
    pub fn in_layers(self, layers: CollisionLayers) -> Body {
        Body { layers, ..self }
    }

    /// Sets materials whose faces, of other bodies, are not there for this one: a bullet passes through glass that stops players. Layers decide first, and
    /// for the whole of two bodies.
    ///
    /// For this body the others are [models without these faces](Model::without_materials), in moves, steps, exact tests and contacts alike; an other
    /// that is left without a face does not collide with it. The invariant of the world is about the faces that are left.
    pub fn ignoring_materials(self, ignored_materials: MaterialSet) -> Body {
        Body { ignored_materials, ..self }
    }

    /// Sets a number of the user's.
    pub fn with_data(self, data: u64) -> Body {
        Body { data, ..self }
    }

    /// Sets the model: what was deformable is so no more.
    #[doc(alias = "set_shape")]
    pub fn with_model(self, model: impl Into<Arc<Model>>) -> Body {
        Body { shape: Shape::Rigid(model.into()), is_prepared: false, ..self }
    }

    /// Sets the kind: fixed, moving, a sensor or kinematic.
    pub fn of_kind(self, kind: Kind) -> Body {
        Body { kind, ..self }
    }

    pub(super) fn set_data(&mut self, data: u64) {
        self.data = data;
    }

    /// The model that bodies may share; none of a deformable.
    #[cfg(feature = "serde")]
    pub(super) fn shared_model(&self) -> Option<&Arc<Model>> {
        match &self.shape {
            Shape::Rigid(model) => Some(model),
            Shape::Deformable(_) => None,
        }
    }

    /// The body awake, as one that has just come.
    pub(super) fn awake(self) -> Body {
        Body { is_asleep: false, still_for: 0, is_prepared: false, ..self }
    }

    /// The model as it is now.
    #[inline]
    pub fn model(&self) -> &Model {
        match &self.shape {
            Shape::Rigid(model) => model,
            Shape::Deformable(deformable) => deformable.model(),
        }
    }

    /// The model of a body that is not deformable.
    pub(super) fn rigid(&self) -> Option<&Arc<Model>> {
        match &self.shape {
            Shape::Rigid(model) => Some(model),
            Shape::Deformable(_) => None,
        }
    }

    /// The placement of the body in the world.
    #[inline]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The body's model, placed in the world.
    #[inline]
    pub fn placed(&self) -> Placed<'_> {
        self.model().at(self.placement)
    }

    /// The kind of the body.
    #[inline]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The collision layers of the body.
    #[inline]
    pub fn layers(&self) -> CollisionLayers {
        self.layers
    }

    /// The materials whose faces, of other bodies, are not there for this one.
    #[inline]
    pub fn ignored_materials(&self) -> MaterialSet {
        self.ignored_materials
    }

    /// The body's model, placed in the world, as another body finds it: without the faces that the other ignores. `None` where no face is left.
    #[inline]
    pub fn placed_for(&self, other: &Body) -> Option<Placed<'_>> {
        self.placed().without_materials(other.ignored_materials)
    }

    /// The body as one finds it that [collides](Self::may_meet) with it.
    #[inline]
    pub(super) fn facing(&self, other: &Body) -> Placed<'_> {
        self.placed_for(other).unwrap_or_else(|| self.placed())
    }

    /// The user's number.
    #[inline]
    pub fn data(&self) -> u64 {
        self.data
    }

    /// Whether the body sleeps: it has not moved for a while, and neither has anything that it touches.
    #[inline]
    pub fn is_asleep(&self) -> bool {
        self.is_asleep
    }

    /// Whether the body's vertices can be moved.
    pub fn is_deformable(&self) -> bool {
        matches!(self.shape, Shape::Deformable(_))
    }

    /// Whether the body stops others.
    #[inline]
    pub(super) fn is_solid(&self) -> bool {
        self.kind != Kind::Sensor
    }

    /// Whether the two have anything to do with each other, before users are asked.
    #[inline]
    pub(super) fn may_meet(&self, other: &Body) -> bool {
        let is_still = |body: &Body| body.kind == Kind::Fixed;
        self.layers.meet(other.layers)
            && !(is_still(self) && is_still(other))
            && (self.is_solid() || other.is_solid())
            && (self.ignored_materials.is_empty() || other.placed_for(self).is_some())
            && (other.ignored_materials.is_empty() || self.placed_for(other).is_some())
    }

    pub(super) fn deformable_mut(&mut self) -> Option<&mut Deformable> {
        match &mut self.shape {
            Shape::Rigid(_) => None,
            Shape::Deformable(deformable) => Some(deformable),
        }
    }

    /// The body's box in the world, enlarged by `margin` on all sides.
    pub(super) fn bounds(&self, margin: f64) -> Aabb {
        grown(self.placed().bounds(), margin)
    }
}

/// A box that is larger by `margin` on all sides.
pub(super) fn grown(bounds: Aabb, margin: f64) -> Aabb {
    Aabb { min: bounds.min - DVec3::splat(margin), max: bounds.max + DVec3::splat(margin) }
}
