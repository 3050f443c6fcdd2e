"""Characters: they walk, climb, fall, jump, crouch and ride as those of the library do."""

import copy
import math
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import translation

FLOOR = impinge.box([-9, -9, -1], [9, 9, 0])
TALL = impinge.capsule([0, 0, 0.3], [0, 0, 1.5], 0.3)
LOW = impinge.capsule([0, 0, 0.3], [0, 0, 0.6], 0.3)
TICK = 1 / 60


def place(world: impinge.World, body: impinge.Body) -> Any:
    return world.pose(body)[:3, 3]


def walker(*solids: impinge.Model, **options: Any) -> tuple[impinge.World, impinge.Character]:
    world = impinge.World()
    for solid in (FLOOR, *solids):
        world.insert(solid, kind="fixed")
    return world, impinge.Character(world.insert(TALL), **options)


def walk(world: impinge.World, player: impinge.Character, wish: Any, updates: int) -> list[impinge.CharacterStep]:
    return [player.update(world, wish, TICK) for _ in range(updates)]


def test_stairs_are_climbed_and_walls_are_slid_along() -> None:
    stairs = [impinge.box([1 + 0.3 * k, -9, 0], [9, 9, 0.2 * (k + 1)]) for k in range(4)]
    world, player = walker(*stairs)
    steps = walk(world, player, [2, 0, 0], 90)
    assert all(step.is_grounded and not step.started_overlapping for step in steps[1:])
    assert any(step.stepped for step in steps)
    x, y, z = place(world, player.body)
    assert 2.7 < x <= 3.001 and abs(y) < 1e-9 and abs(z - 0.8) < 1e-5
    ground, kept = steps[-1].ground, player.ground
    assert ground is not None and kept is not None and ground.body == kept.body and not ground.is_steep
    assert np.allclose(ground.normal, [0, 0, 1]) and np.allclose(ground.point[2], 0.8)
    wall, player = walker(impinge.box([1, -9, 0], [2, 9, 3]))
    last = walk(wall, player, [3, 3, 0], 60)[-1]
    assert np.allclose(place(wall, player.body), [0.7, 3, 0], atol=1e-4)
    assert any(abs(normal[0] - 1) < 1e-9 for _, normal in last.met)


def test_lower_steps_and_flatter_slopes_stop_who_has_other_options() -> None:
    step = impinge.box([1, -9, 0], [9, 9, 0.3])
    for height, ends in [(0.35, 2.0), (0.2, 0.7)]:
        world, player = walker(step, step_up=height)
        walk(world, player, [2, 0, 0], 60)
        assert place(world, player.body)[0] == pytest.approx(ends, abs=0.05), height
    slope = impinge.Model([[1, -9, 0], [1, 9, 0], [9, 9, 4], [9, -9, 4]], [[0, 3, 2], [0, 2, 1]])
    angle = math.degrees(math.atan2(4, 8))
    for steepest, climbs in [(angle + 1, True), (angle - 1, False)]:
        world, player = walker(slope, steepest=steepest, step_up=0.01)
        walk(world, player, [2, 0, 0], 120)
        assert (place(world, player.body)[2] > 0.5) == climbs, steepest
    world, player = walker(step)
    player.set_options(step_up=0.1)
    walk(world, player, [2, 0, 0], 60)
    assert place(world, player.body)[0] < 1


def test_falls_and_jumps_are_its_own() -> None:
    world = impinge.World()
    world.insert(FLOOR, kind="fixed")
    player = impinge.Character(world.insert(TALL, translation([0, 0, 2])))
    assert not player.is_grounded and player.ground is None
    falling = walk(world, player, [0, 0, 0], 10)[-1]
    assert not falling.is_grounded and player.rising == pytest.approx(-10 * 9.81 * TICK)
    walk(world, player, [0, 0, 0], 60)
    assert player.is_grounded and player.rising == 0 and abs(place(world, player.body)[2]) < 1e-5
    player.jump(4.0)
    heights = [step.pose[2, 3] for step in walk(world, player, [1, 0, 0], 60)]
    assert max(heights) == pytest.approx(4**2 / 2 / 9.81, abs=0.05) and player.is_grounded
    # Another planet, whose way up is another.
    moon = impinge.World()
    moon.insert(impinge.box([-9, -1, -9], [9, 0, 9]), kind="fixed")
    ball = impinge.Character(moon.insert(impinge.ball(0.5), translation([0, 3, 0])), up=[0, 2, 0], gravity=1.6)
    walk(moon, ball, [0, 5, 0], 30)
    assert ball.rising == pytest.approx(-1.6 / 2)
    walk(moon, ball, [0, 5, 0], 120)
    assert ball.is_grounded and place(moon, ball.body)[1] == pytest.approx(0.5, abs=1e-5)


def test_who_crouches_passes_a_tunnel_and_stands_up_only_behind_it() -> None:
    world, player = walker(impinge.box([1, -9, 1.2], [3, 9, 3]))
    walk(world, player, [2, 0, 0], 60)
    assert place(world, player.body)[0] < 1 and not player.is_crouching
    assert player.crouch(world, LOW) and player.is_crouching
    walk(world, player, [2, 0, 0], 60)
    inside = place(world, player.body)[0]
    assert 1.2 < inside < 2.8
    state = world.state_hash()
    assert not player.stand_up(world) and player.is_crouching and world.state_hash() == state
    walk(world, player, [2, 0, 0], 60)
    assert player.stand_up(world) and not player.is_crouching and player.stand_up(world)
    assert world.overlaps() == []


