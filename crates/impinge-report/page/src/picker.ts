// What is under a place of the canvas.

import { type PerspectiveCamera, Raycaster, Vector2, type Vector3 } from "three";
import type { Crowd } from "./crowd";
import type { Point } from "./data";
import type { Frame } from "./frame";
import type { Marks } from "./marks";
import type { Cut } from "./section";
import type { Stage } from "./stage";

export class Picker {
  constructor(
    private readonly host: HTMLElement,
    private readonly camera: PerspectiveCamera,
    private readonly stage: Stage,
    private readonly frame: Frame,
    private readonly crowd: Crowd,
    private readonly marks: Marks,
    private readonly cut: Cut,
  ) {}

  private rayAt(x: number, y: number): Raycaster {
    const { clientWidth: width, clientHeight: height } = this.host;
    const raycaster = new Raycaster();
    raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return raycaster;
  }

  /// The point of a part, in the world; parts that are highlighted count.
  pointAt(x: number, y: number): Vector3 | null {
    const hit = this.crowd.pick(this.rayAt(x, y), (at) => this.cut.has(at), true);
    const upright = this.stage.solidRoot.quaternion.clone().invert();
    return hit && this.frame.world(hit.at.applyQuaternion(upright));
  }

  /// A mark or a part.
  pick(x: number, y: number): { mark: Point } | { part: number } | null {
    const { clientWidth: width, clientHeight: height } = this.host;
    const mark = this.marks.at(x, y, { width, height }, this.stage.rotation, this.camera);
    if (mark) return { mark };
    const hit = this.crowd.pick(this.rayAt(x, y), (at) => this.cut.has(at));
    return hit && { part: hit.part };
  }
}
