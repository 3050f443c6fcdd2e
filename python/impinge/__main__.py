"""The command `impinge`: `python -m impinge clash plant.glb building.ifc --report clashes.html`."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

from impinge import _doors, _table_commands
from impinge._impinge import _run


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps libraries from printing: the output of the command is its answer, and an error is one line."""
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for descriptor in (*kept, nowhere):
            os.close(descriptor)


def _read(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    try:
        with _quiet():
            return _doors.fields(path)
    except OSError as error:
        # Without the number and the name, which the command tells.
        raise ValueError(error.strerror or str(error)) from error


def main() -> int:
    """Runs the command with the words of the command line, and returns its exit status."""
    status = _table_commands.run(sys.argv[1:])
    if status is not None:
        return int(status)
    # An interruption ends the process, as it ends the command: Python would only take note of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _run(sys.argv[1:], _doors.ENDINGS, _read)


if __name__ == "__main__":
    sys.exit(main())
