"""Clashes on Spark, of which Python workers are lost."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plant import TILES, Saboteur, assert_same, deadly_part, kill_last

import impinge

pytest.importorskip("pyspark")
pytestmark = pytest.mark.filterwarnings("ignore")


# `local[2]` would never run a task again. The long test command names a cluster with executors of its own.
MASTER = os.environ.get("IMPINGE_SPARK_MASTER", "local[2,4]")


@pytest.fixture(scope="module")
def session(faults: Path) -> Iterator[Any]:
    from impinge import spark as on_spark

    session = on_spark.connect(MASTER)
    yield session
    session.stop()


def test_spark_finds_the_bits_of_one_machine(session: Any, tables: impinge.Tables, expected: dict[str, Any]) -> None:
    from impinge import spark as on_spark

    found = on_spark.clash(tables, session=session, tiles=TILES, clearance=0.05)
    assert_same(found, expected)


def test_a_killed_worker_changes_nothing(session: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import spark as on_spark

    saboteur = Saboteur(faults, 8, kill_last)
    found = on_spark.clash(tables, session=session, tiles=TILES, clearance=0.05, _hook="faults:tell")
    assert saboteur.has_acted
    assert_same(found, expected)


def parent_of(pid: int) -> int:
    # After the name, which may have any characters in it, come the state and the parent.
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.skipif(not MASTER.startswith("local-cluster"), reason="the executor of a local master is the driver")
def test_a_killed_executor_changes_nothing(session: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import spark as on_spark

    def kill(pids: list[int]) -> None:
        # A worker is the child of a process that the executor has started to fork workers.
        os.kill(parent_of(parent_of(pids[-1])), signal.SIGKILL)

    saboteur = Saboteur(faults, 8, kill)
    found = on_spark.clash(tables, session=session, tiles=TILES, clearance=0.05, _hook="faults:tell")
    assert saboteur.has_acted
    assert_same(found, expected)


def test_what_ends_every_worker_is_an_error(session: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import spark as on_spark

    deadly = deadly_part(faults, expected)
    found = json.loads(on_spark.clash(tables, session=session, tiles=TILES, clearance=0.05, _hook="faults:end").to_json())
    pairs = [pair for error in found["errors"] for pair in error["pairs"]]
    assert pairs and all(deadly in pair for pair in pairs)
    rest = [clash for clash in expected["clashes"] if [clash["a"], clash["b"]] not in pairs]
    assert [clash["id"] for clash in found["clashes"]] == [clash["id"] for clash in rest]


def test_motions_have_the_bits_of_one_machine(session: Any, tables: impinge.Tables) -> None:
    pa = pytest.importorskip("pyarrow")
    from impinge import spark as on_spark

    motions = pa.table({"moving": list(range(200)), "stationary": list(range(1, 201)), "by": [[3.0, 0.1, 0.0]] * 200})
    rows = sorted(on_spark.sweep(tables, motions, session=session).collect(), key=lambda row: row["row"])
    assert [row["fraction"] for row in rows] == tables.sweep(motions)["fraction"].to_pylist()
    assert sys.executable == os.environ["PYSPARK_PYTHON"]
