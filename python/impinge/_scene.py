"""Scenes of named parts, and their clashes."""

import html
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from impinge import ifc
from impinge._files import load
from impinge._impinge import Model, _check_pose, _clash, _Report

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as _pa  # type: ignore[import-untyped]

Progress = Callable[[int, int, int], object]
"""Called with the pairs that are done, all pairs, and the clashes so far."""


class _Part(NamedTuple):
    name: str
    model: Model
    pose: ArrayLike | None
    rounding: float | None
    ifc_class: str | None
    properties: dict[str, str]


class Clashes:
    """The clashes of a scene: what `impinge clash --json` tells, and the ways to pass it on.

    A clash is a dictionary with the fields of the command's JSON: `a` and `b` are indices into `parts`.
    """

    def __init__(self, report: _Report, draw: Callable[[], _Report]) -> None:
        self._report = report
        self._draw = draw
        self._document: dict[str, Any] = json.loads(report.json())

    @property
    def clashes(self) -> list[dict[str, Any]]:
        """The clashes, sorted by the indices of their parts."""
        clashes: list[dict[str, Any]] = self._document["clashes"]
        return clashes

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts, with their names and whether they are closed."""
        parts: list[dict[str, Any]] = self._document["parts"]
        return parts

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The groups of clashes that are one matter, the gravest first."""
        groups: list[dict[str, Any]] = self._document["groups"]
        return groups

    @property
    def notes(self) -> list[str]:
        """Remarks: open parts, what was left out, coarse coordinates."""
        notes: list[str] = self._document["notes"]
        return notes

    @property
    def unknown(self) -> list[list[int]]:
        """Pairs of parts of which one may be inside of the other, which is open."""
        unknown: list[list[int]] = self._document["unknown"]
        return unknown

    def __len__(self) -> int:
        return len(self.clashes)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.clashes)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.clashes[index]

    def __repr__(self) -> str:
        return f"<impinge.Clashes: {len(self)} among {len(self.parts)} parts>"

    def __str__(self) -> str:
        return self._report.table()

    def _rows(self) -> list[dict[str, Any]]:
        names = [part["name"] for part in self.parts]
        return [{"name_a": names[clash["a"]], "name_b": names[clash["b"]], **clash} for clash in self.clashes]

    def to_json(self) -> str:
        """The document that `impinge clash --json` prints."""
        return self._report.json()

    def to_csv(self) -> str:
        """The rows that `impinge clash --csv` prints."""
        return self._report.csv()

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each clash, with the names of both parts. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(self._rows())

    def to_arrow(self) -> "_pa.Table":
        """A row for each clash, with the names of both parts. Needs pyarrow."""
        import pyarrow as pa

        return pa.Table.from_pylist(self._rows())

    def to_html(self) -> str:
        """The page of `impinge clash --report`, with a 3D view. Looks once more at the parts, for what is drawn."""
        return self._draw().html()

    def to_bcf(self, version: Literal["2.1", "3.0"] = "2.1") -> bytes:
        """A BCF file with a topic for each group. Looks once more at the parts, for the pictures."""
        return self._draw().bcf(version)

    def _repr_html_(self) -> str:
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 600px; border: 0"></iframe>'


class Scene:
    """A scene of named parts.

    >>> import impinge
    >>> cube = impinge.box([0, 0, 0], [1, 1, 1])
    >>> scene = impinge.Scene(unit="mm")
    >>> scene.add("left", cube)
    >>> scene.add("right", cube, impinge.translation([0.75, 0, 0]))
    >>> [clash] = scene.clash()
    >>> clash["verdict"], clash["volume"]
    ('overlapping', 0.25)
    """

    def __init__(self, title: str = "scene", unit: str | None = None) -> None:
        self.title = title
        self.unit = unit
        self._parts: list[_Part] = []

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def names(self) -> list[str]:
        """The names of the parts."""
        return [part.name for part in self._parts]

    def add(
        self,
        name: str,
        model: Model,
        pose: ArrayLike | None = None,
        *,
        rounding: float | None = None,
        ifc_class: str | None = None,
        properties: Mapping[str, object] | None = None,
    ) -> None:
        """Adds a part. `rounding` is how far its points may be off, because of how they were stored; that of float64 by default. Class and properties are for
        rules."""
        if not isinstance(model, Model):
            model = Model(model)
        if pose is not None:
            _check_pose("pose", pose)
            pose = np.array(pose, dtype=np.float64)
        if rounding is not None and not rounding >= 0.0:
            raise ValueError(f"rounding: {rounding} is not a length")
        texts = {key: _text(value) for key, value in (properties or {}).items()}
        self._parts.append(_Part(name, model, pose, rounding, ifc_class, texts))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Adds all parts of a file; those of IFC files by `impinge.ifc`."""
        is_ifc = os.fspath(path).lower().endswith((".ifc", ".ifczip", ".ifcxml"))
        for part in ifc.load(path) if is_ifc else load(path):
            self.add(
                part.name,
                part.model,
                part.pose,
                rounding=part.rounding,
                ifc_class=part.ifc_class,
                properties=part.properties,
            )

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
        """Finds every clash among the parts, as `impinge clash` does. `options` are further options of the command: `["--set", "pipes=Pipe*"]`.

        The search runs on all cores and ends at Ctrl-C.
        """
        words = []
        if clearance != 0.0:
            words += ["--clearance", repr(float(clearance))]
        if tolerance is not None:
            words += ["--tolerance", repr(float(tolerance))]
        if touch is not None:
            words += ["--touch", repr(float(touch))]
        if not depth:
            words.append("--no-depth")
        if rules is not None:
            words += ["--rules", os.fspath(rules)]
        words += options
        # What is added later is not asked.
        parts = list(self._parts)

        def find(pictures: bool, progress: Progress | None) -> _Report:
            return _clash(self.title, self.unit, parts, words, pictures, progress)

        if progress == "tqdm":
            with _Bar() as bar:
                return Clashes(find(False, bar.tell), lambda: find(True, None))
        return Clashes(find(False, progress), lambda: find(True, None))


def _text(value: object) -> str:
    """A property as files write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Bar:
    """A bar of tqdm."""

    def __enter__(self) -> "_Bar":
        from tqdm.auto import tqdm

        self._bar = tqdm(unit="pair")
        return self

    def tell(self, done: int, pairs: int, clashes: int) -> None:
        self._bar.total = pairs
        self._bar.set_postfix(clashes=clashes, refresh=False)
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        self._bar.close()
