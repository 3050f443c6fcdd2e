"""A plant of 20,000 parts as tables, its clashes as one machine finds them, and faults while clusters look for them."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge

HERE = Path(__file__).parent
PARTS = 20_000
PLANTED = 400
TILES = 64


def _models() -> list[impinge.Model]:
    """A box, a slab that is turned, a wedge, a box with a dent, and one without a side."""
    box = impinge.box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
    corners, faces = box.vertices, box.triangles
    turn = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 0.3]])
    dented = np.vstack([corners, [[0.1, 0.0, 0.2]]])
    dents = np.array([[faces[0][0], faces[0][1], 8], [faces[0][1], faces[0][2], 8], [faces[0][2], faces[0][0], 8]])
    wedge = impinge.Model([[0, 0, 0], [0.9, 0, 0], [0, 0.9, 0], [0, 0, 0.9]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    return [
        box,
        impinge.Model(corners @ turn.T, faces),
        wedge,
        impinge.Model(dented, np.vstack([faces[1:], dents])),
        impinge.Model(corners, faces[2:]),
    ]


def plant() -> impinge.Scene:
    """Parts in a grid, each somewhere in its cell; some of them reach into a neighbor, and a floor is below them all."""
    random = np.random.default_rng(21)
    models = _models()
    side = 28
    scene = impinge.Scene("plant", unit="m")
    deep = set(random.choice(PARTS - 1, PLANTED, replace=False).tolist())
    for number in range(PARTS - 1):
        cell = np.array([number % side, number // side % side, number // side**2], dtype=float)
        at = 2.5 * cell + random.uniform(-0.3, 0.3, 3)
        if number in deep:
            at += [1.7, 0.0, 0.0]
        scene.add(f"hall/{number % 7}/part {number}", models[int(random.integers(len(models)))], impinge.translation(at))
    floor = impinge.box([-5, -1.5, -5], [75, -0.6, 75])
    scene.add("hall/floor", floor)
    return scene


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> impinge.Tables:
    return impinge.pack(plant(), tmp_path_factory.mktemp("tables") / "plant")


@pytest.fixture(scope="session")
def expected(tables: impinge.Tables) -> dict[str, Any]:
    """What one machine finds, and it finds it in memory and out of core alike."""
    in_memory = plant().clash(clearance=0.05).to_json()
    assert tables.clash(clearance=0.05).to_json() == in_memory
    document: dict[str, Any] = json.loads(in_memory)
    planted = [clash for clash in document["clashes"] if clash["verdict"] == "overlapping"]
    assert len(planted) > PLANTED / 2
    return document


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder where workers say which process they are."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / "begun").mkdir()
    kept = {name: os.environ.get(name) for name in ("IMPINGE_FAULTS", "PYTHONPATH")}
    os.environ["IMPINGE_FAULTS"] = str(folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), kept["PYTHONPATH"]]))
    yield folder
    for name, value in kept.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


class Saboteur:
    """Does something once so many tiles were begun, while a search runs."""

    def __init__(self, folder: Path, after: int, act: Callable[[list[int]], object]) -> None:
        folder = folder / "begun"
        for old in folder.iterdir():
            old.unlink()
        self.has_acted = False
        self._folder, self._after, self._act = folder, after, act
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            begun = sorted(self._folder.iterdir(), key=lambda path: int(path.name.split("-")[1]))
            if len(begun) >= self._after:
                self._act([int(path.name.split("-")[0]) for path in begun])
                self.has_acted = True
                return
            time.sleep(0.01)


def kill_last(pids: list[int]) -> None:
    """Kills the process that began a tile last."""
    os.kill(pids[-1], signal.SIGKILL)


def deadly_part(folder: Path, expected: dict[str, Any]) -> int:
    """A part that clashes, and now ends every process that tests it."""
    floor = len(expected["parts"]) - 1
    part: int = next(clash["a"] for clash in expected["clashes"] if clash["b"] != floor)
    (folder / "deadly").write_text(str(part))
    return part


def assert_same(found: impinge.Clashes, expected: dict[str, Any]) -> None:
    """Fails where the documents differ, and says in what, without showing all of them."""
    document = json.loads(found.to_json())
    assert "errors" not in document, str(document["errors"])[:2000]
    differing = [key for key in expected if document.get(key) != expected[key]]
    assert not differing and document.keys() == expected.keys(), f"differs in {differing}"
