// Shapes, unpacked once: what is drawn, and which triangles a face is.

import { Box3, BufferAttribute, BufferGeometry, Matrix4, Sphere, Vector3 } from "three";
import { coordinates, integers, type PackedModel, type Point } from "./data";

export class Model {
  readonly packing: { origin: Point; scale: number };
  /// In packed coordinates, as all of it: see `Frame.place`.
  readonly box: Box3;
  readonly sphere: Sphere;
  readonly triangleCount: number;
  private made: BufferGeometry | null = null;

  constructor(private readonly packed: PackedModel) {
    const half = new Vector3(...packed.half);
    this.packing = { origin: packed.origin, scale: packed.scale };
    this.box = packed.positions ? new Box3(half.clone().negate(), half) : new Box3();
    this.sphere = new Sphere(new Vector3(), packed.radius);
    this.triangleCount = packed.triangles;
  }

  /// Unpacked when it is first drawn: of very many models, most are seen from afar.
  get geometry(): BufferGeometry {
    return (this.made ??= this.unpack());
  }

  private unpack(): BufferGeometry {
    const { packed } = this;
    const positions = coordinates(packed.positions);
    const corners = integers(packed.indices, 3 * packed.triangles);
    const indices = positions.length > 3 << 16 ? corners : new Uint16Array(corners);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.boundingBox = this.box;
    geometry.boundingSphere = this.sphere;
    return geometry;
  }

  /// The triangles of some faces, for themselves.
  triangles(faces: Uint32Array): BufferGeometry {
    const wanted = new Set(faces);
    const faceOf = this.packed.faces === undefined ? null : integers(this.packed.faces, this.packed.triangles);
    const corners = this.geometry.index!.array;
    const points = this.geometry.getAttribute("position").array;
    const own: number[] = [];
    for (let triangle = 0; triangle < corners.length / 3; triangle++) {
      if (!wanted.has(faceOf ? faceOf[triangle] : triangle)) continue;
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
