"""Models of arrays of every kind, what they tell, and what is refused."""

import copy
import pickle
import warnings
import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import ball, random_pose

import impinge

VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def read_only(array: Any) -> Any:
    array = array.copy()
    array.setflags(write=False)
    return array


def strided(array: Any) -> Any:
    wide = np.zeros((array.shape[0] * 2, array.shape[1] * 3), dtype=array.dtype)
    wide[::2, ::3] = array
    return wide[::2, ::3]


def reversed_view(array: Any) -> Any:
    return array[::-1, ::-1].copy()[::-1, ::-1]


def unaligned(array: Any) -> Any:
    buffer = bytearray(array.nbytes + 1)
    view = np.frombuffer(buffer, dtype=array.dtype, offset=1, count=array.size).reshape(array.shape)
    view[:] = array
    assert not view.flags.aligned or array.dtype.itemsize == 1
    return view


FORMS = [np.ascontiguousarray, np.asfortranarray, read_only, strided, reversed_view, unaligned, np.ndarray.tolist]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["f4", "f8", ">f4", ">f8", "f2", "i4", "u1"])
def test_vertices_of_any_form_and_type(form: Any, dtype: str) -> None:
    model = impinge.Model(form(VERTICES.astype(dtype)), FACES)
    assert model.vertices.dtype == np.float64
    assert (model.vertices == VERTICES).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"])
def test_faces_of_any_form_and_type(form: Any, dtype: str) -> None:
    model = impinge.Model(VERTICES, form(FACES.astype(dtype)))
    assert (model.faces == FACES).all()
    assert model.is_closed


def test_single_precision_is_widened_and_not_rounded_anew() -> None:
    vertices = VERTICES.astype(np.float32) * np.float32(0.1)
    assert (impinge.Model(vertices, FACES).vertices == vertices.astype(np.float64)).all()


def test_numbers_are_copied() -> None:
    vertices = VERTICES.copy()
    model = impinge.Model(vertices, FACES)
    vertices[:] = 7
    assert (model.vertices == VERTICES).all()
    model.vertices[:] = 8
    assert (model.vertices == VERTICES).all()


def test_anything_with_vertices_and_faces() -> None:
    for mesh in [SimpleNamespace(vertices=VERTICES, faces=FACES), SimpleNamespace(vertices=VERTICES, triangles=FACES)]:
        assert (impinge.Model(mesh).faces == FACES).all()
    assert (impinge.Model(impinge.Model(VERTICES, FACES)).vertices == VERTICES).all()
    for nothing in [VERTICES, None, 3, SimpleNamespace(vertices=VERTICES)]:
        with pytest.raises(TypeError, match="takes vertices and faces"):
            impinge.Model(nothing)


def cell_block(kind: str, data: Any) -> SimpleNamespace:
    return SimpleNamespace(type=kind, data=np.array(data))


CORNERS = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], dtype=float)
# In the order of VTK: around the lower side, then around the upper one.
HEXAHEDRON = [0, 1, 3, 2, 4, 5, 7, 6]
BLOCKS: list[tuple[str, list[SimpleNamespace], int, float]] = [
    ("triangle", [cell_block("triangle", FACES)], 4, 1 / 6),
    ("tetra", [cell_block("tetra", [[0, 1, 2, 4]])], 4, 1 / 6),
    ("two tetra", [cell_block("tetra", [[0, 1, 2, 4], [1, 3, 2, 4]])], 6, 1 / 3),
    ("hexahedron", [cell_block("hexahedron", [HEXAHEDRON])], 12, 1.0),
    ("wedge", [cell_block("wedge", [[0, 2, 1, 4, 6, 5]])], 8, 0.5),
    ("pyramid", [cell_block("pyramid", [[0, 1, 3, 2, 4]])], 6, 1 / 3),
    ("pyramid and tetra", [cell_block("pyramid", [[0, 1, 3, 2, 4]]), cell_block("tetra", [[1, 3, 4, 5]])], 8, 1 / 2),
    ("lines beside", [cell_block("line", [[0, 1]]), cell_block("vertex", [[3]]), cell_block("hexahedron", [HEXAHEDRON])], 12, 1.0),
]


@pytest.mark.parametrize(("blocks", "count", "volume"), [pytest.param(*case[1:], id=case[0]) for case in BLOCKS])
def test_meshes_of_cells(blocks: list[SimpleNamespace], count: int, volume: float) -> None:
    points = VERTICES if blocks[0].type == "triangle" else CORNERS
    model = impinge.Model(SimpleNamespace(points=points, cells=blocks))
    assert model.face_count == count and model.is_closed
    assert not any(component.is_inverted for component in model.components)
    shared = model.volume(model)
    assert shared is not None and shared.volume == pytest.approx(volume)


