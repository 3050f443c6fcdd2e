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
        for face, feature in [(distances.face_a[i], answer["feature_a"]), (distances.face_b[i], answer["feature_b"])]:
            assert (face == -1) == (feature is None)
            if feature is not None and feature["kind"] == "face":
                assert face == feature["index"]


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
