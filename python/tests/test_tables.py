"""Scenes as tables: the bits of the command, out of core, and what happens to bad rows, full disks and interruptions."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import _tables, _tiles

pa = pytest.importorskip("pyarrow")
Make = Callable[..., Path]


def by_command(command: Path, *words: Any) -> tuple[int, str]:
    done = subprocess.run([command, "clash", *map(str, words), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stdout.strip()


def by_module(*words: Any, text: bool = True) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-P", "-m", "impinge", *map(str, words)], capture_output=True, text=text, check=False)


@pytest.mark.parametrize("options", [(), ("--touch", "0"), ("--clearance", "0.2", "--no-depth"), ("--split",)], ids=str)
def test_tables_have_the_bits_of_the_command(command: Path, make: Make, tmp_path: Path, options: tuple[str, ...]) -> None:
    """Over an assembly with planted clashes, a soup, open and nested meshes, in several files of several formats."""
    files = [
        make("assembly", "assembly.glb", "--stations", "3"),
        make("soup", "soup.obj", "--triangles", "200"),
        make("shell", "shell.ply"),
        make("terrain", "terrain.ply", "--triangles", "300"),
    ]
    split = "--split" in options
    status, expected = by_command(command, *files, *options)
    tables = impinge.pack(files, tmp_path / "tables", split=split)
    words = [word for word in options if word != "--split"]
    assert tables.clash(options=words).to_json() == expected
    run = by_module("clash", tmp_path / "tables", "--json", "--tiles", "17", *words)
    assert (run.returncode, run.stdout.strip()) == (status, expected), run.stderr


def row_of_boxes(count: int = 40) -> impinge.Scene:
    cubes = [impinge.box([0, 0, 0], [1, 1, 1 + 0.01 * number]) for number in range(count)]
    scene = impinge.Scene("row", unit="m")
    for number, cube in enumerate(cubes):
        scene.add(f"cube {number}", cube, impinge.translation([0.75 * number, 0, 0]))
    return scene


def test_any_number_of_tiles_has_the_bits_of_one(tmp_path: Path) -> None:
    scene = row_of_boxes()
    scene.add("floor", impinge.box([-1, -1, -1], [40, 2, 0.001]))
    tables = impinge.pack(scene, tmp_path / "row")
    expected = scene.clash().to_json()
    for tiles in (1, 2, 7, 1000):
        job = _tables.Job(tables, _tiles.LocalRunner(tables, tiles), [])
        assert job.ask(False, None).json() == expected
    assert len(json.loads(expected)["clashes"]) > 60


def test_equal_meshes_are_one_row(tmp_path: Path) -> None:
    box = impinge.box([0, 0, 0], [1, 1, 1])
    scene = impinge.Scene()
    for number in range(3):
        model = impinge.Model(box.vertices.copy(), box.triangles.astype(np.int32))
        scene.add(f"box {number}", model, impinge.translation([5.0 * number, 0, 0]))
    scene.add("other", impinge.Model(box.vertices + 1e-9, box.triangles), impinge.translation([0, 5, 0]))
    tables = impinge.pack(scene, tmp_path / "t")
    assert (len(tables), tables.meshes.count) == (4, 2)
    assert tables.parts["mesh"].to_pylist() == [0, 0, 0, 1]


def spoil(folder: Path, change: Callable[[dict[str, list[Any]]], None]) -> None:
    """Writes the meshes anew with a change."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path = folder / "meshes.parquet"
    columns = parquet.read_table(path).to_pydict()
    change(columns)
    parquet.write_table(pa.table(columns, schema=_tables.mesh_schema()), path, row_group_size=5)


