"""Files: their parts, or all of a file as one model."""

import os
import warnings

from impinge._impinge import Model, _load, _load_model
from impinge._results import Part


def _warn(path: str | os.PathLike[str], notes: list[str]) -> None:
    for note in notes:
        warnings.warn(f"{os.fspath(path)}: {note}", stacklevel=3)


def load(path: str | os.PathLike[str]) -> list[Part]:
    """The parts of a file: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA, also packed by gzip or ZIP.

    A file that is one mesh is one part. Every mesh node of a scene is a part with a name and a pose; copies share their model. What a
    reader changes or leaves out is a warning. A file that cannot be opened is an `OSError`; one that cannot be understood is a
    `ValueError` with the line, byte or value.
    """
    parts, notes = _load(path)
    _warn(path, notes)
    return parts


def load_model(path: str | os.PathLike[str]) -> Model:
    """All of a file as one model, in the frame of the file: what the commands `impinge check` and `impinge distance` read."""
    model, notes = _load_model(path)
    _warn(path, notes)
    return model
