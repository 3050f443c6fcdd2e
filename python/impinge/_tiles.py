"""Tiles of a clash search: what goes to a worker, what it does, and what comes back, all as Arrow batches.

`clash_tile` is a pure function: it depends on its arguments alone, so a tile may be tested anywhere, in any order, and more than once.
"""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impinge._impinge import Model, _check_tile
from impinge._tables import MeshFile, Tables, _arrow, models_of, rows_of

_LOCAL_WORK = 1 << 23
"""The work of a tile on one machine, in faces: it bounds the meshes that are in memory."""

_FAILED = 254
"""The kind of a row that says why a pair could not be tested."""


class Options(NamedTuple):
    """What a search looks for."""

    touch: float
    clearance: float
    penetration: bool
    volume: bool
    separation: bool
    uses_rounding: bool
    hook: str | None = None
    """A function that is called with each tile before it is tested, as `module:function`: tests of faults use it."""


def options_of(search: Any, hook: str | None = None) -> Options:
    """The options of a search."""
    touch, clearance = search.lengths
    penetration, volume, separation = search.measures
    return Options(touch, clearance, penetration, volume, separation, search.uses_rounding, hook)


class Tile(NamedTuple):
    """A tile: its parts and pairs, as Arrow batches."""

    parts: Any
    """Columns `part` and `mesh`, which are numbers of rows, `pose` and `rounding`."""
    pairs: Any
    """Columns `pair`, the number in the search, and `a` and `b`, indices into the parts."""

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of its pairs."""
        numbers: NDArray[np.int64] = self.pairs.column("pair").to_numpy()
        return numbers

    @property
    def meshes(self) -> NDArray[np.int64]:
        """The rows of its meshes, sorted."""
        rows: NDArray[np.int64] = np.unique(self.parts.column("mesh").to_numpy())
        return rows


def tiles_of(tables: Tables, search: Any, most_work: int) -> Iterator[Tile]:
    """The tiles of a search among tables, each of no more than the given work."""
    pa = _arrow()
    mesh = tables.parts["mesh"].to_numpy()
    rounding = tables.parts["rounding"].to_numpy()
    poses = rows_of(tables.parts["pose"], 16)
    for parts, pairs, local in search.tiles(most_work):
        pose = pa.FixedSizeListArray.from_arrays(poses[parts].ravel(), 16)
        columns = {"part": parts, "mesh": mesh[parts], "pose": pose, "rounding": rounding[parts]}
        yield Tile(
            pa.RecordBatch.from_pydict(columns),
            pa.RecordBatch.from_pydict({"pair": pairs, "a": local[:, 0], "b": local[:, 1]}),
        )


def result_schema() -> Any:
    """The columns of what is found at the pairs of a tile; clear pairs have no row."""
    pa = _arrow()
    return pa.schema(
        [
            ("pair", pa.int64()),
            ("kind", pa.uint8()),
            ("has", pa.uint32()),
            ("counts", pa.list_(pa.uint64(), 2)),
            ("numbers", pa.list_(pa.float64(), 48)),
            ("error", pa.string()),
        ]
    )


def _nothing() -> dict[str, NDArray[Any]]:
    """What is found where nothing is."""
    arrays: dict[str, NDArray[Any]] = {"pair": np.empty(0, np.int64), "kind": np.empty(0, np.uint8)}
    arrays |= {"has": np.empty(0, np.uint32), "counts": np.empty((0, 2), np.uint64), "numbers": np.empty((0, 48))}
    return arrays


def _result(arrays: dict[str, NDArray[Any]], failed: list[tuple[int, str]]) -> Any:
    pa = _arrow()
    count, more = len(arrays["pair"]), len(failed)
    numbers = [np.int64(pair) for pair, _ in failed]
    columns = [
        pa.array(np.concatenate([arrays["pair"], np.array(numbers, dtype=np.int64)])),
        pa.array(np.concatenate([arrays["kind"], np.full(more, _FAILED, dtype=np.uint8)])),
        pa.array(np.concatenate([arrays["has"], np.zeros(more, dtype=np.uint32)])),
    ]
    for name, width in (("counts", 2), ("numbers", 48)):
        flat = np.concatenate([arrays[name].ravel(), np.zeros(more * width, dtype=arrays[name].dtype)])
        columns.append(pa.FixedSizeListArray.from_arrays(flat, width))
    columns.append(pa.array([None] * count + [reason for _, reason in failed], type=pa.string()))
    return pa.RecordBatch.from_arrays(columns, schema=result_schema())


def check_tile(tile: Tile, models: Mapping[int, Model | str], options: Options) -> Any:
    """What is found at the pairs of a tile, given its models by their rows; pairs of rows that make none are failed."""
    if options.hook is not None:
        module, _, name = options.hook.partition(":")
        getattr(importlib.import_module(module), name)(tile)
    mesh = tile.parts.column("mesh").to_numpy()
    sides = [tile.pairs.column(name).to_numpy() for name in ("a", "b")]
    rows = np.unique(mesh)
    bad = {int(row): model for row in rows if isinstance(model := models[int(row)], str)}
    is_bad = np.isin(mesh, list(bad))
    fails = is_bad[sides[0]] | is_bad[sides[1]]
    numbers = tile.numbers
    failed = []
    for index in np.flatnonzero(fails):
        ends = (int(mesh[side[index]]) for side in sides)
        failed.append((int(numbers[index]), next(bad[row] for row in ends if row in bad)))
    # A part without a model is in no pair that is left, and any model will do.
    good = [model for row in rows if isinstance(model := models[int(row)], Model)]
    index_of = np.zeros(len(rows), dtype=np.int64)
    index_of[[int(row) not in bad for row in rows]] = np.arange(len(good))
    local = np.ascontiguousarray(np.stack(sides, axis=1)[~fails])
    if not len(local):
        return _result(_nothing(), failed)
    arrays = _check_tile(
        good,
        index_of[np.searchsorted(rows, mesh)],
        rows_of(tile.parts.column("pose"), 16),
        tile.parts.column("rounding").to_numpy() if options.uses_rounding else None,
        local,
        np.ascontiguousarray(numbers[~fails]),
        [options.touch, options.clearance],
        [options.penetration, options.volume, options.separation],
    )
    return _result(arrays, failed)


def clash_tile(parts: Any, pairs: Any, meshes: Any, options: Options) -> Any:
    """Tests the pairs of a tile: Arrow batches in, an Arrow batch out. `meshes` has the rows of `meshes.parquet` that the parts name, and may have more."""
    tile = Tile(parts, pairs)
    wanted = meshes.filter(np.isin(meshes.column("mesh").to_numpy(), tile.meshes))
    models = dict(models_of(wanted))
    for row in tile.meshes:
        models.setdefault(int(row), f"meshes.parquet: row {row}: is missing")
    return check_tile(tile, models, options)


def take_in(search: Any, tile_pairs: NDArray[np.int64], batch: Any) -> None:
    """Tells a search what was found at a tile."""
    kinds = batch.column("kind").to_numpy()
    found = batch.filter(kinds != _FAILED)
    arrays = {name: found.column(name).to_numpy() for name in ("pair", "kind", "has")}
    arrays |= {name: rows_of(found.column(name), width) for name, width in (("counts", 2), ("numbers", 48))}
    failed: dict[str, list[int]] = {}
    errors = batch.filter(kinds == _FAILED)
    for pair, reason in zip(errors.column("pair").to_pylist(), errors.column("error").to_pylist(), strict=True):
        failed.setdefault(reason, []).append(pair)
    tested = np.setdiff1d(tile_pairs, errors.column("pair").to_numpy())
    search.found(tested, arrays)
    for reason, pairs in failed.items():
        search.failed(np.array(pairs, dtype=np.int64), reason)


class LocalRunner:
    """Tests tile by tile on this machine, each on all cores."""

    def __init__(self, tables: Tables, tiles: int | None = None) -> None:
        self._tables = tables
        self._tiles = tiles

    def __call__(self, search: Any) -> None:
        options = options_of(search)
        for tile in tiles_of(self._tables, search, work_of_tiles(search, self._tiles, 1)):
            batch = check_tile(tile, self._tables.meshes.models_by_row(tile.meshes), options)
            take_in(search, tile.numbers, batch)


def work_of_tiles(search: Any, tiles: int | None, workers: int) -> int:
    """The work of a tile: that of so many tiles, or of several for each worker, so that none waits long for the last; by default no more than memory is made for."""
    work = int(search.work)
    if tiles is not None:
        return max(1, -(-work // tiles))
    return max(1, min(_LOCAL_WORK, -(-work // (8 * workers)) if workers > 1 else _LOCAL_WORK))


def one_thread() -> None:
    """Keeps the threads of this process to one: a cluster runs as many processes as there are cores."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")


