// Shapes, unpacked once: what is drawn, and which triangles a face is.

import { Box3, BufferAttribute, BufferGeometry, Matrix4, Vector3 } from "three";
import { floats, integers, shorts, type PackedModel, type Point } from "./data";

export class Model {
  /// In packed coordinates: see `Frame.place`.
  readonly geometry = new BufferGeometry();
  readonly packing: { origin: Point; scale: number };
  readonly box = new Box3();
  private readonly faces: Uint32Array | null;

  constructor(packed: PackedModel) {
    const positions = floats(packed.positions.lists[0] ?? "");
    const indices = packed.wide ? integers(packed.indices) : shorts(packed.indices);
    this.packing = { origin: packed.positions.origin, scale: packed.positions.scale };
    this.faces = packed.faces === undefined ? null : integers(packed.faces);
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    this.geometry.setIndex(new BufferAttribute(indices, 1));
    this.box.setFromArray(positions);
    this.geometry.boundingBox = this.box;
    this.geometry.computeBoundingSphere();
  }

  get triangleCount(): number {
    return (this.geometry.index?.count ?? 0) / 3;
  }

  /// The triangles of some faces, for themselves.
  triangles(faces: Uint32Array): BufferGeometry {
    const wanted = new Set(faces);
    const corners = this.geometry.index!.array;
    const points = this.geometry.getAttribute("position").array;
    const own: number[] = [];
    for (let triangle = 0; triangle < corners.length / 3; triangle++) {
      if (!wanted.has(this.faces ? this.faces[triangle] : triangle)) continue;
      for (let corner = 0; corner < 3; corner++) {
        const at = 3 * corners[3 * triangle + corner];
        own.push(points[at], points[at + 1], points[at + 2]);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(own), 3));
    return geometry;
  }

  /// The box in the world, of the box's corners: a little large for a part that is turned.
  worldBox(worldFromModel: Matrix4): Box3 {
    const box = new Box3();
    if (this.box.isEmpty()) return box;
    const { origin, scale } = this.packing;
    const corner = new Vector3();
    for (let i = 0; i < 8; i++) {
      corner.set(
        origin[0] + scale * (i & 1 ? this.box.max.x : this.box.min.x),
        origin[1] + scale * (i & 2 ? this.box.max.y : this.box.min.y),
        origin[2] + scale * (i & 4 ? this.box.max.z : this.box.min.z),
      );
      box.expandByPoint(corner.applyMatrix4(worldFromModel));
    }
    return box;
  }
}
