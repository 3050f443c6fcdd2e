"""Compares the volumes that parts of scenes share, and their verdicts, with manifold3d.

    python shared_volumes.py SCENE…

All pairs of parts whose boxes overlap are asked, where manifold3d takes both parts for solids. Some open meshes end the process in manifold3d.
"""

import importlib
import itertools
import sys
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

import impinge

Array = NDArray[np.float64]


def solid(vertices: Array, triangles: NDArray[np.int64], is_mirrored: bool) -> Any:
    """A solid of manifold3d, whose vertices are welded by position; None where it takes it for none."""
    manifold: Any = importlib.import_module("manifold3d")
    corners, name_of = np.unique(vertices, axis=0, return_inverse=True)
    faces = name_of.reshape(-1)[triangles]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])]
    faces = faces[:, ::-1] if is_mirrored else faces
    made = manifold.Manifold(manifold.Mesh64(corners, np.ascontiguousarray(faces, dtype=np.uint64)))
    return made if made.status() == manifold.Error.NoError else None


def compare(path: str) -> None:
    warnings.simplefilter("ignore")
    parts = impinge.load(path)
    placed = [part.model.vertices @ part.pose[:3, :3].T + part.pose[:3, 3] for part in parts]
    low = np.array([vertices.min(axis=0) for vertices in placed])
    high = np.array([vertices.max(axis=0) for vertices in placed])
    # What rounding of the placed vertices may do, as a length.
    precision = 1e-15 * np.abs([low, high]).max()
    solids = [
        solid(vertices, part.model.triangles, bool(np.linalg.det(part.pose[:3, :3]) < 0.0))
        for vertices, part in zip(placed, parts, strict=True)
    ]
    pairs, off, wrong, most = 0, 0, 0, 0.0
    for a, b in itertools.combinations(range(len(parts)), 2):
        if solids[a] is None or solids[b] is None or (low[a] > high[b]).any() or (low[b] > high[a]).any():
            continue
        poses = parts[a].pose, parts[b].pose
        verdict = parts[a].model.verdict(parts[b].model, *poses)
        ours = parts[a].model.volume(parts[b].model, *poses)
        if ours is None:
            continue
        theirs = (solids[a] ^ solids[b]).volume()
        area = min(solids[a].surface_area(), solids[b].surface_area())
        # Slivers thinner than its tolerance manifold3d may lose.
        thin = precision + solids[a].get_tolerance() + solids[b].get_tolerance()
        tolerance = ours.error + 1e-6 * max(ours.volume, theirs) + 4.0 * area * thin
        difference = abs(ours.volume - theirs)
        pairs, most = pairs + 1, max(most, difference)
        off += difference > tolerance
        wrong += verdict in (impinge.Verdict.CLEAR, impinge.Verdict.TOUCHING) and theirs > tolerance
    solid_count = sum(made is not None for made in solids)
    print(f"{path}: {solid_count} of {len(parts)} parts, {pairs} pairs, {off} volumes and {wrong} verdicts differ, at most by {most:.1e}")


if __name__ == "__main__":
    for scene in sys.argv[1:]:
        compare(scene)
