"""The cases that the test suites of trimesh and python-fcl have, asked of this module, and what those get wrong.

Shapes of FCL that are no meshes are meshes here; round ones have so many faces that what is asked of them is far from rounding.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from conftest import Array, ball

import impinge
from impinge import CollisionManager, SweepStatus, Verdict, translation

CUBE = impinge.box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
WEDGE = impinge.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
BALL = ball(48)
RIGHT, LEFT = translation([5, 0, 0]), translation([-5, 0, 0])


def turned_profile(profile: list[tuple[float, float]], sides: int = 64) -> impinge.Model:
    """A closed solid of revolution about z of (radius, z), from its lower end to its upper one; both ends are on the axis."""
    vertices = [[0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]]
    angles = 2 * np.pi * np.arange(sides) / sides
    for radius, z in profile[1:-1]:
        vertices += [[radius * np.cos(angle), radius * np.sin(angle), z] for angle in angles]
    rings, faces = len(profile) - 2, []
    for i in range(sides):
        j = (i + 1) % sides
        faces.append([0, 2 + j, 2 + i])
        last = 2 + (rings - 1) * sides
        faces.append([1, last + i, last + j])
        for ring in range(rings - 1):
            low, high = 2 + ring * sides, 2 + (ring + 1) * sides
            faces += [[low + i, low + j, high + j], [low + i, high + j, high + i]]
    return impinge.Model(vertices, faces)


CYLINDER = turned_profile([(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)])
CONE = turned_profile([(0, -0.5), (1, -0.5), (0, 0.5)])
ABOUT_X = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])


def cubes(**places: Array | None) -> CollisionManager:
    manager = CollisionManager()
    for name, pose in places.items():
        manager.add_object(name, CUBE, pose)
    return manager


def test_shapes_of_revolution_are_solids() -> None:
    for shape, volume in [(CYLINDER, np.pi), (CONE, np.pi / 3)]:
        assert shape.is_closed and not shape.components[0].is_inverted
        shared = shape.volume(shape)
        assert shared is not None and volume * 0.99 < shared.volume < volume


def test_trimesh_one_against_many() -> None:
    manager = cubes(cube0=None, cube1=RIGHT)
    assert manager.in_collision_single(CUBE) is True
    hit, names, data = manager.in_collision_single(CUBE, RIGHT, return_names=True, return_data=True)
    assert hit is True and names == {"cube1"}
    assert all(contact.point.shape == (3,) and contact.depth > 0 for contact in data)
    hit, names, data = manager.in_collision_single(CUBE, LEFT, return_names=True, return_data=True)
    assert (hit, names, data) == (False, set(), [])


def test_trimesh_many_against_each_other() -> None:
    manager = cubes(cube0=None, cube1=RIGHT)
    assert manager.in_collision_internal() is False
    manager.add_object("cube2", CUBE, RIGHT)
    assert manager.in_collision_internal(return_names=True) == (True, {("cube1", "cube2")})
    for pose, hit in [(LEFT, False), (RIGHT, True)]:
        manager.set_transform("cube2", pose)
        assert manager.in_collision_internal() is hit
    manager.remove_object("cube2")
    assert manager.in_collision_internal() is False
    for call in [lambda: manager.remove_object("cube2"), lambda: manager.set_transform("cube2", np.eye(4))]:
        with pytest.raises(ValueError, match="cube2"):
            call()  # type: ignore[no-untyped-call]


def test_trimesh_manager_against_manager() -> None:
    manager, other = cubes(cube0=None, cube1=RIGHT), cubes(cube0=LEFT)
    assert manager.in_collision_other(other) is False
    other.add_object("cube3", CUBE, RIGHT)
    assert manager.in_collision_other(other) is True
    assert manager.in_collision_other(other, return_names=True) == (True, {("cube1", "cube3")})
    assert manager.in_collision_other(manager, return_names=True)[1] >= {("cube0", "cube0"), ("cube1", "cube1")}


def test_trimesh_distances() -> None:
    manager = cubes(cube1=RIGHT)
    assert manager.min_distance_single(CUBE) == 4
    assert np.isclose(manager.min_distance_single(CUBE, translation([5.75, 0, 0])), -0.25)
    assert manager.min_distance_single(CUBE, return_name=True) == (4, "cube1")
    manager.add_object("cube2", CUBE, LEFT)
    assert manager.min_distance_single(CUBE, translation([2, 0, 0]), return_name=True) == (2, "cube1")
    assert manager.min_distance_single(CUBE, translation([-2, 0, 0]), return_name=True) == (2, "cube2")
    assert manager.min_distance_internal(return_names=True) == (9, ("cube1", "cube2"))
    manager.add_object("cube3", CUBE, translation([2, 0, 0]))
    assert manager.min_distance_internal(return_names=True) == (2, ("cube1", "cube3"))
    manager.set_transform("cube3", translation([-2, 0, 0]))
    assert manager.min_distance_internal(return_names=True) == (2, ("cube2", "cube3"))
    manager, other = cubes(cube0=None, cube1=RIGHT), cubes(cube4=LEFT)
    for expected in [(4, ("cube0", "cube4")), (1, ("cube0", "cube5"))]:
        distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
        assert (distance, names) == expected
        assert np.isclose(np.linalg.norm(data.point(names[0]) - data.point(names[1])), distance)
        assert all(0 <= data.index(name) < 12 for name in names)
        other.add_object("cube5", CUBE, translation([-2, 0, 0]))


def test_trimesh_scenes_become_managers() -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    for name, x in [("a", 0.0), ("b", 0.75), ("c", 4.0)]:
        scene.add_geometry(trimesh.creation.box(), node_name=name, transform=translation([x, 0, 0]))
    manager, models = impinge.scene_to_collision(scene)
    assert set(models) == {"a", "b", "c"}
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})


def test_ignored_pairs_count_nowhere() -> None:
    manager = CollisionManager(ignored_pairs=[("b", "a")])
    for name, x in [("a", 0.0), ("b", 0.75), ("c", 1.5)]:
        manager.add_object(name, CUBE, translation([x, 0, 0]))
    assert manager.in_collision_internal(return_names=True) == (True, {("b", "c")})
    assert np.isclose(manager.min_distance_internal("a"), 0.5)
    manager.ignore_pair("b", "c")
    assert manager.ignored_pairs == {frozenset("ab"), frozenset("bc")}
    assert manager.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])
    assert np.isclose(manager.min_distance_internal(), 0.5)
    manager.regard_pair("a", "b")
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    # What is not in the manager is no pair of it.
    assert manager.in_collision_single(CUBE) is True


def collides(a: impinge.Model, b: impinge.Model, pose: Array | None = None) -> bool:
    assert a.intersects(b, pose_b=pose) == b.intersects(a, pose)
    return bool(a.intersects(b, pose_b=pose))


def test_fcl_pairs() -> None:
    assert all(collides(a, b) for a, b in [(CUBE, CONE), (CUBE, WEDGE), (CONE, WEDGE)])
    lower = translation([0, 0, -0.6])
    assert collides(CUBE, CONE, lower) and not collides(WEDGE, CONE, lower)
    for y, hit in [(-0.9, True), (-1.1, False)]:
        pose = ABOUT_X.copy()
        pose[1, 3] = y
        assert collides(CUBE, CONE, pose) is hit


def test_fcl_distances() -> None:
    for a, b in [(CUBE, CONE), (CUBE, WEDGE), (CONE, WEDGE)]:
        apart = a.separation(b)
        assert a.distance(b).distance == 0 and apart is not None and apart.distance > 0
    assert np.isclose(WEDGE.distance(CONE, pose_b=translation([0, 0, -0.6])).distance, 0.1)
    pose = ABOUT_X.copy()
    pose[1, 3] = -1.1
    assert np.isclose(CUBE.distance(CONE, pose_b=pose).distance, 0.1)
    pose[1, 3] = -0.9
    assert CUBE.distance(CONE, pose_b=pose).distance == 0


def test_fcl_motions() -> None:
    # The cube goes down to where the cone stands; FCL's own test is switched off, because its answer is wrong.
    sweep = CUBE.sweep(CONE, to=translation([0, 0, -2]), pose_b=translation([0, 0, -2]))
    assert sweep.status is SweepStatus.HIT
    assert sweep.fraction <= 0.5 and np.isclose(sweep.fraction, 0.5, atol=1e-6)
    assert CUBE.verdict(CONE, sweep.pose, translation([0, 0, -2])) is Verdict.CLEAR


def managers() -> tuple[CollisionManager, CollisionManager, CollisionManager]:
    first, second, third = CollisionManager(), CollisionManager(), CollisionManager()
    first.add_object("box", CUBE)
    first.add_object("cylinder", CYLINDER)
    second.add_object("cone", CONE, translation([0, 0, 5]))
    second.add_object("cylinder", CYLINDER, translation([0, 0, -5]))
    third.add_object("mesh", WEDGE)
    third.add_object("convex", CUBE, translation([0, 0, -5]))
    return first, second, third


def test_fcl_managers_collide() -> None:
    first, second, third = managers()
    low = translation([0, 0, -4.6])
    assert first.in_collision_single(CUBE) and not first.in_collision_single(CYLINDER, low)
    assert not second.in_collision_single(CUBE) and second.in_collision_single(CYLINDER, low)
    assert first.in_collision_internal() and not second.in_collision_internal()
    assert not first.in_collision_other(second)
    assert second.in_collision_other(third) and first.in_collision_other(third)


def test_fcl_managers_measure() -> None:
    first, second, third = managers()
    low = translation([0, 0, -4.6])
    assert first.min_distance_single(CUBE) < 0
    assert np.isclose(first.min_distance_single(CYLINDER, low), 3.6)
    assert np.isclose(second.min_distance_single(CUBE), 4.0)
    assert second.min_distance_single(CYLINDER, low) < 0
    assert first.min_distance_internal() < 0
    assert np.isclose(second.min_distance_internal(), 9.0)
    assert np.isclose(first.min_distance_other(second), 4.0)
    assert second.min_distance_other(third) < 0 and first.min_distance_other(third) < 0


@pytest.mark.parametrize("count", [2, 3])
def test_fcl_updates(count: int) -> None:
    manager = CollisionManager()
    for name, z in list(zip("abc", [0.0, -5.0, 5.0], strict=True))[:count]:
        manager.add_object(name, BALL, translation([0, 0, z]))
    for name, z, hit in [("a", 0.0, False), ("b", -0.3, True), ("b", -5.0, False), ("c", 0.3, True), ("c", 5.0, False)]:
        if name == "c" and count == 2:
            continue
        manager.set_transform(name, translation([0, 0, z]))
        assert manager.in_collision_internal() is hit


def test_answers_that_others_get_wrong() -> None:
    # Meshes of FCL are hollow.
    inner, outer = ball(24, 0.5), ball(24, 1.0)
    manager = CollisionManager()
    manager.add_object("outer", outer)
    assert manager.in_collision_single(inner) is True and manager.min_distance_single(inner) < 0
    # Concentric shells 1 % apart are clear as surfaces, and one inside of the other as solids.
    shell = ball(24, 0.99)
    assert shell.verdict(outer) is Verdict.A_INSIDE_B and shell.verdict(outer, surface_only=True) is Verdict.CLEAR
    # Whether touching boxes collide does not depend on their size.
    for size in [1e-6, 0.1, 1 / 3, 1.0, 7.0, 1e6]:
        box = impinge.box([0, 0, 0], [size, size, size])
        assert box.verdict(box, pose_b=translation([size, 0, 0])) is Verdict.TOUCHING
        assert box.verdict(box, pose_b=translation([np.nextafter(size, np.inf), 0, 0])) is Verdict.CLEAR
    # Mirrored transforms are no reason for another answer.
    mirror = np.diag([-1.0, 1, 1, 1])
    assert WEDGE.verdict(WEDGE, pose_b=mirror) is Verdict.TOUCHING
    # Flat grids have boxes of no thickness.
    x, y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9), indexing="ij")
    corners = np.stack([x.ravel(), y.ravel(), np.zeros(81)], axis=1)
    first = np.array([9 * i + j for i in range(8) for j in range(8)])
    grid = impinge.Model(corners, np.vstack([np.stack([first, first + 9, first + 10], 1), np.stack([first, first + 10, first + 1], 1)]))
    assert collides(grid, CUBE, translation([0, 0, 0.5])) and not collides(grid, CUBE, translation([0, 0, np.nextafter(0.5, 1)]))
    assert collides(grid, SimpleCube().model)


class SimpleCube:
    """A mesh of another package."""

    def __init__(self) -> None:
        self.model = impinge.Model(SimpleNamespace(vertices=CUBE.vertices, faces=CUBE.faces))
