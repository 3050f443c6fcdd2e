"""Scenes of named parts, and their clashes."""

import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from impinge import _doors
from impinge._impinge import Model, _check_pose, _clash, _Report
from impinge._results import Part
from impinge._view import frame

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


class Question(Protocol):
    """Whatever can be asked for clashes."""

    def ask(self, pictures: bool, progress: Progress | None) -> _Report:
        """Looks for clashes; with `pictures`, for what pages show, too."""


class _Question(NamedTuple):
    """A scene as it was when its clashes were asked for, and the options of the command."""

    title: str
    unit: str | None
    parts: list[_Part]
    left_out: list[str]
    words: list[str]

    def ask(self, pictures: bool, progress: Progress | None) -> _Report:
        return _clash(*self, pictures, progress)


class Clashes:
    """The clashes of a scene: what `impinge clash --json` tells, and the ways to pass it on.

    A clash is a dictionary with the fields of the command's JSON: `a` and `b` are indices into `parts`.
    """

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        report = question.ask(False, progress)
        self._question = question
        self._json, self._csv, self._table = report.json(), report.csv(), report.table()
        self._document: dict[str, Any] = json.loads(self._json)

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
    def left_out(self) -> int:
        """How many things with faces nobody looked at, because they could not be read; the notes name them."""
        count: int = self._document["left_out"]
        return count

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Pairs of parts that could not be tested, with the reason: `{"reason": "…", "pairs": [[a, b]]}`."""
        errors: list[dict[str, Any]] = self._document.get("errors", [])
        return errors

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
        return self._table

    def _rows(self) -> list[dict[str, Any]]:
        names = [part["name"] for part in self.parts]
        return [{"name_a": names[clash["a"]], "name_b": names[clash["b"]], **clash} for clash in self.clashes]

    def to_json(self) -> str:
        """The document that `impinge clash --json` prints."""
        return self._json

    def to_csv(self) -> str:
        """The rows that `impinge clash --csv` prints."""
        return self._csv

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
        return self._question.ask(True, None).html()

    def to_bcf(self, version: Literal["2.1", "3.0"] = "2.1") -> bytes:
        """A BCF file with a topic for each group. Looks once more at the parts, for the pictures."""
        return self._question.ask(True, None).bcf(version)

    def _repr_html_(self) -> str:
        return frame(self.to_html(), 600)


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
        self._left_out: list[str] = []

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def parts(self) -> list[Part]:
        """The parts, with their models, poses, classes and properties."""
        return [
            Part(part.name, part.model, np.eye(4) if part.pose is None else np.array(part.pose), part.rounding or 0.0, *part[4:])
            for part in self._parts
        ]

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
        if not isinstance(name, str):
            raise TypeError(f"name must be a string, not {name!r}")
        if not isinstance(model, Model):
            model = Model(model)
        if pose is not None:
            _check_pose("pose", pose)
            pose = np.array(pose, dtype=np.float64)
        if rounding is not None and not rounding >= 0.0:
            raise ValueError(f"rounding: {rounding} is not a length")
        texts = {str(key): _text(value) for key, value in (properties or {}).items()}
        self._parts.append(_Part(name, model, pose, rounding, ifc_class, texts))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Adds all parts of a file; those of IFC files by `impinge.ifc`, those of STEP files by `impinge.step`.

        What cannot be read of a file that can is a warning, and a note in the result of `clash`.
        """
        contents = _doors.read(path)
        for note in (*contents.notes, *contents.left_out):
            warnings.warn(f"{os.fspath(path)}: {note}", stacklevel=2)
        self._left_out += [f"{os.path.basename(os.fspath(path))}: {note}" for note in contents.left_out]
        if self.unit is None and not self._parts:
            self.unit = contents.unit
        for part in contents.parts:
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
        words = clash_words(clearance, tolerance, touch, depth, rules, options)
        # What is added later is not asked.
        question = _Question(self.title, self.unit, list(self._parts), list(self._left_out), words)
        return find(question, progress)


def clash_words(
    clearance: float,
    tolerance: float | None,
    touch: float | None,
    depth: bool,
    rules: str | os.PathLike[str] | None,
    options: Sequence[str],
) -> list[str]:
    """The options of the command that say this."""
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
    return [*words, *options]


def find(question: "Question", progress: Progress | Literal["tqdm"] | None) -> "Clashes":
    """The clashes that a question finds."""
    if progress == "tqdm":
        with _Bar() as bar:
            return Clashes(question, bar.tell)
    return Clashes(question, progress)


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
