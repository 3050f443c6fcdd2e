"""Collision detection for meshes: exact verdicts, distances, sweeps, contacts, depths and volumes.

>>> import impinge
>>> box = impinge.box([0, 0, 0], [1, 1, 1])
>>> box.verdict(box, pose_b=impinge.translation([0.5, 0, 0]))
<Verdict.OVERLAPPING: 2>
"""

from impinge._files import load, load_model
from impinge._impinge import Body, Model, Snapshot, Volume, World, __version__
from impinge._manager import CollisionManager, ContactData, DistanceData, scene_to_collision
from impinge._results import (
    BodyContact,
    BodyHit,
    BodyMove,
    BodyRayHit,
    BodySlide,
    ClosestPoints,
    Component,
    Contacts,
    Distance,
    Distances,
    Feature,
    FeatureKind,
    Features,
    IntersectionCurve,
    Part,
    Penetration,
    Penetrations,
    Phase,
    Polyline,
    RayHits,
    Separation,
    Separations,
    SharedVolume,
    SharedVolumes,
    Sweep,
    Sweeps,
    SweepStatus,
    Verdict,
    Witness,
    Witnesses,
    WorldStep,
)
from impinge._scene import Clashes, Scene
from impinge._shapes import ball, box, capsule, translation
from impinge._tables import Tables, pack
from impinge._view import View, view

__all__ = [
    "Body",
    "BodyContact",
    "BodyHit",
    "BodyMove",
    "BodyRayHit",
    "BodySlide",
    "Clashes",
    "ClosestPoints",
    "CollisionManager",
    "Component",
    "ContactData",
    "Contacts",
    "Distance",
    "DistanceData",
    "Distances",
    "Feature",
    "FeatureKind",
    "Features",
    "IntersectionCurve",
    "Model",
    "Part",
    "Penetration",
    "Penetrations",
    "Phase",
    "Polyline",
    "RayHits",
    "Scene",
    "Separation",
    "Separations",
    "SharedVolume",
    "SharedVolumes",
    "Snapshot",
    "Sweep",
    "SweepStatus",
    "Sweeps",
    "Tables",
    "Verdict",
    "View",
    "Volume",
    "Witness",
    "Witnesses",
    "World",
    "WorldStep",
    "__version__",
    "ball",
    "box",
    "capsule",
    "load",
    "load_model",
    "pack",
    "scene_to_collision",
    "translation",
    "view",
]