def test_meshes_of_meshio(tmp_path: Path) -> None:
    meshio = pytest.importorskip("meshio")
    mesh = meshio.Mesh(CORNERS, [("hexahedron", [HEXAHEDRON]), ("line", [[0, 7]])])
    assert impinge.Model(mesh).is_closed and impinge.Model(mesh).face_count == 12
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    surface = meshio.Mesh(CORNERS, [("quad", quads)])
    surface.write(tmp_path / "box.vtk")
    assert impinge.Model(meshio.read(tmp_path / "box.vtk")).verdict(impinge.Model(mesh)) is impinge.Verdict.OVERLAPPING
    with pytest.raises(ValueError, match=r"cells\[0\] are of the type 'tetra10'"):
        impinge.Model(meshio.Mesh(np.zeros((10, 3)), [("tetra10", [list(range(10))])]))
    with pytest.raises(ValueError, match="faces is empty"):
        impinge.Model(meshio.Mesh(CORNERS, [("line", [[0, 1]])]))


def test_meshes_of_tensors() -> None:
    def tensor(array: Any) -> SimpleNamespace:
        return SimpleNamespace(numpy=lambda: array)

    mesh = SimpleNamespace(vertex={"positions": tensor(VERTICES)}, triangle={"indices": tensor(FACES)})
    assert (impinge.Model(mesh).faces == FACES).all()


def with_entry(array: Any, row: int, column: int, value: Any) -> Any:
    array = array.copy()
    array[row, column] = value
    return array


