"""Buildings in IFC files, read by IfcOpenShell: `pip install "impinge[ifc]"`.

IfcOpenShell is a package of its own under the LGPL-3, of about 200 MB when installed. It is imported when a file is read, and not before.
"""

import importlib
import os
import warnings
from collections.abc import Collection
from typing import Any

import numpy as np

from impinge._impinge import Model
from impinge._meshes import with_seams_closed
from impinge._results import Part

ENDINGS = (".ifc", ".ifczip", ".ifcxml")
"""The endings of the names of IFC files."""

NO_BODIES = (
    "IfcSpatialElement",
    "IfcSpatialStructureElement",
    "IfcOpeningElement",
    "IfcVirtualElement",
    "IfcAnnotation",
    "IfcGrid",
)
"""Classes of elements that are no bodies: rooms and zones, holes, borders, drawings."""

_PRECISION = 1e-5
"""The precision of models that name none, in meters."""

_TOUCH_OF_ROUNDING = 8.0
"""Two parts touch up to four times the sum of their roundings; so this makes it the precision of the model."""


def load(path: str | os.PathLike[str], *, exclude: Collection[str] = NO_BODIES, threads: int = 0) -> list[Part]:
    """The elements of an IFC file that have a body, as parts in meters.

    Openings are cut out. The name of a part is its storey, class, GUID and name: `Ground floor/IfcWall/2e9pghUJbBqR4jTInsONQT/W1`. Parts have their
    class, and their property sets as properties: `Pset_WallCommon.IsExternal`; the storey is the property `Storey`. Copies of one shape share their model. Two parts
    touch up to the precision that the file names. Of `exclude`, subclasses are left out, too.

    A file that cannot be opened is an `OSError`; one that cannot be understood is a `ValueError`. An element whose shape cannot be made is a warning that names it.
    """
    parts, left_out = read(path, exclude=exclude, threads=threads)
    for note in left_out:
        warnings.warn(f"{os.fspath(path)}: {note}", stacklevel=2)
    return parts


def read(
    path: str | os.PathLike[str], *, exclude: Collection[str] = NO_BODIES, threads: int = 0
) -> tuple[list[Part], list[str]]:
    """The parts that `load` gives, and a line for each element that is left out because its shape cannot be made."""
    try:
        shell: Any = importlib.import_module("ifcopenshell")
        geom: Any = importlib.import_module("ifcopenshell.geom")
        util: Any = importlib.import_module("ifcopenshell.util.element")
        units: Any = importlib.import_module("ifcopenshell.util.unit")
    except ImportError as error:
        raise ImportError('IFC files are read by IfcOpenShell: pip install "impinge[ifc]"') from error
    file_name = os.fspath(path)
    # Its own message says neither what is wrong nor where.
    with open(file_name, "rb"):
        pass
    try:
        file = shell.open(file_name)
    except Exception as error:
        raise ValueError(f"{file_name}: {error}") from error
    rounding = _precision(file, units.calculate_unit_scale(file)) / _TOUCH_OF_ROUNDING
    excluded = {element.id() for name in exclude for element in _of_class(file, name)}
    products = file.by_type("IfcProduct")
    wanted = [element for element in products if element.Representation and element.id() not in excluded]
    if not wanted:
        return [], []
    settings = geom.settings()
    shapes = geom.iterator(settings, file, threads or os.cpu_count() or 1, include=wanted)
    models: dict[str, Model | None] = {}
    parts: dict[str, Part] = {}
    more = shapes.initialize()
    while more:
        shape = shapes.get()
        geometry = shape.geometry
        faces = np.array(geometry.faces, dtype=np.int64).reshape(-1, 3)
        if len(faces):
            if geometry.id not in models:
                vertices = np.array(geometry.verts, dtype=np.float64).reshape(-1, 3)
                models[geometry.id] = _model(vertices, faces, rounding)
            model = models[geometry.id]
            if model is None:
                more = shapes.next()
                continue
            pose = np.array(shape.transformation.matrix, dtype=np.float64).reshape(4, 4).T
            element = file.by_guid(shape.guid)
            storey = _storey(util, element)
            properties = _properties(util.get_psets(element))
            if storey:
                properties["Storey"] = storey
            pieces = [storey or "", element.is_a(), shape.guid, element.Name or element.is_a()]
            name = "/".join(piece.replace("/", "∕") for piece in pieces if piece)
            parts[shape.guid] = Part(name, model, pose, rounding, element.is_a(), properties)
        more = shapes.next()
    missing = [element for element in wanted if element.GlobalId not in parts and _is_surface(element)]
    left_out = [f"{_title(element)} is left out: its shape cannot be made" for element in missing]
    # The order of the file, whatever thread was first.
    return [parts[element.GlobalId] for element in wanted if element.GlobalId in parts], left_out


def _title(element: Any) -> str:
    """What a person finds an element by."""
    return " ".join(piece for piece in (element.is_a(), element.GlobalId, element.Name) if piece)


def _model(vertices: Any, faces: Any, rounding: float) -> Model | None:
    """The model of a shape; none where its numbers are no shape."""
    try:
        # Where openings were cut out, corners that were one differ by rounding.
        model = Model(vertices, faces).with_cracks_closed(rounding)
        return model if model.is_closed else Model(model.vertices, with_seams_closed(model.vertices, model.triangles, rounding))
    except ValueError:
        return None


def _of_class(file: Any, name: str) -> list[Any]:
    """The elements of a class and its subclasses; none where the schema does not have it."""
    try:
        elements: list[Any] = file.by_type(name)
    except RuntimeError:
        return []
    return elements


def _is_surface(element: Any) -> bool:
    """Whether an element has a representation of its body, and not only of its axis or outline."""
    return any(shape.RepresentationIdentifier == "Body" for shape in element.Representation.Representations)


def _precision(file: Any, unit: float) -> float:
    """The precision of a model, in meters."""
    contexts = file.by_type("IfcGeometricRepresentationContext", include_subtypes=False)
    named = [float(context.Precision) * unit for context in contexts if context.Precision]
    return max(named, default=_PRECISION)


def _storey(util: Any, element: Any) -> str | None:
    container = util.get_container(element)
    while container is not None and not container.is_a("IfcBuildingStorey"):
        container = util.get_aggregate(container)
    return None if container is None else container.Name


def _properties(sets: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {
        f"{name}.{key}": str(value).lower() if isinstance(value, bool) else str(value)
        for name, properties in sets.items()
        for key, value in properties.items()
        if key != "id" and value is not None
    }
