"""Collision detection for meshes: exact verdicts, distances, sweeps, contacts, depths and volumes.

>>> import impinge
>>> box = impinge.box([0, 0, 0], [1, 1, 1])
>>> box.verdict(box, pose_b=impinge.translation([0.5, 0, 0]))
<Verdict.OVERLAPPING: 2>
"""

from impinge._files import load, load_model
from impinge._impinge import Model, __version__
from impinge._manager import CollisionManager, ContactData, DistanceData
from impinge._results import (
    ClosestPoints,
    Component,
    Contacts,
    Distance,
    Distances,
    Part,
    Penetration,
    Penetrations,
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
)
from impinge._scene import Clashes, Scene
from impinge._shapes import box, translation

__all__ = [
    "Clashes",
    "ClosestPoints",
    "CollisionManager",
    "Component",
    "ContactData",
    "Contacts",
    "Distance",
    "DistanceData",
    "Distances",
    "Model",
    "Part",
    "Penetration",
    "Penetrations",
    "RayHits",
    "Scene",
    "Separation",
    "Separations",
    "SharedVolume",
    "SharedVolumes",
    "Sweep",
    "SweepStatus",
    "Sweeps",
    "Verdict",
    "Witness",
    "Witnesses",
    "__version__",
    "box",
    "load",
    "load_model",
    "translation",
]
