"""Answers of the module and of the command, which are those of the library, bit for bit."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Array, random_pose

import impinge

Make = Callable[..., Path]
NAMES = {
    ("clear", None): impinge.Verdict.CLEAR,
    ("touching", None): impinge.Verdict.TOUCHING,
    ("overlapping", None): impinge.Verdict.OVERLAPPING,
    ("inside", "a"): impinge.Verdict.A_INSIDE_B,
    ("inside", "b"): impinge.Verdict.B_INSIDE_A,
}
PAIRS = [
    ("knot", "knot.ply", "gear", "gear.obj"),
    ("box", "box.obj", "shell", "shell.ply"),
    ("terrain", "terrain.ply", "star", "star.obj"),
    ("soup", "soup.obj", "car", "car.ply"),
    ("quad", "quad.obj", "triangle", "triangle.obj"),
    ("hovertank", "hovertank.obj", "repair-pad", "repair-pad.obj"),
]


def hostile_poses(seed: int) -> Array:
    """Turned, scaled, mirrored and sheared poses, and such as make faces coplanar and edges meet."""
    random = np.random.default_rng(seed)
    poses = [random_pose(random, spread) for spread in [0.0, 0.1, 0.5, 1.0, 2.0, 4.0] for _ in range(3)]
    for step in [0.0, 0.5, 1.0, 2.0]:
        poses += [impinge.translation(step * axis) for axis in np.eye(3)]
    shear, mirror, small = np.eye(4), np.eye(4), np.diag([0.05, 0.05, 0.05, 1.0])
    shear[0, 1], mirror[2, 2] = 0.75, -1.0
    return np.array([*poses, shear, mirror, small, shear @ poses[4], mirror @ poses[5], small @ poses[6]])


def answers(command: Path, *arguments: Any) -> list[dict[str, Any]]:
    done = subprocess.run([command, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(path: Path, rows: Array) -> Path:
    # Python writes the shortest digits that are read as the same number.
    path.write_text("".join(" ".join(map(repr, row)) + "\n" for row in rows.reshape(len(rows), -1).tolist()))
    return path


def told(features: Any, index: int | None = None) -> dict[str, Any] | None:
    """A feature as the command's JSON has it."""
    kind, vertices, face = features if index is None else (field[index] for field in features)
    match impinge.FeatureKind(kind):
        case impinge.FeatureKind.VERTEX:
            return {"kind": "vertex", "index": int(vertices[0])}
        case impinge.FeatureKind.EDGE:
            return {"kind": "edge", "vertices": vertices.tolist(), "face": int(face)}
        case impinge.FeatureKind.FACE:
            return {"kind": "face", "index": int(face)}
        case _:
            return None


def bare(feature: dict[str, Any] | None) -> dict[str, Any] | None:
    """A feature of the command without what only files of several nodes have."""
    return feature and {key: value for key, value in feature.items() if key in ("kind", "index", "vertices", "face")}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}-{pair[2]}")
def test_checks_and_distances_are_those_of_the_command(
    command: Path, make: Make, tmp_path: Path, pair: tuple[str, str, str, str]
) -> None:
    files = make(pair[0], pair[1], "--triangles", "300"), make(pair[2], pair[3], "--triangles", "200")
    a, b = (impinge.load_model(file) for file in files)
    poses = hostile_poses(len(pair[0]))
    rows = written(tmp_path / "poses.txt", poses)
    verdicts, lists = a.verdict(b, pose_b=poses), a.face_pairs(b, pose_b=poses)
    witnesses = a.witness(b, pose_b=poses)
    checks = answers(command, "check", *files, "--pairs", "--poses-b", rows)
    assert len(checks) == len(poses)
    for i, check in enumerate(checks):
        assert verdicts[i] == NAMES[check["verdict"], check["contained"]]
        assert lists[i].tolist() == check["pairs"]
        if check["witness"] is None:
            assert np.isnan(witnesses.point[i]).all()
    assert len(set(verdicts.tolist())) > 1, "the poses differ in what they ask"
    distances = a.distance(b, pose_b=poses)
    for i, answer in enumerate(answers(command, "distance", *files, "--poses-b", rows)):
        assert distances.distance[i] == answer["distance"]
        assert distances.point_on_a[i].tolist() == answer["point_a"]
        assert distances.point_on_b[i].tolist() == answer["point_b"]
        for face, ours, feature in [
            (distances.face_a[i], distances.feature_a, answer["feature_a"]),
            (distances.face_b[i], distances.feature_b, answer["feature_b"]),
        ]:
            assert (face == -1) == (feature is None)
            assert told(ours, i) == bare(feature)


