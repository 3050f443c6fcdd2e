// A coarser stand-in for a model that is small on the screen: vertices of one cell of a grid become one.

import { type Box3, BufferAttribute, BufferGeometry, type Vector3 } from "three";

const CELLS = 4;
/// About the triangles of a closed surface through the grid's outer cells.
export const MOST_COARSE = 108;

export function coarse(fine: BufferGeometry, box: Box3): BufferGeometry {
  const positions = fine.getAttribute("position").array as Float32Array;
  const indices = fine.index!.array;
  const factor = [0, 1, 2].map((axis) => {
    const extent = box.max.getComponent(axis) - box.min.getComponent(axis);
    return extent > 0 ? (CELLS * 0.9999) / extent : 0;
  });
  const { x, y, z } = box.min;
  const cellOf = new Uint8Array(positions.length / 3);
  const sums = new Float64Array(4 * CELLS ** 3);
  for (let vertex = 0; vertex < cellOf.length; vertex++) {
    const at = 3 * vertex;
    const [px, py, pz] = [positions[at], positions[at + 1], positions[at + 2]];
    const column = Math.floor((px - x) * factor[0]);
    const row = Math.floor((py - y) * factor[1]);
    const layer = Math.floor((pz - z) * factor[2]);
    const cell = column + CELLS * (row + CELLS * layer);
    cellOf[vertex] = cell;
    sums[4 * cell] += px;
    sums[4 * cell + 1] += py;
    sums[4 * cell + 2] += pz;
    sums[4 * cell + 3]++;
  }
  const vertexOf = new Int16Array(CELLS ** 3).fill(-1);
  const points: number[] = [];
  const vertex = (cell: number) => {
    if (vertexOf[cell] < 0) {
      vertexOf[cell] = points.length / 3;
      const count = sums[4 * cell + 3];
      points.push(sums[4 * cell] / count, sums[4 * cell + 1] / count, sums[4 * cell + 2] / count);
    }
    return vertexOf[cell];
  };
  const seen = new Set<number>();
  const triangles: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [cellOf[indices[i]], cellOf[indices[i + 1]], cellOf[indices[i + 2]]];
    if (a === b || b === c || c === a) continue;
    // The same whichever corner comes first.
    const key = a < b ? (a < c ? key3(a, b, c) : key3(c, a, b)) : b < c ? key3(b, c, a) : key3(c, a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    triangles.push(vertex(a), vertex(b), vertex(c));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex(new BufferAttribute(new Uint16Array(triangles), 1));
  return geometry;
}

const key3 = (a: number, b: number, c: number) => (a * 256 + b) * 256 + c;

/// The box of a model: all that is left of it from afar. Its squares come in the order of `hiddenSquares`.
export function boxGeometry(box: Box3): BufferGeometry {
  const points: number[] = [];
  for (let i = 0; i < 8; i++)
    points.push(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
  const squares = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex(new BufferAttribute(new Uint16Array(squares.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])), 1));
  return geometry;
}

/// Which squares of a box an eye does not see: least and greatest z, then y, then x. The eye is in the box's own frame.
export function hiddenSquares(box: Box3, eye: Vector3): boolean[] {
  const { min, max } = box;
  const hidden = [eye.z > min.z, eye.z < max.z, eye.y > min.y, eye.y < max.y, eye.x > min.x, eye.x < max.x];
  // From within, all are seen.
  return hidden.every((one) => one) ? hidden.map(() => false) : hidden;
}
