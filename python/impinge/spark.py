"""Clashes and motions on Spark: `pip install "impinge[spark]"`, which needs Java 17 or later.

Parts and meshes may be tables in a folder, or data frames with the columns of such tables, wherever they come from.
"""

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from impinge import _motions
from impinge._scene import Clashes, Progress, clash_words, find
from impinge._tables import Job, Tables, _arrow, mesh_schema
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


def _spark() -> Any:
    try:
        return importlib.import_module("pyspark.sql")
    except ImportError as error:
        raise ImportError('Spark needs PySpark: pip install "impinge[spark]"') from error


def _pack(batch: Any) -> bytes:
    pa = _arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


def _unpack(data: bytes) -> Any:
    pa = _arrow()
    with pa.ipc.open_stream(data) as reader:
        return reader.read_next_batch()


def _test(options: Options) -> Any:
    def test(tiles: Any, meshes: Any) -> Any:
        """What is found at the tile of a group: one row with an Arrow stream."""
        one_thread()
        pa = _arrow()
        [row] = tiles.to_pylist()
        tile = Tile(_unpack(row["parts"]), _unpack(row["pairs"]))
        rows = meshes.select(_NAMES).cast(_mesh_part())
        context = importlib.import_module("pyspark").TaskContext.get()
        # A worker that tested this has ended: now it is done in processes of their own.
        carefully = context is not None and context.attemptNumber() > 0
        found = check_carefully(tile, rows, options) if carefully else clash_tile(tile.parts, tile.pairs, rows, options)
        return pa.table({"tile": [row["tile"]], "found": [_pack(found)]}, schema=_found())

    return test


_NAMES = ["mesh", "id", "vertices", "corners", "counts", "labels"]
"""The columns of meshes that workers need."""


def _mesh_part() -> Any:
    schema = mesh_schema()
    return _arrow().schema([schema.field(name) for name in _NAMES])


def _found() -> Any:
    pa = _arrow()
    return pa.schema([("tile", pa.int64()), ("found", pa.binary())])


class SparkRunner:
    """Tests tiles by groups of Spark."""

    def __init__(self, session: Any, tables: Tables, meshes: Any, tiles: int | None = None, hook: str | None = None) -> None:
        self._session = session
        self._tables = tables
        self._meshes = meshes
        self._tiles = tiles
        self._hook = hook

    def __call__(self, search: Any) -> None:
        pa = _arrow()
        cores = max(1, self._session.sparkContext.defaultParallelism)
        options = options_of(search, self._hook)
        work = work_of_tiles(search, self._tiles, cores)
        tiles = list(tiles_of(self._tables, search, work))
        if not tiles:
            return
        needed = [(number, int(mesh)) for number, tile in enumerate(tiles) for mesh in tile.meshes]
        of_tiles = pa.table(
            {
                "tile": pa.array(range(len(tiles)), type=pa.int64()),
                "parts": pa.array([_pack(tile.parts) for tile in tiles], type=pa.binary()),
                "pairs": pa.array([_pack(tile.pairs) for tile in tiles], type=pa.binary()),
            }
        )
        of_meshes = pa.table(
            {
                "tile": pa.array([tile for tile, _ in needed], type=pa.int64()),
                "mesh": pa.array([mesh for _, mesh in needed], type=pa.int64()),
            }
        )
        frame = self._session.createDataFrame(of_tiles).repartition(len(tiles), "tile")
        meshes = self._session.createDataFrame(of_meshes).join(self._meshes.select(_NAMES), "mesh").repartition(len(tiles), "tile")
        found = frame.groupBy("tile").cogroup(meshes.groupBy("tile")).applyInArrow(_test(options), "tile long, found binary")
        for row in found.toArrow().to_pylist():
            take_in(search, tiles[row["tile"]].numbers, _unpack(row["found"]))


def connect(master: str | None = None) -> Any:
    """The session of Spark: the one there is, or one with the given master, by default all cores of this machine with three retries."""
    sql = _spark()
    active = sql.SparkSession.getActiveSession()
    if active is not None and master is None:
        return active
    # Workers on this machine run the interpreter of this process, and not the first on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("impinge")
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    # Without retries, which local masters have only where they are named, a lost worker ends the job.
    session = builder.master(master or f"local[{os.cpu_count()},4]").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def meshes_of(session: Any, tables: Tables) -> Any:
    """The meshes of tables, as a data frame."""
    return session.read.parquet(str(tables.meshes.path.resolve()))


def clash(
    tables: Tables | str | os.PathLike[str],
    *,
    session: Any = None,
    master: str | None = None,
    meshes: Any = None,
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
    """Finds every clash among the parts of tables on Spark, with the bits of `Tables.clash`.

    `meshes` is a data frame with the columns of `meshes.parquet`, which is read from the tables by default. Workers may be lost: their tiles are tested again, in processes of
    their own. Pairs that end every process that tests them, and those whose meshes cannot be read, are in the `errors` of the result.
    """
    session = session or connect(master)
    tables = tables if isinstance(tables, Tables) else Tables(tables)
    frame = meshes_of(session, tables) if meshes is None else meshes
    words = clash_words(clearance, tolerance, touch, depth, rules, options)
    return find(Job(tables, SparkRunner(session, tables, frame, tiles, _hook), words), progress)


def sweep(
    tables: Tables | str | os.PathLike[str], motions: Any, *, session: Any = None, master: str | None = None, margin: float = 0.0
) -> Any:
    """Sweeps the motions of an Arrow table on Spark: a data frame with a row for each, which `row` numbers. See `Tables.sweep` for the columns."""
    pa = _arrow()
    session = session or connect(master)
    tables = tables if isinstance(tables, Tables) else Tables(tables)
    path = str(tables.meshes.path.resolve())
    table = _motions.resolved(tables, motions)
    table = table.append_column("row", pa.array(range(table.num_rows), type=pa.int64()))

    def sweep_all(batches: Iterator[Any]) -> Iterator[Any]:
        one_thread()
        for batch in batches:
            found = _motions.sweep_batch(batch, group_file(path), margin)
            lists = [pa.list_(pa.float64()) if pa.types.is_fixed_size_list(field.type) else field.type for field in found.schema]
            # Spark has neither lists of fixed length nor numbers without a sign.
            lists = [pa.int16() if kind == pa.uint8() else kind for kind in lists]
            columns = [column.cast(kind) for column, kind in zip(found.columns, lists, strict=True)]
            yield pa.RecordBatch.from_arrays([batch.column("row"), *columns], names=["row", *found.schema.names])

    schema = (
        "row long, status short, fraction double, pose array<double>, point_on_moving array<double>, "
        "point_on_stationary array<double>, normal array<double>, error string"
    )
    return session.createDataFrame(table).mapInArrow(sweep_all, schema)
