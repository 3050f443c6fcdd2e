// What one clash looks like: its two parts in two colors, the faces that meet, the curve along which they cross, the closest
// points.

import { Box3, BufferAttribute, BufferGeometry, DoubleSide, FrontSide, LineBasicMaterial, LineSegments, Matrix4 } from "three";
import { Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D } from "three";
import type { Palette } from "./colors";
import { hatchOutside } from "./contact";
import type { Meeting, Point } from "./data";
import { edgesOf } from "./edges";
import type { Frame } from "./frame";
import { discard, dots, pairsOf, segments } from "./lines";
import type { Model } from "./models";
import { addShared, type SharedVolume } from "./shared";

export interface Subject {
  part: number;
  model: Model | null;
  color: number;
  contactColor: number;
  faces: Uint32Array;
}

const lines = new WeakMap<Model, BufferGeometry>();

function linesOf(model: Model): BufferGeometry {
  let found = lines.get(model);
  if (!found) {
    found = new BufferGeometry();
    found.setAttribute("position", new BufferAttribute(edgesOf(model), 3));
    lines.set(model, found);
  }
  return found;
}

/// The parts of a clash, each with its colors and the faces that meet the other.
export function subjectsOf(
  parts: number[],
  modelOf: (part: number) => Model | null,
  meeting: Meeting | null,
  palette: Palette,
): Subject[] {
  return parts.map((part, index) => ({
    part,
    model: modelOf(part),
    color: index === 0 ? palette.a : palette.b,
    contactColor: index === 0 ? palette.contactA : palette.contactB,
    faces: (index === 0 ? meeting?.facesA : meeting?.facesB) ?? new Uint32Array(),
  }));
}

export class Highlight {
  /// Drawn like other parts, before the ghosts.
  readonly solid = new Object3D();
  /// Drawn over everything.
  readonly overlay = new Object3D();
  /// For tests: how many triangles of each part are contact surface, and how many points the curve has.
  readonly contactTriangles: number[] = [];
  curvePoints = 0;
  /// How many triangles the solid of what both share has, and whether a box stands for it.
  sharedTriangles = 0;
  sharedBox = false;
  private readonly moving: { object: Object3D; part: number; model: Model }[] = [];
  private readonly shared = new Set<BufferGeometry>();
  /// The box around where they meet, in the scene.
  private readonly where: Box3 | null;

  constructor(
    readonly subjects: Subject[],
    meeting: Meeting | null,
    box: [Point, Point] | null,
    private readonly frame: Frame,
    private readonly worldFromModel: Matrix4[],
    palette: Palette,
    xray: boolean,
    shared: SharedVolume | null,
  ) {
    const isSolid = shared?.surface != null;
    this.where = box && new Box3(frame.point(box[0]), frame.point(box[1]));
    subjects.forEach((subject, index) => {
      if (!subject.model) return;
      // What contains the other would hide it.
      const contains = meeting?.contained != null && meeting.contained !== (index === 0 ? "a" : "b");
      this.addPart(subject, subject.model, palette, xray || contains || isSolid);
      // Whole faces would hide what they bound.
      if (subject.faces.length > 0 && !isSolid) this.addContact(subject, subject.model);
      else this.contactTriangles.push(0);
    });
    if (shared) {
      this.sharedTriangles = addShared(shared, frame, palette, this.solid, this.overlay);
      this.sharedBox = !isSolid && shared.box !== null;
    }
    if (meeting) {
      this.addCurve(meeting, palette);
      this.addClosest(meeting, palette);
    }
    this.place();
  }

  private add(parent: Object3D, object: Object3D, subject: Subject, model: Model): void {
    object.matrixAutoUpdate = false;
    object.frustumCulled = false;
    parent.add(object);
    this.moving.push({ object, part: subject.part, model });
  }

  private addPart(subject: Subject, model: Model, palette: Palette, translucent: boolean): void {
    this.shared.add(model.geometry);
    const material = new MeshLambertMaterial({
      color: subject.color,
      flatShading: true,
      side: DoubleSide,
      transparent: translucent,
      opacity: translucent ? 0.3 : 1,
      depthWrite: !translucent,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const mesh = new Mesh(model.geometry, material);
    mesh.renderOrder = translucent ? 2 : 0;
    this.add(this.solid, mesh, subject, model);
    const geometry = linesOf(model);
    if (geometry.getAttribute("position").count === 0) return;
    this.shared.add(geometry);
    const ink = new LineBasicMaterial({ color: palette.edge, transparent: true, opacity: translucent ? 0.55 : 0.4 });
    this.add(this.solid, new LineSegments(geometry, ink), subject, model);
  }

  private addContact(subject: Subject, model: Model): void {
    const geometry = model.triangles(subject.faces);
    this.contactTriangles.push(geometry.getAttribute("position").count / 3);
    const material = new MeshLambertMaterial({
      color: subject.contactColor,
      flatShading: true,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    });
    const surface = new Mesh(geometry, material);
    if (this.where) hatchOutside(surface, this.where, subject.color);
    this.add(this.solid, surface, subject, model);
    const veil = new MeshBasicMaterial({
      color: subject.contactColor,
      transparent: true,
      opacity: 0.14,
      depthTest: false,
      side: FrontSide,
    });
    const seenThrough = new Mesh(geometry, veil);
    if (this.where) hatchOutside(seenThrough, this.where, null);
    this.add(this.overlay, seenThrough, subject, model);
  }

  private addCurve(meeting: Meeting, palette: Palette): void {
    const lines = meeting.curve.map(({ points, closed }) =>
      pairsOf(
        points.map((p) => this.frame.point(p)),
        closed,
      ),
    );
    const pairs = lines.flat();
    this.curvePoints = meeting.curve.reduce((sum, line) => sum + line.points.length, 0);
    if (pairs.length === 0) return;
    const halo = segments(pairs, { color: palette.curveHalo, width: 5 });
    const line = segments(pairs, { color: palette.curve, width: 2.5 });
    [halo.renderOrder, line.renderOrder] = [3, 4];
    this.solid.add(halo, line);
    this.overlay.add(segments(pairs, { color: palette.curve, width: 1.5, opacity: 0.45, through: true }));
  }

  private addClosest(meeting: Meeting, palette: Palette): void {
    if (!meeting.closest) return;
    const ends = meeting.closest.map((point) => this.frame.point(point));
    if (ends[0].distanceTo(ends[1]) > 0) {
      this.overlay.add(segments(ends, { color: palette.curveHalo, width: 5, through: true }));
      this.overlay.add(segments(ends, { color: palette.mark, width: 2, through: true }));
    }
    this.overlay.add(dots(ends, [palette.mark, palette.mark], 9));
  }

  /// Puts the parts where they stand now.
  place(): void {
    for (const { object, part, model } of this.moving)
      object.matrix.copy(this.frame.place(this.worldFromModel[part], model.packing));
  }

  has(part: number): boolean {
    return this.subjects.some((subject) => subject.part === part);
  }

  discard(): void {
    for (const object of [this.solid, this.overlay]) discard(object, (geometry) => this.shared.has(geometry));
  }
}
