"""Shapes and a pose that examples and tests begin with."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._impinge import Model, _restore

# The corners in binary: x is the first bit, y the second, z the third.
_FACES = np.array(
    [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6],
        [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7],
        [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ],
    dtype=np.int64,
)  # fmt: skip


def box(low: ArrayLike, high: ArrayLike) -> Model:
    """A solid box with faces along the axes.

    >>> import impinge
    >>> impinge.box([0, 0, 0], [1, 2, 3])
    <impinge.Model: 8 vertices, 12 faces, closed>
    """
    corners = np.stack([np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)])
    if corners.shape != (2, 3) or not (corners[0] < corners[1]).all():
        raise ValueError("low and high must have three coordinates each, and low must be less in all of them")
    sides = np.array([[corner & 1, corner >> 1 & 1, corner >> 2] for corner in range(8)])
    return Model(corners[sides, [0, 1, 2]], _FACES)


def ball(radius: float) -> Model:
    """A ball around the origin, whose touching is decided exactly.

    >>> import impinge
    >>> impinge.ball(2.5).verdict(impinge.ball(2.5), pose_b=impinge.translation([3, 4, 0]))
    <Verdict.TOUCHING: 1>
    """
    return _around(np.zeros((1, 3)), radius)


def capsule(start: ArrayLike, end: ArrayLike, radius: float) -> Model:
    """A capsule: all points within a radius of a segment.

    >>> import impinge
    >>> player = impinge.capsule([0, 0, 0.5], [0, 0, 1.5], 0.5)
    >>> floor = impinge.box([-9, -9, -1], [9, 9, 0])
    >>> player.verdict(floor)
    <Verdict.TOUCHING: 1>
    """
    ends = np.stack([np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)])
    if ends.shape != (2, 3):
        raise ValueError("start and end must have three coordinates each")
    return _around(ends, radius)


def _around(points: NDArray[np.float64], radius: float) -> Model:
    """The ball around one point, or the capsule around two: a core of one face with as many corners."""
    corners = np.arange(len(points), dtype=np.uint32)
    counts = np.array([len(points)], dtype=np.uint32)
    return _restore(points, corners, counts, None, []).rounded(radius)


def translation(by: ArrayLike) -> NDArray[np.float64]:
    """The pose of a model that is moved by a vector and not turned, (4, 4).

    >>> import impinge
    >>> impinge.translation([1, 2, 3])[:, 3]
    array([1., 2., 3., 1.])
    """
    pose = np.eye(4)
    vector = np.asarray(by, dtype=np.float64)
    if vector.shape != (3,):
        raise ValueError(f"by has the shape {vector.shape}, but must have (3,)")
    pose[:3, 3] = vector
    return pose
