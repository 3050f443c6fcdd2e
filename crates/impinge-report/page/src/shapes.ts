// What a model looks like at each level. Coarser forms are made when they are first drawn.

import type { BufferGeometry } from "three";
import { boxGeometry, coarse, MOST_COARSE } from "./coarse";
import { BOX, COARSE, FINE } from "./levels";
import type { Model } from "./models";

/// Models of fewer triangles have no coarser form.
const SMALL = 100;
const BOX_TRIANGLES = 12;

export class Shapes {
  /// How many triangles each level has, or at most has.
  readonly triangles: number[];
  /// Which form is drawn at each level.
  private readonly forms: number[];
  private readonly made: (BufferGeometry | undefined)[] = [];

  constructor(
    private readonly model: Model,
    isCoarsened: boolean,
  ) {
    const count = model.triangleCount;
    const hasBox = isCoarsened && count > BOX_TRIANGLES;
    const hasCoarse = isCoarsened && count > SMALL;
    this.forms = [FINE, hasCoarse ? COARSE : FINE, hasBox ? BOX : FINE];
    this.triangles = [count, hasCoarse ? Math.min(count, MOST_COARSE) : count, hasBox ? BOX_TRIANGLES : count];
  }

  at(level: number): BufferGeometry {
    const form = this.forms[level];
    return (this.made[form] ??= form === FINE ? this.model.geometry : form === BOX ? this.box() : this.coarse());
  }

  /// All levels, for those who must have them beforehand.
  all(): BufferGeometry[] {
    return [FINE, COARSE, BOX].map((level) => this.at(level));
  }

  private box(): BufferGeometry {
    const geometry = boxGeometry(this.model.box);
    geometry.boundingBox = this.model.box;
    return geometry;
  }

  private coarse(): BufferGeometry {
    const geometry = coarse(this.model.geometry, this.model.box);
    // Flat and thin things may lose everything.
    return geometry.index!.count > 0 ? geometry : this.at(BOX);
  }
}
