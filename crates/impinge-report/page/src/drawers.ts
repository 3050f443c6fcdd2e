// Two ways to draw very many parts with few calls.

import {
  BatchedMesh,
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
} from "three";
import { InstancedMesh, type Material, Matrix4, Mesh, type Object3D, Vector3 } from "three";
import { hiddenSquares } from "./coarse";
import { lampMaterial } from "./film";
import { BOX, FINE, type Levels, UNSEEN } from "./levels";
import type { Shapes } from "./shapes";

export interface Parts {
  modelOf: number[];
  /// What each model looks like.
  shapes: Shapes[];
  /// In the scene: 16 numbers a part, and 3 for its color.
  matrices: Float32Array;
  colors: Float32Array;
}

export interface Drawer {
  /// Takes notice of a part's new matrix or color.
  place(part: number, matrix: Matrix4): void;
  paint(part: number, color: Color): void;
  /// Draws each part at its level.
  show(levels: Levels): void;
}

function add(parent: Object3D, mesh: Mesh): void {
  // Who is seen is chosen part by part.
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  // Where the light casts shadows, as in films.
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.customDepthMaterial = lampMaterial;
  parent.add(mesh);
}

/// From so many places on, a model is drawn as instances.
const MANY = 4;
/// Vertices of a batch: enough for few calls, small enough for a buffer.
const BATCH = 4_000_000;

interface Instances {
  parts: number[];
  /// By level.
  meshes: InstancedMesh[];
}

interface Batch {
  mesh: BatchedMesh;
  /// The part of each instance, and the geometries of its model by level.
  parts: number[];
  geometries: number[][];
}

/// For graphics cards: models that stand in many places as instances, all others together in batches.
export class CardDrawer implements Drawer {
  private readonly instances: Instances[] = [];
  private readonly batches: Batch[] = [];
  private readonly batchOf: ({ batch: Batch; instance: number } | null)[];

  constructor(
    private readonly parts: Parts,
    drawn: number[],
    private readonly parent: Object3D,
    material: Material,
  ) {
    this.batchOf = parts.modelOf.map(() => null);
    const partsOf = new Map<number, number[]>();
    for (const part of drawn) {
      const model = parts.modelOf[part];
      const list = partsOf.get(model);
      if (list) list.push(part);
      else partsOf.set(model, [part]);
    }
    let list: [number, number[]][] = [];
    let vertices = 0;
    for (const [model, places] of partsOf) {
      if (places.length >= MANY) {
        this.addInstances(model, places, material);
        continue;
      }
      const count = parts.shapes[model].at(FINE).getAttribute("position").count;
      if (vertices + count > BATCH && list.length > 0) {
        this.addBatch(list, material);
        [list, vertices] = [[], 0];
      }
      list.push([model, places]);
      vertices += count;
    }
    if (list.length > 0) this.addBatch(list, material);
  }

  private addInstances(model: number, parts: number[], material: Material): void {
    const shapes = this.parts.shapes[model].all();
    const meshes = [...new Set(shapes)].map((shape) => {
      const mesh = new InstancedMesh(shape, material, parts.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * parts.length), 3);
      add(this.parent, mesh);
      return mesh;
    });
    // Levels that look the same are one mesh.
    this.instances.push({ parts, meshes: shapes.map((shape) => meshes.find((mesh) => mesh.geometry === shape)!) });
  }

  private addBatch(list: [number, number[]][], material: Material): void {
    let [instances, vertices, indices] = [0, 0, 0];
    for (const [model, parts] of list) {
      instances += parts.length;
      for (const shape of new Set(this.parts.shapes[model].all())) {
        vertices += shape.getAttribute("position").count;
        indices += shape.index!.count;
      }
    }
    const mesh = new BatchedMesh(instances, vertices, indices, material);
    mesh.sortObjects = false;
    mesh.perObjectFrustumCulled = false;
    const batch: Batch = { mesh, parts: [], geometries: [] };
    for (const [model, parts] of list) {
      const shapes = this.parts.shapes[model].all();
      const ids = new Map([...new Set(shapes)].map((shape) => [shape, mesh.addGeometry(shape)]));
      const geometries = shapes.map((shape) => ids.get(shape)!);
      for (const part of parts) {
        const instance = mesh.addInstance(geometries[FINE]);
        this.batchOf[part] = { batch, instance };
        batch.parts[instance] = part;
        batch.geometries[instance] = geometries;
      }
    }
    this.batches.push(batch);
    add(this.parent, mesh);
  }

  place(part: number, matrix: Matrix4): void {
    const place = this.batchOf[part];
    if (place) place.batch.mesh.setMatrixAt(place.instance, matrix);
  }

  paint(part: number, color: Color): void {
    const place = this.batchOf[part];
    if (place) place.batch.mesh.setColorAt(place.instance, color);
  }

  show({ level: levels }: Levels): void {
    for (const group of this.instances) this.fill(group, levels);
    for (const { mesh, parts, geometries } of this.batches) {
      parts.forEach((part, instance) => {
        const level = levels[part];
        mesh.setVisibleAt(instance, level !== UNSEEN);
        if (level !== UNSEEN) mesh.setGeometryIdAt(instance, geometries[instance][level]);
      });
    }
  }

  private fill({ parts, meshes }: Instances, levels: Uint8Array): void {
    for (const mesh of meshes) mesh.count = 0;
    for (const part of parts) {
      const level = levels[part];
      if (level === UNSEEN) continue;
      const mesh = meshes[level];
      mesh.instanceMatrix.array.set(this.parts.matrices.subarray(16 * part, 16 * part + 16), 16 * mesh.count);
      mesh.instanceColor!.array.set(this.parts.colors.subarray(3 * part, 3 * part + 3), 3 * mesh.count);
      mesh.count++;
    }
    for (const mesh of meshes) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }
}

