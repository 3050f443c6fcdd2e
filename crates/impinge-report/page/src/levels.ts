// How much of a model is drawn, by its size on the screen, so that a picture never has more triangles than the machine can draw.

import { Frustum, Matrix4, type PerspectiveCamera, Vector3 } from "three";

export const FINE = 0;
export const COARSE = 1;
export const BOX = 2;
export const UNSEEN = 3;

/// Buckets of sizes, each twice the one before: bucket 4 is 16 to 32 pixels.
const BUCKETS = 14;
/// Below these many pixels nobody sees more than a stand-in.
const SMALLEST_FINE = 4;
const SMALLEST_COARSE = 2;

export class Levels {
  /// For each part, one of the above.
  readonly level: Uint8Array;
  /// How far each part that is seen is from the eye.
  readonly distance: Float32Array;
  /// Where the eye is, in the parts' frame.
  readonly eye = new Vector3();
  private readonly bucket: Uint8Array;
  private readonly frustum = new Frustum();

  constructor(
    /// Center and radius of each part in the scene.
    private readonly balls: Float32Array,
    private readonly shown: Uint8Array,
    private readonly modelOf: number[],
    /// Triangles of each model at each level.
    private readonly triangles: number[][],
  ) {
    this.level = new Uint8Array(modelOf.length);
    this.distance = new Float32Array(modelOf.length);
    this.bucket = new Uint8Array(modelOf.length);
  }

  /// Chooses the level of each part for a camera, whose matrices are up to date; `budget` is how many triangles may be drawn.
  choose(camera: PerspectiveCamera, sceneFromRoot: Matrix4, height: number, budget: number): void {
    const fine = this.measure(camera, sceneFromRoot, height);
    const coarseFrom = new Float64Array(BUCKETS);
    const boxes = new Float64Array(BUCKETS);
    const { level, bucket, modelOf, triangles } = this;
    for (let part = 0; part < level.length; part++) {
      if (level[part] === UNSEEN) continue;
      coarseFrom[bucket[part]] += triangles[modelOf[part]][COARSE];
      boxes[bucket[part]] += triangles[modelOf[part]][BOX];
    }
    const total = (least: number, boxBelow: number) => {
      let sum = 0;
      for (let i = 0; i < BUCKETS; i++) sum += i < boxBelow ? boxes[i] : i < least ? coarseFrom[i] : fine[i];
      return sum;
    };
    let least = SMALLEST_FINE;
    while (least < BUCKETS && total(least, SMALLEST_COARSE) > budget) least++;
    let boxBelow = SMALLEST_COARSE;
    while (boxBelow < BUCKETS && total(least, boxBelow) > budget) boxBelow++;
    for (let part = 0; part < level.length; part++) {
      if (level[part] === UNSEEN) continue;
      level[part] = bucket[part] < boxBelow ? BOX : bucket[part] < least ? COARSE : FINE;
    }
  }

  /// Finds who is seen, and how large; gives the triangles of each bucket in full.
  private measure(camera: PerspectiveCamera, sceneFromRoot: Matrix4, height: number): Float64Array {
    const { balls, shown, level, bucket, modelOf, triangles, frustum } = this;
    const fine = new Float64Array(BUCKETS);
    const clipFromRoot = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    frustum.setFromProjectionMatrix(clipFromRoot.multiply(sceneFromRoot));
    const eye = this.eye.setFromMatrixPosition(camera.matrixWorld).applyMatrix4(sceneFromRoot.clone().invert());
    const focal = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    const planes = frustum.planes;
    for (let part = 0; part < level.length; part++) {
      level[part] = UNSEEN;
      if (!shown[part]) continue;
      const at = 4 * part;
      const [x, y, z, radius] = [balls[at], balls[at + 1], balls[at + 2], balls[at + 3]];
      let seen = true;
      for (let i = 0; i < 6 && seen; i++) {
        const { normal, constant } = planes[i];
        seen = normal.x * x + normal.y * y + normal.z * z + constant >= -radius;
      }
      if (!seen) continue;
      const distance = Math.hypot(x - eye.x, y - eye.y, z - eye.z);
      this.distance[part] = distance;
      const pixels = distance > radius ? (2 * radius * focal) / distance : Infinity;
      const size = pixels < 1 ? 0 : Math.min(BUCKETS - 1, Math.floor(Math.log2(pixels)));
      bucket[part] = size;
      level[part] = FINE;
      fine[size] += triangles[modelOf[part]][FINE];
    }
    return fine;
  }
}
