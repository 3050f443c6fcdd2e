"""Pages with a 3D view, for notebooks and browsers."""

import html

from numpy.typing import ArrayLike

from impinge._impinge import Model, _model_page, _pair_page

_MOST_FACES = 200_000
"""Models of more faces make a page that notebooks are slow with."""


def frame(page: str, height: int = 480) -> str:
    """A page within another."""
    source = html.escape(page, quote=True)
    return f'<iframe srcdoc="{source}" style="width: 100%; height: {height}px; border: 0"></iframe>'


class View:
    """A page with a 3D view of a model, of two models, or of a motion; notebooks show it."""

    def __init__(self, page: str, title: str) -> None:
        self._page = page
        self._title = title

    def to_html(self) -> str:
        """The page: one file that needs no network."""
        return self._page

    def __repr__(self) -> str:
        return f"<impinge.View: {self._title}>"

    def _repr_html_(self) -> str:
        return frame(self._page)


def view(
    a: Model,
    b: Model | None = None,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    by: ArrayLike | None = None,
    to: ArrayLike | None = None,
    rotate: ArrayLike | None = None,
    margin: float = 0.0,
    names: tuple[str, str] = ("A", "B"),
) -> View:
    """A page that shows a model; how two models stand to each other; or, with a motion as of `Model.sweep`, how far the first comes.

    >>> import impinge
    >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    >>> impinge.view(box, box, pose_b=impinge.translation([0.5, 0, 0]))
    <impinge.View: A and B>
    >>> impinge.view(box, box, pose_b=impinge.translation([3, 0, 0]), by=[5, 0, 0]).to_html()[:15]
    '<!doctype html>'
    """
    if b is None:
        if pose_b is not None or by is not None or to is not None or rotate is not None:
            raise TypeError("view takes a second model with pose_b, by, to and rotate")
        return View(_model_page(names[0], a, pose_a), names[0])
    page = _pair_page(list(names), [a, b], [pose_a, pose_b], [by, rotate, to], margin)
    return View(page, " and ".join(names))


def notebook(model: Model) -> str | None:
    """What a notebook shows of a model."""
    return None if model.face_count > _MOST_FACES else frame(_model_page("model", model, None))
