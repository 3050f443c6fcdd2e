"""A manager of named meshes with the interface of `trimesh.collision.CollisionManager`."""

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._impinge import Model, _check_pose

Name = Hashable
_EXTERNAL = "__external"
# Boxes are that much larger, as a share of the largest number in them, so that rounding loses no pair.
_PADDING = 1e-12


class Mesh(Protocol):
    """Anything with vertices and faces."""

    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...


class _Object(NamedTuple):
    name: Name
    model: Model
    pose: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


_Pair = tuple[_Object, _Object]


def _object(name: Name, mesh: Model | Mesh, transform: ArrayLike | None) -> _Object:
    model = mesh if isinstance(mesh, Model) else Model(mesh)
    pose = np.eye(4) if transform is None else np.array(transform, dtype=np.float64)
    _check_pose("transform", pose)
    low, high = model.bounds
    center, half = (high + low) / 2, (high - low) / 2
    center, half = pose[:3, :3] @ center + pose[:3, 3], np.abs(pose[:3, :3]) @ half
    # What cancels while it is moved counts as well.
    largest = np.abs(pose[:3, :3]) @ np.maximum(np.abs(low), np.abs(high)) + np.abs(pose[:3, 3])
    half = half + _PADDING * largest.max()
    return _Object(name, model, pose, center - half, center + half)


class ContactData:
    """Two objects that collide: where, and how far one would have to move."""

    def __init__(self, a: _Object, b: _Object) -> None:
        self._a, self._b = a, b
        self.names = {a.name, b.name}
        """The names of the two objects; that of an object which is not in the manager is `__external`."""

    @cached_property
    def _witness(self) -> tuple[NDArray[np.float64], dict[Name, int]]:
        witness = self._a.model.witness(self._b.model, self._a.pose, self._b.pose)
        return witness.point, {self._a.name: int(witness.faces[0]), self._b.name: int(witness.faces[1])}

    @cached_property
    def _separation(self) -> tuple[NDArray[np.float64], float]:
        a, b = self._a, self._b
        found = a.model.separation(b.model, a.pose, b.pose)
        if found is not None and found.distance > 0.0:
            # No number of a normal is -0.
            return 0.0 - found.direction, found.distance
        contacts = a.model.contacts(b.model, a.pose, b.pose)
        normal = contacts.normals[0] if len(contacts.normals) else np.array([0.0, 0.0, 1.0])
        return normal, 0.0

    @property
    def point(self) -> NDArray[np.float64]:
        """A point that both objects share."""
        return self._witness[0]

    @property
    def normal(self) -> NDArray[np.float64]:
        """The unit normal from the first object to the second: along it, the second is moved away."""
        return self._separation[0]

    @property
    def depth(self) -> float:
        """The length of a translation that ends the overlap; 0 where the two only touch."""
        return self._separation[1]

    def index(self, name: Name) -> int:
        """The face of an object at the point; -1 where no faces intersect, because one object lies inside of the other."""
        return self._witness[1][name]


class DistanceData:
    """The closest points of two objects."""

    def __init__(self, a: _Object, b: _Object) -> None:
        found = a.model.distance(b.model, a.pose, b.pose)
        self.names = {a.name, b.name}
        """The names of the two objects; that of an object which is not in the manager is `__external`."""
        self.distance: float = found.distance or -_depth(a, b)
        """The distance; negative where the two overlap: minus the length of a translation that ends it."""
        self._points = {a.name: found.point_on_a, b.name: found.point_on_b}
        self._faces = {a.name: found.face_a, b.name: found.face_b}

    def index(self, name: Name) -> int:
        """A face of an object at its closest point; -1 for a point inside of a solid."""
        face: int = self._faces[name]
        return face

    def point(self, name: Name) -> NDArray[np.float64]:
        """The closest point of an object."""
        point: NDArray[np.float64] = self._points[name]
        return point


