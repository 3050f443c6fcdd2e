"""Scenes and their clashes, beside the command."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ball

import impinge


def two_cubes() -> impinge.Scene:
    cube = impinge.box([0, 0, 0], [1, 1, 1])
    scene = impinge.Scene("two cubes", unit="mm")
    scene.add("left", cube, ifc_class="IfcWall", properties={"Pset.IsExternal": True})
    scene.add("right", cube, impinge.translation([0.75, 0, 0]), ifc_class="IfcPipeSegment")
    return scene


def told(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What both doors must tell alike: names, ids and paths are those of the file."""
    fields = ["a", "b", "verdict", "contained", "point", "face_pairs", "distance", "penetration", "volume", "separation"]
    return [tuple(json.dumps(clash[field]) for field in fields) for clash in document["clashes"]]


@pytest.mark.parametrize("options", [[], ["--clearance", "0.5"], ["--no-depth", "--touch", "0.01"]])
def test_a_file_has_the_clashes_of_the_command(
    command: Path, make: Callable[..., Path], options: list[str]
) -> None:
    plant = make("assembly", "plant.glb", "--stations", "3")
    printed = subprocess.run([command, "clash", plant, "--json", *options], capture_output=True, check=False)
    scene = impinge.Scene()
    scene.load(plant)
    found = scene.clash(options=options)
    document = json.loads(printed.stdout)
    assert len(found) > 5
    assert told(json.loads(found.to_json())) == told(document)
    assert [part["closed"] for part in found.parts] == [part["closed"] for part in document["parts"]]


def test_results_go_everywhere() -> None:
    found = two_cubes().clash()
    assert len(found) == 1 and found[0]["verdict"] == "overlapping"
    assert found[0]["volume"] == 0.25
    assert "left" in str(found) and repr(found) == "<impinge.Clashes: 1 among 2 parts>"
    frame = found.to_pandas()
    assert list(frame["name_a"]) == ["left"] and list(frame["verdict"]) == ["overlapping"]
    table = found.to_arrow()
    assert table.num_rows == 1 and table.column("name_b").to_pylist() == ["right"]
    assert found.to_csv().splitlines()[1].split(",")[6:8] == ["left", "right"]
    assert found.to_html().startswith("<!doctype html>") and "two cubes" in found.to_html()
    assert found._repr_html_().startswith("<iframe srcdoc=")
    for version in ("2.1", "3.0"):
        assert found.to_bcf(version).startswith(b"PK")
    with pytest.raises(ValueError, match=r"version: \"4\" is neither"):
        found.to_bcf("4")  # type: ignore[arg-type]


def test_results_are_pickled_and_copied() -> None:
    scene = two_cubes()
    found = scene.clash(clearance=0.1)
    for again in [pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)]:
        assert again.to_json() == found.to_json() and again.to_csv() == found.to_csv() and str(again) == str(found)
        assert again.to_html() == found.to_html() and again.to_bcf()[:2] == b"PK"
    scene = pickle.loads(pickle.dumps(scene))
    assert scene.names == ["left", "right"] and scene.clash(clearance=0.1).to_json() == found.to_json()


def test_an_interruption_ends_a_search(interrupt_after: Callable[[float], None]) -> None:
    scene = impinge.Scene()
    model = ball(64)
    for number in range(900):
        scene.add(f"ball {number}", model, impinge.translation([number % 30 * 0.7, number // 30 * 0.7, number * 1e-3]))
    interrupt_after(0.3)
    # All of it would take minutes.
    with pytest.raises(KeyboardInterrupt):
        scene.clash()


def test_options_are_those_of_the_command(tmp_path: Path) -> None:
    scene = two_cubes()
    assert len(scene.clash(tolerance=0.3)) == 0
    assert len(scene.clash(tolerance=0.2)) == 1
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[sets.walls]\nclass = "IfcWall*"\nproperties = { "Pset.IsExternal" = true }\n'
        '[sets.pipes]\nclass = "IfcPipe*"\n'
        '[[rules]]\nbetween = ["walls", "pipes"]\nseverity = "critical"\n'
    )
    [clash] = scene.clash(rules=rules)
    assert clash["severity"] == "critical"
    apart = impinge.Scene()
    cube = impinge.box([0, 0, 0], [1, 1, 1])
    apart.add("a", cube)
    apart.add("b", cube, impinge.translation([1.25, 0, 0]))
    assert len(apart.clash()) == 0
    [near] = apart.clash(clearance=0.5)
    assert (near["verdict"], near["distance"]) == ("near", 0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clearance": float("nan")}, "--clearance"),
        ({"options": ["--no-such-thing"]}, "--no-such-thing"),
        ({"options": ["--report", "x.html"]}, "--report: is not for scenes in memory"),
        ({"rules": "missing.toml"}, "missing.toml"),
    ],
)
def test_refusals_name_the_option(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        two_cubes().clash(**arguments)


def test_parts_are_refused_by_name() -> None:
    scene = two_cubes()
    with pytest.raises(ValueError, match="pose"):
        scene.add("flat", impinge.box([0, 0, 0], [1, 1, 1]), np.zeros((4, 4)))
    with pytest.raises(ValueError, match="rounding"):
        scene.add("rough", impinge.box([0, 0, 0], [1, 1, 1]), rounding=-1.0)
    with pytest.raises(TypeError, match="name must be a string, not 3"):
        scene.add(3, impinge.box([0, 0, 0], [1, 1, 1]))  # type: ignore[arg-type]
    assert scene.names == ["left", "right"] and len(scene) == 2


def test_progress_is_told_and_what_it_raises_ends_the_search() -> None:
    scene = impinge.Scene()
    model = ball(40)
    for number in range(240):
        pose = np.eye(4)
        pose[:3, 3] = [number % 20, number // 20, 0]
        pose[0, 0] = 1 + number * 1e-6
        scene.add(f"ball {number}", model, pose)
    seen: list[tuple[int, int, int]] = []
    found = scene.clash(progress=lambda done, pairs, clashes: seen.append((done, pairs, clashes)))
    assert len(found) > 400
    assert all(done <= pairs for done, pairs, _ in seen)

    class Enough(Exception):
        pass

    def stop(done: int, pairs: int, clashes: int) -> None:
        raise Enough

    # A search that is done before anybody looks tells nothing.
    if seen:
        with pytest.raises(Enough):
            scene.clash(progress=stop)


def test_the_module_is_the_command(command: Path, make: Callable[..., Path], tmp_path: Path) -> None:
    plant = make("assembly", "plant.glb", "--stations", "3")
    words = ["clash", str(plant), "--json"]
    # Among the sources, Python would find a package without its extension.
    def run(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
        module = [sys.executable, "-m", "impinge", *arguments]
        return subprocess.run(module, capture_output=True, check=False, cwd=tmp_path)

    by_module = run(*words)
    by_command = subprocess.run([command, *words], capture_output=True, check=False)
    assert (by_module.returncode, by_module.stdout) == (by_command.returncode, by_command.stdout)
    help_ = run("clash", "--help")
    assert help_.returncode == 0 and b"--report" in help_.stdout
    missing = run("check", "x.obj", "y.obj")
    assert missing.returncode == 2 and missing.stderr.startswith(b"impinge: x.obj")
