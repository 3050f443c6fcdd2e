"""Writes small STEP files: an assembly of boxes, as programs of CAD write them (ISO 10303-214)."""

from pathlib import Path

Point = tuple[float, float, float]
# The corners of each side of a box, counter-clockwise seen from outside; bits are x, y, z.
_SIDES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
_NORMALS = [(0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)]


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        self.lines.append(f"#{len(self.lines) + 1}={text};")
        return f"#{len(self.lines)}"

    def point(self, at: Point) -> str:
        return self.add(f"CARTESIAN_POINT('',({','.join(f'{value:.6f}' for value in at)}))")

    def direction(self, along: Point) -> str:
        return self.add(f"DIRECTION('',({','.join(f'{value:.6f}' for value in along)}))")

    def axes(self, at: Point = (0, 0, 0), z: Point = (0, 0, 1), x: Point = (1, 0, 0)) -> str:
        return self.add(f"AXIS2_PLACEMENT_3D('',{self.point(at)},{self.direction(z)},{self.direction(x)})")

    def box(self, size: Point) -> str:
        """A solid box from the origin."""
        corners = [(size[0] * (i & 1), size[1] * (i >> 1 & 1), size[2] * (i >> 2)) for i in range(8)]
        vertices = [self.add(f"VERTEX_POINT('',{self.point(corner)})") for corner in corners]
        edges: dict[tuple[int, int], str] = {}
        faces = []
        for side, normal in zip(_SIDES, _NORMALS, strict=True):
            bound = []
            for a, b in zip(side, (*side[1:], side[0]), strict=True):
                key = (min(a, b), max(a, b))
                if key not in edges:
                    start, end = corners[key[0]], corners[key[1]]
                    along = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
                    length = sum(map(abs, along))
                    vector = self.add(f"VECTOR('',{self.direction((along[0] / length, along[1] / length, along[2] / length))},{length:.6f})")
                    line = self.add(f"LINE('',{self.point(start)},{vector})")
                    edges[key] = self.add(f"EDGE_CURVE('',{vertices[key[0]]},{vertices[key[1]]},{line},.T.)")
                bound.append(self.add(f"ORIENTED_EDGE('',*,*,{edges[key]},.{'T' if key == (a, b) else 'F'}.)"))
            loop = self.add(f"EDGE_LOOP('',({','.join(bound)}))")
            outer = self.add(f"FACE_OUTER_BOUND('',{loop},.T.)")
            x = (0, 1, 0) if normal[0] else (1, 0, 0)
            plane = self.add(f"PLANE('',{self.axes(corners[side[0]], normal, x)})")
            faces.append(self.add(f"ADVANCED_FACE('',({outer}),{plane},.T.)"))
        shell = self.add(f"CLOSED_SHELL('',({','.join(faces)}))")
        return self.add(f"MANIFOLD_SOLID_BREP('',{shell})")


def assembly(path: Path, boxes: dict[str, Point], places: list[tuple[str, str, Point]], unit: str = ".MILLI.") -> None:
    """A file with boxes of sizes by name, and where they stand: a name, which box, and where."""
    out = _Writer()
    application = out.add("APPLICATION_CONTEXT('automotive design')")
    out.add(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{application})")
    kind = out.add(f"PRODUCT_CONTEXT('',{application},'mechanical')")
    stage = out.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{application},'design')")
    length = out.add(f"(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT({unit},.METRE.))")
    angle = out.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
    solid = out.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
    error = out.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),{length},'distance_accuracy_value','')")
    context = out.add(
        "(GEOMETRIC_REPRESENTATION_CONTEXT(3)"
        f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({error}))GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid}))"
        "REPRESENTATION_CONTEXT('',''))"
    )

    def product(name: str, shape: str) -> str:
        item = out.add(f"PRODUCT('{name}','{name}','',({kind}))")
        version = out.add(f"PRODUCT_DEFINITION_FORMATION('','',{item})")
        definition = out.add(f"PRODUCT_DEFINITION('design','',{version},{stage})")
        whole = out.add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
        out.add(f"SHAPE_DEFINITION_REPRESENTATION({whole},{shape})")
        return definition

    origin = out.axes()
    made = {}
    for name, size in boxes.items():
        shape = out.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('{name}',({out.axes()},{out.box(size)}),{context})")
        made[name] = (product(name, shape), shape)
    stands = [out.axes(at) for _, _, at in places]
    whole = out.add(f"SHAPE_REPRESENTATION('machine',({','.join([origin, *stands])}),{context})")
    machine = product("machine", whole)
    for (name, box, _), stand in zip(places, stands, strict=True):
        definition, shape = made[box]
        use = out.add(f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('{name}','{name}','',{machine},{definition},$)")
        used = out.add(f"PRODUCT_DEFINITION_SHAPE('','',{use})")
        moved = out.add(f"ITEM_DEFINED_TRANSFORMATION('','',{origin},{stand})")
        relation = out.add(
            f"(REPRESENTATION_RELATIONSHIP('','',{shape},{whole})"
            f"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION({moved})SHAPE_REPRESENTATION_RELATIONSHIP())"
        )
        out.add(f"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION({relation},{used})")
    head = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n"
    path.write_text(head + "\n".join(out.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n")