def check_carefully(tile: Tile, meshes: Any, options: Options) -> Any:
    """Tests a tile in processes of their own, because one has ended while it was tested. Pairs that end their process are failed, each by itself."""
    pa = _arrow()
    wanted = meshes.filter(np.isin(meshes.column("mesh").to_numpy(), tile.meshes))
    answer, reason = _in_a_process(tile, wanted, options)
    if answer is not None:
        return answer
    count = tile.pairs.num_rows
    if count == 1:
        return _result(_nothing(), [(int(tile.numbers[0]), reason)])
    halves = [half_of(tile, 0, count // 2), half_of(tile, count // 2, count)]
    batches = [check_carefully(half, wanted, options) for half in halves]
    return one_batch(pa.Table.from_batches(batches))


def one_batch(table: Any) -> Any:
    """A table as one batch."""
    pa = _arrow()
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)


def half_of(tile: Tile, first: int, end: int) -> Tile:
    """Some pairs of a tile, and their parts."""
    pa = _arrow()
    pairs = tile.pairs.slice(first, end - first)
    sides = [pairs.column(name).to_numpy() for name in ("a", "b")]
    kept, local = np.unique(np.concatenate(sides), return_inverse=True)
    local = local.reshape(2, -1)
    columns = {"pair": pairs.column("pair"), "a": local[0], "b": local[1]}
    return Tile(tile.parts.take(kept), pa.RecordBatch.from_pydict(columns))


def _in_a_process(tile: Tile, meshes: Any, options: Options) -> tuple[Any, str]:
    pa = _arrow()
    sink = pa.BufferOutputStream()
    for batch in (tile.parts, tile.pairs, meshes):
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch.combine_chunks()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    words = [sys.executable, "-m", "impinge._tile_process", repr(tuple(options))]
    done = subprocess.run(words, input=sink.getvalue().to_pybytes(), capture_output=True, check=False)
    if done.returncode == 0:
        with pa.ipc.open_stream(done.stdout) as reader:
            batches = list(reader)
        return batches[0], ""
    if done.returncode < 0:
        return None, f"the process that tested it was ended by {signal.Signals(-done.returncode).name}"
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return None, f"the process that tested it ended with status {done.returncode}: {lines[-1] if lines else ''}"


def group_file(path: str) -> MeshFile:
    """The meshes of a file, which a worker keeps open."""
    if path not in _FILES:
        _FILES[path] = MeshFile(Path(path))
    return _FILES[path]


_FILES: dict[str, MeshFile] = {}
