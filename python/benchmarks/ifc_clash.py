"""Finds the clashes of IFC files with IfcClash and with this module, in one run: times and answers.

Needs ifcclash and ifcopenshell. Usage: python ifc_clash.py FILE.ifc…
"""

import logging
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import impinge

Pair = frozenset[str]
ROUNDS = 3


def guid(path: str) -> str:
    """The GUID in the path of a part."""
    return next(piece for piece in path.split("/") if len(piece) == 22)


def ours(files: list[str]) -> tuple[set[str], dict[Pair, dict[str, Any]]]:
    scene = impinge.Scene("building")
    for file in files:
        scene.load(file)
    found = scene.clash()
    names = [guid(part["path"]) for part in found.parts]
    return set(names), {frozenset((names[clash["a"]], names[clash["b"]])): clash for clash in found}


def theirs(files: list[str], mode: dict[str, Any]) -> dict[Pair, dict[str, Any]]:
    from ifcclash.ifcclash import Clasher, ClashSettings  # type: ignore[import-not-found, import-untyped, unused-ignore]

    settings = ClashSettings()
    settings.logger = logging.getLogger("silent")
    settings.logger.setLevel(logging.ERROR)
    clasher = Clasher(settings)
    clasher.clash_sets = [{"name": "all", "a": [{"file": file} for file in files], **mode}]
    clasher.clash()
    clashes = clasher.clash_sets[0]["clashes"].values()
    return {frozenset((clash["a_global_id"], clash["b_global_id"])): clash for clash in clashes}


MODES: dict[str, dict[str, Any]] = {
    "IfcClash, intersection, tolerance 2 mm": {"mode": "intersection", "tolerance": 0.002, "check_all": False},
    "IfcClash, intersection, tolerance 0": {"mode": "intersection", "tolerance": 0.0, "check_all": False},
    "IfcClash, collision": {"mode": "collision", "allow_touching": False},
    "IfcClash, collision, touching too": {"mode": "collision", "allow_touching": True},
}


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    answer = run()
    return answer, time.process_time() - start


def main() -> None:
    files = sys.argv[1:]
    logging.disable(logging.INFO)
    sides: dict[str, Callable[[], Any]] = {"impinge": lambda: ours(files)}
    for name, mode in MODES.items():
        sides[name] = partial(theirs, files, mode)
    answers: dict[str, Any] = {}
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            answers[name], used = timed(side)
            times[name].append(used)
    known, found = answers.pop("impinge")
    print("| side | processor, s | pairs |")
    print("| --- | --- | --- |")
    counts = {verdict: sum(clash["verdict"] == verdict for clash in found.values()) for verdict in
              ["duplicate", "inside", "overlapping", "touching"]}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    print(f"| impinge, with depths and volumes | {min(times['impinge']):.2f} | {told or 'none'} |")
    for name, clashes in answers.items():
        print(f"| {name} | {min(times[name]):.2f} | {len(clashes)} |")
    for name, clashes in answers.items():
        pairs = {pair for pair in clashes if pair <= known and len(pair) == 2}
        print(f"\n{name}:")
        for pair in sorted(found.keys() - pairs, key=sorted):
            clash = found[pair]
            if clash["verdict"] != "touching":
                print(f"  misses {' and '.join(sorted(pair))}: {clash['verdict']}, depth {clash['penetration']}, volume {clash['volume']}")
        touching = sum(found[pair]["verdict"] == "touching" for pair in found.keys() & pairs)
        missed = sum(clash["verdict"] == "touching" for pair, clash in found.items() if pair not in pairs)
        print(f"  of those that touch it has {touching}, and {missed} not")
        for pair in sorted(pairs - found.keys(), key=sorted):
            clash = clashes[pair]
            print(f"  has {' and '.join(sorted(pair))} beyond: {clash['type']}, distance {clash['distance']}")
        if outside := len(clashes) - len(pairs):
            print(f"  and {outside} pairs of what has no body here, or of elements of the same GUID")


if __name__ == "__main__":
    main()
