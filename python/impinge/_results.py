"""Answers: tuples with names, for one pose and for batches of k poses."""

from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from impinge._impinge import Body, Model

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Codes = NDArray[np.uint8]


class Verdict(IntEnum):
    """How two models stand to each other."""

    CLEAR = 0
    """They share no point."""
    TOUCHING = 1
    """They share points, but neither in their interiors nor with crossing faces."""
    OVERLAPPING = 2
    """Faces cross, or interiors overlap and neither contains the other."""
    A_INSIDE_B = 3
    """The first model lies inside of the second."""
    B_INSIDE_A = 4
    """The second model lies inside of the first."""


class SweepStatus(IntEnum):
    """The outcome of a motion."""

    CLEAR = 0
    """The motion goes through to its end."""
    HIT = 1
    """The motion is stopped."""
    STARTED_OVERLAPPING = 2
    """The two models overlap before anything moves."""


class Phase(IntEnum):
    """The part of a motion in which a model is stopped."""

    NONE = 0
    """It is not stopped on the way."""
    TRANSLATION = 1
    """It moves along a line."""
    ROTATION = 2
    """It turns about an axis."""
    RIGID = 3
    """It moves along a line and turns at once."""


class FeatureKind(IntEnum):
    """The kind of a feature."""

    NONE = 0
    """There is none: a point inside of a solid."""
    VERTEX = 1
    """A vertex."""
    EDGE = 2
    """An edge between two vertices."""
    FACE = 3
    """The inside of a face."""


class Feature(NamedTuple):
    """A vertex, an edge or a face of a model."""

    kind: FeatureKind
    """Which of them."""
    vertices: Integers
    """The vertex, or both ends of the edge, (2,); -1 where there is none."""
    face: int
    """The face, or one along the edge; -1 of a vertex."""


class Features(NamedTuple):
    """Features of a model, one for each of k answers."""

    kind: Codes
    """The numbers of `FeatureKind`, (k,)."""
    vertices: Integers
    """The vertices, (k, 2); -1 where there is none."""
    face: Integers
    """The faces, (k,); -1 where there is none."""


class Distance(NamedTuple):
    """The minimum distance of two models."""

    distance: float
    """The distance; 0 exactly where the two intersect."""
    point_on_a: Floats
    """The closest point of the first model, (3,)."""
    point_on_b: Floats
    """The closest point of the second model, (3,)."""
    face_a: int
    """A face of the first model at its point; -1 for a point inside of a solid."""
    face_b: int
    """A face of the second model at its point; -1 for a point inside of a solid."""
    feature_a: Feature
    """The feature of the first model that its point lies on."""
    feature_b: Feature
    """The feature of the second model that its point lies on."""


class Distances(NamedTuple):
    """The minimum distances of two models in k poses."""

    distance: Floats
    """The distances, (k,)."""
    point_on_a: Floats
    """The closest points of the first model, (k, 3)."""
    point_on_b: Floats
    """The closest points of the second model, (k, 3)."""
    face_a: Integers
    """Faces of the first model at its points, (k,); -1 for points inside of a solid."""
    face_b: Integers
    """Faces of the second model at its points, (k,); -1 for points inside of a solid."""
    feature_a: Features
    """The features of the first model that its points lie on."""
    feature_b: Features
    """The features of the second model that its points lie on."""


class Witness(NamedTuple):
    """A point that two models share."""

    point: Floats
    """The point, (3,)."""
    faces: Integers
    """A face of each model that intersect there, (2,); -1 where only interiors do."""


class Witnesses(NamedTuple):
    """Points that two models share in k poses; NaN where they share none."""

    point: Floats
    """The points, (k, 3)."""
    faces: Integers
    """A face of each model that intersect there, (k, 2); -1 where there is none."""


class Sweep(NamedTuple):
    """How far a model comes before it touches another."""

    status: SweepStatus
    """The outcome."""
    fraction: float
    """The time of impact, from 0 to 1: never later than the first true touch."""
    pose: Floats
    """The pose of the moving model at the stop, (4, 4): it was tested to be free."""
    point_on_moving: Floats | None
    """The point of the moving model that is stopped; None without a hit."""
    point_on_stationary: Floats | None
    """The point of the other model that stops it; None without a hit."""
    normal: Floats | None
    """The unit normal from the moving model to the other; None without a hit."""
    wedged: bool
    """Whether the model starts touching and would slide, but no lift frees it."""
    phase: Phase
    """The part of the motion in which the model is stopped."""
    feature_moving: Feature
    """The feature of the moving model that is stopped."""
    feature_stationary: Feature
    """The feature of the other model that stops it."""
    bound: float
    """The two are no farther apart at the stop; 0 without a hit."""
    lift: Floats | None
    """The translation by which a model was lifted off that starts touching and slides; None where it was not."""


