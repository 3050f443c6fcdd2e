// Dots where clashes are, to be seen from afar.

import type { Camera, Euler, Object3D, Points } from "three";
import type { Palette } from "./colors";
import type { PackedClash, Point } from "./data";
import type { Frame } from "./frame";
import { discard, dots } from "./lines";

/// Of more dots than these only those in front are drawn: all of them would cover everything.
const CROWDED = 300;
/// A click hits a dot that is no more pixels away.
const HIT = 10;

export class Marks {
  private points: Points | null = null;
  private list: { point: Point; color: number }[] = [];

  constructor(
    private readonly parent: Object3D,
    private readonly frame: Frame,
  ) {}

  set(clashes: PackedClash[], palette: Palette): void {
    this.list = clashes
      .filter((clash) => clash.point)
      .map((clash) => ({ point: clash.point!, color: palette.verdicts[clash.verdict] }));
  }

  /// Draws them where the scene's origin is now, or takes them away.
  place(shown: boolean): void {
    if (this.points) discard(this.points, () => false);
    this.points = null;
    if (!shown || this.list.length === 0) return;
    const at = this.list.map(({ point }) => this.frame.point(point));
    const isCrowded = at.length > CROWDED;
    const colors = this.list.map(({ color }) => color);
    this.points = dots(at, colors, isCrowded ? 6 : 8, !isCrowded);
    this.parent.add(this.points);
  }

  /// The nearest dot under a place of the canvas.
  at(x: number, y: number, size: { width: number; height: number }, turn: Euler, camera: Camera): Point | null {
    if (!this.points) return null;
    let [best, nearest]: [Point | null, number] = [null, HIT];
    for (const { point } of this.list) {
      const at = this.frame.point(point).applyEuler(turn).project(camera);
      const away = Math.hypot(((at.x + 1) / 2) * size.width - x, ((1 - at.y) / 2) * size.height - y);
      if (at.z < 1 && away < nearest) [best, nearest] = [point, away];
    }
    return best;
  }
}
