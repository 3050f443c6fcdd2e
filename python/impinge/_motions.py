"""Motions as tables: each row moves one part of a scene, and asks how far it comes before it touches another.

Columns in: `moving` and `stationary`, which are numbers of parts; `by`, a translation of three numbers, or `to`, the pose at the end of a rigid motion, of 16; and `pose`, where the part starts, by
default where it stands. Columns out are those of `result_schema`, a row for each motion.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._impinge import Model
from impinge._tables import MeshFile, Tables, _arrow, rows_of


def result_schema() -> Any:
    """The columns of what is found."""
    pa = _arrow()
    triple, matrix = pa.list_(pa.float64(), 3), pa.list_(pa.float64(), 16)
    return pa.schema(
        [
            ("status", pa.uint8()),
            ("fraction", pa.float64()),
            ("pose", matrix),
            ("point_on_moving", triple),
            ("point_on_stationary", triple),
            ("normal", triple),
            ("error", pa.string()),
        ]
    )


def resolved(tables: Tables, motions: Any) -> Any:
    """Motions with the meshes and poses of their parts, so that a worker needs no other table than the meshes."""
    pa = _arrow()
    count = motions.num_rows
    ends = [name for name in ("by", "to") if name in motions.column_names]
    if len(ends) != 1:
        raise ValueError("motions: there must be one of the columns `by` and `to`")
    columns: dict[str, Any] = {}
    mesh, poses = tables.parts["mesh"].to_numpy(), rows_of(tables.parts["pose"], 16)
    for name in ("moving", "stationary"):
        if name not in motions.column_names:
            raise ValueError(f"motions: there is no column `{name}`")
        parts = motions[name].to_numpy(zero_copy_only=False) if hasattr(motions[name], "num_chunks") else motions[name].to_numpy()
        wrong = np.flatnonzero((parts < 0) | (parts >= len(tables)))
        if len(wrong):
            raise ValueError(f"motions: row {wrong[0]}: {name} is {parts[wrong[0]]}, but there are {len(tables)} parts")
        columns[f"{name}_mesh"] = mesh[parts]
        pose = poses[parts]
        if name == "moving" and "pose" in motions.column_names:
            pose = _rows("pose", motions["pose"], 16, count)
        columns[f"{name}_pose"] = pa.FixedSizeListArray.from_arrays(pose.ravel(), 16)
    [end] = ends
    width = 3 if end == "by" else 16
    columns[end] = pa.FixedSizeListArray.from_arrays(_rows(end, motions[end], width, count).ravel(), width)
    return pa.table(columns)


def _rows(name: str, column: Any, width: int, count: int) -> NDArray[np.float64]:
    lengths = {len(row) if row is not None else None for row in column.to_pylist()}
    if lengths - {width}:
        raise ValueError(f"motions: {name} must have {width} numbers in each row")
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(flat, dtype=np.float64).reshape(count, width)


def sweep_batch(batch: Any, meshes: MeshFile, margin: float) -> Any:
    """What the motions of a batch come to: Arrow in, Arrow out."""
    pairs = np.stack([batch.column(f"{name}_mesh").to_numpy() for name in ("moving", "stationary")], axis=1)
    models = meshes.models_by_row(np.unique(pairs).tolist())
    return _sweep(batch, pairs, models, margin)


def _sweep(batch: Any, pairs: NDArray[np.int64], models: Mapping[int, Model | str], margin: float) -> Any:
    pa = _arrow()
    count = batch.num_rows
    starts, others = rows_of(batch.column("moving_pose"), 16), rows_of(batch.column("stationary_pose"), 16)
    is_straight = "by" in batch.schema.names
    goals = rows_of(batch.column("by" if is_straight else "to"), 3 if is_straight else 16)
    status, fraction = np.zeros(count, np.uint8), np.full(count, np.nan)
    poses = np.full((count, 16), np.nan)
    triples = {name: np.full((count, 3), np.nan) for name in ("point_on_moving", "point_on_stationary", "normal")}
    errors: list[str | None] = [None] * count
    kinds, kind_of = np.unique(pairs, axis=0, return_inverse=True)
    for kind, (moving, stationary) in enumerate(kinds):
        rows = np.flatnonzero(kind_of.reshape(-1) == kind)
        first, second = models[int(moving)], models[int(stationary)]
        if isinstance(first, str) or isinstance(second, str):
            for row in rows:
                errors[row] = first if isinstance(first, str) else str(second)
            continue
        goal = goals[rows] if is_straight else goals[rows].reshape(-1, 4, 4)
        found = first.sweep(
            second,
            **{"by" if is_straight else "to": goal},
            pose_a=starts[rows].reshape(-1, 4, 4),
            pose_b=others[rows].reshape(-1, 4, 4),
            margin=margin,
        )
        status[rows], fraction[rows] = found.status, found.fraction
        poses[rows] = found.pose.reshape(-1, 16)
        for name, array in triples.items():
            array[rows] = getattr(found, name)
    is_bad = np.array([error is not None for error in errors], dtype=bool)
    columns = [pa.array(status, mask=is_bad), pa.array(fraction, mask=is_bad)]
    for array in (poses, *triples.values()):
        # What there is not is null, and not NaN.
        missing = pa.array(np.isnan(array[:, 0]))
        columns.append(pa.FixedSizeListArray.from_arrays(array.ravel(), array.shape[1], mask=missing))
    columns.append(pa.array(errors, type=pa.string()))
    return pa.RecordBatch.from_arrays(columns, schema=result_schema())