class Sweeps(NamedTuple):
    """How far a model comes in k motions; without a hit, points and normals are NaN."""

    status: Codes
    """The numbers of `SweepStatus`, (k,)."""
    fraction: Floats
    """The times of impact, (k,)."""
    pose: Floats
    """The poses at the stops, (k, 4, 4)."""
    point_on_moving: Floats
    """The points of the moving model, (k, 3)."""
    point_on_stationary: Floats
    """The points of the other model, (k, 3)."""
    normal: Floats
    """The unit normals from the moving model to the other, (k, 3)."""
    wedged: Booleans
    """Whether no lift frees the model, (k,)."""
    phase: Codes
    """The numbers of `Phase`, (k,)."""
    feature_moving: Features
    """The features of the moving model that are stopped."""
    feature_stationary: Features
    """The features of the other model that stop it."""
    bound: Floats
    """The two are no farther apart at the stops, (k,); 0 without a hit."""
    lift: Floats
    """The translations by which the model was lifted off, (k, 3); NaN where it was not."""


class Contacts(NamedTuple):
    """The n places where two models touch, nearly touch or overlap."""

    points_on_a: Floats
    """The points of the first model, (n, 3)."""
    points_on_b: Floats
    """The points of the second model, (n, 3)."""
    normals: Floats
    """The unit normals from the first to the second, (n, 3)."""
    distances: Floats
    """The distances of the points, (n,): negative for models that overlap."""
    features_a: Features
    """The features of the first model that its points lie on."""
    features_b: Features
    """The features of the second model that its points lie on."""


class Polyline(NamedTuple):
    """A piece of an intersection curve."""

    points: Floats
    """The corners in the world, in order, (n, 3). The first is not repeated at the end of a closed one."""
    closed: bool
    """Whether the last corner is joined to the first."""
    coplanar: bool
    """Whether it bounds a patch in which faces of both models lie in one plane."""


class IntersectionCurve(NamedTuple):
    """The curve along which the surfaces of two models intersect."""

    polylines: list[Polyline]
    """Its pieces."""
    faces_a: Integers
    """The faces of the first model that intersect a face of the second, ascending."""
    faces_b: Integers
    """The faces of the second model that intersect a face of the first, ascending."""


class Penetration(NamedTuple):
    """How deep two models reach into each other, as an interval."""

    at_least: float
    """A point that is so deep was found."""
    at_most: float
    """No point is deeper."""
    point: Floats | None
    """The deepest point that was found; None where nothing lies inside by more than rounding."""
    nearest: Floats | None
    """The nearest point of the other's surface to it."""
    of_second: bool
    """Whether the deepest point belongs to the second model, and lies inside of the first."""
    limited_by_thickness: bool
    """Whether more depth does not fit into the thickness of the other."""
    is_narrow: bool
    """Whether the interval is as narrow as was asked."""


class Penetrations(NamedTuple):
    """How deep two models reach into each other in k poses."""

    at_least: Floats
    """The lower bounds of the depths, (k,)."""
    at_most: Floats
    """The upper bounds of the depths, (k,)."""
    point: Floats
    """The deepest points, (k, 3)."""
    nearest: Floats
    """The nearest points of the other's surface, (k, 3)."""
    of_second: Booleans
    """Whether the deepest points belong to the second model, (k,)."""
    limited_by_thickness: Booleans
    """Whether more depth does not fit into the thickness of the other, (k,)."""
    is_narrow: Booleans
    """Whether the intervals are as narrow as was asked, (k,)."""


class SharedVolume(NamedTuple):
    """The volume that two solids share."""

    volume: float
    """The volume."""
    error: float
    """A bound on what rounding may do to it."""
    is_estimated: bool
    """Whether a solid crosses itself there, so that points may count more than once."""
    bounds: Floats
    """A box around what is shared, (2, 3)."""


class SharedVolumes(NamedTuple):
    """The volumes that two solids share in k poses."""

    volume: Floats
    """The volumes, (k,)."""
    error: Floats
    """Bounds on what rounding may do to them, (k,)."""
    is_estimated: Booleans
    """Whether points may count more than once, (k,)."""
    bounds: Floats
    """Boxes around what is shared, (k, 2, 3)."""


class Separation(NamedTuple):
    """A move of the first model after which the two do not overlap."""

    direction: Floats
    """The direction of the move, a unit vector, (3,)."""
    distance: float
    """The length of the move."""
    pose: Floats
    """The pose of the first model after the move, (4, 4), which was tested."""


class Separations(NamedTuple):
    """Moves of the first model in k poses, after which the two do not overlap."""

    direction: Floats
    """The directions, (k, 3)."""
    distance: Floats
    """The lengths, (k,)."""
    pose: Floats
    """The poses after the moves, (k, 4, 4)."""


class RayHits(NamedTuple):
    """The nearest hits of n rays."""

    t: Floats
    """The times, in multiples of the directions, (n,); infinite where a ray hits nothing."""
    faces: Integers
    """The faces, (n,); -1 where a ray hits nothing."""
    points: Floats
    """The points, (n, 3); NaN where a ray hits nothing."""
    normals: Floats
    """The unit normals of the faces, (n, 3); NaN where there is none."""


