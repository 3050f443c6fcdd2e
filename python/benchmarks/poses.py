"""Measures the overhead of one call and of a batch, and many poses of two models beside python-fcl and coal, where they are installed.

All sides take turns in one run. Times are those of the processor, of all threads together: they do not depend on how many cores there are, nor on who else uses
them. The time on the clock is told besides.

Usage: python poses.py [POSES] [FACES]
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import impinge

Array = NDArray[np.float64]
Faces = NDArray[np.int64]
Flags = NDArray[np.bool_]
ROUNDS = 5


def torus(faces: int) -> tuple[Array, Faces]:
    """A ring of about so many faces."""
    around = max(3, round(faces**0.5))
    across = max(3, round(faces / 2 / around))
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    radius = 1 + 0.35 * np.cos(v)
    vertices = np.stack([radius * np.cos(u), radius * np.sin(u), 0.35 * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = i * across + j, (i + 1) % around * across + j
    c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
    return vertices, np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)


def random_poses(count: int) -> Array:
    random = np.random.default_rng(1)
    turns, _ = np.linalg.qr(random.normal(size=(count, 3, 3)))
    turns *= np.sign(np.linalg.det(turns))[:, None, None]
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = turns
    poses[:, :3, 3] = random.normal(size=(count, 3)) * 1.2
    return poses


def processor(run: Callable[[], object], repeats: int = 7) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def overhead() -> None:
    """One call beyond what the library needs, and a batch beyond what its questions need."""
    box = impinge.box([0, 0, 0], [1, 1, 1])
    pose, calls = impinge.translation([5, 0, 0]), range(100_000)

    def ask(**poses: Any) -> Callable[[], None]:
        def many() -> None:
            for _ in calls:
                box.intersects(box, **poses)

        return many

    def nothing() -> None:
        for _ in calls:
            pass

    loop = processor(nothing)
    batch = np.tile(pose, (len(calls), 1, 1))
    # A batch has no Python in it: what its questions take is the library's time, and a little more.
    inside = processor(lambda: box.intersects(box, pose_b=batch)) / len(calls)
    single = (processor(ask(pose_b=pose)) - loop) / len(calls)
    print(f"one call, far boxes: {single * 1e6:.2f} µs; the question itself {inside * 1e6:.2f} µs; overhead {(single - inside) * 1e6:.2f} µs")


def batch_overhead(a: impinge.Model, b: impinge.Model, poses: Array) -> None:
    """Two batches against one of twice the length: what a batch takes beyond its poses counts once in the one, and twice in the others."""
    few = poses[: len(poses) // 10 * 2]
    half = len(few) // 2
    once, twice = [], []
    for _ in range(ROUNDS):
        once.append(processor(lambda: a.intersects(b, pose_b=few), 1))
        twice.append(processor(lambda: (a.intersects(b, pose_b=few[:half]), a.intersects(b, pose_b=few[half:])), 1))
    share = (min(twice) - min(once)) / min(once)
    # What NumPy's arrays cost in and out, apart from the questions.
    copied = processor(lambda: few.copy())
    print(f"batch of {len(few)} poses: split in two it takes {share:+.2%}; copying its poses takes {copied / min(once):.2%} of it")


class Peer:
    """A library that answers the same questions, pose by pose."""

    name: str

    def collide(self, poses: Array) -> Flags:
        raise NotImplementedError

    def distance(self, poses: Array) -> Array:
        raise NotImplementedError


class Fcl(Peer):
    name = "python-fcl"

    def __init__(self, vertices: Array, faces: Faces) -> None:
        import fcl  # type: ignore[import-not-found, import-untyped, unused-ignore]

        def built() -> Any:
            mesh = fcl.BVHModel()
            mesh.beginModel(len(vertices), len(faces))
            mesh.addSubModel(vertices, faces)
            mesh.endModel()
            return mesh

        self.fcl: Any = fcl
        self.a, self.b = (fcl.CollisionObject(built(), fcl.Transform()) for _ in range(2))

    def collide(self, poses: Array) -> Flags:
        fcl, hits = self.fcl, np.empty(len(poses), dtype=bool)
        for i, pose in enumerate(poses):
            self.b.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
            hits[i] = fcl.collide(self.a, self.b, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        return hits

    def distance(self, poses: Array) -> Array:
        fcl, distances = self.fcl, np.empty(len(poses))
        for i, pose in enumerate(poses):
            self.b.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
            distances[i] = fcl.distance(self.a, self.b, fcl.DistanceRequest(), fcl.DistanceResult())
        return distances


class Coal(Peer):
    name = "coal"

    def __init__(self, vertices: Array, faces: Faces) -> None:
        import coal  # type: ignore[import-not-found, import-untyped, unused-ignore]

        def built() -> Any:
            mesh = coal.BVHModelOBBRSS()
            mesh.beginModel(len(faces), len(vertices))
            for triangle in vertices[faces]:
                mesh.addTriangle(*triangle)
            mesh.endModel()
            return mesh

        self.coal: Any = coal
        self.a, self.b = built(), built()

    def collide(self, poses: Array) -> Flags:
        coal, hits, here = self.coal, np.empty(len(poses), dtype=bool), self.coal.Transform3s()
        request = coal.CollisionRequest()
        for i, pose in enumerate(poses):
            there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
            hits[i] = coal.collide(self.a, here, self.b, there, request, coal.CollisionResult()) > 0
        return hits

    def distance(self, poses: Array) -> Array:
        coal, distances, here = self.coal, np.empty(len(poses)), self.coal.Transform3s()
        request = coal.DistanceRequest()
        for i, pose in enumerate(poses):
            there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
            distances[i] = coal.distance(self.a, here, self.b, there, request, coal.DistanceResult())
        return distances


class Ours(Peer):
    name = "impinge, batches"

    def __init__(self, vertices: Array, faces: Faces) -> None:
        self.a, self.b = impinge.Model(vertices, faces), impinge.Model(vertices, faces)
        self.a.prepare()
        self.b.prepare()

    def collide(self, poses: Array) -> Flags:
        hits: Flags = self.a.intersects(self.b, pose_b=poses)
        return hits

    def distance(self, poses: Array) -> Array:
        distances: Array = self.a.distance(self.b, pose_b=poses).distance
        return distances


class OneByOne(Ours):
    name = "impinge, one by one"

    def collide(self, poses: Array) -> Flags:
        return np.array([self.a.intersects(self.b, pose_b=pose) for pose in poses])

    def distance(self, poses: Array) -> Array:
        return np.array([self.a.distance(self.b, pose_b=pose).distance for pose in poses])


class Surfaces(Ours):
    """Hollow meshes, as those of the others are."""

    name = "impinge, batches, surface only"

    def collide(self, poses: Array) -> Flags:
        hits: Flags = self.a.intersects(self.b, pose_b=poses, surface_only=True)
        return hits


def sides(vertices: Array, faces: Faces) -> list[Peer]:
    present: list[Peer] = [Ours(vertices, faces), Surfaces(vertices, faces), OneByOne(vertices, faces)]
    for kind in [Fcl, Coal]:
        try:
            present.append(kind(vertices, faces))
        except ImportError:
            print(f"{kind.name} is not installed")
    return present


def race(question: str, present: list[Peer], poses: Array) -> dict[str, Any]:
    """All sides answer a part of the poses in turn."""
    answers: dict[str, list[Any]] = {side.name: [] for side in present}
    used = {side.name: [0.0, 0.0] for side in present}
    for part in np.array_split(poses, ROUNDS):
        for side in present:
            start = time.process_time(), time.perf_counter()
            answers[side.name].append(getattr(side, question)(part))
            used[side.name][0] += time.process_time() - start[0]
            used[side.name][1] += time.perf_counter() - start[1]
    best = used[present[0].name]
    print(f"\n{question} of {len(poses)} poses")
    print("| side | processor, s | clock, s | × processor of the first | × clock of the first |")
    print("| --- | --- | --- | --- | --- |")
    for name, (processor_time, clock) in used.items():
        print(f"| {name} | {processor_time:.3f} | {clock:.3f} | {processor_time / best[0]:.1f} | {clock / best[1]:.1f} |")
    return {name: np.concatenate(parts) for name, parts in answers.items()}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
    overhead()
    vertices, faces = torus(wanted)
    poses = random_poses(count)
    present = sides(vertices, faces)
    first = present[0]
    assert isinstance(first, Ours)
    batch_overhead(first.a, first.b, poses)
    print(f"two models of {len(faces)} faces")
    hits = race("collide", present, poses)
    surfaces = hits[Surfaces.name]
    assert (hits[OneByOne.name] == hits[first.name]).all()
    print(f"\n{hits[first.name].mean():.1%} intersect, {surfaces.mean():.1%} with their surfaces")
    for side in present[3:]:
        print(f"{side.name}: {int((hits[side.name] != surfaces).sum())} answers differ from those for surfaces")
    few = poses[: max(1, count // 20)]
    distances = race("distance", present, few)
    clear = ~hits[first.name][: len(few)]
    for side in present[3:]:
        apart = np.abs(distances[side.name] - distances[first.name])[clear].max(initial=0.0)
        print(f"{side.name}: distances differ by at most {apart:.1e} where models are clear of each other")


if __name__ == "__main__":
    main()
