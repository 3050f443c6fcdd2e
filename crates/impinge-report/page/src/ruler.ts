// A distance between two points of parts that were clicked.

import { Object3D, type Vector3 } from "three";
import type { Frame } from "./frame";
import { discard, dots, pairsOf, segments } from "./lines";

export class Ruler {
  /// In the world, at most two.
  private points: Vector3[] = [];
  private object: Object3D | null = null;

  /// The next of two points; after two, the first of two others.
  add(point: Vector3): void {
    this.points = this.points.length < 2 ? [...this.points, point] : [point];
  }

  clear(): void {
    this.points = [];
  }

  get distance(): number | null {
    const [first, second] = this.points;
    return second ? first.distanceTo(second) : null;
  }

  /// Draws the points, and the line between them.
  place(parent: Object3D, frame: Frame, color: number): void {
    if (this.object) discard(this.object, () => false);
    this.object = null;
    if (this.points.length === 0) return;
    const at = this.points.map((point) => frame.point(point));
    const colors = at.map(() => color);
    this.object = new Object3D();
    this.object.add(dots(at, colors, 9));
    if (at.length > 1) this.object.add(segments(pairsOf(at, false), { color, width: 2.5, through: true }));
    parent.add(this.object);
  }
}
