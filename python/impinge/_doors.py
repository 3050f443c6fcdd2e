"""Files that other packages read: which door a file goes through."""

import os
from typing import Any, NamedTuple

from impinge import ifc, step
from impinge._impinge import _load
from impinge._results import Part

ENDINGS = (*ifc.ENDINGS, *step.ENDINGS)
"""The endings of the names of files that other packages read."""


class Contents(NamedTuple):
    """What a file holds."""

    unit: str | None
    z_up: bool
    parts: list[Part]
    left_out: list[str]
    """A line for each thing with faces that could not be read."""
    notes: list[str]
    """Remarks of the reader."""


def read(path: str | os.PathLike[str]) -> Contents:
    """Reads a file by the package that its name asks for, or by our own readers."""
    name = os.fspath(path).lower()
    if name.endswith(ifc.ENDINGS):
        parts, left_out = ifc.read(path)
        return Contents("m", True, parts, left_out, [])
    if name.endswith(step.ENDINGS):
        return Contents("m", True, step.load(path), [], [])
    parts, notes = _load(path)
    return Contents(None, False, parts, [], notes)


def fields(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """What a file holds, as the module's readers in Rust take it."""
    contents = read(path)
    parts = [tuple(part)[:5] + (dict(part.properties),) for part in contents.parts]
    return contents.unit, contents.z_up, parts, contents.left_out
