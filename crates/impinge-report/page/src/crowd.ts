// All parts, drawn with few calls: models that stand in many places as instances, all others together in batches.

import { BatchedMesh, Color, InstancedMesh, Matrix4, Object3D, type Material, type Raycaster } from "three";
import type { Frame } from "./frame";
import type { Model } from "./models";

const HIDDEN = new Matrix4().makeScale(0, 0, 0);
/// From so many places on, a model is drawn as instances.
const MANY = 4;
/// Vertices of a batch: enough for few calls, small enough for a buffer.
const BATCH = 4_000_000;

interface Place {
  mesh: InstancedMesh | BatchedMesh;
  instance: number;
}

export class Crowd {
  readonly object = new Object3D();
  private readonly places: (Place | null)[];
  private readonly meshes: (InstancedMesh | BatchedMesh)[] = [];
  private readonly partsOf = new Map<Object3D, number[]>();
  private readonly absent = new Set<number>();
  private readonly taken = new Set<number>();

  constructor(
    private readonly models: Model[],
    private readonly modelOf: number[],
    private readonly worldFromModel: Matrix4[],
    private readonly frame: Frame,
    material: Material,
  ) {
    this.places = modelOf.map(() => null);
    const partsOfModel = new Map<number, number[]>();
    modelOf.forEach((model, part) => {
      if (model < 0 || models[model].triangleCount === 0) return;
      const parts = partsOfModel.get(model);
      if (parts) parts.push(part);
      else partsOfModel.set(model, [part]);
    });
    let batch: [number, number[]][] = [];
    let vertices = 0;
    for (const [model, parts] of partsOfModel) {
      if (parts.length >= MANY) {
        this.addInstances(model, parts, material);
        continue;
      }
      const count = models[model].geometry.getAttribute("position").count;
      if (vertices + count > BATCH && batch.length > 0) {
        this.addBatch(batch, material);
        [batch, vertices] = [[], 0];
      }
      batch.push([model, parts]);
      vertices += count;
    }
    if (batch.length > 0) this.addBatch(batch, material);
    this.placeAll();
  }

  private add(mesh: InstancedMesh | BatchedMesh, parts: number[]): void {
    // The camera is mostly among the parts, and spheres around all of them are dear to keep.
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.meshes.push(mesh);
    this.partsOf.set(mesh, parts);
    this.object.add(mesh);
  }

  private addInstances(model: number, parts: number[], material: Material): void {
    const mesh = new InstancedMesh(this.models[model].geometry, material, parts.length);
    parts.forEach((part, instance) => (this.places[part] = { mesh, instance }));
    this.add(mesh, parts);
  }

  private addBatch(list: [number, number[]][], material: Material): void {
    let [instances, vertices, indices] = [0, 0, 0];
    for (const [model, parts] of list) {
      const geometry = this.models[model].geometry;
      instances += parts.length;
      vertices += geometry.getAttribute("position").count;
      indices += geometry.index!.count;
    }
    const mesh = new BatchedMesh(instances, vertices, indices, material);
    mesh.sortObjects = false;
    mesh.perObjectFrustumCulled = instances > 50;
    const order: number[] = [];
    for (const [model, parts] of list) {
      const id = mesh.addGeometry(this.models[model].geometry);
      for (const part of parts) {
        const instance = mesh.addInstance(id);
        this.places[part] = { mesh, instance };
        order[instance] = part;
      }
    }
    this.add(mesh, order);
  }

  /// Draws a part where it stands.
  place(part: number): void {
    const place = this.places[part];
    if (!place) return;
    const shown = !this.absent.has(part) && !this.taken.has(part);
    if (place.mesh instanceof BatchedMesh) place.mesh.setVisibleAt(place.instance, shown);
    const model = this.models[this.modelOf[part]];
    const matrix = shown ? this.frame.place(this.worldFromModel[part], model.packing) : HIDDEN;
    place.mesh.setMatrixAt(place.instance, matrix);
    if (place.mesh instanceof InstancedMesh) {
      place.mesh.instanceMatrix.needsUpdate = true;
      // Made anew when something is picked.
      place.mesh.boundingSphere = null;
    }
  }

  placeAll(): void {
    for (let part = 0; part < this.places.length; part++) this.place(part);
  }

  /// Parts that are drawn elsewhere, as highlights.
  take(parts: number[]): void {
    const changed = [...this.taken, ...parts];
    this.taken.clear();
    for (const part of parts) this.taken.add(part);
    for (const part of changed) this.place(part);
  }

  setPresent(part: number, present: boolean): void {
    if (present === !this.absent.has(part)) return;
    if (present) this.absent.delete(part);
    else this.absent.add(part);
  }

  isPresent(part: number): boolean {
    return !this.absent.has(part);
  }

  setColor(part: number, color: Color): void {
    const place = this.places[part];
    if (!place) return;
    place.mesh.setColorAt(place.instance, color);
    if (place.mesh instanceof InstancedMesh && place.mesh.instanceColor) place.mesh.instanceColor.needsUpdate = true;
  }

  setMaterial(material: Material): void {
    for (const mesh of this.meshes) mesh.material = material;
  }

  /// The nearest part under the ray.
  pick(raycaster: Raycaster): { part: number; distance: number } | null {
    const [hit] = raycaster.intersectObjects(this.meshes, false);
    if (!hit) return null;
    const instance = hit.instanceId ?? hit.batchId ?? 0;
    return { part: this.partsOf.get(hit.object)![instance], distance: hit.distance };
  }
}
