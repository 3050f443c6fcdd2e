"""Scenes as Parquet tables, for those larger than memory and for clusters.

A folder has `parts.parquet` with a row for each part, `meshes.parquet` with a row for each mesh, and `scene.json`, which is written last. Rows are
known by their numbers, from 0 on. Needs pyarrow: `pip install "impinge[tables]"`.
"""

import hashlib
import importlib
import json
import os
import re
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from impinge import _doors
from impinge._impinge import Model, _facts, _Packer, _Report, _restore, _StoredScene
from impinge._scene import Clashes, Progress, Scene, clash_words, find

if TYPE_CHECKING:
    import pyarrow as _pa  # type: ignore[import-untyped]

VERSION = 1
"""The version of the tables."""

_GROUP_BYTES = 4 << 20
"""A row group of meshes is closed when it has so many bytes."""

_CACHED_FACES = 8_000_000
"""So many faces of models are kept in memory between tiles."""

_GUID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")


def _arrow() -> Any:
    try:
        importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError('tables need pyarrow: pip install "impinge[tables]"') from error
    return importlib.import_module("pyarrow")


def part_schema() -> "_pa.Schema":
    """The columns of `parts.parquet`."""
    pa = _arrow()
    return pa.schema(
        [
            ("id", pa.int64()),
            ("name", pa.string()),
            ("path", pa.string()),
            ("names", pa.string()),
            ("file_bytes", pa.int64()),
            ("body", pa.int64()),
            ("mesh", pa.int64()),
            ("pose", pa.list_(pa.float64(), 16)),
            ("box", pa.list_(pa.float64(), 6)),
            ("rounding", pa.float64()),
            ("class", pa.string()),
            ("guid", pa.string()),
            ("properties", pa.map_(pa.string(), pa.string())),
        ]
    )


def mesh_schema() -> "_pa.Schema":
    """The columns of `meshes.parquet`."""
    pa = _arrow()
    return pa.schema(
        [
            ("mesh", pa.int64()),
            ("id", pa.string()),
            ("vertices", pa.list_(pa.float64())),
            ("corners", pa.list_(pa.uint32())),
            ("counts", pa.list_(pa.uint32())),
            ("labels", pa.list_(pa.uint32())),
            ("closed", pa.bool_()),
            ("shape", pa.uint64()),
            ("faces", pa.int64()),
        ]
    )


