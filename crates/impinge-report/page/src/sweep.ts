// A motion that was swept: the way that was asked for as ghosts of the moving part, and an arrow at each contact.

import { Color, type Euler, InstancedMesh, type Matrix4, Object3D, Vector3 } from "three";
import type { Palette } from "./colors";
import { matrices, type Report } from "./data";
import type { Frame } from "./frame";
import { ghostMaterial } from "./ghost";
import { arrow, discard, dots } from "./lines";
import type { Model } from "./models";

/// More ghosts than these would be a fog.
const MOST_GHOSTS = 24;

export class SweepWay {
  readonly object = new Object3D();
  private readonly path: Matrix4[];

  constructor(
    private readonly sweep: NonNullable<Report["sweep"]>,
    private readonly model: Model | null,
    private readonly frame: Frame,
    palette: Palette,
  ) {
    this.path = matrices(sweep.path).filter((pose) => pose !== null);
    if (model) this.addGhosts(model, palette);
    this.addContacts(palette);
  }

  /// Blue as far as it got, gray beyond.
  private addGhosts(model: Model, palette: Palette): void {
    const last = this.path.length - 1;
    const count = Math.min(this.path.length, MOST_GHOSTS);
    const mesh = new InstancedMesh(model.geometry, ghostMaterial(true), count);
    const [reached, beyond] = [new Color(palette.a), new Color(palette.ghost)];
    for (let i = 0; i < count; i++) {
      const pose = count > 1 ? Math.round((i * last) / (count - 1)) : 0;
      mesh.setMatrixAt(i, this.frame.place(this.path[pose], model.packing));
      mesh.setColorAt(i, pose <= this.sweep.fraction * last ? reached : beyond);
    }
    mesh.frustumCulled = false;
    this.object.add(mesh);
  }

  /// The arrows point from the moving part to the other one.
  private addContacts(palette: Palette): void {
    const { contacts } = this.sweep;
    if (contacts.length === 0) return;
    const length = 0.3 * this.size();
    const at = contacts.map(({ point }) => this.frame.point(point));
    contacts.forEach(({ normal }, i) => {
      const direction = new Vector3(...normal).normalize();
      const tail = at[i].clone().addScaledVector(direction, -length);
      this.object.add(arrow(tail, direction, length, palette.contactA));
    });
    this.object.add(
      dots(
        at,
        at.map(() => palette.contactA),
        8,
      ),
    );
  }

  /// About how large the moving part is in the scene.
  private size(): number {
    const [start] = this.path;
    if (!this.model || !start) return 0.5;
    const box = this.model.worldBox(start);
    return box.isEmpty() ? 0.5 : this.frame.point(box.min).distanceTo(this.frame.point(box.max));
  }

  /// A direction from which the whole way is seen, a little from above and behind, once the world is turned upright; null where
  /// it does not lead anywhere.
  side(rotation: Euler): Vector3 | null {
    const [start, end] = [this.path[0], this.path[this.path.length - 1]];
    if (!this.model || !start || !end) return null;
    const middle = (pose: Matrix4) => this.frame.point(this.model!.worldBox(pose).getCenter(new Vector3()));
    const way = middle(end).sub(middle(start)).applyEuler(rotation);
    if (!(way.lengthSq() > 1e-12)) return null;
    const up = new Vector3(0, 1, 0);
    const side = way.normalize().clone().cross(up);
    if (side.lengthSq() < 1e-6) side.set(0, 0, 1);
    return side.normalize().addScaledVector(up, 0.35).addScaledVector(way, -0.45);
  }

  discard(): void {
    discard(this.object, (geometry) => geometry === this.model?.geometry);
  }
}
