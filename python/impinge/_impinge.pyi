"""Types of the extension.

A question about two models gives one answer for one pose, and arrays for a batch of poses. The types tell them apart where no pose is
given. Elsewhere the shape of an array decides, which types do not know, and the answer is `Any`: annotate it where you need to.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._results import (
    ClosestPoints,
    Component,
    Contacts,
    Distance,
    Part,
    Penetration,
    RayHits,
    Separation,
    SharedVolume,
    Verdict,
    Witness,
)

__all__ = [
    "Model",
    "_Report",
    "_restore",
    "_load",
    "_load_model",
    "_check_pose",
    "_clash",
    "_run",
    "__version__",
]

__version__: Final[str]

@final
class Model:
    def __new__(cls, vertices: Any, faces: ArrayLike | None = None) -> Model: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.int64]: ...
    @property
    def triangles(self) -> NDArray[np.int64]: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def face_count(self) -> int: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def components(self) -> list[Component]: ...
    def with_cracks_closed(self, tolerance: float) -> Model: ...
    def prepare(self) -> None: ...
    @overload
    def intersects(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, surface_only: bool = False
    ) -> bool: ...
    @overload
    def intersects(
        self,
        other: Model,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        surface_only: bool = False,
    ) -> Any: ...
    @overload
    def verdict(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, surface_only: bool = False
    ) -> Verdict: ...
    @overload
    def verdict(
        self,
        other: Model,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        surface_only: bool = False,
    ) -> Any: ...
    @overload
    def witness(self, other: Model, pose_a: None = None, pose_b: None = None) -> Witness | None: ...
    @overload
    def witness(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None
    ) -> Any: ...
    @overload
    def face_pairs(self, other: Model, pose_a: None = None, pose_b: None = None) -> NDArray[np.int64]: ...
    @overload
    def face_pairs(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None
    ) -> Any: ...
    @overload
    def distance(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, surface_only: bool = False
    ) -> Distance: ...
    @overload
    def distance(
        self,
        other: Model,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        surface_only: bool = False,
    ) -> Any: ...
    @overload
    def contacts(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, within: float = 0.0
    ) -> Contacts: ...
    @overload
    def contacts(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, *, within: float = 0.0
    ) -> Any: ...
    @overload
    def penetration(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, share: float = 0.01
    ) -> Penetration | None: ...
    @overload
    def penetration(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, *, share: float = 0.01
    ) -> Any: ...
    @overload
    def shared_volume(self, other: Model, pose_a: None = None, pose_b: None = None) -> SharedVolume | None: ...
    @overload
    def shared_volume(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None
    ) -> Any: ...
    @overload
    def separation(
        self, other: Model, pose_a: None = None, pose_b: None = None, *, at_most: float = ...
    ) -> Separation | None: ...
    @overload
    def separation(
        self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, *, at_most: float = ...
    ) -> Any: ...
    def sweep(
        self,
        other: Model,
        by: ArrayLike | None = None,
        to: ArrayLike | None = None,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        margin: float = 0.0,
    ) -> Any: ...
    def cast_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        pose: ArrayLike | None = None,
        *,
        max_t: ArrayLike | None = None,
        cull_back: bool = False,
    ) -> RayHits: ...
    def closest_points(self, points: ArrayLike, pose: ArrayLike | None = None) -> ClosestPoints: ...
    def signed_distance(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def winding_number(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, _memo: Any) -> Model: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

def _restore(
    vertices: NDArray[np.float64],
    corners: NDArray[np.uint32],
    counts: NDArray[np.uint32],
    labels: NDArray[np.uint32],
    groups: list[tuple[str, int]],
) -> Model: ...
def _load(path: str | os.PathLike[str]) -> tuple[list[Part], list[str]]: ...
def _load_model(path: str | os.PathLike[str]) -> tuple[Model, list[str]]: ...
def _check_pose(name: str, pose: ArrayLike) -> None: ...

@final
class _Report:
    def json(self) -> str: ...
    def csv(self) -> str: ...
    def html(self) -> str: ...
    def table(self) -> str: ...
    def bcf(self, version: str) -> bytes: ...

def _clash(
    title: str,
    unit: str | None,
    parts: Sequence[tuple[str, Model, ArrayLike | None, float | None, str | None, dict[str, str]]],
    options: Sequence[str],
    pictures: bool,
    progress: Callable[[int, int, int], object] | None,
) -> _Report: ...
def _run(arguments: Sequence[str]) -> int: ...
