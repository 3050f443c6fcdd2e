"""`python -m impinge clash` with files that other packages read, beside the command with files that it reads itself."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from step_files import assembly
from test_ifc import building

import impinge

pytest.importorskip("cascadio")
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Done]:
    """Runs the module; among the sources, Python would find a package without its extension."""

    def ran(*words: Any) -> Done:
        line = [sys.executable, "-m", "impinge", *map(str, words)]
        return subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)

    return ran


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A building, and a machine that stands in its front wall."""
    house, machine = tmp_path / "house.ifc", tmp_path / "machine.stp"
    building(house)
    assembly(machine, {"block": (500.0, 100.0, 500.0)}, [("block", "block", (4000.0, 50.0, 500.0))])
    return house, machine


def verdicts(document: dict[str, Any]) -> set[tuple[str, str, str]]:
    names = [part["name"] for part in document["parts"]]
    return {(names[clash["a"]], names[clash["b"]], clash["verdict"]) for clash in document["clashes"]}


def test_buildings_and_machines_are_one_scene(files: tuple[Path, Path], run: Callable[..., Done]) -> None:
    done = run("clash", *files, "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert verdicts(document) == {
        ("front", "side", "touching"),
        ("front", "duct", "overlapping"),
        ("front", "block", "inside"),
    }
    assert document["unit"] == "m" and document["left_out"] == 0
    paths = [part["path"] for part in document["parts"]]
    assert paths[0].startswith("house.ifc/Ground∕floor/IfcWall/") and paths[-1] == "machine.stp/machine/block"


def test_the_clashes_are_those_of_a_scene(files: tuple[Path, Path], run: Callable[..., Done]) -> None:
    document = json.loads(run("clash", *files, "--json").stdout)
    scene = impinge.Scene()
    for file in files:
        scene.load(file)
    fields = ["a", "b", "verdict", "contained", "point", "face_pairs", "distance", "penetration", "volume", "separation"]
    for ours, theirs in zip(scene.clash(), document["clashes"], strict=True):
        assert [ours[field] for field in fields] == [theirs[field] for field in fields]


def test_the_options_of_the_command(files: tuple[Path, Path], run: Callable[..., Done], tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[sets.walls]\nclass = "IfcWall*"\nproperties = { "Pset_WallCommon.IsExternal" = true }\n[sets.ducts]\nclass = "IfcDuct*"\n'
        '[[rules]]\nbetween = ["walls", "ducts"]\nseverity = "critical"\n'
    )
    report, bcf = tmp_path / "report.html", tmp_path / "clashes.bcf"
    done = run("clash", files[0], "--rules", rules, "--report", report, "--bcf", bcf, "--fail-on", "critical", "--csv")
    assert (done.returncode, done.stderr) == (1, "")
    assert "critical" in done.stdout and done.stdout.splitlines()[0].startswith("id,")
    assert report.read_text().startswith("<!doctype html>") and "IfcDuctSegment" in report.read_text()
    with zipfile.ZipFile(bcf) as archive:
        assert any(name.endswith("markup.bcf") for name in archive.namelist())
    assert run("clash", files[0], "--rules", rules, "--fail-on", "minor").returncode == 0
    assert run("clash", files[0], "--ignore", "*duct*", "--ignore-touching").returncode == 0
    baseline = tmp_path / "old.json"
    baseline.write_text(run("clash", files[0], "--json").stdout)
    again = json.loads(run("clash", *files, "--baseline", baseline, "--json").stdout)
    assert sorted(clash["status"] for clash in again["clashes"]) == ["active", "active", "new"]
    pieces = json.loads(run("clash", files[0], "--split", "--json").stdout)
    assert len(pieces["parts"]) == 4


def test_a_folder_of_all_formats(files: tuple[Path, Path], run: Callable[..., Done], make: Any, command: Path) -> None:
    folder = files[0].parent
    for name in ["box.obj", "ball.obj"]:
        (folder / name).write_text(make("box", "box.obj").read_text())
    document = json.loads(run("clash", folder, "--json", "--no-depth").stdout)
    assert {part["path"].split("/")[0] for part in document["parts"]} == {
        "ball.obj", "box.obj", "house.ifc", "machine.stp"
    }  # fmt: skip
    alone = subprocess.run([command, "clash", folder, "--json", "--no-depth"], capture_output=True, text=True, check=False)
    # It reads neither buildings nor machines itself.
    assert json.loads(alone.stdout)["left_out"] == 2


def test_elements_that_cannot_be_made_are_left_out(tmp_path: Path, run: Callable[..., Done]) -> None:
    path = tmp_path / "house.ifc"
    building(path)
    lines = path.read_text().splitlines()
    [duct] = [i for i, line in enumerate(lines) if "IFCRECTANGLEPROFILEDEF" in line and ",400.,1200." in line]
    # An outline without a length makes no solid.
    lines[duct] = lines[duct].replace(",400.,1200.", ",0.,0.")
    path.write_text("\n".join(lines))
    done = run("clash", path, "--json", "--fail-on", "overlapping")
    document = json.loads(done.stdout)
    assert done.returncode == 1 and document["left_out"] == 1
    assert any("IfcDuctSegment" in note and "duct is left out" in note for note in document["notes"])
    scene = impinge.Scene()
    with pytest.warns(UserWarning, match="IfcDuctSegment .* duct is left out"):
        scene.load(path)
    found = scene.clash()
    assert found.left_out == 1 and any("duct is left out" in note for note in found.notes)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.ifc"], "impinge: missing.ifc: No such file or directory\n"),
        (["text.ifc"], "impinge: text.ifc: "),
        (["text.step"], "impinge: text.step: is not a STEP file that Open CASCADE understands\n"),
        (["house.ifc", "--report", "house.ifc"], "impinge: house.ifc: --report would replace what is read\n"),
        (["house.ifc", "--bcf", "machine.stp", "machine.stp"], "impinge: machine.stp: --bcf would replace what is read\n"),
        (["house.ifc", "--clearance", "-1"], "impinge: --clearance"),
        (["house.ifc", "--rules", "missing.toml"], "impinge: missing.toml"),
    ],
)
def test_refusals_name_the_place(
    files: tuple[Path, Path], run: Callable[..., Done], tmp_path: Path, words: list[str], message: str
) -> None:
    for name in ["text.ifc", "text.step"]:
        (tmp_path / name).write_text("neither a building nor a machine\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = run("clash", *words)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_an_interruption_ends_the_command(tmp_path: Path, make: Any) -> None:
    many = make("assembly", "many.glb", "--stations", "4000")
    line = [sys.executable, "-m", "impinge", "clash", str(many), "--json"]
    started = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path)
    time.sleep(1.5)
    os.kill(started.pid, signal.SIGINT)
    output, _ = started.communicate(timeout=60)
    # While files are read it ends at once; later it tells what it found.
    assert started.returncode in (130, -signal.SIGINT)
    if started.returncode == 130:
        assert json.loads(output)["partial"] is True