@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_sweeps_are_those_of_the_command(command: Path, make: Make, tmp_path: Path, margin: float) -> None:
    files = make("knot", "knot.ply", "--triangles", "300"), make("gear", "gear.obj", "--triangles", "200")
    a, b = (impinge.load_model(file) for file in files)
    motions = np.random.default_rng(4).normal(size=(20, 3)) * 2 + [0.0, 0.0, -6.0]
    start = impinge.translation([0.25, 0.0, 5.0])
    sweeps = a.sweep(b, by=motions, pose_a=start, margin=margin)
    rows = written(tmp_path / "motions.txt", motions)
    found = answers(
        command, "sweep", *files, "--translate-a", "0.25,0,5", "--motions", rows, "--margin", margin
    )
    assert len(found) == len(motions)
    for i, sweep in enumerate(found):
        assert ("clear", "hit", "started overlapping")[sweeps.status[i]] == sweep["verdict"].replace("_", " ")
        assert sweeps.fraction[i] == sweep["fraction"]
        assert sweeps.pose[i].ravel().tolist() == np.ravel(sweep["world_from_moving"]).tolist()
    assert {0, 1} == set(sweeps.status.tolist())


MOTIONS = {
    "translation": [(0.0, 0.0, -6.0), (1.0, 0.5, -5.0), (0.0, 3.0, 0.0)],
    "rotation": [(0.0, 0.0, 2.5, 1.0, 0.0, 0.0, 180.0), (2.0, 1.0, 0.0, 0.0, 1.0, 1.0, -250.0), (9.0, 9.0, 9.0, 0.0, 0.0, 1.0, 30.0)],
    "both": [(0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 170.0), (0.0, 0.0, -8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 45.0)],
}


@pytest.mark.parametrize("kind", MOTIONS)
@pytest.mark.parametrize("margin", [0.0, 0.02])
def test_turns_are_those_of_the_command(command: Path, make: Make, tmp_path: Path, kind: str, margin: float) -> None:
    files = make("knot", "knot.ply", "--triangles", "300"), make("gear", "gear.obj", "--triangles", "200")
    a, b = (impinge.load_model(file) for file in files)
    rows = np.array(MOTIONS[kind])
    by = None if kind == "rotation" else rows[:, :3]
    rotate = None if kind == "translation" else rows[:, -7:]
    sweeps = a.sweep(b, by=by, rotate=rotate, pose_a=impinge.translation([0, 0, 5]), margin=margin)
    motions = written(tmp_path / "motions.txt", rows)
    found = answers(command, "sweep", *files, "--translate-a", "0,0,5", "--motions", motions, "--margin", margin)
    assert len(found) == len(rows)
    for i, sweep in enumerate(found):
        same_sweep(sweeps, i, sweep)
    assert 1 in sweeps.status


def same_sweep(sweeps: Any, i: int, sweep: dict[str, Any]) -> None:
    assert ("clear", "hit", "started_overlapping")[sweeps.status[i]] == sweep["verdict"]
    assert sweeps.fraction[i] == sweep["fraction"]
    assert sweeps.pose[i].ravel().tolist() == sweep["world_from_moving"]
    assert (None, "translation", "rotation", "rigid")[sweeps.phase[i]] == sweep["phase"]
    assert (sweeps.bound[i], bool(sweeps.wedged[i])) == (sweep["bound"], sweep["wedged"])
    for ours, theirs in [(sweeps.point_on_stationary, "point"), (sweeps.normal, "normal"), (sweeps.lift, "lift")]:
        row = ours[i].tolist()
        assert np.isnan(row).all() if sweep[theirs] is None else row == sweep[theirs]
    assert told(sweeps.feature_moving, i) == bare(sweep["feature_moving"])
    assert told(sweeps.feature_stationary, i) == bare(sweep["feature_stationary"])


