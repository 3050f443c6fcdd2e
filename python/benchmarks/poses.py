"""Measures the overhead of one call, and many poses of two models beside python-fcl, if that is installed.

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


def torus(faces: int) -> tuple[Array, NDArray[np.int64]]:
    """A ring of about so many faces."""
    around = max(3, round((faces / 2 * 2) ** 0.5))
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


def best(run: Callable[[], Any], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def overhead() -> None:
    """One call beyond what the same question takes in a batch on one thread, where Python is not in the way."""
    box = impinge.box([0, 0, 0], [1, 1, 1])
    pose, calls = impinge.translation([5, 0, 0]), range(100_000)

    def ask() -> None:
        for _ in calls:
            box.intersects(box, pose_b=pose)

    def nothing() -> None:
        for _ in calls:
            pass

    single = (best(ask) - best(nothing)) / len(calls)
    many = np.tile(pose, (len(calls), 1, 1))
    inside = best(lambda: box.intersects(box, pose_b=many)) / len(calls)
    print(f"one call of intersects, far boxes: {single * 1e6:.2f} µs; in a batch {inside * 1e6:.2f} µs a pose")


def with_fcl(vertices: Array, faces: NDArray[np.int64], poses: Array) -> tuple[NDArray[np.bool_], float, Array, float] | None:
    try:
        import fcl  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        print("python-fcl is not installed")
        return None

    def built() -> Any:
        mesh = fcl.BVHModel()
        mesh.beginModel(len(vertices), len(faces))
        mesh.addSubModel(vertices, faces)
        mesh.endModel()
        return mesh

    a, b = fcl.CollisionObject(built(), fcl.Transform()), fcl.CollisionObject(built(), fcl.Transform())
    hits, distances = np.empty(len(poses), dtype=bool), np.empty(max(1, len(poses) // 20))
    start = time.perf_counter()
    for i, pose in enumerate(poses):
        b.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        hits[i] = fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
    collide = time.perf_counter() - start
    start = time.perf_counter()
    for i, pose in enumerate(poses[: len(distances)]):
        b.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        distances[i] = fcl.distance(a, b, fcl.DistanceRequest(), fcl.DistanceResult())
    return hits, collide, distances, time.perf_counter() - start


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    faces_wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
    overhead()
    vertices, faces = torus(faces_wanted)
    poses = random_poses(count)
    a, b = impinge.Model(vertices, faces), impinge.Model(vertices, faces)
    a.prepare()
    b.prepare()
    start = time.perf_counter()
    hits = a.intersects(b, pose_b=poses)
    batch = time.perf_counter() - start
    start = time.perf_counter()
    singles = [a.intersects(b, pose_b=pose) for pose in poses]
    single = time.perf_counter() - start
    assert singles == hits.tolist()
    few = poses[: max(1, count // 20)]
    start = time.perf_counter()
    distances = a.distance(b, pose_b=few).distance
    distance = time.perf_counter() - start
    print(f"{count} poses of two models of {len(faces)} faces, {hits.mean():.0%} intersect")
    print(f"intersects: batch {batch:.3f} s, one by one {single:.3f} s")
    print(f"distance of {len(few)}: batch {distance:.3f} s")
    peer = with_fcl(vertices, faces, poses)
    if peer is None:
        return
    their_hits, their_time, their_distances, their_distance_time = peer
    print(f"python-fcl: collide {their_time:.3f} s ({their_time / batch:.1f} × the batch, {their_time / single:.1f} × one by one)")
    print(f"python-fcl: distance {their_distance_time:.3f} s ({their_distance_time / distance:.1f} × the batch)")
    print(f"answers that differ: {int((their_hits != hits).sum())} of {count}")
    clear = ~hits[: len(few)]
    print(f"largest difference of distances: {np.abs(their_distances - distances)[clear].max(initial=0.0):.2e}")


if __name__ == "__main__":
    main()
