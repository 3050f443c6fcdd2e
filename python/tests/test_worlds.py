"""Worlds: the answers are those of the models in them, and the calls do what they say."""

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import ball, random_pose

import impinge
from impinge import SweepStatus, Verdict, translation

BOX = impinge.box([0, 0, 0], [1, 1, 1])
FLOOR = impinge.box([-9, -9, -1], [9, 9, 0])


def scene() -> tuple[impinge.World, impinge.Body, impinge.Body, impinge.Body]:
    world = impinge.World()
    floor = world.insert(FLOOR, kind="fixed")
    a = world.insert(BOX, translation([0, 0, 4]))
    b = world.insert(BOX, translation([3, 0, 2]))
    return world, floor, a, b


def test_bodies_come_move_and_go() -> None:
    world, floor, a, b = scene()
    assert len(world) == 3 and world.bodies == sorted([floor, a, b]) and a in world
    assert len({floor, a, b}) == 3 and a != b and a.index != b.index
    fall = world.move(a, by=[0, 0, -8])
    assert fall.status is SweepStatus.HIT and fall.fraction == pytest.approx(0.5, abs=1e-6) and fall.fraction <= 0.5
    assert [hit.body for hit in fall.hits] == [floor] and fall.hits[0].normal is not None
    assert np.allclose(fall.hits[0].normal, [0, 0, -1])
    assert (world.pose(a) == fall.pose).all() and world.verdict(a, floor) is Verdict.CLEAR
    aside = world.slide(a, [1.5, 0, -1])
    assert np.allclose(aside.moved, [1.5, 0, 0], atol=1e-6) and [met[0] for met in aside.met] == [floor]
    world.remove(b)
    assert b not in world
    with pytest.raises(KeyError, match="there is no body"):
        world.pose(b)
    with pytest.raises(KeyError, match="there is no body"):
        world.move(b, by=[1, 0, 0])
    with pytest.raises(ValueError, match="there is no body"):
        world.remove(b)


def test_a_step_tells_contacts() -> None:
    world, floor, a, b = scene()
    step = world.step([a, b], by=[[0, 0, -9], [0, 0, -9]])
    assert [move.status for move in step.moves] == [SweepStatus.HIT] * 2
    assert {contact.bodies for contact in step.began} == {(floor, a), (floor, b)} and step.ended == []
    assert {contact.bodies for contact in world.contacts} == {(floor, a), (floor, b)}
    step = world.step([a], to=[translation([0, 0, 6])])
    assert [contact.bodies for contact in step.ended] == [(floor, a)]
    lazy = impinge.World(sleep_after=3)
    body = lazy.insert(BOX)
    assert [len(lazy.step().asleep) for _ in range(4)].count(1) == 1 and lazy.is_asleep(body)


def test_queries_are_those_of_the_models() -> None:
    random = np.random.default_rng(2)
    models = [BOX, ball(6), ball(9, 0.5)]
    world, placed = impinge.World(), []
    for i in range(20):
        pose = random_pose(random, 5.0)
        placed.append((world.insert(models[i % 3], pose, kind="fixed"), models[i % 3], pose))
    for _ in range(30):
        probe, pose = models[0], random_pose(random, 4.0)
        expected = sorted(body for body, model, at in placed if probe.intersects(model, pose, at))
        assert world.intersecting(probe, pose) == expected
        volume = impinge.Volume.sphere(random.normal(size=3) * 4, 1.5)
        assert world.touching(volume) == sorted(body for body, model, at in placed if model.touches(volume, at))
        origin, direction = random.normal(size=3) * 6, random.normal(size=3)
        hits = [(model.cast_rays([origin], [direction], at).t[0], body) for body, model, at in placed]
        t, nearest = min(hits)
        found = world.cast_ray(origin, direction)
        assert (found is None) == np.isinf(t)
        if found is not None:
            assert (found.t, found.body) == (t, nearest)
        assert world.sees(origin, origin + direction) == (t > 1)
        by = random.normal(size=3) * 6
        if not expected:
            sweeps = [(model_sweep.fraction, body) for body, model, at in placed
                      if (model_sweep := probe.sweep(model, by=by, pose_a=pose, pose_b=at)).status == SweepStatus.HIT]
            swept = world.sweep(probe, by=by, pose=pose)
            assert (swept is None) == (not sweeps)
            if swept is not None:
                assert swept[1].fraction == pytest.approx(min(sweeps)[0], abs=1e-9)
    body, model, at = placed[0]
    distances = [(model.distance(other, at, pose).distance, name) for name, other, pose in placed[1:]]
    assert world.nearest(body) == min(distances)[::-1]
    assert world.nearest(body, min(distances)[0] / 2) is None or min(distances)[0] == 0


