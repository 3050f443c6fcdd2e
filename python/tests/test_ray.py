"""Clashes on a cluster of Ray with three nodes, of which processes and nodes are lost."""

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plant import TILES, Saboteur, assert_same, deadly_part, kill_last

import impinge

ray = pytest.importorskip("ray")
# Nodes that are gone are missed within seconds, and not after half a minute.
for name, value in {"initial_delay_ms": 0, "period_ms": 500, "timeout_ms": 500, "failure_threshold": 3}.items():
    os.environ[f"RAY_health_check_{name}"] = str(value)


@pytest.fixture(scope="module")
def cluster(faults: Path) -> Iterator[Any]:
    cluster = importlib.import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 200 << 20})
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=200 << 20)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_a_cluster_finds_the_bits_of_one_machine(cluster: Any, tables: impinge.Tables, expected: dict[str, Any]) -> None:
    from impinge import ray as on_ray

    told: list[int] = []
    found = on_ray.clash(tables, tiles=TILES, clearance=0.05, progress=lambda done, _pairs, _clashes: told.append(done))
    assert_same(found, expected)
    assert told == sorted(told) and len(told) > TILES / 2


def test_a_killed_worker_changes_nothing(cluster: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import ray as on_ray

    saboteur = Saboteur(faults, 8, kill_last)
    found = on_ray.clash(tables, tiles=TILES, clearance=0.05, _hook="faults:tell")
    assert saboteur.has_acted
    assert_same(found, expected)


def test_a_lost_node_changes_nothing(cluster: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import ray as on_ray

    node = sorted(cluster.worker_nodes, key=lambda node: str(node.unique_id))[0]
    saboteur = Saboteur(faults, 8, lambda _: cluster.remove_node(node, allow_graceful=False))
    found = on_ray.clash(tables, tiles=TILES, clearance=0.05, _hook="faults:tell")
    assert saboteur.has_acted
    assert_same(found, expected)


def test_what_ends_every_worker_is_an_error(cluster: Any, tables: impinge.Tables, expected: dict[str, Any], faults: Path) -> None:
    from impinge import ray as on_ray

    deadly = deadly_part(faults, expected)
    found = json.loads(on_ray.clash(tables, tiles=TILES, clearance=0.05, _hook="faults:end").to_json())
    pairs = [pair for error in found["errors"] for pair in error["pairs"]]
    assert pairs and all(deadly in pair for pair in pairs)
    assert all("SIGKILL" in error["reason"] for error in found["errors"])
    rest = [clash for clash in expected["clashes"] if [clash["a"], clash["b"]] not in pairs]
    keys = ("a", "b", "verdict", "point", "penetration", "volume", "separation")
    assert [[clash[key] for key in keys] for clash in found["clashes"]] == [[clash[key] for key in keys] for clash in rest]


def test_motions_have_the_bits_of_one_machine(cluster: Any, tables: impinge.Tables) -> None:
    pa = pytest.importorskip("pyarrow")
    from impinge import ray as on_ray

    motions = pa.table({"moving": list(range(200)), "stationary": list(range(1, 201)), "by": [[3.0, 0.1, 0.0]] * 200})
    assert on_ray.sweep(tables, motions, batch_rows=30).equals(tables.sweep(motions))
