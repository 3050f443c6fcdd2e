// All parts: where they are in the scene, which are shown, and how finely.

import { type Color, type Intersection, type Material, type Matrix4, Mesh, Object3D } from "three";
import { type PerspectiveCamera, type Raycaster, Sphere, Vector3 } from "three";
import { CardDrawer, type Drawer, SoftwareDrawer } from "./drawers";
import type { Frame } from "./frame";
import { Levels, UNSEEN } from "./levels";
import type { Model } from "./models";
import { Shapes } from "./shapes";

/// Triangles that a picture may have, with a graphics card and without.
const BUDGET = 3_000_000;
const SOFTWARE_BUDGET = 150_000;
/// The share of them that a picture may have while it moves.
const HASTE = 0.25;

export class Crowd {
  readonly object = new Object3D();
  private readonly matrices: Float32Array;
  private readonly colors: Float32Array;
  /// Center and radius of each part.
  private readonly balls: Float32Array;
  private readonly shown: Uint8Array;
  private readonly levels: Levels;
  private readonly shapes: Shapes[];
  private readonly drawer: Drawer;
  private readonly budget: number;
  private readonly absent = new Set<number>();
  private readonly taken = new Set<number>();
  private readonly hidden = new Set<number>();

  constructor(
    private readonly models: Model[],
    private readonly modelOf: number[],
    private readonly worldFromModel: Matrix4[],
    private readonly frame: Frame,
    material: Material,
    software: boolean,
  ) {
    const count = modelOf.length;
    this.matrices = new Float32Array(16 * count);
    this.colors = new Float32Array(3 * count).fill(1);
    this.balls = new Float32Array(4 * count);
    this.shown = new Uint8Array(count);
    const drawn = [...modelOf.keys()].filter((part) => this.isDrawn(part));
    const total = drawn.reduce((sum, part) => sum + models[modelOf[part]].triangleCount, 0);
    this.budget = software ? SOFTWARE_BUDGET : BUDGET;
    // A scene that can be drawn whole is never coarsened.
    this.shapes = models.map((model) => new Shapes(model, total > this.budget));
    const triangles = this.shapes.map((shapes) => shapes.triangles);
    this.levels = new Levels(this.balls, this.shown, modelOf, triangles);
    const parts = { modelOf, shapes: this.shapes, matrices: this.matrices, colors: this.colors };
    this.drawer = software
      ? new SoftwareDrawer(parts, this.object, material)
      : new CardDrawer(parts, drawn, this.object, material);
    this.placeAll();
  }

  private isDrawn(part: number): boolean {
    const model = this.modelOf[part];
    return model >= 0 && this.models[model].triangleCount > 0;
  }

  /// All parts that have a shape, the largest first.
  largestFirst(): { part: number; model: Model }[] {
    const drawn = [...this.modelOf.keys()].filter((part) => this.isDrawn(part));
    drawn.sort((one, other) => this.balls[4 * other + 3] - this.balls[4 * one + 3]);
    return drawn.map((part) => ({ part, model: this.models[this.modelOf[part]] }));
  }

  /// Draws a part where it stands.
  place(part: number): void {
    if (!this.isDrawn(part)) return;
    this.shown[part] = Number(this.isPresent(part) && !this.taken.has(part));
    const model = this.models[this.modelOf[part]];
    const matrix = this.frame.place(this.worldFromModel[part], model.packing);
    this.matrices.set(matrix.elements, 16 * part);
    const { center, radius } = sphere.copy(model.sphere).applyMatrix4(matrix);
    this.balls.set([center.x, center.y, center.z, radius], 4 * part);
    this.drawer.place(part, matrix);
  }

  placeAll(): void {
    for (let part = 0; part < this.modelOf.length; part++) this.place(part);
  }

  /// Chooses what is drawn for a camera; with `hasty` less, because the next picture is soon to come.
  prepare(camera: PerspectiveCamera, height: number, hasty: boolean): void {
    this.object.updateWorldMatrix(true, false);
    this.levels.choose(camera, this.object.matrixWorld, height, hasty ? HASTE * this.budget : this.budget);
    this.drawer.show(this.levels);
  }

  /// Parts that are drawn elsewhere, as highlights.
  take(parts: number[]): void {
    const changed = [...this.taken, ...parts];
    this.taken.clear();
    for (const part of parts) this.taken.add(part);
    for (const part of changed) this.place(part);
  }

  setPresent(part: number, present: boolean): void {
    if (present) this.absent.delete(part);
    else this.absent.add(part);
  }

  isPresent(part: number): boolean {
    return !this.absent.has(part) && !this.hidden.has(part);
  }

  /// Draws only some parts, whatever else comes and goes.
  hide(parts: Iterable<number>): void {
    this.hidden.clear();
    for (const part of parts) this.hidden.add(part);
    this.placeAll();
  }

  setColor(part: number, color: Color): void {
    if (!this.isDrawn(part)) return;
    color.toArray(this.colors, 3 * part);
    this.drawer.paint(part, color);
  }

  setMaterial(material: Material): void {
    for (const mesh of this.object.children as Mesh[]) mesh.material = material;
  }

  /// The nearest part under a ray, by all of its triangles, and where the ray meets it. Places that `isCut` are not there. With `all`,
  /// parts that are highlighted count as well.
  pick(raycaster: Raycaster, isCut: (at: Vector3) => boolean, all = false): { part: number; at: Vector3 } | null {
    const ray = raycaster.ray.clone().applyMatrix4(this.object.matrixWorld.clone().invert());
    const near: { part: number; from: number }[] = [];
    const center = new Vector3();
    for (let part = 0; part < this.modelOf.length; part++) {
      if (!this.shown[part] && !(all && this.taken.has(part) && this.isPresent(part))) continue;
      const radius = this.balls[4 * part + 3];
      center.fromArray(this.balls, 4 * part);
      if (ray.distanceSqToPoint(center) > radius * radius) continue;
      near.push({ part, from: center.distanceTo(ray.origin) - radius });
    }
    near.sort((one, other) => one.from - other.from);
    let best: { part: number; at: Vector3; distance: number } | null = null;
    const mesh = new Mesh();
    (mesh.material as Material).side = 2;
    for (const { part, from } of near) {
      if (best && from > best.distance) break;
      mesh.geometry = this.models[this.modelOf[part]].geometry;
      mesh.matrixWorld.fromArray(this.matrices, 16 * part).premultiply(this.object.matrixWorld);
      const hits: Intersection[] = [];
      mesh.raycast(raycaster, hits);
      for (const { distance, point } of hits)
        if ((!best || distance < best.distance) && !isCut(point)) best = { part, at: point, distance };
    }
    return best;
  }

  get drawnTriangles(): number {
    let sum = 0;
    this.levels.level.forEach((level, part) => {
      if (level !== UNSEEN) sum += this.shapes[this.modelOf[part]].at(level).index!.count / 3;
    });
    return sum;
  }
}

const sphere = new Sphere();