def test_motions_to_poses_are_those_of_the_command(command: Path, make: Make) -> None:
    files = make("knot", "knot.ply", "--triangles", "300"), make("gear", "gear.obj", "--triangles", "200")
    a, b = (impinge.load_model(file) for file in files)
    random = np.random.default_rng(8)
    starts = np.array([random_pose(random, 0.2) for _ in range(6)])
    starts[:, 2, 3] += 4
    goals = np.array([random_pose(random, 1.5) for _ in range(6)])
    sweeps = a.sweep(b, to=goals, pose_a=starts)
    for i in range(6):
        words = ["--matrix-a", ",".join(map(repr, starts[i].ravel().tolist())), "--to-matrix", ",".join(map(repr, goals[i].ravel().tolist()))]
        (sweep,) = answers(command, "sweep", *files, *words)
        same_sweep(sweeps, i, sweep)
        if sweep["verdict"] == "hit":
            contacts = a.contacts(b, sweeps.pose[i], within=2 * sweeps.bound[i])
            assert contacts.points_on_b.tolist() == [contact["point_b"] for contact in sweep["contacts"]]
            assert contacts.normals.tolist() == [contact["normal"] for contact in sweep["contacts"]]
            assert contacts.distances.tolist() == [contact["distance"] for contact in sweep["contacts"]]
            for side in "ab":
                ours = getattr(contacts, f"features_{side}")
                assert [told(ours, k) for k in range(len(contacts.distances))] == [
                    bare(contact[f"feature_{side}"]) for contact in sweep["contacts"]
                ]
    assert {impinge.SweepStatus.HIT} <= set(sweeps.status.tolist())


@pytest.mark.parametrize("shape", ["knot", "terrain", "soup", "shell"])
def test_rays_are_those_of_the_command(command: Path, make: Make, tmp_path: Path, shape: str) -> None:
    file = make(shape, f"{shape}.ply", "--triangles", "300")
    model = impinge.load_model(file)
    random = np.random.default_rng(5)
    low, high = model.bounds
    origins = random.uniform(low - (high - low), high + (high - low), size=(60, 3))
    targets = random.uniform(low, high, size=(60, 3))
    # Some hit vertices exactly.
    targets[:10] = model.vertices[random.integers(len(model.vertices), size=10)]
    directions = targets - origins
    rows = written(tmp_path / "rays.txt", np.hstack([origins, directions]))
    pose = impinge.translation([0.5, 0.25, -0.125])
    place = ["--translate", "0.5,0.25,-0.125"]
    for culled in [False, True]:
        options = ["--cull-back"] if culled else []
        hits = model.cast_rays(origins, directions, pose, cull_back=culled)
        for i, ray in enumerate(answers(command, "ray", file, "--rays", rows, *place, *options)):
            assert ray["hit"] == (hits.faces[i] >= 0)
            if ray["hit"]:
                assert (hits.t[i], hits.faces[i], hits.points[i].tolist()) == (ray["t"], ray["face"], ray["point"])
        every = model.cast_rays_all(origins, directions, pose, cull_back=culled)
        for i, ray in enumerate(answers(command, "ray", file, "--rays", rows, "--all", *place, *options)):
            assert [(hit["t"], hit["face"]) for hit in ray["hits"]] == list(zip(every[i].t.tolist(), every[i].faces.tolist(), strict=True))
        some = model.hits_rays(origins, directions, pose, cull_back=culled)
        assert [ray["hit"] for ray in answers(command, "ray", file, "--rays", rows, "--any", *place, *options)] == some.tolist()
    assert 0 < hits.faces.clip(-1, 0).sum() + 60 < 60


FRUSTUM = [1.2, 0, 0, 0.1, 0, 1.5, 0, 0, 0, 0, -1.1, -0.3, 0, 0, -1, 2.0]
VOLUMES: list[tuple[list[str], impinge.Volume]] = [
    (["--aabb", "-0.5,-0.5,0,1,1,1"], impinge.Volume.aabb([-0.5, -0.5, 0], [1, 1, 1])),
    (["--obb", "0.5,0,0,1,0.25,0.5,0,1,1,30"], impinge.Volume.obb([0.5, 0, 0], [1, 0.25, 0.5], [0, 1, 1], 30)),
    (["--sphere", "1,0,0,0.5"], impinge.Volume.sphere([1, 0, 0], 0.5)),
    (["--capsule", "-1,0,0,1,1,0,0.2"], impinge.Volume.capsule([-1, 0, 0], [1, 1, 0], 0.2)),
    (["--plane", "0,0,2,0.25"], impinge.Volume.plane([0, 0, 2], 0.25)),
    (["--half-space", "1,1,0,-0.5"], impinge.Volume.half_space([1, 1, 0], -0.5)),
    (["--frustum", ",".join(map(str, FRUSTUM))], impinge.Volume.frustum(np.reshape(FRUSTUM, (4, 4)))),
    (["--frustum", ",".join(map(str, FRUSTUM)), "--depth", "zero"], impinge.Volume.frustum(np.reshape(FRUSTUM, (4, 4)), zero_to_one=True)),
    (["--sphere", "99,0,0,0.5"], impinge.Volume.sphere([99, 0, 0], 0.5)),
]