def test_snapshots_copies_and_hashes() -> None:
    world, _, a, b = scene()
    before, state = world.snapshot(), world.state_hash()
    twin = copy.copy(world)
    world.move(a, by=[0, 0, -8])
    after = world.state_hash()
    assert after != state == twin.state_hash()
    world.restore(before)
    assert world.state_hash() == state
    world.move(a, by=[0, 0, -8])
    assert world.state_hash() == after and twin.pose(a)[2, 3] == 4
    world.teleport(b, world.pose(a))
    assert world.overlaps() == [(a, b)]
    moved = world.resolve_overlap(b, 3.0)
    assert moved is not None and moved > 0 and world.overlaps() == []


def test_layers_and_sensors() -> None:
    world = impinge.World()
    world.insert(FLOOR, kind="fixed", layers=2)
    ghost = world.insert(BOX, translation([0, 0, 3]), mask=1)
    assert world.move(ghost, by=[0, 0, -9]).status is SweepStatus.CLEAR
    zone = world.insert(impinge.box([-2, -2, -20], [2, 2, -3]), kind="sensor")
    began = world.step([ghost], by=[[0, 0, -1]]).began
    assert [(contact.bodies, contact.is_sensed) for contact in began] == [((ghost, zone), True)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda world, body: world.insert(BOX, kind="flying"), "kind is \"flying\""),
        (lambda world, body: world.insert(BOX, np.zeros((4, 4))), "pose: "),
        (lambda world, body: world.move(body, by=[1, np.nan, 0]), "by: .*NaN"),
        (lambda world, body: world.move(body, by=[[1, 0, 0]]), "by is a batch"),
        (lambda world, body: world.step([body, body], by=[1, 0, 0]), "moved twice"),
        (lambda world, body: world.step([body], by=[[1, 0, 0]] * 2), "bodies is a batch of 1 and by of 2"),
        (lambda world, body: world.slide(body, [np.inf, 0, 0]), "by is .* not finite"),
        (lambda world, body: world.slide(body, [1, 0, 0], up=[0, 0, 0]), "up has no length"),
        (lambda world, body: world.cast_ray([0, 0, 0], [0, 0, 0]), "direction is zero"),
        (lambda world, body: world.contacts_between(body, body, -1.0), "within is -1"),
        (lambda world, body: impinge.World(margin=-1.0), "margin is -1"),
        (lambda world, body: world.sweep(BOX, by=[1, 0, 0], margin=np.inf), "margin is infinite"),
        (lambda world, body: impinge.view(BOX, BOX, by=[1, 0, 0], margin=np.nan), "margin is NaN"),
        (lambda world, body: world.teleport(body, translation([1e300, 0, 0])), "at most 1e150"),
        (lambda world, body: impinge.World().pose(body), "there is no body"),
    ],
)
def test_bad_calls_are_refused(call: Any, message: str) -> None:
    world, _, body, _ = scene()
    state = world.state_hash()
    with pytest.raises((ValueError, KeyError), match=message):
        call(world, body)
    assert world.state_hash() == state


def test_everything_moves_at_once() -> None:
    """Two boxes that cross each other's way meet, in either order of the list; with planes they slide."""
    ways = []
    for order in (1, -1):
        world = impinge.World()
        box = impinge.box([0, 0, 0], [1, 1, 1])
        a = world.insert(box, translation([0, 0, 0]))
        b = world.insert(box, translation([4, 0.5, 0]))
        step = world.step([a, b][::order], by=[[4, 0, 0], [-4, 0, 0]][::order])
        assert [move.status for move in step.moves] == [SweepStatus.HIT] * 2
        assert world.pose(b)[0, 3] - world.pose(a)[0, 3] >= 1.0
        ways.append((world.pose(a).tolist(), world.pose(b).tolist()))
    assert ways[0] == ways[1]
    world = impinge.World()
    wall = world.insert(impinge.box([2, -9, -9], [3, 9, 9]), kind="fixed")
    body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    step = world.step([body], by=[[3, 3, 0]], planes=2)
    assert step.moves[0].hits and step.moves[0].hits[0].body == wall
    assert world.pose(body)[:3, 3].round(6).tolist() == [1.0, 3.0, 0.0]


