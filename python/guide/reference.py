"""Writes the reference of the guide from the docstrings of the installed package, as a hook of mkdocs."""

import enum
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any

import impinge
from impinge import ifc, step

MARK = "<!-- reference -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Puts the reference where the page has its mark."""
    return markdown.replace(MARK, "\n".join(reference()))


def reference() -> Iterator[str]:
    classes = [(name, getattr(impinge, name)) for name in impinge.__all__ if isinstance(getattr(impinge, name), type)]
    others = [(name, getattr(impinge, name)) for name in impinge.__all__ if callable(getattr(impinge, name)) and not isinstance(getattr(impinge, name), type)]
    plain = [(name, kind) for name, kind in classes if not issubclass(kind, tuple | enum.Enum)]
    answers = [(name, kind) for name, kind in classes if issubclass(kind, tuple | enum.Enum)]
    yield "## Functions\n"
    for name, function in others:
        yield from entry(f"impinge.{name}", function, 3)
    for name, kind in plain:
        yield from class_entry(name, kind)
    yield "## Answers\n"
    for name, kind in answers:
        yield from answer_entry(name, kind)
    for module in [ifc, step]:
        yield f"## {module.__name__}\n"
        yield text(module.__doc__)
        yield from entry(f"{module.__name__}.load", module.load, 3)


def text(documentation: str | None) -> str:
    """A docstring as Markdown: examples become blocks."""
    lines, block = [], False
    for line in inspect.cleandoc(documentation or "").splitlines():
        if line.startswith(">>>") and not block:
            lines += ["", "```python"]
            block = True
        if block and not line:
            lines.append("```")
            block = False
        lines.append(line)
    return "\n".join([*lines, "```"] if block else lines) + "\n"


def signature(function: Any) -> str:
    """The parameters of a function and their defaults; types are in the stubs."""
    try:
        found = inspect.signature(function)
    except ValueError:
        return "()"
    bare = [
        parameter.replace(annotation=parameter.empty)
        for name, parameter in found.parameters.items()
        if name not in ("self", "slf")
    ]
    return str(found.replace(parameters=bare, return_annotation=found.empty)).replace("(/)", "()").replace("(/, ", "(")


def entry(name: str, function: Any, level: int) -> Iterator[str]:
    yield f"{'#' * level} `{name}`\n"
    yield f"`{name.rsplit('.', 1)[-1]}{signature(function)}`\n"
    yield text(function.__doc__)


def class_entry(name: str, kind: type) -> Iterator[str]:
    yield f"## `impinge.{name}`\n"
    yield text(kind.__doc__)
    for member, value in vars(kind).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property | types.GetSetDescriptorType):
            yield f"### `{name}.{member}`\n"
            yield text(value.__doc__)
        elif callable(value) or isinstance(value, staticmethod):
            yield from entry(f"{name}.{member}", getattr(kind, member), 3)


def answer_entry(name: str, kind: Any) -> Iterator[str]:
    """A tuple with names or an enumeration, with what the source says of each."""
    yield f"### `impinge.{name}`\n"
    yield text(kind.__doc__)
    source = inspect.getsource(kind)
    rows = re.findall(r'^    (\w+)(?:: [^\n]*| = \d+)\n    """(.*?)"""', source, re.MULTILINE | re.DOTALL)
    if rows:
        yield "| name | what it is |\n| --- | --- |"
        for field, said in rows:
            yield f"| `{field}` | {' '.join(said.split()).replace('|', chr(92) + '|')} |"
        yield ""
