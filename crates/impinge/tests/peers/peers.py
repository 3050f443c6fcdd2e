"""Answers of manifold3d and libigl for pairs of solids, one JSON object a line in and out."""

import json
import sys

import igl
import manifold3d
import numpy

WINDING = igl.SIGNED_DISTANCE_TYPE_WINDING_NUMBER


def solid(mesh):
    """A manifold with the given corners, or None where manifold3d takes none of it."""
    made = manifold3d.Manifold(manifold3d.Mesh64(mesh[0], mesh[1].astype(numpy.uint64)))
    return made if made.status() == manifold3d.Error.NoError and not made.is_empty() else None


def signed(points, mesh):
    """The signed distance of each point from a mesh, negative inside."""
    return igl.signed_distance(points, mesh[0], mesh[1], sign_type=WINDING)[0]


def samples(mesh):
    """Corners, middles of edges and middles of faces."""
    corners, faces = mesh
    a, b, c = (corners[faces[:, k]] for k in range(3))
    return numpy.vstack([corners, (a + b) / 2, (b + c) / 2, (c + a) / 2, (a + b + c) / 3])


def answer(pair):
    meshes = [
        (numpy.array(mesh["corners"], dtype=numpy.float64), numpy.array(mesh["faces"], dtype=numpy.int64))
        for mesh in (pair["a"], pair["b"])
    ]
    points = [samples(mesh) for mesh in meshes]
    volume = None
    first, second = (solid(mesh) for mesh in meshes)
    if first is not None and second is not None:
        shared = first ^ second
        volume = shared.volume()
        if not shared.is_empty():
            # What bounds the shared body is the surface of one, inside of the other, as far as manifold3d's tolerance goes.
            taken = shared.to_mesh64()
            corners = numpy.array(taken.vert_properties)[:, :3].copy()
            points.append(samples((corners, numpy.array(taken.tri_verts).astype(numpy.int64))))
    points = numpy.vstack(points)
    distances = [signed(points, mesh) for mesh in meshes]
    # A point beside one surface by so much is that much nearer to a point on it at most.
    depths = [-distances[1] - abs(distances[0]), -distances[0] - abs(distances[1])]
    within = 0 if depths[1].max() > depths[0].max() else 1
    deepest = depths[1 - within].argmax()
    at_point = None
    if pair["point"] is not None:
        at_point = -float(signed(numpy.array([pair["point"]]), meshes[0] if pair["of_second"] else meshes[1])[0])
    return {
        "volume": volume,
        "depth": max(float(depths[1 - within][deepest]), 0.0),
        "deepest": points[deepest].tolist(),
        "within_second": within == 1,
        "at_point": at_point,
    }


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