class CollisionManager:
    """Meshes with names and transforms, and which of them collide.

    The interface is that of `trimesh.collision.CollisionManager`. Answers differ where solids are concerned: what lies inside of a solid
    collides with it, and so does what only touches it. Distances of objects that overlap are negative: minus the length of a translation that ends the overlap,
    which was tested. Pairs that are ignored count neither for collisions nor for distances within the manager.

    >>> import impinge
    >>> manager = impinge.CollisionManager()
    >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    >>> manager.add_object("a", box)
    >>> manager.add_object("b", box, impinge.translation([0.5, 0, 0]))
    >>> manager.add_object("c", box, impinge.translation([4, 0, 0]))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('a', 'b')})
    >>> manager.min_distance_internal("c")
    2.5
    >>> manager.ignore_pair("a", "b")
    >>> manager.in_collision_internal()
    False
    """

    def __init__(self, ignored_pairs: Iterable[tuple[Name, Name]] = ()) -> None:
        self._objects: dict[Name, _Object] = {}
        self._ignored = {frozenset(pair) for pair in ignored_pairs}

    def add_object(self, name: Name, mesh: Model | Mesh, transform: ArrayLike | None = None) -> None:
        """Adds an object, in place of one that has the name already.

        A mesh is made a model here, each time. Pass an `impinge.Model` where many objects have the same.
        """
        self._objects[name] = _object(name, mesh, transform)

    def remove_object(self, name: Name) -> None:
        """Removes an object; a name that is not there is a ValueError."""
        self._get(name)
        del self._objects[name]

    def set_transform(self, name: Name, transform: ArrayLike) -> None:
        """Places an object anew; a name that is not there is a ValueError."""
        self._objects[name] = _object(name, self._get(name).model, transform)

    def ignore_pair(self, a: Name, b: Name) -> None:
        """Leaves a pair of objects out, such as neighbors in a chain of joints; names may come later than that."""
        self._ignored.add(frozenset((a, b)))

    def regard_pair(self, a: Name, b: Name) -> None:
        """Takes a pair of objects in again that was left out."""
        self._ignored.discard(frozenset((a, b)))

    @property
    def ignored_pairs(self) -> set[frozenset[Name]]:
        """The pairs of names that are left out."""
        return set(self._ignored)

    def _get(self, name: Name) -> _Object:
        if name not in self._objects:
            raise ValueError(f"there is no object {name!r} in the manager")
        return self._objects[name]

    @overload
    def in_collision_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None,
        return_names: Literal[False] = False, return_data: Literal[False] = False,
    ) -> bool: ...
    @overload
    def in_collision_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    def in_collision_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh collides with any object; with the set of their names, and a list of `ContactData`, where they are asked for."""
        single = _object(_EXTERNAL, mesh, transform)
        pairs = [(held, single) for held in self._objects.values()]
        found = _collisions(pairs, return_names or return_data)
        return _answer(bool(found), {a.name for a, _ in found}, found, return_names, return_data)

    @overload
    def in_collision_internal(
        self, return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> bool: ...
    @overload
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any: ...
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; with the set of the pairs of their names, each sorted, and a list of `ContactData`."""
        found = _collisions(self._pairs(), return_names or return_data)
        names = {_sorted((a.name, b.name)) for a, b in found}
        return _answer(bool(found), names, found, return_names, return_data)

    @overload
    def in_collision_other(
        self, other_manager: "CollisionManager", return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> bool: ...
    @overload
    def in_collision_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    def in_collision_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with one of another manager; names are pairs, that of this manager first."""
        found = _collisions(self._pairs_with(other_manager), return_names or return_data)
        return _answer(bool(found), {(a.name, b.name) for a, b in found}, found, return_names, return_data)

    @overload
    def min_distance_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None,
        return_name: Literal[False] = False, return_data: Literal[False] = False,
    ) -> float: ...
    @overload
    def min_distance_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any: ...
    def min_distance_single(
        self, mesh: Model | Mesh, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The distance of a mesh from the nearest object; infinite, with the name None, where there is none."""
        single = _object(_EXTERNAL, mesh, transform)
        distance, pair = _nearest((held, single) for held in self._objects.values())
        return _nearest_answer(distance, pair and pair[0].name, pair, return_name, return_data)

    @overload
    def min_distance_internal(
        self, name: Name | None = None, return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> float: ...
    @overload
    def min_distance_internal(
        self, name: Name | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    def min_distance_internal(
        self, name: Name | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two objects, or of the named object from all others; infinite where there is no pair."""
        pairs: Iterable[_Pair] = self._pairs()
        if name is not None:
            named = self._get(name)
            pairs = self._pairs_of(named)
        distance, pair = _nearest(pairs)
        names = pair and _sorted((pair[0].name, pair[1].name))
        return _nearest_answer(distance, names, pair, return_names, return_data)

    @overload
    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> float: ...
    @overload
    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object from one of another manager; names are a pair, that of this manager first."""
        distance, pair = _nearest(self._pairs_with(other_manager))
        names = pair and (pair[0].name, pair[1].name)
        return _nearest_answer(distance, names, pair, return_names, return_data)

    def _pairs(self) -> Iterator[_Pair]:
        objects = list(self._objects.values())
        pairs = ((a, b) for i, a in enumerate(objects) for b in objects[i + 1 :])
        return ((a, b) for a, b in pairs if not self._ignored or frozenset((a.name, b.name)) not in self._ignored)

    def _pairs_of(self, named: _Object) -> Iterator[_Pair]:
        """The pairs of one object, each in the order in which the two were added."""
        is_later = False
        for other in self._objects.values():
            if other is named:
                is_later = True
            elif frozenset((named.name, other.name)) not in self._ignored:
                yield (named, other) if is_later else (other, named)

    def _pairs_with(self, other: "CollisionManager") -> Iterator[_Pair]:
        return ((a, b) for a in self._objects.values() for b in other._objects.values())


def _sorted(names: tuple[Name, Name]) -> tuple[Name, Name]:
    a, b = names
    try:
        return (b, a) if b < a else (a, b)  # type: ignore[operator]
    except TypeError:
        # Names of types that have no order stay in that in which they were added.
        return names


def _gaps(pairs: list[_Pair]) -> NDArray[np.float64]:
    """Lower bounds of the distances of pairs, by their boxes."""
    low_a, high_a, low_b, high_b = (
        np.array([pair[side][field] for pair in pairs], dtype=np.float64)
        for side, field in [(0, 3), (0, 4), (1, 3), (1, 4)]
    )
    apart = np.maximum(0.0, np.maximum(low_a - high_b, low_b - high_a))
    gaps: NDArray[np.float64] = np.sqrt((apart * apart).sum(axis=1))
    return gaps


def _collisions(pairs: Iterable[_Pair], all_of_them: bool) -> list[_Pair]:
    """The pairs that collide, in their order; one at least, where one is enough."""
    listed = list(pairs)
    if not listed:
        return []
    near = [pair for pair, gap in zip(listed, _gaps(listed), strict=True) if gap == 0.0]
    # Pairs of the same models are one batch.
    batches: dict[tuple[int, int], list[int]] = {}
    for index, (a, b) in enumerate(near):
        batches.setdefault((id(a.model), id(b.model)), []).append(index)
    found: list[int] = []
    for batch in batches.values():
        a, b = near[batch[0]]
        poses_a = np.array([near[index][0].pose for index in batch])
        poses_b = np.array([near[index][1].pose for index in batch])
        hits: NDArray[np.bool_] = a.model.intersects(b.model, poses_a, poses_b)
        found.extend(index for index, hit in zip(batch, hits, strict=True) if hit)
        if found and not all_of_them:
            break
    return [near[index] for index in sorted(found)]


def _nearest(pairs: Iterable[_Pair]) -> tuple[float, _Pair | None]:
    """The least distance of all pairs, and the pair that has it: the first of those that do."""
    listed = list(pairs)
    best: tuple[float, int] = (np.inf, len(listed))
    if not listed:
        return np.inf, None
    gaps = _gaps(listed)
    for index in np.argsort(gaps, kind="stable"):
        # Objects that overlap by more may be among all whose boxes do.
        if gaps[index] > max(best[0], 0.0):
            break
        a, b = listed[index]
        distance = a.model.distance(b.model, a.pose, b.pose).distance or -_depth(a, b)
        best = min(best, (distance, int(index)))
    return best[0], listed[best[1]]


def _depth(a: _Object, b: _Object) -> float:
    """The length of a translation after which the two objects do not overlap; 0 where they only touch."""
    found = a.model.separation(b.model, a.pose, b.pose)
    return 0.0 if found is None else float(found.distance)


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Name, Model]]:
    """A manager of all parts of a scene, an `impinge.Scene` or one of trimesh, and their models by name.

    >>> import impinge
    >>> scene = impinge.Scene()
    >>> scene.add("left", impinge.box([0, 0, 0], [1, 1, 1]))
    >>> scene.add("right", impinge.box([1, 0, 0], [2, 1, 1]))
    >>> manager, models = impinge.scene_to_collision(scene)
    >>> manager.in_collision_internal(return_names=True)
    (True, {('left', 'right')})
    """
    manager, models = CollisionManager(), {}
    for name, mesh, pose in _placed(scene):
        models[name] = mesh if isinstance(mesh, Model) else Model(mesh)
        manager.add_object(name, models[name], pose)
    return manager, models


def _placed(scene: Any) -> Iterator[tuple[Name, Any, ArrayLike | None]]:
    if hasattr(scene, "graph"):
        for node in scene.graph.nodes_geometry:
            pose, geometry = scene.graph[node]
            yield node, scene.geometry[geometry], pose
    else:
        for part in scene.parts:
            yield part.name, part.model, part.pose


def _answer(hit: bool, names: set[Any], found: list[_Pair], return_names: bool, return_data: bool) -> Any:
    data = [ContactData(a, b) for a, b in found] if return_data else []
    if return_names and return_data:
        return hit, names, data
    if return_names:
        return hit, names
    return (hit, data) if return_data else hit


def _nearest_answer(distance: float, names: Any, pair: _Pair | None, return_names: bool, return_data: bool) -> Any:
    data = DistanceData(*pair) if return_data and pair else None
    if return_names and return_data:
        return distance, names, data
    if return_names:
        return distance, names
    return (distance, data) if return_data else distance
