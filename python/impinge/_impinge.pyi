"""Types of the extension.

A question about two models gives one answer for one pose, and arrays for a batch of poses. The types tell them apart where no pose is
given. Elsewhere the shape of an array decides, which types do not know, and the answer is `Any`: annotate it where you need to.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._results import (
    BodyContact,
    BodyMove,
    BodyRayHit,
    BodySlide,
    CharacterStep,
    ClosestPoints,
    Component,
    Contacts,
    Distance,
    Ground,
    IntersectionCurve,
    Part,
    Penetration,
    RayHits,
    Separation,
    SharedVolume,
    Sweep,
    Verdict,
    Witness,
    WorldStep,
)

__all__ = [
    "Model",
    "_restore",
    "_load",
    "_load_model",
    "_check_pose",
    "_model_page",
    "_pair_page",
    "Volume",
    "_restore_volume",
    "World",
    "Body",
    "Character",
    "Snapshot",
    "_Report",
    "_clash",
    "_Packer",
    "_StoredScene",
    "_Search",
    "_facts",
    "_check_tile",
    "_run",
    "__version__",
]

__version__: Final[str]

@final
class Model:
    def __new__(
        cls, vertices: Any, faces: ArrayLike | None = None, *, materials: Sequence[int] | NDArray[Any] | None = None
    ) -> Model: ...
    @property
    def materials(self) -> NDArray[np.uint32] | None: ...
    def without_materials(self, materials: Sequence[int]) -> Model | None: ...
    def rounded(self, radius: float) -> Model: ...
    @property
    def radius(self) -> float: ...
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
    def inspect(self) -> dict[str, Any]: ...
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
    def intersection_curve(self, other: Model, pose_a: None = None, pose_b: None = None) -> IntersectionCurve: ...
    @overload
    def intersection_curve(
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
        self,
        other: Model,
        pose_a: None = None,
        pose_b: None = None,
        *,
        within: float = 0.0,
        depth: float = ...,
    ) -> Contacts: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        within: float = 0.0,
        depth: float = ...,
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
    def volume(self, other: Model, pose_a: None = None, pose_b: None = None) -> SharedVolume | None: ...
    @overload
    def volume(self, other: Model, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Any: ...
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
        rotate: ArrayLike | None = None,
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
    def cast_rays_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        pose: ArrayLike | None = None,
        *,
        max_t: ArrayLike | None = None,
        cull_back: bool = False,
    ) -> list[RayHits]: ...
    def hits_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        pose: ArrayLike | None = None,
        *,
        max_t: ArrayLike | None = None,
        cull_back: bool = False,
    ) -> NDArray[np.bool_]: ...
    @overload
    def faces_touching(self, volume: Volume, pose: None = None) -> NDArray[np.int64]: ...
    @overload
    def faces_touching(self, volume: Volume | Sequence[Volume], pose: ArrayLike | None = None) -> Any: ...
    @overload
    def touches(self, volume: Volume, pose: None = None) -> bool: ...
    @overload
    def touches(self, volume: Volume | Sequence[Volume], pose: ArrayLike | None = None) -> Any: ...
    def closest_points(self, points: ArrayLike, pose: ArrayLike | None = None) -> ClosestPoints: ...
    def signed_distance(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def winding_number(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def _repr_html_(self) -> str | None: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, _memo: Any) -> Model: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

def _restore(
    vertices: NDArray[np.float64],
    corners: NDArray[np.uint32],
    counts: NDArray[np.uint32] | None,
    labels: NDArray[np.uint32] | None,
    groups: list[tuple[str, int]],
    materials: NDArray[np.uint32] | None = None,
    radius: float = 0.0,
) -> Model: ...
def _load(path: str | os.PathLike[str]) -> tuple[list[Part], list[str]]: ...
def _load_model(path: str | os.PathLike[str]) -> tuple[Model, list[str]]: ...
def _check_pose(name: str, pose: ArrayLike) -> None: ...

def _model_page(name: str, model: Model, pose: ArrayLike | None) -> str: ...
def _pair_page(
    names: Sequence[str],
    models: Sequence[Model],
    poses: Sequence[ArrayLike | None],
    motion: Sequence[ArrayLike | None],
    margin: float,
) -> str: ...

@final
class Volume:
    @staticmethod
    def aabb(low: ArrayLike, high: ArrayLike) -> Volume: ...
    @staticmethod
    def obb(center: ArrayLike, half: ArrayLike, axis: ArrayLike, degrees: float) -> Volume: ...
    @staticmethod
    def sphere(center: ArrayLike, radius: float) -> Volume: ...
    @staticmethod
    def capsule(start: ArrayLike, end: ArrayLike, radius: float) -> Volume: ...
    @staticmethod
    def plane(normal: ArrayLike, offset: float) -> Volume: ...
    @staticmethod
    def half_space(normal: ArrayLike, offset: float) -> Volume: ...
    @staticmethod
    def frustum(clip_from_world: ArrayLike, *, zero_to_one: bool = False) -> Volume: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

def _restore_volume(kind: str, numbers: Sequence[float]) -> Volume: ...

@final
class Body:
    @property
    def index(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Body, /) -> bool: ...
    def __le__(self, other: Body, /) -> bool: ...
    def __gt__(self, other: Body, /) -> bool: ...
    def __ge__(self, other: Body, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Snapshot: ...

@final
class World:
    def __new__(
        cls, *, contact_distance: float | None = None, margin: float = 0.0, sleep_after: int = 30
    ) -> World: ...
    def insert(
        self,
        model: Model,
        pose: ArrayLike | None = None,
        *,
        kind: Literal["moving", "kinematic", "fixed", "sensor"] = "moving",
        layers: int = 1,
        mask: int = ...,
        ignored_materials: Sequence[int] = ...,
    ) -> Body: ...
    def set_layers(self, body: Body, *, layers: int = 1, mask: int = ...) -> None: ...
    def set_kind(self, body: Body, kind: Literal["moving", "kinematic", "fixed", "sensor"]) -> None: ...
    def remove(self, body: Body) -> None: ...
    @property
    def bodies(self) -> list[Body]: ...
    def pose(self, body: Body) -> NDArray[np.float64]: ...
    def is_asleep(self, body: Body) -> bool: ...
    def teleport(self, body: Body, pose: ArrayLike) -> None: ...
    def move(
        self,
        body: Body,
        by: ArrayLike | None = None,
        to: ArrayLike | None = None,
        *,
        rotate: ArrayLike | None = None,
    ) -> BodyMove: ...
    def slide(
        self,
        body: Body,
        by: ArrayLike,
        *,
        up: ArrayLike | None = None,
        step_up: float = 0.0,
        floor: float = 0.7,
        snap: float = 0.0,
        planes: int = 5,
    ) -> BodySlide: ...
    def step(
        self,
        bodies: Sequence[Body] = ...,
        by: ArrayLike | None = None,
        to: ArrayLike | None = None,
        *,
        rotate: ArrayLike | None = None,
        planes: int = 0,
        up: ArrayLike | None = None,
        floor: float = 0.7,
        crush: Literal["stop", "crush"] = "stop",
    ) -> WorldStep: ...
    @property
    def contacts(self) -> list[BodyContact]: ...
    def overlaps(self) -> list[tuple[Body, Body]]: ...
    def resolve_overlap(self, body: Body, at_most: float) -> float | None: ...
    def verdict(self, a: Body, b: Body) -> Verdict: ...
    def contacts_between(self, a: Body, b: Body, within: float = 0.0) -> Contacts: ...
    def cast_ray(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        max_t: float = ...,
        cull_back: bool = False,
        ignored_materials: Sequence[int] = ...,
    ) -> BodyRayHit | None: ...
    def sees(self, start: ArrayLike, end: ArrayLike) -> bool: ...
    def sweep(
        self,
        model: Model,
        by: ArrayLike | None = None,
        to: ArrayLike | None = None,
        pose: ArrayLike | None = None,
        *,
        rotate: ArrayLike | None = None,
        margin: float = 0.0,
        ignored_materials: Sequence[int] = ...,
    ) -> tuple[Body, Sweep] | None: ...
    def touching(self, volume: Volume) -> list[Body]: ...
    def intersecting(self, model: Model, pose: ArrayLike | None = None) -> list[Body]: ...
    def nearest(self, body: Body, at_most: float = ...) -> tuple[Body, float] | None: ...
    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    def state_hash(self) -> int: ...
    def __len__(self) -> int: ...
    def __contains__(self, body: Body, /) -> bool: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any) -> World: ...

@final
class Character:
    def __new__(
        cls,
        body: Body,
        *,
        up: ArrayLike | None = None,
        step_up: float = 0.35,
        steepest: float = 45.0,
        snap: float = 0.35,
        gravity: float = 9.81,
        planes: int = 5,
    ) -> Character: ...
    def set_options(
        self,
        *,
        up: ArrayLike | None = None,
        step_up: float | None = None,
        steepest: float | None = None,
        snap: float | None = None,
        gravity: float | None = None,
        planes: int | None = None,
    ) -> None: ...
    @property
    def body(self) -> Body: ...
    @property
    def is_grounded(self) -> bool: ...
    @property
    def ground(self) -> Ground | None: ...
    @property
    def rising(self) -> float: ...
    @property
    def is_crouching(self) -> bool: ...
    def update(self, world: World, wish: ArrayLike, seconds: float) -> CharacterStep: ...
    def jump(self, velocity: float) -> None: ...
    def crouch(self, world: World, low: Model) -> bool: ...
    def stand_up(self, world: World) -> bool: ...
    def __copy__(self) -> Character: ...
    def __deepcopy__(self, _memo: Any) -> Character: ...

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
    left_out: Sequence[str],
    options: Sequence[str],
    pictures: bool,
    progress: Callable[[int, int, int], object] | None,
) -> _Report: ...
@final
class _Packer:
    def __new__(
        cls, scenes: Sequence[str | os.PathLike[str]], split: bool, endings: Sequence[str], read: Callable[[str], Any]
    ) -> _Packer: ...
    def files(self) -> list[os.PathLike[str]]: ...
    def read_next(self) -> list[Model] | None: ...
    def push(self, part: Sequence[Any]) -> None: ...
    def finish(self) -> dict[str, Any]: ...

@final
class _StoredScene:
    def __new__(
        cls,
        title: str,
        unit: str | None,
        z_up: bool,
        notes: Sequence[str],
        left_out: int,
        unplaced: Sequence[tuple[Any, ...]],
        models: dict[str, NDArray[Any]],
        parts: dict[str, Any],
    ) -> _StoredScene: ...
    def clash(
        self,
        options: Sequence[str],
        pictures: bool,
        run: Callable[[Any], object],
        load: Callable[[list[int]], list[Model]],
        progress: Callable[[int, int, int], object] | None,
    ) -> _Report: ...
    def run(
        self,
        options: Sequence[str],
        inputs: Sequence[str],
        run: Callable[[Any], object],
        load: Callable[[list[int]], list[Model]],
        progress: Callable[[int, int, int], object] | None,
    ) -> int: ...

@final
class _Search:
    @property
    def work(self) -> int: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def lengths(self) -> list[float]: ...
    @property
    def measures(self) -> list[bool]: ...
    @property
    def uses_rounding(self) -> bool: ...
    def tiles(self, most_work: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]: ...
    def found(self, pairs: NDArray[np.int64], arrays: dict[str, NDArray[Any]]) -> None: ...
    def failed(self, pairs: NDArray[np.int64], reason: str) -> None: ...

def _facts(model: Model) -> tuple[bool, int, int]: ...
def _check_tile(
    models: Sequence[Model],
    model_of: NDArray[np.int64],
    poses: NDArray[np.float64],
    rounding: NDArray[np.float64] | None,
    local_pairs: NDArray[np.int64],
    pairs: NDArray[np.int64],
    lengths: Sequence[float],
    measures: Sequence[bool],
) -> dict[str, NDArray[Any]]: ...
def _run(
    arguments: Sequence[str], endings: Sequence[str], read: Callable[[str | os.PathLike[str]], tuple[Any, ...]]
) -> int: ...