def test_a_lift_carries_its_rider_and_a_door_pushes() -> None:
    world = impinge.World()
    lift = world.insert(impinge.box([0, 0, 0], [4, 4, 1]), kind="kinematic")
    rider = world.insert(impinge.box([1, 1, 2], [2, 2, 3]))
    assert world.step([rider], by=[[0, 0, -2]]).carried == []
    for _ in range(50):
        step = world.step([lift], by=[[0.1, 0, 0.2]])
        assert [move.body for move in step.carried] == [rider]
    assert world.pose(lift)[:3, 3].round(9).tolist() == [5.0, 0.0, 10.0]
    assert np.abs(world.pose(rider)[:3, 3] - [5.0, 0.0, 9.0]).max() < 1e-6
    with pytest.raises(ValueError, match="up has no length"):
        world.step([lift], by=[[0, 0, 1]], up=[0, 0, 0])


def test_bullets_pass_through_glass_that_stops_players() -> None:
    """Materials are numbers of faces; a body ignores some of them, and a model can do without."""
    pane = impinge.box([2, -1, -1], [2.1, 1, 1])
    glass = impinge.Model(pane.vertices, pane.faces, materials=np.full(12, 3))
    world = impinge.World()
    world.insert(glass, kind="fixed")
    player = world.insert(impinge.box([0, -0.4, 0], [0.2, -0.2, 0.2]))
    bullet = world.insert(impinge.box([0, 0.2, 0], [0.2, 0.4, 0.2]), ignored_materials=[3])
    step = world.step([player, bullet], by=[4, 0, 0])
    assert [move.status for move in step.moves] == [SweepStatus.HIT, SweepStatus.CLEAR]
    assert glass.without_materials([3]) is None and pane.materials is None
    half = impinge.Model(pane.vertices, pane.faces, materials=[3] * 6 + [70] * 6)
    left = half.without_materials([3])
    assert left is not None and left.face_count == 6 and left.materials is not None and set(left.materials) == {70}
    again = copy.deepcopy(half)
    assert again.materials is not None and again.materials.tolist() == [3] * 6 + [70] * 6
    with pytest.raises(ValueError, match="11 materials for 12 faces"):
        impinge.Model(pane.vertices, pane.faces, materials=[1] * 11)
    with pytest.raises(ValueError, match="material 64 is in no set"):
        half.without_materials([64])
    with pytest.raises(ValueError, match="material 64 is in no set"):
        world.insert(pane, ignored_materials=[64])


def test_bodies_change_and_keep_their_names() -> None:
    world, floor, a, _ = scene()
    world.set_layers(a, layers=2, mask=2)
    assert world.move(a, by=[0, 0, -8]).status is SweepStatus.CLEAR
    world.set_layers(a)
    assert world.overlaps() == []
    world.set_kind(floor, "moving")
    assert world.move(floor, by=[0, 0, -1]).status is SweepStatus.CLEAR
    with pytest.raises(ValueError, match="kind is"):
        world.set_kind(a, "flying")  # type: ignore[arg-type]


def test_round_movers_are_shapes_of_their_own() -> None:
    round_one, wall = impinge.ball(0.5), impinge.box([3, -9, -9], [4, 9, 9])
    assert round_one.verdict(wall, pose_a=translation([2.5, 0, 0])) is Verdict.TOUCHING
    assert round_one.verdict(wall, pose_a=translation([np.nextafter(2.5, 3), 0, 0])) is Verdict.OVERLAPPING
    capsule = impinge.capsule([0, 0, 0.5], [0, 0, 1.5], 0.5)
    sweep = capsule.sweep(wall, by=[4, 0, 0])
    assert sweep.fraction <= 2.5 / 4 and sweep.fraction == pytest.approx(2.5 / 4, abs=1e-9)
    again = pickle.loads(pickle.dumps(capsule))
    assert again.radius == 0.5 and repr(again) == repr(capsule) and round_one.rounded(0.0).radius == 0.0
    for radius in [-1.0, math.nan, math.inf]:
        with pytest.raises(ValueError, match="is no radius"):
            impinge.ball(radius)
    with pytest.raises(ValueError, match="three coordinates"):
        impinge.capsule([0, 0], [1, 1], 1.0)
    world = impinge.World()
    room = world.insert(wall, kind="fixed")
    rolling = world.insert(round_one)
    step = world.step([rolling], by=[[9, 0, 0]])
    assert [contact.bodies for contact in step.began] == [(room, rolling)]
    assert world.pose(rolling)[0, 3] == pytest.approx(2.5, abs=1e-6) and world.overlaps() == []