def test_rounded_models_are_refused_and_materials_are_no_matter(tmp_path: Path) -> None:
    box = impinge.box([0, 0, 0], [1, 1, 1])
    painted = impinge.Model(box.vertices, box.faces, materials=[5] * 12)
    scene = impinge.Scene()
    scene.add("a", box)
    scene.add("b", painted, impinge.translation([0.5, 0, 0]))
    assert len(impinge.pack(scene, tmp_path / "plain").clash()) == 1
    scene.add("ball", impinge.ball(1.0), impinge.translation([0, 0, 5]))
    with pytest.raises(ValueError, match="is rounded, and tables hold plain meshes"):
        impinge.pack(scene, tmp_path / "round")
    assert [path.name for path in tmp_path.iterdir()] == ["plain"]


@pytest.mark.parametrize("kind", ["number", "nan", "index", "missing", "ragged", "numbering"])
def test_a_bad_row_is_named_and_the_rest_is_found(tmp_path: Path, kind: str) -> None:
    """One of 40 meshes is bad: its pairs are errors, all others are as they were."""
    scene = row_of_boxes()
    folder = tmp_path / "row"
    expected = json.loads(impinge.pack(scene, folder).clash().to_json())

    def change(columns: dict[str, list[Any]]) -> None:
        row = 17
        if kind == "number":
            columns["vertices"][row][3] += 1e-9
            return
        if kind == "nan":
            columns["vertices"][row][3] = float("nan")
        elif kind == "index":
            columns["corners"][row][2] = 4_000_000_000
        elif kind == "missing":
            columns["vertices"][row] = None
            return
        elif kind == "numbering":
            columns["mesh"][row] = 3
            return
        else:
            columns["vertices"][row] = columns["vertices"][row][:-1]
        counts, labels = (columns[name][row] for name in ("counts", "labels"))
        arrays = [None if part is None else np.array(part, np.uint32) for part in (columns["corners"][row], counts, labels)]
        columns["id"][row] = _tables.mesh_id(np.array(columns["vertices"][row]), *arrays)  # type: ignore[arg-type]

    spoil(folder, change)
    found = impinge.Tables(folder).clash()
    [error] = found.errors
    assert "meshes.parquet: row 17" in error["reason"]
    assert error["pairs"] == [[16, 17], [17, 18]]
    assert any("not tested" in note and "cube 17" in note for note in found.notes)
    rest = [clash for clash in expected["clashes"] if 17 not in (clash["a"], clash["b"])]
    assert [clash["id"] for clash in found] == [clash["id"] for clash in rest]
    run = by_module("clash", folder, "--json", "--ignore-touching", "--fail-on", "near")
    assert run.returncode == 1, "what nobody looked at is not clean"


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "row"
    impinge.pack(row_of_boxes(4), folder)
    for name in ("parts.parquet", "meshes.parquet", "scene.json"):
        kept = (folder / name).read_bytes()
        for spoiled in (b"", kept[: len(kept) // 2], b"PAR1 no" + kept[7:] if name == "scene.json" else kept[:-8]):
            (folder / name).write_bytes(spoiled)
            run = by_module("clash", folder)
            assert run.returncode == 2 and run.stderr.startswith("impinge: ") and run.stderr.count("\n") == 1, run.stderr
        (folder / name).write_bytes(kept)
    document = json.loads((folder / "scene.json").read_text())
    (folder / "scene.json").write_text(json.dumps(document | {"impinge_tables": 99}))
    run = by_module("clash", folder)
    assert run.returncode == 2 and "version 99" in run.stderr


def test_bad_command_lines_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "row"
    impinge.pack(row_of_boxes(4), folder)
    scene = tmp_path / "scene.obj"
    scene.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    cases: list[tuple[list[Any], str]] = [
        (["pack", scene, folder], "exists already"),
        (["pack", tmp_path / "none.obj", tmp_path / "out"], "none.obj"),
        (["pack", scene], "required"),
        (["clash", scene, "--on", "ray"], "pack"),
        (["clash", folder, "--on", "moon"], "moon"),
        (["clash", folder, "--tiles", "0"], "--tiles"),
        (["clash", folder, "--address", "x"], "--on"),
        (["clash", folder, "--self"], "--self"),
        (["clash", folder, "--animation", "all"], "--animation"),
        (["clash", folder, "--report", folder / "parts.parquet"], "parts.parquet"),
        (["clash", folder, "--nonsense"], "--nonsense"),
    ]
    for words, named in cases:
        run = by_module(*words)
        assert run.returncode == 2, (words, run)
        assert named in run.stderr and run.stderr.count("\n") == 1 and not run.stdout, (words, run.stderr)
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["row", "scene.obj"], "nothing is left behind"


@pytest.mark.skipif(os.name == "nt", reason="limits of file sizes are for POSIX")
def test_a_full_disk_leaves_nothing_behind(make: Make, tmp_path: Path) -> None:
    file = make("assembly", "assembly.glb", "--stations", "3")
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "from impinge import _table_commands; sys.exit(_table_commands.run(sys.argv[1:]))"
    )
    words = [sys.executable, "-P", "-c", script, "pack", str(file), str(tmp_path / "out")]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert run.returncode == 2 and run.stderr.startswith("impinge: "), run
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_what_was_found(tmp_path: Path) -> None:
    tables = impinge.pack(row_of_boxes(), tmp_path / "row")

    def interrupt(done: int, _pairs: int, _clashes: int) -> None:
        if done > 10:
            raise KeyboardInterrupt

    job = _tables.Job(tables, _tiles.LocalRunner(tables, 20), [])
    report = json.loads(job.ask(False, interrupt).json())
    assert report["partial"] and 0 < len(report["clashes"]) < 39


def test_pages_show_the_gravest(tmp_path: Path) -> None:
    tables = impinge.pack(row_of_boxes(), tmp_path / "row")
    found = tables.clash()
    assert found.to_html().startswith("<!doctype html>") and found.to_bcf()[:2] == b"PK"
    run = by_module("clash", tmp_path / "row", "--report", tmp_path / "page.html", "--bcf", tmp_path / "topics.bcf", "--csv")
    assert run.returncode == 1 and run.stdout.count("\n") == 40, run.stderr
    assert (tmp_path / "page.html").stat().st_size > 100_000 and (tmp_path / "topics.bcf").exists()


def test_motions_are_the_sweeps_of_models(tmp_path: Path) -> None:
    scene = row_of_boxes(6)
    tables = impinge.pack(scene, tmp_path / "row")
    start = impinge.translation([0.0, 0.0, 9.0])
    motions = pa.table(
        {
            "moving": [0, 1, 0, 3],
            "stationary": [5, 4, 3, 0],
            "by": [[0.0, 0.0, -20.0], [3.0, 0.0, -20.0], [9.0, 9.0, 0.0], [-2.0, 0.0, -9.0]],
            "pose": [start.ravel().tolist()] * 4,
        }
    )
    found = tables.sweep(motions)
    for row, motion in enumerate(motions.to_pylist()):
        moving, still = scene.parts[motion["moving"]], scene.parts[motion["stationary"]]
        single = moving.model.sweep(still.model, by=motion["by"], pose_a=start, pose_b=still.pose)
        assert found["fraction"][row].as_py() == single.fraction
        assert found["status"][row].as_py() == single.status
        assert found["pose"][row].as_py() == single.pose.ravel().tolist()
        assert (found["normal"][row].as_py() is None) == (single.normal is None)
    to = motions.drop_columns(["by"]).append_column("to", pa.array([impinge.translation([0, 0, -9]).ravel().tolist()] * 4))
    assert tables.sweep(to).num_rows == 4
    cases: list[tuple[dict[str, Any], str]] = [
        ({"moving": [99, 0, 0, 0]}, "row 0"),
        ({"by": [[0.0, 1.0]] * 4}, "3 numbers"),
        ({"moving": None}, "moving"),
    ]
    for bad, named in cases:
        columns = {name: bad.get(name, motions[name]) for name in motions.column_names}
        columns = {name: column for name, column in columns.items() if column is not None}
        with pytest.raises(ValueError, match=named):
            tables.sweep(pa.table(columns))
