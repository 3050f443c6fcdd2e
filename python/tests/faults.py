"""What goes wrong on purpose: functions that workers call before they test a tile."""

import os
import signal
import time
from pathlib import Path
from typing import Any

SLOW = 0.05
"""So many seconds each tile takes longer, so that there is time for faults."""


def _folder() -> Path:
    return Path(os.environ["IMPINGE_FAULTS"])


def tell(tile: Any) -> None:
    """Writes down which process tests a tile, and takes some time."""
    path = _folder() / "begun" / f"{os.getpid()}-{time.monotonic_ns()}"
    path.touch()
    time.sleep(SLOW)


def end(tile: Any) -> None:
    """Ends the process where the part that a file names is in the tile."""
    if int((_folder() / "deadly").read_text()) in tile.parts.column("part").to_pylist():
        os.kill(os.getpid(), signal.SIGKILL)
