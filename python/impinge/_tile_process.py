"""Tests one tile in a process of its own: Arrow streams in, an Arrow stream out."""

import ast
import sys

from impinge._tables import _arrow
from impinge._tiles import Options, clash_tile, one_batch, one_thread


def main() -> None:
    """Reads parts, pairs and meshes from standard input, and writes what is found to standard output."""
    pa = _arrow()
    one_thread()
    options = Options(*ast.literal_eval(sys.argv[1]))
    source = pa.BufferReader(sys.stdin.buffer.read())
    tables = []
    for _ in range(3):
        with pa.ipc.open_stream(source) as reader:
            tables.append(reader.read_all())
    parts, pairs, meshes = tables
    found = clash_tile(one_batch(parts), one_batch(pairs), meshes, options)
    with pa.ipc.new_stream(sys.stdout.buffer, found.schema) as writer:
        writer.write_batch(found)


if __name__ == "__main__":
    main()
