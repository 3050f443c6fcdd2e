"""Machines in STEP files, read by cascadio: `pip install "impinge[step]"`.

cascadio is a package of its own under the MIT license, of about 100 MB when installed; the Open CASCADE libraries in it are under the LGPL-2.1. It is imported
when a file is read, and not before.
"""

import importlib
import os
import re
import tempfile
from typing import Any

from impinge._impinge import _load
from impinge._results import Part

# What Open CASCADE calls a part without a name of its own, with our number behind it.
_LABEL = re.compile(r"=>\[[0-9:]+\](#[0-9]+)?")

ENDINGS = (".step", ".stp", ".p21")
"""The endings of the names of STEP files."""


def load(path: str | os.PathLike[str], *, deflection: float = 0.01, angle: float = 0.5) -> list[Part]:
    """The parts of a STEP file, in meters.

    A part is a shape of the assembly, under the names that lead to it: `Top/sub one/left`. Surfaces become triangles that are no farther from them than
    the `deflection`, in millimeters whatever the unit of the file, and whose neighbors differ by no more than the `angle`, in radians. So two parts that fit exactly may overlap by twice the deflection
    where they are curved: pass that as `touch` to `Scene.clash`.

    A file that cannot be opened is an `OSError`; one that cannot be understood is a `ValueError`.
    """
    try:
        cascadio: Any = importlib.import_module("cascadio")
    except ImportError as error:
        raise ImportError('STEP files are read by cascadio: pip install "impinge[step]"') from error
    if not (0.0 < deflection < float("inf") and 0.0 < angle < float("inf")):
        raise ValueError(f"deflection and angle must be more than 0, but are {deflection} and {angle}")
    name = os.fspath(path)
    # Its own message says neither what is wrong nor where.
    with open(name, "rb"):
        pass
    with tempfile.TemporaryDirectory() as folder:
        converted = os.path.join(folder, "parts.glb")
        status = cascadio.step_to_glb(name, converted, deflection, angle)
        if status != 0 or not os.path.exists(converted):
            raise ValueError(f"{name}: is not a STEP file that Open CASCADE understands")
        try:
            parts, _ = _load(converted)
        except ValueError as error:
            raise ValueError(f"{name}: has no part with a face in it") from error
    return _named(parts)


def _named(parts: list[Part]) -> list[Part]:
    """The parts without names that only say where Open CASCADE keeps them; several of one name have numbers."""
    counts: dict[str, int] = {}
    named = []
    for part in parts:
        pieces = [piece for piece in part.name.split("/") if not _LABEL.fullmatch(piece)]
        name = "/".join(pieces) or part.name
        counts[name] = counts.get(name, 0) + 1
        named.append(part._replace(name=name if counts[name] == 1 else f"{name}#{counts[name]}"))
    return named