/// Without a graphics card, where every instance costs as much as a call: all that is seen as one mesh, made anew for each
/// picture. The pictures are small enough for that.
export class SoftwareDrawer implements Drawer {
  private readonly mesh: Mesh;

  constructor(
    private readonly parts: Parts,
    parent: Object3D,
    material: Material,
  ) {
    material.vertexColors = true;
    this.mesh = new Mesh(new BufferGeometry(), material);
    add(parent, this.mesh);
  }

  place(): void {}

  paint(): void {}

  show({ level: levels, distance, eye }: Levels): void {
    const { modelOf, shapes, matrices, colors } = this.parts;
    const seen: number[] = [];
    for (let part = 0; part < levels.length; part++) if (levels[part] !== UNSEEN) seen.push(part);
    // From front to back: what is hidden is not painted.
    seen.sort((one, other) => distance[one] - distance[other]);
    let [vertices, indices] = [0, 0];
    for (const part of seen) {
      const shape = shapes[modelOf[part]].at(levels[part]);
      vertices += shape.getAttribute("position").count;
      indices += shape.index!.count;
    }
    const geometry = this.fit(vertices, indices);
    const at = geometry.getAttribute("position").array as Float32Array;
    const tint = geometry.getAttribute("color").array as Float32Array;
    const order = geometry.index!.array as Uint32Array;
    const [local, inverse] = [new Vector3(), new Matrix4()];
    let [vertex, index] = [0, 0];
    for (const part of seen) {
      const shape = shapes[modelOf[part]].at(levels[part]);
      const from = shape.getAttribute("position").array;
      const corners = shape.index!.array;
      const m = matrices.subarray(16 * part, 16 * part + 16);
      const [red, green, blue] = [colors[3 * part], colors[3 * part + 1], colors[3 * part + 2]];
      if (levels[part] === BOX && shape.boundingBox) {
        const hidden = hiddenSquares(shape.boundingBox, local.copy(eye).applyMatrix4(inverse.fromArray(m).invert()));
        for (let i = 0; i < 36; i++) if (!hidden[Math.floor(i / 6)]) order[index++] = vertex + corners[i];
      } else {
        for (let i = 0; i < corners.length; i++) order[index++] = vertex + corners[i];
      }
      for (let i = 0; i < from.length; i += 3) {
        const [x, y, z] = [from[i], from[i + 1], from[i + 2]];
        const to = 3 * vertex++;
        at[to] = m[0] * x + m[4] * y + m[8] * z + m[12];
        at[to + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
        at[to + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
        tint[to] = red;
        tint[to + 1] = green;
        tint[to + 2] = blue;
      }
    }
    for (const attribute of [geometry.getAttribute("position"), geometry.getAttribute("color"), geometry.index!])
      attribute.needsUpdate = true;
    geometry.setDrawRange(0, index);
    this.mesh.visible = index > 0;
  }

  /// The mesh's geometry, large enough.
  private fit(vertices: number, indices: number): BufferGeometry {
    const old = this.mesh.geometry;
    const room = old.index ? [old.getAttribute("position").count, old.index.count] : [0, 0];
    if (room[0] >= vertices && room[1] >= indices && old.index) return old;
    old.dispose();
    const geometry = new BufferGeometry();
    const points = () =>
      new BufferAttribute(new Float32Array(3 * Math.ceil(1.2 * vertices)), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", points());
    geometry.setAttribute("color", points());
    geometry.setIndex(new BufferAttribute(new Uint32Array(Math.ceil(1.2 * indices)), 1).setUsage(DynamicDrawUsage));
    this.mesh.geometry = geometry;
    return geometry;
  }
}
