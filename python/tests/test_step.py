"""Machines in STEP files, in Python and by the command."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from step_files import assembly

import impinge
from impinge import step

pytest.importorskip("cascadio")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Two plates side by side, a pin through the first, and a pin far away; in millimeters."""
    path = tmp_path / "machine.step"
    places = [
        ("left plate", "plate", (0.0, 0.0, 0.0)),
        ("right plate", "plate", (100.0, 0.0, 0.0)),
        ("pin", "pin", (40.0, 20.0, -10.0)),
        ("pin", "pin", (40.0, 20.0, 500.0)),
    ]
    assembly(path, {"plate": (100.0, 50.0, 10.0), "pin": (5.0, 5.0, 30.0)}, places)
    return path


def test_parts_have_names_and_places(machine: Path) -> None:
    parts = step.load(machine)
    assert [part.name for part in parts] == [
        "machine/left plate", "machine/right plate", "machine/pin", "machine/pin#2"
    ]  # fmt: skip
    assert all(part.model.is_closed and part.model.face_count == 12 for part in parts)
    sizes = [np.ptp(part.model.bounds, axis=0) * 1000 for part in parts]
    assert np.allclose(sizes, [[100, 50, 10], [100, 50, 10], [5, 5, 30], [5, 5, 30]])
    assert np.allclose([part.pose[:3, 3] * 1000 for part in parts], [[0, 0, 0], [100, 0, 0], [40, 20, -10], [40, 20, 500]])


def test_parts_without_names_of_their_own_have_those_of_their_shapes(tmp_path: Path) -> None:
    path = tmp_path / "nameless.step"
    assembly(path, {"plate": (9.0, 9.0, 1.0)}, [("", "plate", (0.0, 0.0, 0.0)), ("", "plate", (0.0, 0.0, 5.0))])
    assert [part.name for part in step.load(path)] == ["machine/plate", "machine/plate#2"]


def test_units_of_the_file_become_meters(tmp_path: Path) -> None:
    path = tmp_path / "large.STP"
    assembly(path, {"block": (2.0, 3.0, 4.0)}, [("block", "block", (1.0, 0.0, 0.0))], unit="$")
    (part,) = step.load(path)
    assert np.allclose(np.ptp(part.model.bounds, axis=0), [2, 3, 4]) and np.allclose(part.pose[:3, 3], [1, 0, 0])


def test_clashes_of_a_machine(machine: Path) -> None:
    scene = impinge.Scene("machine")
    scene.load(machine)
    assert scene.unit == "m"
    found = scene.clash()
    names = [part["name"] for part in found.parts]
    kinds = {(names[clash["a"]], names[clash["b"]]): clash["verdict"] for clash in found}
    assert kinds == {("left plate", "right plate"): "touching", ("left plate", "pin"): "overlapping"}
    [overlap] = [clash for clash in found if clash["verdict"] == "overlapping"]
    assert overlap["volume"] == pytest.approx(5 * 5 * 10e-9)


def test_what_is_no_machine_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FileNotFoundError):
        step.load(tmp_path / "missing.step")
    (tmp_path / "text.step").write_text("no machine\n")
    with pytest.raises(ValueError, match=r"text\.step: is not a STEP file"):
        step.load(tmp_path / "text.step")
    for deflection in [0.0, -1.0, np.nan, np.inf]:
        with pytest.raises(ValueError, match="deflection and angle"):
            step.load(tmp_path / "text.step", deflection=deflection)
    capfd.readouterr()


def test_nothing_is_imported_unless_asked(tmp_path: Path) -> None:
    code = (
        "import sys, impinge; impinge.box([0, 0, 0], [1, 1, 1]);"
        "print([name for name in ('cascadio', 'ifcopenshell', 'OCP', 'pandas', 'pyarrow', 'tqdm', 'trimesh') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert printed.stdout == "[]\n"
