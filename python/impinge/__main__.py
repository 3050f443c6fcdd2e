"""The command `impinge`: `python -m impinge clash plant.glb --report clashes.html`."""

import sys

from impinge._impinge import _run


def main() -> int:
    """Runs the command with the words of the command line, and returns its exit status."""
    return _run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
