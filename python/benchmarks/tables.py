"""Measures clashes of large scenes: in memory, out of core, on Ray and on Spark.

    python tables.py make PARTS shared|own FOLDER [--in-memory]
    python tables.py clash FOLDER here|ray|spark

Parts are balls of 520 faces in a grid, of which one in a hundred reaches into its neighbor. With `shared` they have 20 meshes, with `own` each has its own.
"""

import argparse
import hashlib
import importlib
import resource
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import impinge

Array = NDArray[np.float64]
SPACING = 1.05
AROUND, DOWN = 20, 14


def ball(radius: float) -> tuple[Array, NDArray[np.int64]]:
    """The vertices and faces of a ball."""
    around = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    down = np.linspace(0.0, np.pi, DOWN + 1)[1:-1]
    rings = [[np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)] for b in down for a in around]
    vertices = radius * np.array([*rings, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    faces = []
    for i in range(AROUND):
        j = (i + 1) % AROUND
        for ring in range(len(down) - 1):
            a, b = ring * AROUND + i, ring * AROUND + j
            faces += [[a, a + AROUND, b], [b, a + AROUND, b + AROUND]]
        last = (len(down) - 1) * AROUND
        faces += [[len(rings), i, j], [len(rings) + 1, last + j, last + i]]
    return vertices, np.array(faces)


def scene_of(parts: int, meshes: str) -> impinge.Scene:
    """A scene of so many parts."""
    random = np.random.default_rng(1)
    shared = [impinge.Model(*ball(0.38 + 0.004 * kind)) for kind in range(20)]
    vertices, faces = ball(0.5)
    side = int(np.ceil(parts ** (1 / 3)))
    places = SPACING * np.stack(np.unravel_index(np.arange(parts), (side,) * 3), axis=1)
    places += random.uniform(-0.04, 0.04, (parts, 3))
    places += (random.random((parts, 1)) < 0.01) * np.array([[0.3, 0.0, 0.0]])
    scene = impinge.Scene("plant", unit="m")
    for number, place in enumerate(places):
        model = shared[number % 20]
        if meshes == "own":
            model = impinge.Model(vertices * (1.0 + 0.01 * random.standard_normal((len(vertices), 1))), faces)
        scene.add(f"part {number}", model, impinge.translation(place))
    return scene


def tell(what: str, found: impinge.Clashes, clock: float, processor: float) -> None:
    digest = hashlib.sha256(found.to_json().encode()).hexdigest()[:16]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what}: {len(found)} clashes, {clock:.1f} s, processor {processor:.1f} s, {memory:.2f} GB here, result {digest}")


def processor_time() -> float:
    """The processor time of this process and of all that it has started; without psutil, of this one."""
    try:
        psutil = importlib.import_module("psutil")
    except ImportError:
        return time.process_time()
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:
            continue
    return total


def make(arguments: argparse.Namespace) -> None:
    begin = time.perf_counter()
    scene = scene_of(int(float(arguments.parts)), arguments.meshes)
    print(f"made: {time.perf_counter() - begin:.1f} s")
    begin = time.perf_counter()
    tables = impinge.pack(scene, arguments.folder)
    size = sum(path.stat().st_size for path in tables.files()) / 1e6
    print(f"packed: {time.perf_counter() - begin:.1f} s, {size:.0f} MB")
    if arguments.in_memory:
        begin, used = time.perf_counter(), time.process_time()
        tell("in memory", scene.clash(), time.perf_counter() - begin, time.process_time() - used)


def clash(arguments: argparse.Namespace) -> None:
    tables = impinge.Tables(arguments.folder)
    cluster = importlib.import_module(f"impinge.{arguments.on}") if arguments.on != "here" else None
    if cluster is not None:
        cluster.connect()
    begin, used = time.perf_counter(), processor_time()
    found = tables.clash() if cluster is None else cluster.clash(tables)
    tell(arguments.on, found, time.perf_counter() - begin, processor_time() - used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    making.add_argument("parts")
    making.add_argument("meshes", choices=["shared", "own"])
    making.add_argument("folder", type=Path)
    making.add_argument("--in-memory", action="store_true", help="look for clashes in memory, too")
    making.set_defaults(run=make)
    clashing = commands.add_parser("clash")
    clashing.add_argument("folder", type=Path)
    clashing.add_argument("on", choices=["here", "ray", "spark"])
    clashing.set_defaults(run=clash)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
