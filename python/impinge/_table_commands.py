"""The commands `python -m impinge pack` and `python -m impinge clash` of tables."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from impinge import _tables
from impinge._tiles import LocalRunner

_BAR = 40


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _refuse(error: BaseException) -> int:
    """One line on stderr, as the command writes it."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename:
        text = f"{error.filename}: {error.strerror}"
    first = text.strip().splitlines()[0] if text.strip() else type(error).__name__
    print(f"impinge: {first}", file=sys.stderr)
    return 2


def pack(words: Sequence[str]) -> int:
    """Runs `python -m impinge pack SCENE… OUT`."""
    parser = _Parser(
        prog="python -m impinge pack",
        description="Write scenes as Parquet tables, for those larger than memory and for clusters.",
        epilog="Files are read one after the other. OUT must not exist yet; `python -m impinge clash OUT` looks for clashes.",
    )
    parser.add_argument("scenes", nargs="+", metavar="SCENE", help="scenes and mesh files, IFC and STEP files, or folders of them")
    parser.add_argument("out", metavar="OUT", help="the folder to write")
    parser.add_argument("--split", action="store_true", help="make each group, or each connected component of a mesh without groups, a part")
    try:
        given = parser.parse_args(list(words))
        shown = _Progress("files")
        tables = _tables.pack(given.scenes, given.out, split=given.split, progress=shown.of_files)
        shown.clear()
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, ImportError) as error:
        return _refuse(error)
    print(f"{given.out}: {len(tables)} parts, {tables.meshes.count} meshes")
    return 0


def is_meant(words: Sequence[str]) -> bool:
    """Whether a command line is about tables."""
    return words[:1] == ["clash"] and (any(word == "--on" or word.startswith("--on=") for word in words) or any(map(_tables.is_tables, words[1:])))


def clash(words: Sequence[str]) -> int:
    """Runs `python -m impinge clash TABLES`, with all options of `impinge clash` that are not about reading files."""
    parser = _Parser(prog="python -m impinge clash", add_help=False, allow_abbrev=False)
    parser.add_argument("--on", choices=["ray", "spark"])
    parser.add_argument("--address")
    parser.add_argument("--tiles", type=int)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        given, rest = parser.parse_known_args(list(words))
        folders = [word for word in rest if _tables.is_tables(word)]
        if not folders:
            scene = next((word for word in rest if os.path.exists(word)), "SCENE")
            raise ValueError(f"{scene}: has no tables in it; make them by `python -m impinge pack {scene} OUT`, then `clash OUT --on {given.on}`")
        if len(folders) > 1:
            raise ValueError(f"{folders[1]}: one folder of tables at a time; pack the scenes together")
        if given.tiles is not None and given.tiles < 1:
            raise ValueError(f"--tiles: {given.tiles} is not a number of 1 or more")
        if given.on is None and given.address is not None:
            raise ValueError("--address: needs --on ray or --on spark")
        tables = _tables.Tables(folders[0])
        rest.remove(folders[0])
        shown = _Progress("pairs")
        job = _tables.Job(tables, _runner(tables, given), rest)
        return job.run(shown.of_pairs)
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, ImportError) as error:
        return _refuse(error)


def _runner(tables: _tables.Tables, given: argparse.Namespace) -> _tables.Runner:
    if given.on == "ray":
        from impinge import ray

        ray.connect(given.address)
        return ray.RayRunner(tables, given.tiles)
    if given.on == "spark":
        from impinge import spark

        session = spark.connect(given.address)
        return spark.SparkRunner(session, tables, spark.meshes_of(session, tables), given.tiles)
    return LocalRunner(tables) if given.tiles is None else LocalRunner(tables, tiles=given.tiles)


class _Progress:
    """A line on stderr that tells how far the work is, where that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_shown = sys.stderr.isatty()

    def of_files(self, done: int, count: int) -> None:
        self._show(done, count, "")

    def of_pairs(self, done: int, count: int, clashes: int) -> None:
        self._show(done, count, f", {clashes} clashes")
        if done >= count:
            self.clear()

    def _show(self, done: int, count: int, more: str) -> None:
        if self._is_shown:
            filled = _BAR * done // max(1, count)
            bar = "█" * filled + "░" * (_BAR - filled)
            print(f"\r{bar} {done}/{count} {self._what}{more}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def run(words: Sequence[str]) -> Any:
    """The exit status of a command about tables; None where it is about something else."""
    if words[:1] == ["pack"]:
        return pack(words[1:])
    if is_meant(words):
        return clash(words[1:])
    return None