@pytest.mark.parametrize(
    ("vertices", "faces", "kind", "message"),
    [
        (with_entry(VERTICES, 2, 1, np.nan), FACES, ValueError, r"vertices\[2, 1\] is NaN"),
        (with_entry(VERTICES, 3, 0, -np.inf), FACES, ValueError, r"vertices\[3, 0\] is -inf"),
        (VERTICES, with_entry(FACES, 1, 2, 4), ValueError, r"faces\[1, 2\] is 4, but there are 4 vertices"),
        (VERTICES, with_entry(FACES, 1, 2, -1), ValueError, r"faces\[1, 2\] is -1, but there are 4 vertices"),
        (VERTICES, with_entry(FACES, 0, 0, 2**32), ValueError, r"faces\[0, 0\] is 4294967296"),
        (VERTICES, with_entry(FACES.astype("u8"), 0, 0, 2**64 - 1), ValueError, r"is 18446744073709551615"),
        (VERTICES[:, :2], FACES, ValueError, r"vertices has the shape \(4, 2\), but must have \(n, 3\)"),
        (VERTICES[0], FACES, ValueError, r"vertices has the shape \(3,\)"),
        (VERTICES[None], FACES, ValueError, r"vertices has the shape \(1, 4, 3\)"),
        (VERTICES, FACES[:, :2], ValueError, r"faces has the shape \(4, 2\), but must have \(m, 3\)"),
        (VERTICES, FACES.ravel(), ValueError, r"faces has the shape \(12,\)"),
        (VERTICES, np.empty((0, 3), dtype=int), ValueError, "faces is empty"),
        (VERTICES, [], ValueError, "faces is empty"),
        (np.empty((0, 3)), FACES, ValueError, r"faces\[0, 0\] is 0, but there are 0 vertices"),
        (np.float64(3), FACES, ValueError, r"vertices has the shape \(\)"),
        (VERTICES, FACES.astype(float), TypeError, "faces must be an array of integers, not of float64"),
        (VERTICES, FACES > 1, TypeError, "faces must be an array of integers, not of bool"),
        (VERTICES.astype(complex), FACES, TypeError, "vertices must be an array of real numbers, not of complex128"),
        (VERTICES.astype(str), FACES, TypeError, "vertices must be an array of real numbers"),
        (VERTICES.astype(object), FACES, TypeError, "vertices must be an array of real numbers, not of object"),
        (VERTICES > 0, FACES, TypeError, "not of bool"),
        ("cube", FACES, TypeError, "vertices must be an array of real numbers"),
        (None, FACES, TypeError, "vertices must be an array of real numbers"),
        ([[1, 2, 3], [4, 5]], FACES, ValueError, "inhomogeneous"),
    ],
)
def test_bad_arrays_are_refused_with_the_place(vertices: Any, faces: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        impinge.Model(vertices, faces)


def test_dirty_meshes_are_legal() -> None:
    faces = [[0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 1, 2], [2, 1, 0]]
    model = impinge.Model(VERTICES, faces)
    assert model.face_count == 5
    assert model.intersects(model)


def test_what_a_model_tells() -> None:
    model = impinge.Model(VERTICES, FACES[1:])
    assert (model.vertex_count, model.face_count, model.is_closed) == (4, 3, False)
    assert model.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert repr(model) == "<impinge.Model: 4 vertices, 3 faces, open>"
    two = impinge.Model(np.vstack([VERTICES, VERTICES + 5]), np.vstack([FACES, FACES[1:, ::-1] + 4]))
    first, second = two.components
    assert (first.faces.tolist(), first.is_closed, first.is_inverted) == ([0, 1, 2, 3], True, False)
    assert (second.faces.tolist(), second.is_closed) == ([4, 5, 6], False)
    inverted = impinge.Model(VERTICES, FACES[:, ::-1]).components[0]
    assert (inverted.is_closed, inverted.is_inverted) == (True, True)


def test_pickled_and_copied_models_answer_the_same() -> None:
    model = ball()
    again = pickle.loads(pickle.dumps(model))
    assert (again.vertices == model.vertices).all() and (again.faces == model.faces).all()
    assert copy.copy(model) is model and copy.deepcopy([model])[0] is model
    assert weakref.ref(model)() is model
    random = np.random.default_rng(1)
    poses = np.array([random_pose(random, 1.5) for _ in range(50)])
    for one, other in zip(model.distance(model, pose_b=poses)[:5], again.distance(again, pose_b=poses)[:5], strict=True):
        assert (one == other).all()
    result = model.distance(model, poses[0])
    assert pickle.loads(pickle.dumps(result)).distance == result.distance
    part = impinge.Part("ball", model, np.eye(4))
    assert pickle.loads(pickle.dumps(part)).model.face_count == model.face_count
    assert pickle.loads(pickle.dumps(model.verdict(model))) is impinge.Verdict.OVERLAPPING


SQUARES = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 1\nv 2 1 0\ng one\nf 1 2 3 4\ng two\nf 2 5 6 3\n"


def test_files_of_polygons(tmp_path: Path) -> None:
    path = tmp_path / "squares.obj"
    path.write_text(SQUARES)
    with pytest.warns(UserWarning, match=r"squares.obj: line 10: face 1 is not planar and was split into 2 triangles"):
        (part,) = impinge.load(path)
    assert part.name == "squares"
    assert (part.pose == np.eye(4)).all()
    assert part.model.triangles.shape == (4, 3)
    with pytest.raises(ValueError, match="face 0 has 4 corners"):
        _ = part.model.faces
    again = pickle.loads(pickle.dumps(part.model))
    assert (again.triangles == part.model.triangles).all()
    # Pieces of a polygon keep its index, and groups part what they did.
    ray = ([[1.5, 0.9, 5]], [[0, 0, -1]])
    assert part.model.cast_rays(*ray).faces.tolist() == again.cast_rays(*ray).faces.tolist() == [1]
    assert len(again.components) == len(part.model.components) == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        impinge.load(tmp_path / "missing.obj")
    assert missing.value.filename == str(tmp_path / "missing.obj")
    with pytest.raises(OSError, match="is a folder"):
        impinge.load_model(tmp_path)
    broken = tmp_path / "broken.obj"
    broken.write_text("v 0 0 nan\n")
    for read in [impinge.load, impinge.load_model]:
        with pytest.raises(ValueError, match="broken.obj: line 1: z is NaN"):
            read(broken)
    broken.write_bytes(b"\x00\xff" * 50)
    with pytest.raises(ValueError, match="broken.obj"):
        impinge.load(str(broken))
    with pytest.raises(TypeError):
        impinge.load(3)  # type: ignore[arg-type]


def test_scenes_have_parts_with_names_and_poses(make: Any) -> None:
    path = make("assembly", "assembly.glb", "--stations", "2")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parts = impinge.load(path)
        whole = impinge.load_model(path)
    names = [part.name for part in parts]
    assert len(names) > 10 and len(set(names)) == len(names)
    assert sum(part.model.face_count for part in parts) == whole.face_count
    assert len({id(part.model) for part in parts}) < len(parts), "copies share their model"
    assert any((part.pose != np.eye(4)).any() for part in parts)
    corners = np.vstack([part.model.vertices @ part.pose[:3, :3].T + part.pose[:3, 3] for part in parts])
    assert np.allclose([corners.min(axis=0), corners.max(axis=0)], whole.bounds)


def test_cracks_are_closed_up_to_a_tolerance() -> None:
    box = impinge.box([0, 0, 0], [1, 1, 1])
    corners = box.vertices[box.triangles].reshape(-1, 3)
    # Every triangle has corners of its own, and one is off.
    corners[4, 0] += 1e-9
    cracked = impinge.Model(corners, np.arange(len(corners)).reshape(-1, 3))
    assert not cracked.is_closed
    assert cracked.with_cracks_closed(1e-6).is_closed
    assert not cracked.with_cracks_closed(1e-12).is_closed
    with pytest.raises(ValueError, match="-1"):
        cracked.with_cracks_closed(-1.0)
