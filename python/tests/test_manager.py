"""The collision manager: trimesh's interface, and answers that boxes and balls have."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import ball, random_pose

import impinge
from impinge import CollisionManager, translation

BOX = impinge.box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])


def manager_of(*places: tuple[str, float]) -> CollisionManager:
    manager = CollisionManager()
    for name, x in places:
        manager.add_object(name, BOX, translation([x, 0, 0]))
    return manager


def test_objects_are_added_moved_and_removed() -> None:
    manager = manager_of(("a", 0), ("b", 0.8))
    assert manager.in_collision_internal() is True
    manager.set_transform("b", translation([1.5, 0, 0]))
    assert manager.in_collision_internal() is False
    manager.add_object("b", BOX, translation([0.2, 0, 0]))
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    manager.remove_object("b")
    assert manager.in_collision_internal(return_names=True) == (False, set())
    with pytest.raises(ValueError, match="there is no object 'b'"):
        manager.remove_object("b")
    with pytest.raises(ValueError, match="there is no object 'b'"):
        manager.set_transform("b", np.eye(4))


def test_names_of_pairs_are_sorted() -> None:
    manager = manager_of(("c", 0), ("b", 0.6), ("a", 1.2), ("far", 9))
    assert manager.in_collision_internal(return_names=True) == (True, {("b", "c"), ("a", "b")})
    assert manager.in_collision_single(BOX, translation([0.9, 0, 0]), return_names=True) == (True, {"a", "b", "c"})
    assert manager.in_collision_single(BOX, translation([5, 0, 0])) is False
    other = manager_of(("a", 9.5), ("z", -7))
    assert manager.in_collision_other(other, return_names=True) == (True, {("far", "a")})
    assert other.in_collision_other(manager, return_names=True) == (True, {("a", "far")})
    assert manager_of().in_collision_internal(return_names=True, return_data=True) == (False, set(), [])
    mixed = CollisionManager()
    mixed.add_object(1, BOX)
    mixed.add_object("a", BOX)
    assert mixed.in_collision_internal(return_names=True) == (True, {(1, "a")})


def test_contact_data_says_where_and_how_deep() -> None:
    manager = manager_of(("a", 0), ("b", 0.75))
    hit, names, (data,) = manager.in_collision_internal(return_names=True, return_data=True)
    assert hit and names == {("a", "b")} and data.names == {"a", "b"}
    assert data.depth == pytest.approx(0.25, rel=1e-3)
    assert data.normal.tolist() == [1, 0, 0]
    assert 0.25 <= data.point[0] <= 0.5 and (np.abs(data.point[1:]) <= 0.5).all()
    assert [data.index("a"), data.index("b")] in BOX.face_pairs(BOX, pose_b=translation([0.75, 0, 0])).tolist()
    with pytest.raises(KeyError):
        data.index("c")
    hit, (data,) = manager_of(("a", 0)).in_collision_single(BOX, translation([0, 1, 0]), return_data=True)
    assert data.names == {"a", "__external"} and data.depth == 0
    assert data.normal.tolist() == [0, 1, 0]


def test_what_lies_inside_of_a_solid_collides() -> None:
    manager = CollisionManager()
    manager.add_object("outer", impinge.box([-9, -9, -9], [9, 9, 9]))
    hit, names, (data,) = manager.in_collision_single(BOX, return_names=True, return_data=True)
    assert hit and names == {"outer"}
    assert data.index("outer") == data.index("__external") == -1
    assert manager.min_distance_single(BOX) == -data.depth
    assert data.depth >= 9


def test_least_distances() -> None:
    manager = manager_of(("a", 0), ("b", 3), ("c", 10))
    assert manager.min_distance_internal(return_names=True) == (2.0, ("a", "b"))
    assert manager.min_distance_internal("c", return_names=True) == (6.0, ("b", "c"))
    distance, name, data = manager.min_distance_single(BOX, translation([12, 0, 0]), return_name=True, return_data=True)
    assert (distance, name, data.distance) == (1.0, "c", 1.0)
    assert data.point("c")[0] == 10.5 and data.point("__external")[0] == 11.5
    assert 0 <= data.index("c") < 12 and data.names == {"c", "__external"}
    other = manager_of(("x", -4), ("y", 20))
    assert manager.min_distance_other(other, return_names=True) == (3.0, ("a", "x"))
    distance, data = other.min_distance_other(manager, return_data=True)
    assert distance == data.distance == 3.0 and data.names == {"a", "x"}
    assert manager_of(("a", 0)).min_distance_internal(return_names=True, return_data=True) == (np.inf, None, None)
    assert manager_of().min_distance_single(BOX) == np.inf
    with pytest.raises(ValueError, match="there is no object 'z'"):
        manager.min_distance_internal("z")


def test_meshes_of_others_and_bad_transforms() -> None:
    manager = CollisionManager()
    manager.add_object("mesh", SimpleNamespace(vertices=BOX.vertices, faces=BOX.faces), translation([1, 0, 0]).tolist())
    assert manager.in_collision_single(BOX)
    for transform, message in [
        (translation([1, 2, 3]).T, "transform: .*transposed"),
        (np.eye(3), r"transform has the shape \(3, 3\)"),
        (np.zeros((2, 4, 4)), r"transform has the shape \(2, 4, 4\)"),
        (np.full((4, 4), np.nan), "transform: "),
    ]:
        with pytest.raises(ValueError, match=message):
            manager.set_transform("mesh", transform)
        assert manager.in_collision_single(BOX), "a transform that is refused changes nothing"


def random_manager(seed: int, count: int) -> tuple[CollisionManager, list[tuple[impinge.Model, Any]]]:
    random = np.random.default_rng(seed)
    models = [BOX, ball(5, 0.6), ball(9, 0.4), impinge.Model([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])]
    objects = [(models[i % len(models)], random_pose(random, 1.5)) for i in range(count)]
    manager = CollisionManager()
    for i, (model, pose) in enumerate(objects):
        manager.add_object(f"{i:03}", model, pose)
    return manager, objects


@pytest.mark.parametrize("seed", range(4))
def test_boxes_and_batches_lose_no_pair(seed: int) -> None:
    manager, objects = random_manager(seed, 25)
    expected, distances = set(), {}
    for i, (a, pose_a) in enumerate(objects):
        for j, (b, pose_b) in enumerate(objects[:i]):
            names = (f"{j:03}", f"{i:03}")
            if b.intersects(a, pose_b, pose_a):
                expected.add(names)
            distances[names] = b.distance(a, pose_b, pose_a).distance or -b.separation(a, pose_b, pose_a).distance
    assert manager.in_collision_internal(return_names=True) == (bool(expected), expected)
    for i in range(len(objects)):
        least = min(distance for names, distance in distances.items() if f"{i:03}" in names)
        assert manager.min_distance_internal(f"{i:03}") == least


def test_answers_of_trimesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    collision = pytest.importorskip("trimesh.collision")
    if not hasattr(collision, "fcl") or collision.fcl is None:
        pytest.skip("python-fcl is not there")
    random = np.random.default_rng(3)
    meshes = [trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=2), trimesh.creation.torus(1.0, 0.3)]
    theirs, ours = collision.CollisionManager(), CollisionManager()
    for i in range(20):
        pose = random_pose(random, 3.0).astype(np.float32).astype(np.float64)
        theirs.add_object(f"{i:02}", meshes[i % 3], pose)
        ours.add_object(f"{i:02}", meshes[i % 3], pose)
    assert ours.in_collision_internal(return_names=True) == theirs.in_collision_internal(return_names=True)
    for i in range(20):
        pose = random_pose(random, 4.0)
        mine = ours.in_collision_single(meshes[0], pose, return_names=True)
        assert mine == theirs.in_collision_single(meshes[0], pose, return_names=True)
        if not mine[0]:
            assert ours.min_distance_single(meshes[0], pose) == pytest.approx(theirs.min_distance_single(meshes[0], pose))
    box = meshes[0]
    points = random.uniform(-1, 1, size=(200, 3))
    try:
        signed = trimesh.proximity.signed_distance(box, points)
    except ImportError:
        return
    assert np.allclose(impinge.Model(box).signed_distance(points), -signed)
