"""Meshes of other packages whose faces are no plain array: those of meshio, and tensors of Open3D."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The corners of each face of a cell, counter-clockwise seen from outside, as VTK numbers them.
_SURFACES = {
    "triangle": [[0, 1, 2]],
    "quad": [[0, 1, 2, 3]],
}
_SOLIDS = {
    "tetra": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    "pyramid": [[0, 3, 2, 1], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
    "wedge": [[0, 1, 2], [3, 5, 4], [0, 3, 4, 1], [1, 4, 5, 2], [2, 5, 3, 0]],
    "hexahedron": [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]],
}
# Points, lines and the like have no faces.
_NOTHING = ("vertex", "line")

Faces = list[list[int]]


def arrays(mesh: Any) -> tuple[Any, NDArray[np.int64]] | None:
    """The vertices and triangles of a mesh; None where it has neither."""
    if hasattr(mesh, "points") and hasattr(mesh, "cells"):
        return mesh.points, _triangles(mesh.cells)
    # Open3D's meshes of tensors have tables of attributes.
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        return mesh.vertex["positions"].numpy(), mesh.triangle["indices"].numpy()
    return None


def _triangles(blocks: Any) -> NDArray[np.int64]:
    """The faces of cells: of surfaces all, of solids those that no two of them share. Those of more than three corners are fans."""
    faces: Faces = []
    skin: dict[tuple[int, ...], list[int] | None] = {}
    for number, block in enumerate(blocks):
        cells = np.asarray(block.data, dtype=np.int64)
        if block.type in _SURFACES:
            faces += [[cell[corner] for corner in face] for cell in cells.tolist() for face in _SURFACES[block.type]]
        elif block.type == "polygon":
            faces += cells.tolist()
        elif block.type in _SOLIDS:
            for cell in cells.tolist():
                for corners in _SOLIDS[block.type]:
                    face = [cell[corner] for corner in corners]
                    key = tuple(sorted(face))
                    # The second of two cells takes the face away again.
                    skin[key] = face if key not in skin else None
        elif not block.type.startswith(_NOTHING):
            raise ValueError(f"cells[{number}] are of the type {block.type!r}, which is not read")
    faces += [face for face in skin.values() if face is not None]
    fans = [[face[0], face[i], face[i + 1]] for face in faces for i in range(1, len(face) - 1)]
    return np.array(fans, dtype=np.int64).reshape(-1, 3)


def with_seams_closed(vertices: NDArray[np.float64], faces: NDArray[np.int64], tolerance: float) -> NDArray[np.int64]:
    """The faces, and triangles without area behind them where an edge meets several shorter ones along the same line.

    Kernels of CAD leave such triangles out, and a solid without them has open edges though it has no gap. Lines are the same up to the tolerance.
    """
    _, first, same = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    corners = same.reshape(-1)[faces]
    edges = corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges = edges[edges[:, 0] != edges[:, 1]]
    count = len(first)
    keys, times = np.unique(edges[:, 0] * count + edges[:, 1], return_counts=True)
    opposite = keys % count * count + keys // count
    place = np.clip(np.searchsorted(keys, opposite), 0, len(keys) - 1)
    lacking = times - np.where(keys[place] == opposite, times[place], 0)
    ahead: dict[int, list[int]] = {}
    for key, lack in zip(opposite[lacking > 0].tolist(), lacking[lacking > 0].tolist(), strict=True):
        ahead.setdefault(key // count, []).extend([key % count] * lack)
    points = vertices[first]
    filled = []
    for start in sorted(ahead):
        while ahead[start]:
            loop = _loop_along_line(points, ahead, start, tolerance)
            filled += [[first[loop[0]], first[loop[i]], first[loop[i + 1]]] for i in range(1, len(loop) - 1)]
    return np.vstack([faces, np.array(filled, dtype=np.int64)]) if filled else faces


def _loop_along_line(points: NDArray[np.float64], ahead: dict[int, list[int]], start: int, tolerance: float) -> list[int]:
    """Takes the first of the edges that lack, and those after it that lead back along the same line; none but the first where they do not."""
    here = ahead[start].pop(0)
    direction = points[here] - points[start]
    direction = direction / np.linalg.norm(direction)
    loop, taken = [start], []
    while here != start:
        loop.append(here)
        for choice, there in enumerate(ahead.get(here, [])):
            along = points[there] - points[start]
            if np.linalg.norm(along - along @ direction * direction) <= tolerance:
                taken.append((here, there))
                here = ahead[here].pop(choice)
                break
        else:
            # What was taken may belong to another loop.
            for end, there in taken:
                ahead[end].append(there)
            return []
    return loop
