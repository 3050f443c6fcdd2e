"""Answers against shapes whose answers are known, batches against single questions, and hostile poses."""

import multiprocessing
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from conftest import Array, ball, random_pose

import impinge
from impinge import SweepStatus, Verdict, translation

BOX = impinge.box([0, 0, 0], [1, 1, 1])
OPEN = impinge.Model([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])


def poses(count: int, seed: int = 0, spread: float = 0.9) -> Array:
    random = np.random.default_rng(seed)
    return np.array([random_pose(random, spread) for _ in range(count)]).reshape(count, 4, 4)


def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same, bit for bit; NaN in a batch is None in one answer."""
    if one is None:
        return bool(np.isnan(np.asarray(other, dtype=float)).all())
    return np.array_equal(np.asarray(one, dtype=float), np.asarray(other, dtype=float), equal_nan=True)


def leaves(answer: Any) -> list[Any]:
    """The arrays and numbers of an answer, whatever tuples and lists they are in."""
    if isinstance(answer, tuple | list):
        return [leaf for field in answer for leaf in leaves(field)]
    return [answer]


@pytest.mark.parametrize(
    ("by", "verdict"),
    [
        ([0.5, 0, 0], Verdict.OVERLAPPING),
        ([1, 0, 0], Verdict.TOUCHING),
        ([1, 1, 1], Verdict.TOUCHING),
        ([np.nextafter(1, 2), 0, 0], Verdict.CLEAR),
        ([np.nextafter(1, 0), 0, 0], Verdict.OVERLAPPING),
        ([0, 0, 0], Verdict.OVERLAPPING),
    ],
)
def test_verdicts_of_boxes_are_exact(by: Any, verdict: Verdict) -> None:
    assert BOX.verdict(BOX, pose_b=translation(by)) is verdict
    assert BOX.intersects(BOX, translation(by)) is (verdict != Verdict.CLEAR)
    assert (BOX.distance(BOX, pose_b=translation(by)).distance == 0) is (verdict != Verdict.CLEAR)
    assert (BOX.witness(BOX, pose_b=translation(by)) is None) is (verdict == Verdict.CLEAR)


def test_what_is_inside_intersects_and_is_told_apart() -> None:
    outer = impinge.box([-1, -1, -1], [2, 2, 2])
    assert BOX.verdict(outer) is Verdict.A_INSIDE_B
    assert outer.verdict(BOX) is Verdict.B_INSIDE_A
    assert BOX.intersects(outer) and not BOX.intersects(outer, surface_only=True)
    assert BOX.verdict(outer, surface_only=True) is Verdict.CLEAR
    assert BOX.distance(outer).distance == 0
    assert BOX.distance(outer, surface_only=True).distance == 1
    assert BOX.face_pairs(outer).shape == (0, 2)


MODELS = [(ball(7), ball(5)), (BOX, ball(5, 0.7)), (ball(6), OPEN), (OPEN, OPEN)]
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("intersects", {}),
    ("intersects", {"surface_only": True}),
    ("verdict", {}),
    ("witness", {}),
    ("face_pairs", {}),
    ("distance", {}),
    ("distance", {"surface_only": True}),
    ("contacts", {"within": 0.3}),
    ("penetration", {"share": 0.1}),
    ("shared_volume", {}),
    ("separation", {}),
    ("separation", {"at_most": 0.1}),
    ("sweep", {"by": [1.0, 0.5, -3.0]}),
    ("sweep", {"by": [0.0, 0.0, 2.0], "margin": 0.05}),
    ("sweep", {"rotate": [3.0, 0.0, 0.0, 0.0, 1.0, 1.0, 200.0]}),
    ("sweep", {"by": [-2.0, 0.0, 0.0], "rotate": [0.0, 3.0, 0.0, 1.0, 0.0, 0.0, -90.0]}),
    ("intersection_curve", {}),
    ("volume", {}),
]


@pytest.mark.parametrize(("question", "options"), QUESTIONS)
@pytest.mark.parametrize(("a", "b"), MODELS)
def test_a_batch_gives_the_bits_of_single_questions(
    a: impinge.Model, b: impinge.Model, question: str, options: dict[str, Any]
) -> None:
    count = 12
    batch_a, batch_b = poses(count, 1), poses(count, 2)
    ask_a = getattr(a, question)
    cases: list[tuple[Any, Callable[[int], Any]]] = [
        (ask_a(b, pose_a=batch_a, **options), lambda i: ask_a(b, pose_a=batch_a[i], **options)),
        (ask_a(b, pose_b=batch_b, **options), lambda i: ask_a(b, pose_b=batch_b[i], **options)),
        (
            ask_a(b, pose_a=batch_a, pose_b=batch_b, **options),
            lambda i: ask_a(b, pose_a=batch_a[i], pose_b=batch_b[i], **options),
        ),
    ]
    for many, one in cases:
        for i in range(count):
            single = one(i)
            if isinstance(many, list | np.ndarray):
                assert all(same(x, y) for x, y in zip(leaves(single), leaves(many[i]), strict=True))
            elif single is None:
                assert np.isnan(many[1][i] if question != "witness" else many[0][i]).all()
            else:
                assert type(many).__name__ in (type(single).__name__ + "s", "Witnesses")
                assert single._fields == many._fields
                assert all(same(x, y[i]) for x, y in zip(leaves(single), leaves(many), strict=True))


@pytest.mark.parametrize(("question", "options"), QUESTIONS)
def test_an_empty_batch_has_empty_answers(question: str, options: dict[str, Any]) -> None:
    answer = getattr(BOX, question)(BOX, pose_b=np.empty((0, 4, 4)), **options)
    assert all(len(leaf) == 0 for leaf in leaves(answer))


def test_exchanging_the_models_exchanges_names_only() -> None:
    a, b, batch = ball(7), ball(5, 0.8), poses(60)
    one, other = a.distance(b, pose_b=batch), b.distance(a, pose_a=batch)
    assert (one.distance == other.distance).all()
    assert (one.point_on_a == other.point_on_b).all()
    assert (a.verdict(b, pose_b=batch) == np.array([0, 1, 2, 4, 3])[b.verdict(a, pose_a=batch)]).all()
    for pairs, others in zip(a.face_pairs(b, pose_b=batch), b.face_pairs(a, pose_a=batch), strict=True):
        assert sorted(map(tuple, pairs.tolist())) == sorted(map(tuple, others[:, ::-1].tolist()))


def test_a_sweep_stops_in_time_at_a_free_pose() -> None:
    moving, wall = ball(8), impinge.box([3, -9, -9], [3.5, 9, 9])
    random = np.random.default_rng(5)
    starts, by = poses(80, 3, spread=0.5), random.normal(size=(80, 3)) * 4
    sweeps = moving.sweep(wall, by=by, pose_a=starts)
    assert {0, 1} <= set(sweeps.status.tolist())
    free = moving.verdict(wall, sweeps.pose)
    assert (free[sweeps.status != SweepStatus.STARTED_OVERLAPPING] == Verdict.CLEAR).all()
    room = np.array([3 - (moving.vertices @ start[:3, :3].T + start[:3, 3])[:, 0].max() for start in starts])
    hits = sweeps.status == SweepStatus.HIT
    first = room[hits] / by[hits, 0]
    assert (sweeps.fraction[hits] <= first + 1e-12).all() and np.allclose(sweeps.fraction[hits], first, atol=1e-6)
    assert np.isnan(sweeps.normal[~hits]).all() and np.allclose(sweeps.normal[hits], [1, 0, 0])


def test_a_sweep_between_poses_turns_the_model() -> None:
    blade = impinge.box([-2, -0.1, -0.1], [2, 0.1, 0.1])
    post = impinge.box([-0.1, 1, -1], [0.1, 2, 1])
    quarter = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    sweep = blade.sweep(post, to=quarter)
    assert sweep.status is SweepStatus.HIT and 0.8 < sweep.fraction < 1.0
    assert blade.sweep(post, to=np.eye(4)).status is SweepStatus.CLEAR
    batch = blade.sweep(post, to=np.array([quarter, np.eye(4)]))
    assert batch.fraction.tolist() == [sweep.fraction, 1.0]
    assert blade.sweep(blade, by=[1, 0, 0]).status is SweepStatus.STARTED_OVERLAPPING


def test_depths_volumes_and_separations_of_boxes() -> None:
    pose = translation([0.75, 0.5, 0])
    assert BOX.shared_volume(BOX, pose_b=pose).volume == pytest.approx(0.125)
    found = BOX.separation(BOX, pose_b=pose)
    assert found.distance == pytest.approx(0.25, rel=1e-3) and found.direction.tolist() == [-1, 0, 0]
    assert not BOX.verdict(BOX, found.pose, pose) >= Verdict.OVERLAPPING
    depth = BOX.penetration(BOX, pose_b=translation([0.9, 0, 0]))
    assert depth.at_least <= 0.1 <= depth.at_most
    assert BOX.penetration(OPEN) is not None and OPEN.penetration(OPEN) is None
    assert BOX.shared_volume(OPEN) is None
    assert np.isnan(BOX.shared_volume(OPEN, pose_b=poses(2)).volume).all()


def test_points_and_rays_of_a_box() -> None:
    random = np.random.default_rng(7)
    points = random.uniform(-1, 2, size=(300, 3))
    outside = np.linalg.norm(np.maximum(0, np.maximum(-points, points - 1)), axis=1)
    inside = np.minimum(points, 1 - points).min(axis=1)
    expected = np.where(inside > 0, -inside, outside)
    assert np.allclose(BOX.signed_distance(points), expected)
    closest = BOX.closest_points(points)
    assert np.allclose(closest.distances, np.abs(expected))
    assert np.allclose(np.linalg.norm(closest.points - points, axis=1), np.abs(expected))
    assert closest.faces.min() >= 0 and closest.faces.max() < 12
    assert np.allclose(BOX.winding_number(points), inside > 0)
    assert np.allclose(BOX.signed_distance(points + 5, pose=translation([5, 5, 5])), expected)
    origins = np.array([[0.5, 0.25, 3], [0.5, 0.25, 0.5], [5, 5, 5], [0.5, 0.25, 3]])
    hits = BOX.cast_rays(origins, [[0, 0, -2]] * 4, max_t=[9, 9, 9, 0.5])
    assert hits.t.tolist() == [1.0, 0.25, np.inf, np.inf]
    assert (hits.faces >= 0).tolist() == [True, True, False, False]
    assert np.isnan(hits.points[2:]).all() and hits.points[0].tolist() == [0.5, 0.25, 1.0]
    assert BOX.cast_rays([[0.5, 0.25, 0.5]], [[0, 0, 1]], cull_back=True).faces.tolist() == [-1]
    assert len(BOX.signed_distance(np.empty((0, 3)))) == 0


def test_points_and_rays_at_many_poses_are_those_of_each() -> None:
    model, batch = ball(9), poses(7, 4)
    random = np.random.default_rng(3)
    points, directions = random.normal(size=(20, 3)), random.normal(size=(20, 3))
    questions: list[Callable[[Array], Any]] = [
        lambda pose: model.signed_distance(points, pose),
        lambda pose: model.winding_number(points, pose),
        lambda pose: model.closest_points(points, pose),
        lambda pose: model.cast_rays(points * 2, directions, pose),
        lambda pose: model.hits_rays(points * 2, directions, pose),
    ]
    for question in questions:
        many = leaves(question(batch))
        assert all(leaf.shape[:2] == (7, 20) for leaf in many)
        for i, pose in enumerate(batch):
            assert all(same(one, of_many[i]) for one, of_many in zip(leaves(question(pose)), many, strict=True))
    assert model.signed_distance(points, np.empty((0, 4, 4))).shape == (0, 20)
    hits, everything = model.cast_rays(points * 2, directions), model.cast_rays_all(points * 2, directions)
    for i, all_of_one in enumerate(everything):
        assert (len(all_of_one.t) > 0) == (hits.faces[i] >= 0) == model.hits_rays(points * 2, directions)[i]
        if len(all_of_one.t):
            assert all_of_one.t[0] == hits.t[i] and (np.diff(all_of_one.t) >= 0).all()


VOLUMES = [
    impinge.Volume.aabb([0.5, 0.5, 0.5], [2, 2, 2]),
    impinge.Volume.obb([1, 0, 0], [0.5, 0.25, 0.25], [0, 0, 1], 45),
    impinge.Volume.sphere([2, 0, 0], 1.25),
    impinge.Volume.capsule([-2, 0, 1], [2, 0, 1], 0.1),
    impinge.Volume.plane([0, 0, 2], 0.5),
    impinge.Volume.half_space([1, 0, 0], -0.5),
    impinge.Volume.frustum(np.eye(4)),
    impinge.Volume.frustum(np.eye(4), zero_to_one=True),
    impinge.Volume.sphere([9, 9, 9], 1),
]


def test_faces_touching_volumes() -> None:
    model = ball(8)
    corners = model.vertices[model.faces]
    inside = np.linalg.norm(corners - [2, 0, 0], axis=2).min(axis=1) <= 1.25
    touched = model.faces_touching(VOLUMES[2])
    assert set(np.flatnonzero(inside)) <= set(touched.tolist())
    # A face of the plane z = 0.25 has corners on both sides, or in it.
    spans = (corners[:, :, 2].min(axis=1) <= 0.25) & (corners[:, :, 2].max(axis=1) >= 0.25)
    assert model.faces_touching(VOLUMES[4]).tolist() == np.flatnonzero(spans).tolist()
    many = model.faces_touching(VOLUMES)
    assert [faces.tolist() for faces in many] == [model.faces_touching(volume).tolist() for volume in VOLUMES]
    assert model.touches(VOLUMES).tolist() == [len(faces) > 0 for faces in many] == [True] * 8 + [False]
    batch = poses(9, 5)
    assert [faces.tolist() for faces in model.faces_touching(VOLUMES, batch)] == [
        model.faces_touching(volume, pose).tolist() for volume, pose in zip(VOLUMES, batch, strict=True)
    ]
    for volume in VOLUMES:
        assert pickle.loads(pickle.dumps(volume)) == volume != impinge.Volume.sphere([1, 2, 3], 4)
    with pytest.raises(ValueError, match="volume is a batch of 9 and pose of 2"):
        model.touches(VOLUMES, batch[:2])
    for bad in ["sphere", 3, [VOLUMES[0], None]]:
        with pytest.raises(TypeError, match="must be an impinge.Volume"):
            model.touches(bad)  # type: ignore[call-overload]
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: impinge.Volume.sphere([0, 0, 0], -1), "sphere: .*radius"),
        (lambda: impinge.Volume.sphere([0, np.nan, 0], 1), "sphere: .*NaN"),
        (lambda: impinge.Volume.sphere([0, 0], 1), r"center has the shape \(2,\)"),
        (lambda: impinge.Volume.obb([0, 0, 0], [1, 1, 1], [0, 0, 0], 30), "obb: .*axis"),
        (lambda: impinge.Volume.plane([0, 0, 0], 1), "plane: "),
        (lambda: impinge.Volume.frustum(np.eye(3)), r"clip_from_world has the shape \(3, 3\)"),
    ]
    for make, message in refusals:
        with pytest.raises(ValueError, match=message):
            make()


def test_features_are_those_of_the_closest_points() -> None:
    found = BOX.distance(BOX, pose_b=translation([3, 3, 3]))
    assert found.feature_a.kind is impinge.FeatureKind.VERTEX and found.feature_a.vertices.tolist() == [7, -1]
    assert found.feature_b.vertices.tolist() == [0, -1]
    tilted = np.eye(4)
    tilted[:3, :3] = [[np.sqrt(0.5), 0, -np.sqrt(0.5)], [0, 1, 0], [np.sqrt(0.5), 0, np.sqrt(0.5)]]
    tilted[:3, 3] = [0.5, 0, 3]
    edge = BOX.distance(BOX, pose_b=tilted)
    assert edge.feature_b.kind in (impinge.FeatureKind.EDGE, impinge.FeatureKind.VERTEX)
    assert BOX.distance(impinge.box([-1, -1, -1], [2, 2, 2])).feature_a.kind is impinge.FeatureKind.NONE


def test_a_turn_stops_in_time() -> None:
    door, post = impinge.box([0, 0, 0], [1, 0.05, 2]), impinge.box([-0.05, 0.8, 0], [0.05, 0.9, 2])
    turn = [0.0, 0, 0, 0, 0, 1, 120]
    sweep = door.sweep(post, rotate=turn)
    assert (sweep.status, sweep.phase) == (SweepStatus.HIT, impinge.Phase.ROTATION)
    # The face that comes first is 0.05 in front of the hinge, and meets the corner (0.05, 0.8) of the post.
    angle = np.degrees(np.arctan2(0.8, 0.05) - np.arcsin(0.05 / np.hypot(0.8, 0.05)))
    assert sweep.fraction <= angle / 120 and sweep.fraction == pytest.approx(angle / 120, abs=1e-6)
    both = door.sweep(post, by=[0, 0, 5], rotate=turn)
    assert (both.status, both.phase) == (SweepStatus.CLEAR, impinge.Phase.NONE)
    first = door.sweep(post, by=[0, 2, 0], rotate=turn)
    assert (first.status, first.phase) == (SweepStatus.HIT, impinge.Phase.TRANSLATION)
    assert first.fraction == pytest.approx(0.75 / 4, abs=1e-6)


def test_the_curve_of_two_boxes_is_closed() -> None:
    curve = BOX.intersection_curve(BOX, pose_b=translation([0.5, 0.5, 0.5]))
    (line,) = curve.polylines
    # Each of the two faces around a corner is cut along half of a side.
    assert line.closed and not line.coplanar and line.points.shape == (6, 3)
    steps = np.linalg.norm(np.diff(np.vstack([line.points, line.points[:1]]), axis=0), axis=1)
    assert steps.tolist() == [0.5] * 6
    assert BOX.intersection_curve(BOX, pose_b=translation([3, 0, 0])).polylines == []
    assert all(line.coplanar for line in BOX.intersection_curve(BOX, pose_b=translation([1, 0, 0])).polylines)


NOT_FINITE = np.eye(4)
NOT_FINITE[1, 2] = np.nan


@pytest.mark.parametrize(
    ("pose", "kind", "message"),
    [
        (translation([1, 2, 3]).T, ValueError, "pose_a: .*looks transposed"),
        (np.diag([1.0, 1, 0, 1]), ValueError, "pose_a: .*flattens"),
        (np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]), ValueError, "pose_a: .*no inverse"),
        (np.diag([1.0, 1, 1, 2]), ValueError, "pose_a: the bottom row"),
        (NOT_FINITE, ValueError, "pose_a: .*row 1, column 2.* is NaN"),
        (np.eye(3), ValueError, r"pose_a has the shape \(3, 3\), but must have \(4, 4\), or \(k, 4, 4\)"),
        (np.zeros((2, 2, 4, 4)), ValueError, r"pose_a has the shape \(2, 2, 4, 4\)"),
        (np.array([np.eye(4), translation([1, 2, 3]).T]), ValueError, r"pose_a\[1\]: .*looks transposed"),
        (np.array([np.eye(4)] * 5000 + [NOT_FINITE] * 5000), ValueError, r"pose_a\[5000\]: .* is NaN"),
        ("here", TypeError, "pose_a must be an array of real numbers"),
        (np.eye(4).astype(complex), TypeError, "pose_a must be an array of real numbers"),
    ],
)
def test_bad_poses_are_refused(pose: Any, kind: type[Exception], message: str) -> None:
    for question in ["intersects", "distance", "contacts"]:
        with pytest.raises(kind, match=message):
            getattr(BOX, question)(BOX, pose)


@pytest.mark.parametrize("form", [np.asfortranarray, np.ndarray.tolist, lambda pose: pose[::-1].copy()[::-1]])
def test_poses_of_any_form(form: Any) -> None:
    pose = translation([3, 4, 5])
    expected = BOX.distance(BOX, pose).distance
    assert BOX.distance(BOX, form(pose)).distance == expected
    assert BOX.distance(BOX, form(pose.astype(np.float32))).distance == expected
    assert BOX.distance(BOX, form(pose.astype(int))).distance == expected
    assert BOX.distance(BOX, form(np.array([pose] * 3))[::1]).distance.tolist() == [expected] * 3


def test_other_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="pose_a is a batch of 2 and pose_b of 3"):
        BOX.intersects(BOX, poses(2), poses(3))
    with pytest.raises(ValueError, match="by is a batch of 2 and pose_a of 3"):
        BOX.sweep(BOX, by=np.ones((2, 3)), pose_a=poses(3))
    with pytest.raises(TypeError, match="either `by`"):
        BOX.sweep(BOX)
    with pytest.raises(TypeError, match="either `by`"):
        BOX.sweep(BOX, by=[1, 0, 0], to=np.eye(4))
    with pytest.raises(ValueError, match=r"by has the shape \(2,\)"):
        BOX.sweep(BOX, by=[1, 0])
    with pytest.raises(ValueError, match="by: .*y.* is NaN"):
        BOX.sweep(BOX, by=[1, np.nan, 0])
    with pytest.raises(ValueError, match=r"by\[1\]: .*y.* is NaN"):
        BOX.sweep(BOX, by=np.array([[1, 0, 0], [1, np.nan, 0]]))
    with pytest.raises(ValueError, match=r"rotate has the shape \(3,\), but must have \(7,\)"):
        BOX.sweep(BOX, rotate=[0, 0, 90])
    with pytest.raises(ValueError, match="rotate: .*axis"):
        BOX.sweep(BOX, rotate=[0, 0, 0, 0, 0, 0, 90])
    with pytest.raises(TypeError, match="either `by`"):
        BOX.sweep(BOX, rotate=[0, 0, 0, 0, 0, 1, 90], to=np.eye(4))
    for margin in [-1, np.nan, np.inf]:
        with pytest.raises(ValueError, match="margin is"):
            BOX.sweep(BOX, by=[1, 0, 0], margin=margin)
    with pytest.raises(ValueError, match="to: "):
        BOX.sweep(BOX, to=np.diag([2.0, 1, 1, 1]))
    with pytest.raises(ValueError, match="within is -1"):
        BOX.contacts(BOX, within=-1)
    with pytest.raises(ValueError, match="at_most is NaN"):
        BOX.separation(BOX, at_most=np.nan)
    with pytest.raises(TypeError):
        BOX.intersects("box")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"points\[1, 2\] is inf"):
        BOX.signed_distance(np.array([[0, 0, 0], [0, 0, np.inf]]))
    with pytest.raises(ValueError, match=r"points has the shape \(3,\)"):
        BOX.closest_points([0, 0, 0])
    with pytest.raises(ValueError, match="ray 1: the direction is zero"):
        BOX.cast_rays(np.zeros((2, 3)), [[1, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="2 origins and 1 directions"):
        BOX.cast_rays(np.zeros((2, 3)), [[1, 0, 0]])
    with pytest.raises(ValueError, match="ray 0: the largest t is -1"):
        BOX.cast_rays([[0, 0, 0]], [[1, 0, 0]], max_t=-1)
    with pytest.raises(ValueError, match=r"max_t has the shape \(2,\)"):
        BOX.cast_rays([[0, 0, 0]], [[1, 0, 0]], max_t=[1, 2])
    with pytest.raises(ValueError, match=r"pose has the shape \(2, 4, 4\)"):
        BOX.cast_rays_all([[0, 0, 0]], [[0, 0, 1]], poses(2))


def test_threads_share_models() -> None:
    a, b, batch = ball(20), ball(21), poses(200)
    expected = ball(20).distance(ball(21), pose_b=batch).distance
    with ThreadPoolExecutor(8) as threads:
        singles = threads.map(lambda pose: a.distance(b, pose_b=pose).distance, batch)
        batches = [threads.submit(lambda: a.distance(b, pose_b=batch).distance) for _ in range(8)]
        assert (np.array(list(singles)) == expected).all()
        assert all((future.result() == expected).all() for future in batches)


@pytest.mark.parametrize("count", [None, 3000])
def test_other_threads_run_during_a_question(count: int | None) -> None:
    moments: list[float] = []
    done = threading.Event()

    def note() -> None:
        while not done.wait(0.0005):
            moments.append(time.perf_counter())

    noting = threading.Thread(target=note)
    noting.start()
    a, batch = ball(40 if count is None else 24), poses(count or 0, spread=2.0)

    def is_noted() -> bool:
        begin = time.perf_counter()
        if count is None:
            a.penetration(a, pose_b=translation([0.4, 0.3, 0.2]), share=1e-6)
        else:
            a.distance(a, pose_b=batch)
        end = time.perf_counter()
        # At either end threads may take turns anyway.
        quarter = (end - begin) / 4
        return any(begin + quarter < moment < end - quarter for moment in moments)

    # Where the machine is busy, the other thread may have no turn for a while.
    noted = any(is_noted() for _ in range(30))
    done.set()
    noting.join()
    assert noted


HOSTILE = [
    impinge.Model(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * size, faces)
    for size in [1e300, 1e150, 1.0, 1e-150, 5e-324]
    for faces in ([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], [[0, 0, 0], [1, 1, 2]])
]


@pytest.mark.parametrize("a", HOSTILE)
@pytest.mark.parametrize("b", [*HOSTILE, ball(4)])
def test_any_finite_model_gets_answers(a: impinge.Model, b: impinge.Model) -> None:
    for pose in [np.eye(4), translation([1e100, -3, 0.1]), np.diag([1e-60, 1e60, -1, 1.0])]:
        for question, options in QUESTIONS:
            getattr(a, question)(b, pose_b=pose, **options)
        assert a.intersects(b, pose_b=pose) == (a.distance(b, pose_b=pose).distance == 0)
        assert a.intersects(b, pose_b=pose) == b.intersects(a, pose)
        a.signed_distance(b.vertices, pose)
        a.winding_number(b.vertices, pose)
        a.closest_points(b.vertices, pose)


def test_a_batch_can_be_interrupted(interrupt_after: Callable[[float], None]) -> None:
    a, batch = ball(40), np.tile(poses(1, spread=0.3), (100_000, 1, 1))
    interrupt_after(0.2)
    # All of them would take many minutes.
    with pytest.raises(KeyboardInterrupt):
        a.penetration(a, pose_b=batch, share=1e-4)


def in_a_process(batch: Array) -> list[bool]:
    answer: list[bool] = BOX.intersects(BOX, pose_b=batch).tolist()
    return answer


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_have_threads_of_their_own() -> None:
    batch = poses(50)
    expected = in_a_process(batch)
    methods = [method for method in ["fork", "spawn"] if method in multiprocessing.get_all_start_methods()]
    for method in methods:
        with multiprocessing.get_context(method).Pool(2) as processes:
            assert processes.map_async(in_a_process, [batch] * 4).get(timeout=60) == [expected] * 4
