"""Clashes and motions on a Ray cluster: `pip install "impinge[ray]"`.

The tables have to lie where all nodes can read them: in a shared folder, or on the one machine of a local cluster. Row groups of meshes are read by tasks, and
go to other tasks by object references, so Ray makes them again where a node is lost.
"""

import importlib
import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from impinge import _motions
from impinge._scene import Clashes, Progress, clash_words, find
from impinge._tables import Job, Tables, _arrow
from impinge._tiles import (
    Options,
    Tile,
    check_carefully,
    clash_tile,
    group_file,
    one_thread,
    options_of,
    take_in,
    tiles_of,
    work_of_tiles,
)

_RETRIES = 3
"""So often Ray runs a task again whose worker or node has ended."""

_AHEAD = 3
"""So many tiles for each core are on their way at once; they hold their meshes in memory."""


def _ray() -> Any:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise ImportError('clusters of Ray need Ray: pip install "impinge[ray]"') from error
    return ray


def _read_group(path: str, group: int) -> Any:
    return group_file(path).read_group(group)


def _test(tile: Tile, options: Options, carefully: bool, *groups: Any) -> Any:
    pa = _arrow()
    one_thread()
    meshes = pa.concat_tables(group.filter(np.isin(group["mesh"].to_numpy(), tile.meshes)) for group in groups)
    if carefully:
        return check_carefully(tile, meshes, options)
    return clash_tile(tile.parts, tile.pairs, meshes, options)


class RayRunner:
    """Tests tiles by tasks of Ray."""

    def __init__(self, tables: Tables, tiles: int | None = None, hook: str | None = None) -> None:
        self._tables = tables
        self._tiles = tiles
        self._hook = hook

    def __call__(self, search: Any) -> None:
        ray = _ray()
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        options = options_of(search, self._hook)
        work = work_of_tiles(search, self._tiles, cores)
        waiting = list(enumerate(tiles_of(self._tables, search, work)))
        waiting.reverse()
        groups = _Groups(ray, self._tables, [tile for _, tile in waiting])
        test = ray.remote(_test).options(num_cpus=1, max_retries=_RETRIES)
        running: dict[Any, tuple[Tile, int]] = {}

        def submit(tile: Tile, tries: int) -> None:
            # What has ended its worker every time is tested in processes of their own.
            task = test.remote(tile, options, tries > 0, *groups.of(tile))
            running[task] = (tile, tries)

        while waiting or running:
            while waiting and len(running) < _AHEAD * cores:
                submit(waiting.pop()[1], 0)
            done, _ = ray.wait(list(running), num_returns=1)
            for task in done:
                tile, tries = running.pop(task)
                try:
                    batch = ray.get(task)
                except ray.exceptions.RayTaskError as error:
                    search.failed(tile.numbers, _first_line(error.cause or error))
                    groups.release(tile)
                except ray.exceptions.RayError as error:
                    if tries >= _RETRIES:
                        search.failed(tile.numbers, _first_line(error))
                        groups.release(tile)
                    else:
                        submit(tile, tries + 1)
                else:
                    take_in(search, tile.numbers, batch)
                    groups.release(tile)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


class _Groups:
    """References to row groups of meshes, each as long as tiles need it."""

    def __init__(self, ray: Any, tables: Tables, tiles: Sequence[Tile]) -> None:
        self._read = ray.remote(_read_group).options(num_cpus=1, max_retries=_RETRIES)
        self._meshes = tables.meshes
        self._path = str(tables.meshes.path.resolve())
        self._users: dict[int, int] = {}
        self._references: dict[int, Any] = {}
        for tile in tiles:
            for group in self._meshes.groups_of(tile.meshes):
                self._users[int(group)] = self._users.get(int(group), 0) + 1

    def of(self, tile: Tile) -> list[Any]:
        """References to the groups of a tile's meshes."""
        groups = [int(group) for group in self._meshes.groups_of(tile.meshes)]
        for group in groups:
            if group not in self._references:
                self._references[group] = self._read.remote(self._path, group)
        return [self._references[group] for group in groups]

    def release(self, tile: Tile) -> None:
        """Forgets groups that no other tile needs."""
        for group in self._meshes.groups_of(tile.meshes):
            self._users[int(group)] -= 1
            if self._users[int(group)] == 0:
                self._references.pop(int(group), None)


def connect(address: str | None = None) -> None:
    """Joins the cluster at an address, or the one that the environment names; starts one on this machine where there is none."""
    ray = _ray()
    if ray.is_initialized():
        return
    quiet = {"log_to_driver": False, "logging_level": "error"}
    if address is not None or os.environ.get("RAY_ADDRESS"):
        ray.init(address=address, **quiet)
    else:
        ray.init(include_dashboard=False, **quiet)


def clash(
    tables: Tables | str | os.PathLike[str],
    *,
    address: str | None = None,
    tiles: int | None = None,
    clearance: float = 0.0,
    tolerance: float | None = None,
    touch: float | None = None,
    depth: bool = True,
    rules: str | os.PathLike[str] | None = None,
    options: Sequence[str] = (),
    progress: Progress | Literal["tqdm"] | None = None,
    _hook: str | None = None,
) -> Clashes:
    """Finds every clash among the parts of tables on a cluster of Ray, with the bits of `Tables.clash`.

    Workers and nodes may be lost: their tiles are tested again. Pairs that end every worker that tests them, and those whose meshes cannot be read, are in the `errors` of
    the result.
    """
    connect(address)
    tables = tables if isinstance(tables, Tables) else Tables(tables)
    words = clash_words(clearance, tolerance, touch, depth, rules, options)
    return find(Job(tables, RayRunner(tables, tiles, _hook), words), progress)


def _sweep(batch: Any, path: str, margin: float) -> Any:
    one_thread()
    return _motions.sweep_batch(batch, group_file(path), margin)


def sweep(
    tables: Tables | str | os.PathLike[str],
    motions: Any,
    *,
    address: str | None = None,
    margin: float = 0.0,
    batch_rows: int = 10_000,
) -> Any:
    """Sweeps the motions of an Arrow table on a cluster of Ray: a row for each motion, in their order. See `Tables.sweep` for the columns."""
    connect(address)
    ray = _ray()
    tables = tables if isinstance(tables, Tables) else Tables(tables)
    task = ray.remote(_sweep).options(num_cpus=1, max_retries=_RETRIES)
    path = str(tables.meshes.path.resolve())
    pa = _arrow()
    batches = _motions.resolved(tables, motions).combine_chunks().to_batches(max_chunksize=batch_rows)
    results = [task.remote(batch, path, margin) for batch in batches]
    return pa.Table.from_batches(ray.get(results), schema=_motions.result_schema())