class ClosestPoints(NamedTuple):
    """The points of a surface that are closest to n points."""

    distances: Floats
    """The distances, (n,)."""
    points: Floats
    """The closest points, (n, 3)."""
    faces: Integers
    """A face of the model at each of them, (n,)."""


class Component(NamedTuple):
    """Faces of a model that hang together by their edges."""

    faces: Integers
    """The faces, ascending."""
    is_closed: bool
    """Whether the component is a solid."""
    is_inverted: bool
    """Whether the faces of a solid look inward."""
    bounds: Floats
    """The least box around it, (2, 3)."""


class Part(NamedTuple):
    """A model of a file, and where it stands."""

    name: str
    """The path in the file, or the name of a file that is one mesh."""
    model: "Model"
    """The model in its own frame. Copies share it."""
    pose: Floats
    """The matrix from the frame of the model to that of the file, (4, 4)."""
    rounding: float = 0.0
    """How far its points may be off in the frame of the file, because of how they are stored."""
    ifc_class: str | None = None
    """Its class, such as `IfcWall`, where the file has one."""
    properties: Mapping[str, str] = {}
    """Its properties in the file: `Pset_WallCommon.IsExternal`."""


class BodyHit(NamedTuple):
    """A body of a world that stops another."""

    body: "Body"
    """The body that was hit."""
    point: Floats | None
    """The point of it that was hit, (3,); None where the two overlap."""
    normal: Floats | None
    """The unit normal from the moving body to this one, (3,); None where the two overlap."""


class BodyRayHit(NamedTuple):
    """The first body of a world that a ray hits."""

    body: "Body"
    """The body."""
    t: float
    """The time, in multiples of the direction."""
    face: int
    """The face of the body."""
    point: Floats
    """The point, (3,)."""
    normal: Floats | None
    """The unit normal of the face, (3,); None where it has no area."""


class BodyMove(NamedTuple):
    """How far a body of a world came."""

    body: "Body"
    """The body that moved."""
    status: SweepStatus
    """The outcome. A body that starts overlapping stays where it is."""
    fraction: float
    """The time of impact, from 0 to 1: never later than the first true touch."""
    pose: Floats
    """The pose after the move, (4, 4): it was tested to be free of all others."""
    hits: list[BodyHit]
    """The bodies that stop it, or that it overlaps."""
    wedged: bool
    """Whether the body touches others and would slide, but no lift frees it of all."""


class BodySlide(NamedTuple):
    """How far a body of a world came along what it hits."""

    pose: Floats
    """The pose after the slide, (4, 4)."""
    moved: Floats
    """The translation that was made, (3,)."""
    met: "list[tuple[Body, Floats]]"
    """The bodies that were hit, each once, with the normal from the moving body."""
    stepped: bool
    """Whether the body took a step up."""
    started_overlapping: bool
    """Whether the body overlaps others from the start: then it stays where it is."""
    ground: "Ground | None"
    """The ground below, where `snap` looks for it."""


class Ground(NamedTuple):
    """The ground below a body."""

    body: "Body"
    """The body that is the ground."""
    normal: Floats
    """The unit normal of the contact, from the ground to the body that stands on it, (3,)."""
    point: Floats
    """The point of the ground that is touched, (3,)."""
    is_steep: bool
    """Whether the ground is too steep to stand on."""


class CharacterStep(NamedTuple):
    """What happened in an update of a character."""

    moved: Floats
    """The translation that was made, (3,)."""
    pose: Floats
    """The pose of the body, (4, 4)."""
    is_grounded: bool
    """Whether the character stands on the ground."""
    ground: Ground | None
    """The ground below. A character that is not grounded may slide down one that is too steep."""
    ground_velocity: Floats
    """The velocity of the ground at that point since the last update, (3,)."""
    met: "list[tuple[Body, Floats]]"
    """The bodies that were met, each once, with the normal from the character."""
    stepped: bool
    """Whether the character took a step up."""
    started_overlapping: bool
    """Whether the body overlaps others by more than rounding, and stays where it is."""


class BodyContact(NamedTuple):
    """Two bodies of a world in contact."""

    bodies: "tuple[Body, Body]"
    """The bodies, the lesser first."""
    is_sensed: bool
    """Whether one of them is a sensor."""


class Crushed(NamedTuple):
    """A body that had no room to give way to a kinematic one, which went on through it."""

    by: "Body"
    """The kinematic body."""
    body: "Body"
    """The body that was crushed."""
    time: float
    """The time of the step at which it was, from 0 to 1."""


class WorldStep(NamedTuple):
    """What happened in a step of a world."""

    moves: list[BodyMove]
    """The moves, in the order in which they were asked for."""
    carried: list[BodyMove]
    """The moves of other bodies that kinematic ones carried or pushed."""
    began: list[BodyContact]
    """Contacts that were not there after the step before."""
    ended: list[BodyContact]
    """Contacts that are no more."""
    asleep: "list[Body]"
    """Bodies that fell asleep."""
    crushed: list[Crushed]
    """Bodies that kinematic ones crushed, where `crush` has them do so."""
