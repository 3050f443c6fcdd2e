// From the world to the scene. The scene is what the graphics card computes with, in f32: about 2 units across, and around what
// is being looked at, so that parts of any size and anywhere keep their digits. All of this is f64.

import { Box3, Matrix4, Vector3 } from "three";
import type { Point } from "./data";

export class Frame {
  readonly origin = new Vector3();
  scale = 1;

  /// Makes the box's middle the origin, and its size about 2.
  fit(box: Box3): void {
    if (box.isEmpty()) return;
    // Halved first: the sum of two large numbers may be too large.
    this.origin.copy(box.min).multiplyScalar(0.5).addScaledVector(box.max, 0.5);
    const half = Math.max(box.max.x / 2 - box.min.x / 2, box.max.y / 2 - box.min.y / 2, box.max.z / 2 - box.min.z / 2);
    this.scale = half > 0 ? 1 / half : 1;
    if (!Number.isFinite(this.scale)) this.scale = Number.MAX_VALUE;
  }

  point(world: Point | Vector3): Vector3 {
    const [x, y, z] = world instanceof Vector3 ? [world.x, world.y, world.z] : world;
    const { origin, scale } = this;
    return new Vector3((x - origin.x) * scale, (y - origin.y) * scale, (z - origin.z) * scale);
  }

  world(scene: Vector3): Vector3 {
    return scene.clone().divideScalar(this.scale).add(this.origin);
  }

  /// The scene's matrix of a part whose vertices are packed.
  place(worldFromModel: Matrix4, modelFromPacked: { origin: Point; scale: number }): Matrix4 {
    const { origin, scale } = modelFromPacked;
    const m = worldFromModel.elements;
    const result = new Matrix4();
    const r = result.elements;
    const s = this.scale;
    for (let column = 0; column < 3; column++)
      for (let row = 0; row < 3; row++) r[4 * column + row] = m[4 * column + row] * scale * s;
    const center = [this.origin.x, this.origin.y, this.origin.z];
    for (let row = 0; row < 3; row++) {
      const moved = m[row] * origin[0] + m[4 + row] * origin[1] + m[8 + row] * origin[2];
      r[12 + row] = (moved + m[12 + row] - center[row]) * s;
    }
    return result;
  }
}