def mesh_id(
    vertices: NDArray[np.float64],
    corners: NDArray[np.uint32],
    counts: NDArray[np.uint32] | None,
    labels: NDArray[np.uint32] | None,
) -> str:
    """The id of a mesh: a hash of its numbers."""
    digest = hashlib.blake2b(digest_size=16)
    for array in (vertices, corners, counts, labels):
        digest.update(b"-" if array is None else np.int64(array.size).tobytes() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


class _MeshWriter:
    """Writes meshes, each once, row group by row group."""

    def __init__(self, path: Path) -> None:
        pa = _arrow()
        self._schema = mesh_schema()
        self._writer = pa.parquet.ParquetWriter(path, self._schema, compression="zstd", write_page_checksum=True)
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0
        self._known: dict[str, int] = {}

    def add(self, model: Model) -> int:
        """The row of a mesh."""
        if model.radius > 0.0:
            raise ValueError(f"{model!r} is rounded, and tables hold plain meshes")
        _, (vertices, corners, counts, labels, *_) = model.__reduce__()
        plain_counts = None if (counts == 3).all() else counts
        plain_labels = None if (labels == np.arange(len(labels))).all() else labels
        identity = mesh_id(vertices, corners, plain_counts, plain_labels)
        if identity in self._known:
            return self._known[identity]
        row = self._known[identity] = len(self._known)
        closed, shape, faces = _facts(model)
        entry = {"mesh": row, "id": identity, "vertices": vertices.ravel(), "corners": corners}
        entry |= {"counts": plain_counts, "labels": plain_labels}
        self._rows.append(entry | {"closed": closed, "shape": shape, "faces": faces})
        self._bytes += vertices.nbytes + corners.nbytes
        if self._bytes >= _GROUP_BYTES:
            self._flush()
        return row

    @property
    def count(self) -> int:
        """The number of meshes."""
        return len(self._known)

    def _flush(self) -> None:
        pa = _arrow()
        columns = {name: [row[name] for row in self._rows] for name in self._schema.names}
        table = pa.table([pa.array(columns[field.name], type=field.type) for field in self._schema], schema=self._schema)
        self._writer.write_table(table, row_group_size=len(self._rows))
        self._rows, self._bytes = [], 0

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()


def _guid(path: str) -> str | None:
    return next((piece for piece in reversed(path.split("/")) if _GUID.fullmatch(piece)), None)


def pack(
    scenes: "str | os.PathLike[str] | Scene | Sequence[str | os.PathLike[str]]",
    out: str | os.PathLike[str],
    *,
    split: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> "Tables":
    """Writes a scene as tables into a folder that must not exist yet: files, folders of files, or a `Scene`.

    Files are read one after the other, so that only one of them is in memory. Equal meshes are written once. A folder that was written whole has a `scene.json`;
    what fails leaves nothing behind.
    """
    pa = _arrow()
    folder = Path(out)
    if folder.exists():
        raise FileExistsError(f"{folder}: exists already")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        meshes = _MeshWriter(temporary / "meshes.parquet")
        rows: list[int] = []
        if isinstance(scenes, Scene):
            packer = _Packer([], False, [], _doors.fields)
            known: dict[Model, int] = {}
            for part in scenes._parts:
                packer.push(part)
                if part.model not in known:
                    known[part.model] = meshes.add(part.model)
                rows.append(known[part.model])
        else:
            paths = [scenes] if isinstance(scenes, str | os.PathLike) else list(scenes)
            packer = _Packer(paths, split, _doors.ENDINGS, _doors.fields)
            count = len(packer.files())
            done = 0
            while (models := packer.read_next()) is not None:
                rows += [meshes.add(model) for model in models]
                done += 1
                if progress is not None:
                    progress(done, count)
        meshes.close()
        columns = packer.finish()
        if isinstance(scenes, Scene):
            columns["title"], columns["unit"] = scenes.title, scenes.unit
            columns["notes"], columns["left_out"] = scenes._left_out, len(scenes._left_out)
        _write_parts(pa, temporary / "parts.parquet", columns, np.array(rows, dtype=np.int64))
        document = {"impinge_tables": VERSION, "parts": len(columns["name"]), "meshes": meshes.count}
        document |= {key: columns[key] for key in ("title", "unit", "z_up", "notes", "left_out", "unplaced")}
        (temporary / "scene.json").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        # As if it had been made by mkdir: what is temporary is for its owner only.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o777 & ~umask)
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return Tables(folder)


def _write_parts(pa: Any, path: Path, columns: dict[str, Any], row_of_model: NDArray[np.int64]) -> None:
    count = len(columns["name"])
    arrays = {name: columns[name] for name in ("name", "path", "names", "file_bytes", "body", "rounding", "class")}
    arrays["id"] = np.arange(count)
    arrays["mesh"] = row_of_model[columns["model"]]
    arrays["guid"] = [_guid(path) for path in columns["path"]]
    arrays["properties"] = [sorted(values.items()) for values in columns["properties"]]
    for name, width in (("pose", 16), ("box", 6)):
        arrays[name] = pa.FixedSizeListArray.from_arrays(columns[name].ravel(), width)
    schema = part_schema()
    table = pa.table(
        [
            arrays[field.name] if field.name in ("pose", "box") else pa.array(arrays[field.name], type=field.type)
            for field in schema
        ],
        schema=schema,
    )
    pa.parquet.write_table(table, path, compression="zstd", row_group_size=100_000, write_page_checksum=True)


def is_tables(path: str | os.PathLike[str]) -> bool:
    """Whether a folder has a scene as tables."""
    return (Path(path) / "scene.json").is_file() and (Path(path) / "parts.parquet").is_file()


class Tables:
    """A scene as tables in a folder.

    >>> import tempfile
    >>> import impinge
    >>> cube = impinge.box([0, 0, 0], [1, 1, 1])
    >>> scene = impinge.Scene("row", unit="m")
    >>> for number in range(4):
    ...     scene.add(f"cube {number}", cube, impinge.translation([0.75 * number, 0, 0]))
    >>> tables = impinge.pack(scene, tempfile.mkdtemp() + "/row")
    >>> tables
    <impinge.Tables: 4 parts, 1 meshes>
    >>> [(clash["a"], clash["b"], clash["volume"]) for clash in tables.clash()]
    [(0, 1, 0.25), (1, 2, 0.25), (2, 3, 0.25)]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        pa = _arrow()
        self.path = Path(path)
        if not is_tables(self.path):
            raise FileNotFoundError(f"{self.path}: has no scene.json with parts.parquet; make it by `python -m impinge pack`")
        document = json.loads((self.path / "scene.json").read_text(encoding="utf-8"))
        if document.get("impinge_tables") != VERSION:
            found = document.get("impinge_tables")
            raise ValueError(f"{self.path / 'scene.json'}: tables of the version {found}, but this reads {VERSION}")
        self._document: dict[str, Any] = document
        self._parts = pa.parquet.read_table(self.path / "parts.parquet", page_checksum_verification=True)
        self._meshes = MeshFile(self.path / "meshes.parquet")
        if self._parts.num_rows != document["parts"] or self._meshes.count != document["meshes"]:
            raise ValueError(f"{self.path}: tables and scene.json differ in the number of rows")

    def __len__(self) -> int:
        return int(self._parts.num_rows)

    def __repr__(self) -> str:
        return f"<impinge.Tables: {len(self)} parts, {self._meshes.count} meshes>"

    @property
    def parts(self) -> "_pa.Table":
        """The parts, as an Arrow table."""
        return self._parts

    @property
    def meshes(self) -> "MeshFile":
        """The meshes, read by rows."""
        return self._meshes

    def files(self) -> list[Path]:
        """The files of the tables."""
        return [self.path / name for name in ("scene.json", "parts.parquet", "meshes.parquet")]

    def clash(
        self,
        *,
        clearance: float = 0.0,
        tolerance: float | None = None,
        touch: float | None = None,
        depth: bool = True,
        rules: str | os.PathLike[str] | None = None,
        options: Sequence[str] = (),
        progress: Progress | Literal["tqdm"] | None = None,
    ) -> Clashes:
        """Finds every clash among the parts on this machine, tile by tile, so that only the meshes of a tile are in memory. The result has the bits of `Scene.clash` and of the
        command. Pairs whose meshes cannot be read are in its `errors`."""
        from impinge._tiles import LocalRunner

        words = clash_words(clearance, tolerance, touch, depth, rules, options)
        return find(Job(self, LocalRunner(self), words), progress)


    def sweep(self, motions: "_pa.Table", *, margin: float = 0.0) -> "_pa.Table":
        """Sweeps parts along the motions of an Arrow table: a row for each, in their order.

        Columns in: `moving` and `stationary`, numbers of parts; `by`, a translation, or `to`, the pose at the end of a rigid motion; and `pose`, where the part starts, by default
        where it stands. Columns out: `status` (the numbers of `SweepStatus`), `fraction`, `pose`, points and normal as in `Sweeps`, and `error`, why a motion has no answer.
        """
        from impinge import _motions

        pa = _arrow()
        batches = _motions.resolved(self, motions).combine_chunks().to_batches()
        found = [_motions.sweep_batch(batch, self.meshes, margin) for batch in batches]
        return pa.Table.from_batches(found, schema=_motions.result_schema())


Runner = Callable[[Any], None]
"""Has the pairs of a `_Search` tested."""


class Job:
    """A search among tables: the runner is asked once, and its answers are kept for pictures."""

    def __init__(self, tables: Tables, runner: Runner, words: Sequence[str]) -> None:
        self._tables = tables
        self._runner = runner
        self._words = list(words)
        self._answers: list[tuple[Any, Any]] | None = None
        self._scene = stored_scene(tables)

    def ask(self, pictures: bool, progress: Progress | None) -> _Report:
        """Looks for clashes; with `pictures`, for what pages show, too."""
        return self._scene.clash(self._words, pictures, self._run, self._tables.meshes.models, progress)

    def run(self, progress: Progress | None) -> int:
        """Runs the command, and returns its exit status."""
        inputs = [str(file) for file in self._tables.files()]
        return self._scene.run(self._words, inputs, self._run, self._tables.meshes.models, progress)

    def _run(self, search: Any) -> None:
        if self._answers is None:
            recorder = _Recorder(search)
            self._runner(recorder)
            self._answers = recorder.answers
            return
        for pairs, answer in self._answers:
            if isinstance(answer, str):
                search.failed(pairs, answer)
            else:
                search.found(pairs, answer)


class _Recorder:
    """A search that keeps what it was told."""

    def __init__(self, search: Any) -> None:
        self._search = search
        self.answers: list[tuple[Any, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    def found(self, pairs: NDArray[np.int64], arrays: dict[str, Any]) -> None:
        self._search.found(pairs, arrays)
        self.answers.append((pairs, arrays))

    def failed(self, pairs: NDArray[np.int64], reason: str) -> None:
        self._search.failed(pairs, reason)
        self.answers.append((pairs, reason))


def stored_scene(tables: Tables) -> _StoredScene:
    """The scene of tables, without its meshes."""
    document, parts = tables._document, tables.parts
    unplaced = [tuple(entry) for entry in document["unplaced"]]
    models = tables.meshes.facts()
    columns: dict[str, Any] = {name: parts[name].to_pylist() for name in ("name", "path", "names", "class")}
    columns["properties"] = [dict(values or ()) for values in parts["properties"].to_pylist()]
    for name, column in (("file_bytes", "file_bytes"), ("body", "body"), ("model", "mesh"), ("rounding", "rounding")):
        columns[name] = parts[column].to_numpy()
    columns["pose"], columns["box"] = rows_of(parts["pose"], 16), rows_of(parts["box"], 6)
    return _StoredScene(
        document["title"],
        document["unit"],
        document["z_up"],
        document["notes"],
        document["left_out"],
        unplaced,
        models,
        columns,
    )


def rows_of(column: Any, width: int) -> NDArray[Any]:
    """A column of lists of one length, as an array of rows."""
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    flat = array.flatten().to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(flat).reshape(-1, width)


def models_of(batch: Any) -> Iterator[tuple[int, Model | str]]:
    """The models of rows of `meshes.parquet` by their numbers; where a row makes none, the reason."""
    columns = {name: batch.column(name) for name in ("vertices", "corners", "counts", "labels")}
    columns = {name: column.combine_chunks() if hasattr(column, "combine_chunks") else column for name, column in columns.items()}
    numbers, ids = batch.column("mesh").to_pylist(), batch.column("id").to_pylist()

    def cell(name: str, index: int) -> NDArray[Any] | None:
        value = columns[name][index]
        return None if not value.is_valid else value.values.to_numpy()

    for index, row in enumerate(numbers):
        try:
            vertices, corners, counts, labels = (cell(name, index) for name in columns)
            if vertices is None or corners is None:
                raise ValueError("has no vertices or corners")
            if mesh_id(vertices, corners, counts, labels) != ids[index]:
                raise ValueError("its numbers are not those that were written: its id differs")
            if len(vertices) % 3 != 0:
                raise ValueError("the coordinates are not three for each vertex")
            yield row, _restore(vertices.reshape(-1, 3), corners, counts, labels, [])
        except (ValueError, TypeError) as error:
            yield row, f"meshes.parquet: row {row}: {error}"


class MeshFile:
    """The rows of `meshes.parquet`."""

    def __init__(self, path: Path) -> None:
        pa = _arrow()
        self.path = path
        self._file = pa.parquet.ParquetFile(path, page_checksum_verification=True)
        metadata = self._file.metadata
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        self._starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._cache: OrderedDict[int, Model | str] = OrderedDict()
        self._faces = 0

    @property
    def count(self) -> int:
        """The number of rows."""
        return int(self._starts[-1])

    def facts(self) -> dict[str, NDArray[Any]]:
        """Of each mesh whether it is closed, the hash of its geometry, and the number of its faces."""
        table = self._file.read(columns=["closed", "shape", "faces"])
        closed, shape, faces = (table[name].to_numpy() for name in ("closed", "shape", "faces"))
        return {"closed": np.ascontiguousarray(closed), "hash": shape, "faces": faces}

    def groups_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row groups in which these rows are."""
        return np.unique(np.searchsorted(self._starts, rows, side="right") - 1)

    def read_group(self, group: int) -> Any:
        """A row group, as an Arrow table."""
        return self._file.read_row_group(group)

    def models_by_row(self, rows: Iterable[int]) -> dict[int, Model | str]:
        """Models by their rows; where a row makes none, the reason. The last ones are kept in memory."""
        wanted = {int(row) for row in rows}
        found = {row: self._cache[row] for row in wanted if row in self._cache}
        for row in found:
            self._cache.move_to_end(row)
        missing = np.array(sorted(wanted - found.keys()), dtype=np.int64)
        for group in self.groups_of(missing) if len(missing) else []:
            first, end = self._starts[group], self._starts[group + 1]
            inside = missing[(missing >= first) & (missing < end)]
            try:
                table = self.read_group(int(group)).take(inside - first)
                loaded = {}
                for row, (number, model) in zip(inside.tolist(), models_of(table), strict=True):
                    loaded[row] = model if number == row else f"meshes.parquet: row {row}: is numbered {number}"
            except OSError as error:
                loaded = {int(row): f"meshes.parquet: row group {group}, row {row}: {error}" for row in inside}
            found |= loaded
            for row, model in loaded.items():
                self._cache[row] = model
                self._faces += model.face_count if isinstance(model, Model) else 0
        while self._faces > _CACHED_FACES and len(self._cache) > len(wanted):
            _, oldest = self._cache.popitem(last=False)
            self._faces -= oldest.face_count if isinstance(oldest, Model) else 0
        return found

    def models(self, rows: Sequence[int]) -> list[Model]:
        """The models of rows. One that cannot be read is a `ValueError`."""
        found = self.models_by_row(rows)
        for model in found.values():
            if isinstance(model, str):
                raise ValueError(model)
        return [model for row in rows if isinstance(model := found[row], Model)]
