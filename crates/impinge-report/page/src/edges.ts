// The edges of parts in the overview: borders, and creases sharper than 30°. They are found after the first picture, a little at a
// time, the largest parts first, and no more than the machine draws with ease.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Matrix4, Object3D, Vector3 } from "three";
import type { Frame } from "./frame";
import type { Model } from "./models";

/// The cosine of the angle from which on two faces meet at an edge that is drawn.
const CREASE = Math.cos((30 * Math.PI) / 180);
/// A model of more triangles has no edges: they would take longer to find than they are worth.
const MOST_TRIANGLES = 60_000;
/// How many edges are drawn, with a graphics card and without.
const MOST = 400_000;
const MOST_IN_SOFTWARE = 60_000;
/// Milliseconds of work before others have their turn.
const TURN = 12;

const known = new WeakMap<Model, Float32Array>();

/// The ends of a model's edges, in packed coordinates, three numbers each.
export function edgesOf(model: Model): Float32Array {
  let found = known.get(model);
  if (!found) known.set(model, (found = model.triangleCount > MOST_TRIANGLES ? new Float32Array() : find(model.geometry)));
  return found;
}

function find(geometry: BufferGeometry): Float32Array {
  const points = geometry.getAttribute("position").array;
  const corners = geometry.index!.array;
  const welded = weld(points);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  // The normal of each triangle, and for each edge the triangles along it: the first, and whether an edge is a crease.
  const normals = new Float32Array(corners.length);
  const first = new Map<number, number>();
  const drawn = new Set<number>();
  const count = points.length / 3;
  for (let at = 0; at < corners.length; at += 3) {
    const own = [welded[corners[at]], welded[corners[at + 1]], welded[corners[at + 2]]];
    a.fromArray(points, 3 * own[0]);
    b.fromArray(points, 3 * own[1]).sub(a);
    c.fromArray(points, 3 * own[2]).sub(a);
    const normal = b.cross(c);
    // What has no area borders on nothing.
    if (normal.lengthSq() === 0) continue;
    normal.normalize().toArray(normals, at);
    for (let i = 0; i < 3; i++) {
      const [from, to] = [own[i], own[(i + 1) % 3]];
      const key = Math.min(from, to) * count + Math.max(from, to);
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, at);
        drawn.add(key);
        continue;
      }
      const cosine = normals[other] * normal.x + normals[other + 1] * normal.y + normals[other + 2] * normal.z;
      // The two sides of a sheet look away from each other, and so do the faces at a knife's edge.
      if (cosine > CREASE) drawn.delete(key);
    }
  }
  const ends = new Float32Array(6 * drawn.size);
  let next = 0;
  for (const key of drawn)
    for (const vertex of [Math.floor(key / count), key % count])
      for (let i = 0; i < 3; i++) ends[next++] = points[3 * vertex + i];
  return ends;
}

/// For each vertex the first one at the same place.
function weld(points: ArrayLike<number>): Uint32Array {
  const welded = new Uint32Array(points.length / 3);
  const at = new Map<number, number[]>();
  // Packed coordinates are whole numbers of 24 bits, over the greatest of them.
  const whole = (i: number) => Math.round(points[i] * 0x7fffff) + 0x800000;
  for (let vertex = 0; vertex < welded.length; vertex++) {
    const key = whole(3 * vertex) * 0x1000000 + whole(3 * vertex + 1);
    const list = at.get(key);
    const same = list?.find((other) => points[3 * other + 2] === points[3 * vertex + 2]);
    welded[vertex] = same ?? vertex;
    if (!list) at.set(key, [vertex]);
    else if (same === undefined) list.push(vertex);
  }
  return welded;
}

export interface Standing {
  part: number;
  model: Model;
}

export class Edges {
  readonly object = new Object3D();
  /// How many are drawn, for tests.
  count = 0;
  private readonly material = new LineBasicMaterial({ transparent: true, opacity: 0.45 });
  private readonly lines: { line: LineSegments; parts: Standing[] }[] = [];
  private readonly most: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /// The parts, the largest first; those that move are moved one by one.
    private readonly standing: Standing[],
    private readonly moving: ReadonlySet<number>,
    private readonly worldFromModel: Matrix4[],
    private readonly frame: Frame,
    private readonly isShown: (part: number) => boolean,
    software: boolean,
    private readonly redraw: () => void,
  ) {
    this.most = software ? MOST_IN_SOFTWARE : MOST;
  }

  setColor(color: number): void {
    this.material.color.set(color);
  }

  /// Finds all edges anew, such as after parts were hidden.
  restart(): void {
    clearTimeout(this.timer);
    for (const { line } of this.lines) {
      line.geometry.dispose();
      line.removeFromParent();
    }
    this.lines.length = this.count = 0;
    this.timer = setTimeout(() => this.collect(0, []), 0);
  }

  private collect(from: number, still: Standing[]): void {
    const end = performance.now() + TURN;
    let next = from;
    for (; next < this.standing.length && performance.now() < end; next++) {
      const one = this.standing[next];
      if (!this.isShown(one.part)) continue;
      const own = edgesOf(one.model).length / 6;
      if (own === 0) continue;
      if (this.count + own > this.most) {
        next = this.standing.length;
        break;
      }
      this.count += own;
      if (this.moving.has(one.part)) this.add([one]);
      else still.push(one);
    }
    if (next < this.standing.length) {
      this.timer = setTimeout(() => this.collect(next, still), 0);
      return;
    }
    if (still.length > 0) this.add(still);
    this.place();
    this.redraw();
  }

  /// One object for parts that keep their places to each other.
  private add(parts: Standing[]): void {
    const total = parts.reduce((sum, { model }) => sum + edgesOf(model).length, 0);
    const ends = new Float32Array(total);
    const point = new Vector3();
    let next = 0;
    const alone = parts.length === 1;
    for (const { part, model } of parts) {
      const matrix = alone ? null : this.frame.place(this.worldFromModel[part], model.packing);
      const own = edgesOf(model);
      for (let i = 0; i < own.length; i += 3, next += 3) {
        point.fromArray(own, i);
        if (matrix) point.applyMatrix4(matrix);
        point.toArray(ends, next);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(ends, 3));
    const line = new LineSegments(geometry, this.material);
    line.frustumCulled = line.matrixAutoUpdate = false;
    // Where the scene's origin was when they were made.
    line.userData.origin = this.frame.origin.clone();
    this.object.add(line);
    this.lines.push({ line, parts });
  }

  /// Puts the edges where the parts stand now.
  place(): void {
    for (const { line, parts } of this.lines) {
      const [{ part, model }] = parts;
      if (parts.length === 1) line.matrix.copy(this.frame.place(this.worldFromModel[part], model.packing));
      else line.matrix.setPosition(this.frame.point(line.userData.origin as Vector3));
      line.matrixWorldNeedsUpdate = true;
    }
  }
}
