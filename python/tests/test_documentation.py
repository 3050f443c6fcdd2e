"""Every example in a docstring and in the guide is run, and its output compared."""

import doctest
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from step_files import assembly
from test_ifc import building

import impinge

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "python"


def documented() -> Iterator[tuple[str, str]]:
    yield "impinge", impinge.__doc__ or ""
    for name in impinge.__all__:
        value = getattr(impinge, name)
        yield name, value.__doc__ or ""
        if isinstance(value, type):
            for member, item in vars(value).items():
                if not member.startswith("_") and (callable(item) or hasattr(item, "__get__")):
                    yield f"{name}.{member}", item.__doc__ or ""


def run(name: str, text: str, names: dict[str, Any]) -> int:
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner()
    output: list[str] = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    return len(test.examples)


@pytest.mark.parametrize(("name", "text"), [pytest.param(*case, id=case[0]) for case in documented()])
def test_examples_in_docstrings_run(name: str, text: str) -> None:
    assert text, f"{name} has no docstring"
    run(name, text, {})


def test_every_question_has_an_example() -> None:
    questions = [name for name in vars(impinge.Model) if not name.startswith("_")]
    methods = [name for name in questions if callable(getattr(impinge.Model, name)) and name != "prepare"]
    assert len(methods) >= 14
    for name in methods:
        assert ">>>" in (getattr(impinge.Model, name).__doc__ or ""), name


PAGES = sorted(GUIDE.glob("*.md"))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The building and the machine that pages load."""
    monkeypatch.chdir(tmp_path)
    if importlib.util.find_spec("ifcopenshell"):
        building(tmp_path / "building.ifc")
    places = [("left plate", "plate", (0.0, 0.0, 0.0)), ("right plate", "plate", (100.0, 0.0, 0.0)), ("pin", "pin", (40.0, 20.0, -10.0))]
    assembly(tmp_path / "machine.step", {"plate": (100.0, 50.0, 10.0), "pin": (5.0, 5.0, 30.0)}, places)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_in_the_guide_run(page: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    # One program: later blocks use the names of earlier ones.
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", None, 0)
        runner = doctest.DocTestRunner()
        output: list[str] = []
        runner.run(test, out=output.append, clear_globs=False)
        assert runner.failures == 0, "".join(output)
        assert test.examples, block
        names.update(test.globs)
    assert blocks or page.stem == "reference"


def test_the_guide_has_all_its_pages() -> None:
    assert {page.stem for page in PAGES} == {
        "buildings", "characters", "clusters", "coal", "ifcclash", "index", "machines", "reference", "scenes",
        "trimesh-and-fcl",
    }  # fmt: skip
