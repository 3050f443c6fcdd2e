"""Buildings in IFC files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import ifc
from impinge._meshes import with_seams_closed

ifcopenshell = pytest.importorskip("ifcopenshell")


def building(path: Path, schema: str = "IFC4") -> None:
    """A storey with two walls that meet in a corner, a duct through one of them, a pipe through an opening of it, and a room; in millimeters."""
    file = ifcopenshell.file(schema=schema)
    made = file.create_entity
    guid = ifcopenshell.guid.new
    origin = made("IfcCartesianPoint", (0.0, 0.0, 0.0))
    axes = made("IfcAxis2Placement3D", origin)
    context = made("IfcGeometricRepresentationContext", None, "Model", 3, 1e-2, axes, None)
    unit = made("IfcSIUnit", None, "LENGTHUNIT", "MILLI", "METRE")
    project = made("IfcProject", guid(), RepresentationContexts=[context], UnitsInContext=made("IfcUnitAssignment", [unit]))
    storey = made("IfcBuildingStorey", guid(), Name="Ground/floor")
    made("IfcRelAggregates", guid(), RelatingObject=project, RelatedObjects=[storey])

    def body(kind: str, name: str, at: tuple[float, float, float], size: tuple[float, float, float]) -> Any:
        middle = made("IfcAxis2Placement2D", made("IfcCartesianPoint", (size[0] / 2, size[1] / 2)))
        profile = made("IfcRectangleProfileDef", "AREA", None, middle, size[0], size[1])
        up = made("IfcDirection", (0.0, 0.0, 1.0))
        solid = made("IfcExtrudedAreaSolid", profile, made("IfcAxis2Placement3D", origin), up, size[2])
        shape = made("IfcShapeRepresentation", context, "Body", "SweptSolid", [solid])
        place = made("IfcLocalPlacement", None, made("IfcAxis2Placement3D", made("IfcCartesianPoint", at)))
        whole = made("IfcProductDefinitionShape", None, None, [shape])
        return made(kind, guid(), Name=name, ObjectPlacement=place, Representation=whole)

    front = body("IfcWall", "front", (0.0, 0.0, 0.0), (5000.0, 200.0, 3000.0))
    side = body("IfcWall", "side", (0.0, 200.0, 0.0), (200.0, 4000.0, 3000.0))
    duct = body("IfcDuctSegment" if schema != "IFC2X3" else "IfcFlowSegment", "duct", (1000.0, -500.0, 2000.0), (400.0, 1200.0, 300.0))
    pipe = body("IfcPipeSegment" if schema != "IFC2X3" else "IfcFlowSegment", "pipe", (3000.0, -500.0, 1000.0), (100.0, 1200.0, 100.0))
    room = body("IfcSpace", "room", (200.0, 200.0, 0.0), (4800.0, 4000.0, 3000.0))
    hole = body("IfcOpeningElement", "hole", (2900.0, -100.0, 900.0), (300.0, 400.0, 300.0))
    made("IfcRelVoidsElement", guid(), RelatingBuildingElement=front, RelatedOpeningElement=hole)
    elements = [front, side, duct, pipe]
    made("IfcRelContainedInSpatialStructure", guid(), RelatedElements=elements, RelatingStructure=storey)
    made("IfcRelAggregates", guid(), RelatingObject=storey, RelatedObjects=[room])
    external = made("IfcPropertySingleValue", "IsExternal", None, made("IfcBoolean", True))
    properties = made("IfcPropertySet", guid(), Name="Pset_WallCommon", HasProperties=[external])
    made("IfcRelDefinesByProperties", guid(), RelatedObjects=[front], RelatingPropertyDefinition=properties)
    file.write(str(path))


@pytest.mark.parametrize("schema", ["IFC2X3", "IFC4", "IFC4X3"])
def test_elements_are_parts(tmp_path: Path, schema: str) -> None:
    path = tmp_path / "building.ifc"
    building(path, schema)
    parts = ifc.load(path)
    assert [part.name.split("/")[-1] for part in parts] == ["front", "side", "duct", "pipe"]
    front = parts[0]
    pieces = front.name.split("/")
    assert pieces[:2] == ["Ground∕floor", "IfcWall"] and len(pieces[2]) == 22
    assert front.ifc_class == "IfcWall"
    assert front.properties["Pset_WallCommon.IsExternal"] == "true"
    assert front.properties["Storey"] == "Ground/floor"
    assert all(part.model.is_closed for part in parts)
    # In meters, and up to the precision of a hundredth of a millimeter.
    assert np.allclose(front.model.bounds, [[0.0, 0.0, 0.0], [5.0, 0.2, 3.0]])
    assert front.rounding == 1.25e-6


def test_clashes_of_a_building(tmp_path: Path) -> None:
    path = tmp_path / "building.ifc"
    building(path)
    scene = impinge.Scene("building", unit="m")
    scene.load(path)
    found = scene.clash()
    names = [part["name"] for part in found.parts]
    kinds = {(names[clash["a"]], names[clash["b"]]): clash["verdict"] for clash in found}
    # The pipe has its opening, the duct has none.
    assert kinds == {("front", "side"): "touching", ("front", "duct"): "overlapping"}
    [overlap] = [clash for clash in found if clash["verdict"] == "overlapping"]
    assert overlap["volume"] == pytest.approx(0.4 * 0.2 * 0.3)
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[sets.walls]\nclass = "IfcWall*"\n[sets.ducts]\nclass = "IfcDuct*"\n'
        '[[rules]]\nbetween = ["walls", "ducts"]\nseverity = "major"\n'
    )
    severities = [clash.get("severity") for clash in scene.clash(rules=rules) if clash["verdict"] == "overlapping"]
    assert severities == ["major"]


def test_seams_of_a_box_are_closed() -> None:
    """A side with a corner more in the middle of an edge, as kernels of CAD cut it."""
    box = impinge.box([0, 0, 0], [1, 1, 1])
    vertices = np.vstack([box.vertices, [[0.5, 0, 0]], [[0.25, 0, 0]]])
    faces = box.faces.tolist()
    # Vertices 0 and 1 are the ends of the edge; of its two faces one is cut there.
    [cut] = [face for face in faces if {0, 1} <= set(face) and 4 in face]
    faces.remove(cut)
    for a, b in [(0, 9), (9, 8), (8, 1)]:
        faces.append([4, a, b])
    cracked = impinge.Model(vertices, faces)
    assert not cracked.is_closed
    filled = with_seams_closed(vertices, np.array(faces), 1e-9)
    closed = impinge.Model(vertices, filled)
    assert closed.is_closed and closed.face_count == len(faces) + 2
    assert (filled[: len(faces)] == faces).all()
    shared = closed.volume(box)
    assert shared is not None and shared.volume == 1.0
    # A hole is no seam, and neither is a corner beside the line.
    assert len(with_seams_closed(vertices, np.array(faces[:-1]), 1e-9)) == len(faces) - 1
    vertices[8, 2] = 1e-3
    assert len(with_seams_closed(vertices, np.array(faces), 1e-9)) == len(faces)


def test_what_is_no_building_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ifc.load(tmp_path / "missing.ifc")
    (tmp_path / "text.ifc").write_text("no building\n")
    with pytest.raises(ValueError, match=r"text\.ifc"):
        ifc.load(tmp_path / "text.ifc")
