"""Shapes and poses that the tests share."""

import _thread
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge

# The fixtures of tables and clusters.
pytest_plugins = ["plant"]

Array = NDArray[np.float64]


@pytest.fixture(scope="session")
def command() -> Path:
    """The command `impinge`, which the test step of the repository names."""
    path = os.environ.get("IMPINGE_COMMAND")
    if path is None:
        pytest.skip("IMPINGE_COMMAND does not name the command `impinge`")
    return Path(path)


@pytest.fixture(scope="session")
def make(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a file of a generated shape."""
    folder = tmp_path_factory.mktemp("shapes")

    def made(shape: str, name: str, *options: str) -> Path:
        path = folder / name
        if not path.exists():
            subprocess.run([command, "make", shape, path, *options], check=True, capture_output=True)
        return path

    return made


@pytest.fixture
def interrupt_after() -> Iterator[Callable[[float], None]]:
    """Interrupts the main thread after so many seconds, as Ctrl-C does, even where the tests were started with interruptions ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda seconds: threading.Timer(seconds, _thread.interrupt_main).start()
    signal.signal(signal.SIGINT, before)


def random_pose(random: np.random.Generator, spread: float) -> Array:
    """A turn, and a move by a part of the spread."""
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
    pose[:3, 3] = random.normal(size=3) * spread
    return pose


def ball(segments: int = 12, radius: float = 1.0) -> impinge.Model:
    """A closed ball with its poles on the z axis."""
    angles = 2 * np.pi * np.arange(segments) / segments
    heights = np.pi * np.arange(1, segments) / segments
    rings = [
        [radius * np.sin(h) * np.cos(a), radius * np.sin(h) * np.sin(a), radius * np.cos(h)]
        for h in heights
        for a in angles
    ]
    vertices = np.array([*rings, [0, 0, radius], [0, 0, -radius]])
    top, bottom = len(vertices) - 2, len(vertices) - 1
    faces = []
    for i in range(segments):
        j = (i + 1) % segments
        faces.append([top, i, j])
        last = (segments - 2) * segments
        faces.append([bottom, last + j, last + i])
        for ring in range(segments - 2):
            upper, lower = ring * segments, (ring + 1) * segments
            faces.append([upper + i, lower + i, lower + j])
            faces.append([upper + i, lower + j, upper + j])
    return impinge.Model(vertices, np.array(faces))