def test_lifts_carry_it_and_crush_it_where_the_rule_says_so() -> None:
    world = impinge.World()
    lift = world.insert(impinge.box([-1, -1, -0.2], [1, 1, 0]), kind="kinematic")
    world.insert(impinge.box([-1, -1, 3], [1, 1, 4]), kind="fixed")
    player = impinge.Character(world.insert(TALL))
    world.step()
    for k in range(60):
        step = player.update(world, [0, 0, 0], TICK)
        if 1 < k < 20:
            assert np.allclose(step.ground_velocity, [0, 0, 3], atol=1e-6)
        assert world.step([lift], by=[0, 0, 0.05]).crushed == []
    assert place(world, lift)[2] == pytest.approx(1.2, abs=1e-6) and player.is_grounded
    crushing = world.step([lift], by=[0, 0, 0.05], crush="crush")
    assert [(crushed.by, crushed.body) for crushed in crushing.crushed] == [(lift, player.body)]
    assert 0 <= crushing.crushed[0].time <= 1
    assert place(world, lift)[2] == pytest.approx(1.25, abs=1e-6) and world.overlaps() == [(lift, player.body)]


def test_a_copy_goes_back_with_a_snapshot() -> None:
    world, player = walker(impinge.box([1, -9, 0], [9, 9, 0.2]))
    walk(world, player, [1, 0, 0], 20)
    before, was = world.snapshot(), copy.copy(player)
    player.jump(3.0)
    walk(world, player, [2, 1, 0], 20)
    state, rising = world.state_hash(), player.rising
    world.restore(before)
    again = copy.deepcopy(was)
    assert again.rising == was.rising != rising
    again.jump(3.0)
    walk(world, again, [2, 1, 0], 20)
    assert (world.state_hash(), again.rising) == (state, rising)


def test_slides_keep_to_the_ground_and_tell_it() -> None:
    world = impinge.World()
    floor = world.insert(FLOOR, kind="fixed")
    body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]), translation([0, 0, 0.2]))
    slid = world.slide(body, [1, 0, 0], snap=0.3, step_up=0.3)
    assert slid.ground is not None and slid.ground.body == floor and not slid.started_overlapping
    assert slid.pose[2, 3] == pytest.approx(0.0, abs=1e-6)
    high = world.slide(body, [0, 0, 2])
    assert high.ground is None
    stuck = world.insert(impinge.box([0, 0, 0], [1, 1, 1]), translation([5, 0, -0.5]))
    assert world.slide(stuck, [1, 0, 0]).started_overlapping


def test_casts_pass_through_materials_that_they_ignore() -> None:
    pane = impinge.box([2, -1, -1], [2.1, 1, 1])
    glass = impinge.Model(pane.vertices, pane.faces, materials=np.full(12, 3))
    world = impinge.World()
    window = world.insert(glass, kind="fixed")
    wall = world.insert(impinge.box([4, -9, -9], [5, 9, 9]), kind="fixed")
    first, through = world.cast_ray([0, 0, 0], [1, 0, 0]), world.cast_ray([0, 0, 0], [1, 0, 0], ignored_materials=[3])
    assert first is not None and first.body == window and through is not None and through.body == wall
    seen, swept = world.sweep(impinge.ball(0.1), by=[9, 0, 0]), world.sweep(impinge.ball(0.1), by=[9, 0, 0], ignored_materials=[3])
    assert seen is not None and seen[0] == window and swept is not None and swept[0] == wall
    with pytest.raises(ValueError, match="material 64 is in no set"):
        world.cast_ray([0, 0, 0], [1, 0, 0], ignored_materials=[64])
    with pytest.raises(ValueError, match="material 64 is in no set"):
        world.sweep(impinge.ball(0.1), by=[9, 0, 0], ignored_materials=[64])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda world, player: player.update(world, [np.nan, 0, 0], TICK), "wish"),
        (lambda world, player: player.update(world, [1, 0, 0], -1.0), "seconds is -1"),
        (lambda world, player: player.update(world, [1, 0, 0], math.nan), "seconds is NaN"),
        (lambda world, player: player.update(impinge.World(), [1, 0, 0], TICK), "there is no body"),
        (lambda world, player: player.jump(math.inf), "velocity is inf"),
        (lambda world, player: player.set_options(step_up=-1.0), "step_up is -1"),
        (lambda world, player: player.set_options(snap=math.inf), "snap is infinite"),
        (lambda world, player: player.set_options(gravity=math.nan), "gravity is NaN"),
        (lambda world, player: impinge.Character(player.body, steepest=-5.0), "steepest is -5"),
        (lambda world, player: impinge.Character(player.body, up=[0, 0, 0]), "up has no length"),
        (lambda world, player: world.step([player.body], by=[1, 0, 0], crush="flat"), 'crush is "flat"'),
        (lambda world, player: world.slide(player.body, [1, 0, 0], snap=-1.0), "snap is -1"),
        (lambda world, player: player.crouch(impinge.World(), LOW), "there is no body"),
    ],
)
def test_bad_calls_change_nothing(call: Any, message: str) -> None:
    world, player = walker()
    walk(world, player, [1, 0, 0], 3)
    state = world.state_hash(), player.rising, player.is_grounded
    with pytest.raises((ValueError, KeyError), match=message):
        call(world, player)
    assert (world.state_hash(), player.rising, player.is_grounded) == state