@pytest.mark.parametrize("shape", ["knot", "soup", "terrain"])
def test_volumes_are_those_of_the_command(command: Path, make: Make, shape: str) -> None:
    file = make(shape, f"{shape}.ply", "--triangles", "300")
    model = impinge.load_model(file)
    pose = np.diag([1.5, -1.0, 0.75, 1.0])
    touched = []
    for words, volume in VOLUMES:
        (answer,) = answers(command, "overlap", file, *words, "--matrix", ",".join(map(repr, pose.ravel().tolist())))
        assert model.faces_touching(volume, pose).tolist() == answer["faces"]
        assert model.touches(volume, pose) is answer["touches"]
        touched.append(answer["touches"])
    assert True in touched and False in touched


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("shape", ["knot", "soup", "shell", "quad"])
def test_inspections_are_those_of_the_command(command: Path, make: Make, shape: str) -> None:
    file = make(shape, f"{shape}.obj", "--triangles", "200")
    (document,) = answers(command, "inspect", file)
    (theirs,) = document["files"]
    ours = impinge.load_model(file).inspect()
    for document in [ours, theirs]:
        for field in ["file", "format", "unit", "memory"]:
            document.pop(field, None)
    assert ours == theirs


def test_curves_are_those_of_the_command(command: Path, make: Make, tmp_path: Path) -> None:
    files = make("knot", "knot.ply", "--triangles", "300"), make("gear", "gear.obj", "--triangles", "200")
    a, b = (impinge.load_model(file) for file in files)
    out = tmp_path / "curve.obj"
    answers(command, "check", *files, "--curve", out)
    vertices = [list(map(float, line.split()[1:])) for line in out.read_text().splitlines() if line.startswith("v ")]
    curve = a.intersection_curve(b)
    points = np.vstack([line.points for line in curve.polylines])
    assert {tuple(point) for point in points.tolist()} == {tuple(vertex) for vertex in vertices} and len(points) > 3


@pytest.mark.parametrize("options", [[], ["--clearance", "0.05", "--no-depth"], ["--touch", "0", "--ignore-touching"]])
def test_clash_documents_are_those_of_the_command(command: Path, make: Make, options: list[str]) -> None:
    file = make("assembly", "assembly.glb", "--stations", "2")
    (theirs,) = answers(command, "clash", file, *options)
    scene = impinge.Scene("assembly.glb")
    scene.load(file)
    ours = json.loads(scene.clash(options=["--unit", theirs["unit"], *options]).to_json())
    # A file has its name before the paths, and so other ids.
    for document in [ours, theirs]:
        for part in document["parts"]:
            part["path"] = part["path"].removeprefix("assembly.glb/")
    for field in ["schema", "kind", "title", "partial", "unit", "left_out", "unknown"]:
        assert ours[field] == theirs[field]
    assert ours["parts"] == theirs["parts"]
    hidden = ("id", "group")
    assert [{key: value for key, value in clash.items() if key not in hidden} for clash in ours["clashes"]] == [
        {key: value for key, value in clash.items() if key not in hidden} for clash in theirs["clashes"]
    ]
    assert len(ours["groups"]) == len(theirs["groups"])


def test_a_manager_finds_the_clashes_of_the_command(command: Path, make: Make) -> None:
    file = make("assembly", "assembly.glb", "--stations", "2")
    manager = impinge.CollisionManager()
    for part in impinge.load(file):
        manager.add_object(part.name, part.model, part.pose)
    # Without a tolerance, which the command takes from the rounding of the file.
    (report,) = answers(command, "clash", file, "--touch", 0)
    names = [part["name"] for part in report["parts"]]
    expected = {tuple(sorted((names[clash["a"]], names[clash["b"]]))) for clash in report["clashes"]}
    assert len(expected) > 5
    assert manager.in_collision_internal(return_names=True) == (True, expected)
