// How far the scene reaches in the world, and where parts move in it.

import { Box3, type Euler, type Matrix4, Vector3 } from "three";
import type { Ball } from "./film";
import type { Frame } from "./frame";
import type { Model } from "./models";
import type { Track } from "./motion";

export class Extent {
  readonly world = new Box3();
  /// Where parts move.
  readonly action = new Box3();

  constructor(
    private readonly models: Model[],
    private readonly modelOf: number[],
    private readonly worldFromModel: Matrix4[],
    tracks: Track[],
  ) {
    for (const part of modelOf.keys()) this.world.union(this.partBox(part));
    // There is room for all places where a part comes by.
    for (const track of tracks) {
      const model = modelOf[track.part];
      if (model >= 0) for (const matrix of track.some(24)) this.action.union(models[model].worldBox(matrix));
    }
    this.world.union(this.action);
  }

  /// The box of a part where it stands now.
  readonly partBox = (part: number): Box3 => {
    const model = this.modelOf[part];
    return model >= 0 ? this.models[model].worldBox(this.worldFromModel[part]) : new Box3();
  };

  /// The middle of a part, in the scene.
  middle(part: number, frame: Frame, turn: Euler): Vector3 {
    const box = this.partBox(part);
    const middle = box.isEmpty() ? new Vector3() : frame.point(box.min).lerp(frame.point(box.max), 0.5);
    return middle.applyEuler(turn);
  }
}

/// The ball around a box, in the scene.
export function ballAround(box: Box3, frame: Frame, turn: Euler): Ball {
  if (box.isEmpty()) return { center: new Vector3(), radius: 1 };
  const [low, high] = [frame.point(box.min), frame.point(box.max)];
  return { center: low.clone().lerp(high, 0.5).applyEuler(turn), radius: high.distanceTo(low) / 2 };
}
