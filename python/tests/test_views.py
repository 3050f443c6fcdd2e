"""Pages for notebooks."""

import html
import re

import pytest
from conftest import ball

import impinge

BOX = impinge.box([0, 0, 0], [1, 1, 1])


def page_of(shown: str | None) -> str:
    assert shown is not None
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', shown)
    assert found is not None
    return html.unescape(found[1])


def test_everything_has_a_page() -> None:
    model = page_of(BOX._repr_html_())
    pair = impinge.view(BOX, BOX, pose_b=impinge.translation([0.5, 0, 0]), names=("left", "right"))
    apart = impinge.view(BOX, BOX, pose_b=impinge.translation([2.5, 0, 0]))
    sweep = impinge.view(BOX, BOX, pose_b=impinge.translation([3, 0, 0]), by=[5, 0, 0])
    turn = impinge.view(BOX, BOX, pose_b=impinge.translation([3, 0, 0]), rotate=[0, 0, 0, 0, 0, 1, 90])
    scene = impinge.Scene("two boxes")
    scene.add("one", BOX)
    scene.add("two", BOX, impinge.translation([0.5, 0, 0]))
    pages = [model, page_of(pair._repr_html_()), apart.to_html(), sweep.to_html(), turn.to_html(), page_of(scene.clash()._repr_html_())]
    assert all(page.startswith("<!doctype html>") and page.rstrip().endswith("</html>") for page in pages)
    assert len(set(pages)) == len(pages)
    assert "left" in pages[1] and "two boxes" in pages[5] and repr(pair) == "<impinge.View: left and right>"
    # Small enough for a notebook.
    assert max(map(len, pages)) < 2_000_000


def test_large_models_have_none() -> None:
    assert ball(400)._repr_html_() is None


def test_bad_views_are_refused() -> None:
    with pytest.raises(TypeError, match="a second model"):
        impinge.view(BOX, by=[1, 0, 0])
    with pytest.raises(ValueError, match="by is a batch"):
        impinge.view(BOX, BOX, by=[[1, 0, 0]])
    with pytest.raises(TypeError, match="either `by`"):
        impinge.view(BOX, BOX, by=[1, 0, 0], to=impinge.translation([1, 0, 0]))
