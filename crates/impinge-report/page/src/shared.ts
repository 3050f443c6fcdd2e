// What two parts share: a solid in a strong color, seen through the two parts; where the report has no surface of it, its box.

import { DoubleSide, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, type Object3D, Vector3 } from "three";
import type { Palette } from "./colors";
import type { PackedClash, Point } from "./data";
import type { Frame } from "./frame";
import { segments } from "./lines";
import { Model } from "./models";

/// The surface of what is shared, or a box around it.
export interface SharedVolume {
  surface: NonNullable<PackedClash["shared"]> | null;
  box: [Point, Point] | null;
}

/// What a clash has to draw of it; null where it has nothing.
export function sharedOf(clash: PackedClash): SharedVolume | null {
  const [surface, box] = [clash.shared ?? null, clash.shared_box ?? null];
  return surface || box ? { surface, box } : null;
}

/// Adds it to what is drawn with the parts, and to what is drawn over everything. Gives how many triangles the solid has.
export function addShared(
  shared: SharedVolume,
  frame: Frame,
  palette: Palette,
  solid: Object3D,
  overlay: Object3D,
): number {
  if (!shared.surface) {
    if (shared.box) addBox(shared.box, frame, palette, solid, overlay);
    return 0;
  }
  const model = new Model(shared.surface.shape);
  const matrix = frame.place(new Matrix4().makeTranslation(...shared.surface.at), model.packing);
  const body = new MeshLambertMaterial({
    color: palette.shared,
    emissive: palette.shared,
    emissiveIntensity: 0.25,
    flatShading: true,
    side: DoubleSide,
  });
  // An overlap as thin as a hair is seen from the side, too.
  const veil = new MeshBasicMaterial({ color: palette.shared, transparent: true, opacity: 0.25, depthTest: false });
  for (const [parent, material] of [[solid, body], [overlay, veil]] as const) {
    const mesh = new Mesh(model.geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrix);
    mesh.frustumCulled = false;
    parent.add(mesh);
  }
  return model.triangleCount;
}

/// The edges of a box.
function addBox(box: [Point, Point], frame: Frame, palette: Palette, solid: Object3D, overlay: Object3D): void {
  const corner = (i: number) => frame.point(new Vector3(box[i & 1][0], box[(i >> 1) & 1][1], box[(i >> 2) & 1][2]));
  const pairs: Vector3[] = [];
  for (let from = 0; from < 8; from++)
    for (const axis of [1, 2, 4]) if (!(from & axis)) pairs.push(corner(from), corner(from | axis));
  solid.add(segments(pairs, { color: palette.shared, width: 2.5 }));
  overlay.add(segments(pairs, { color: palette.shared, width: 1.5, opacity: 0.5, through: true }));
}
