// The picture. It is drawn when something changes, not all the time.

import { Matrix4, type Object3D, type Scene, Vector3 } from "three";
import { Eye } from "./camera";
import { type Palette, palette } from "./colors";
import { Crowd } from "./crowd";
import { matrices, type PackedClash, type Report } from "./data";
import { Edges } from "./edges";
import { ballAround, Extent } from "./extent";
import { type Ball, Studio } from "./film";
import { focusBall, focusBox, type Shown } from "./focus";
import { Frame } from "./frame";
import { focusDistance } from "./ghost";
import { isSoftware, whenDrawn } from "./graphics";
import { Highlight, subjectsOf } from "./highlight";
import { Marks } from "./marks";
import { Model } from "./models";
import type { Track } from "./motion";
import { Painter } from "./paint";
import { Picker } from "./picker";
import { Ruler } from "./ruler";
import { Schedule } from "./schedule";
import { Cut, type Section } from "./section";
import { Stage } from "./stage";
import { SweepWay } from "./sweep";

/// A part that is followed is seen from so many times as far as it would fill the picture.
const FOLLOWED_FROM = 4;

export type { Shown };

export class View {
  readonly canvas: HTMLCanvasElement;
  readonly eye: Eye;
  readonly frame = new Frame();
  readonly worldFromModel: Matrix4[];
  readonly extent: Extent;
  readonly overlay: Scene;
  readonly overlayRoot: Object3D;
  frames = 0;
  firstPicture: number | null = null;
  highlight: Highlight | null = null;

  private readonly stage: Stage;
  private readonly schedule = new Schedule((now) => this.draw(now));
  private readonly models: Model[];
  private readonly modelOf: number[];
  private readonly painter: Painter;
  private readonly crowd: Crowd;
  private readonly edges: Edges;
  private readonly studio: Studio | null;
  private palette: Palette;
  private readonly marks: Marks;
  private ghosting = false;
  private ghostsShown = true;
  private xray = false;
  private sharedShown = true;
  private shown: Shown | null = null;
  private sweepWay: SweepWay | null = null;
  private readonly cut = new Cut();
  readonly ruler = new Ruler();
  readonly picker: Picker;
  /// The part that the eye goes along with, and where it was last, in the scene.
  private followed: { part: number; at: Vector3 } | null = null;
  /// Told whom the eye follows.
  onFollow: (part: number | null) => void = () => {};

  constructor(
    private readonly host: HTMLElement,
    private readonly report: Report,
    tracks: Track[],
    isDark: boolean,
  ) {
    const software = isSoftware();
    const stage = new Stage(software);
    this.stage = stage;
    this.canvas = stage.renderer.domElement;
    this.overlay = stage.overlay;
    this.overlayRoot = stage.overlayRoot;
    this.marks = new Marks(stage.overlayRoot, this.frame);
    host.append(this.canvas);
    this.palette = palette(isDark);
    this.models = report.models.map((model) => new Model(model));
    this.modelOf = report.parts.models;
    this.painter = new Painter(report.parts.paths, this.modelOf, report.kind === "arena" ? tracks : []);
    this.worldFromModel = matrices(report.parts.world_from_model).map((matrix) => matrix ?? new Matrix4());
    this.extent = new Extent(this.models, this.modelOf, this.worldFromModel, tracks);
    this.frame.fit(this.extent.world);
    const film = report.animation?.film;
    this.studio = film ? new Studio(film, this.frame, stage.solidRoot, stage.light) : null;
    if (this.studio) {
      const triangles = this.modelOf.reduce((sum, model) => sum + (this.models[model]?.triangleCount ?? 0), 0);
      this.studio.prepare(stage.renderer, stage.solidMaterial, triangles, software);
    }
    this.crowd = new Crowd(this.models, this.modelOf, this.worldFromModel, this.frame, stage.solidMaterial, software);
    const moving = new Set(report.live ? this.modelOf.keys() : tracks.map(({ part }) => part));
    this.edges = new Edges(
      report.kind === "arena" || film ? [] : this.crowd.largestFirst(),
      moving,
      this.worldFromModel,
      this.frame,
      (part) => this.crowd.isPresent(part),
      software,
      () => this.request(),
    );
    this.eye = new Eye(this.canvas, (isMoving) => (isMoving ? this.requestInHaste() : this.request()));
    this.picker = new Picker(host, this.eye.camera, stage, this.frame, this.crowd, this.marks, this.cut);
    stage.lit(this.studio?.ambient);
    stage.solidRoot.add(this.crowd.object, this.edges.object);
    this.paint();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.turn(report.z_up);
    this.placeSweep();
    this.lookAcross();
    this.fitAll(true);
    if (this.studio) this.eye.set(...this.studio.camera(null));
  }

  /// A sweep is seen from the side.
  private lookAcross(): void {
    const from = this.sweepWay?.side(this.stage.rotation);
    if (from) this.eye.camera.position.copy(this.eye.controls.target).add(from);
  }

  setTheme(isDark: boolean): void {
    this.palette = palette(isDark);
    this.paint();
    this.rebuild();
  }

  private paint(): void {
    this.stage.paint(this.palette);
    this.edges.setColor(this.palette.edge);
    this.painter.paint(this.palette, this.studio, this.follows, (part, color) => this.crowd.setColor(part, color));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.stage.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.request();
  }

  request(): void {
    this.schedule.request();
  }

  requestInHaste(): void {
    this.schedule.requestInHaste();
  }

  private draw(now: number): void {
    this.frames++;
    const { eye, stage } = this;
    const { center, radius } = this.sceneBall();
    eye.prepare(now, radius, center, this.followed && this.studio ? this.studio.cutaway : null);
    const away = eye.camera.position.distanceTo(eye.controls.target);
    if (!this.studio) stage.carryLamp(eye, away);
    eye.camera.updateMatrixWorld();
    this.crowd.prepare(eye.camera, this.host.clientHeight, this.schedule.isHasty);
    focusDistance.value = this.shown ? away : 1e-9;
    stage.render(eye.camera, this.ghosting && this.ghostsShown);
    if (this.frames === 1) {
      whenDrawn(stage.renderer, (now) => (this.firstPicture = now));
      this.edges.restart();
    }
    if (eye.isFlying) this.requestInHaste();
  }

  private sceneBall(box = this.extent.world): Ball {
    return ballAround(box, this.frame, this.stage.rotation);
  }

  /// Goes along with a part from now on, from behind and above; with null, stays.
  follow(part: number | null, atOnce = false): void {
    const before = this.follows;
    this.followed = part === null ? null : { part, at: this.extent.middle(part, this.frame, this.stage.rotation) };
    this.onFollow(part);
    this.placeLamp();
    if (part !== before) this.paint();
    this.request();
    if (part === null || !this.followed) return;
    if (this.studio) return this.eye.set(...this.studio.camera(this.followed.at));
    const { min, max } = this.extent.partBox(part);
    const radius = (this.frame.point(min).distanceTo(this.frame.point(max)) || 1e-3) / 2;
    this.eye.fly(this.followed.at, radius, FOLLOWED_FROM, atOnce);
  }

  private placeLamp(): void {
    this.studio?.placeLamp(this.followed?.at ?? null, this.sceneBall(this.extent.action), this.sceneBall());
  }

  get follows(): number | null {
    return this.followed?.part ?? null;
  }

  /// Moves the eye by as much as the part that it follows has moved.
  private goAlong(): void {
    const { followed } = this;
    if (!followed || !this.crowd.isPresent(followed.part)) return;
    const now = this.extent.middle(followed.part, this.frame, this.stage.rotation);
    this.eye.shift(now.clone().sub(followed.at));
    followed.at = now;
    this.placeLamp();
  }

  fitAll(atOnce = false): void {
    this.follow(null);
    const { center, radius } = this.sceneBall();
    this.eye.fly(center, radius, 1, atOnce);
  }

  /// Shows a clash, or with null everything.
  show(shown: Shown | null, fly: boolean): void {
    this.shown = shown;
    if (shown && fly) {
      this.follow(null);
      this.rebase(shown);
    }
    this.rebuild();
    if (!fly) return;
    if (!shown) return this.fitAll();
    const [center, radius] = focusBall(shown, this.extent.partBox, this.frame);
    this.eye.fly(center.applyEuler(this.stage.rotation), radius, 1.35);
  }

  /// Makes what is shown the scene's origin: there f32 has its digits.
  private rebase(shown: Shown): void {
    const box = focusBox(shown, this.extent.partBox);
    if (box.isEmpty()) return;
    const origin = box.min.clone().multiplyScalar(0.5).addScaledVector(box.max, 0.5);
    this.eye.shift(this.frame.point(origin).negate().applyEuler(this.stage.rotation));
    this.frame.origin.copy(origin);
    this.crowd.placeAll();
    this.edges.place();
    this.placeLamp();
    this.placeSection();
    this.placeRuler();
  }

  private rebuild(): void {
    this.highlight?.discard();
    this.highlight = null;
    const { shown } = this;
    const parts = shown ? [...new Set(shown.parts)] : [];
    this.crowd.take(parts);
    if (shown && (parts.length > 0 || shown.meeting)) {
      const modelOf = (part: number) => this.models[this.modelOf[part]] ?? null;
      const subjects = subjectsOf(parts, modelOf, shown.meeting, this.palette);
      const present = subjects.filter((subject) => this.crowd.isPresent(subject.part));
      this.highlight = new Highlight(
        present,
        shown.meeting,
        shown.focus.box,
        this.frame,
        this.worldFromModel,
        this.palette,
        this.xray,
        this.sharedShown ? (shown.shared ?? null) : null,
      );
      this.stage.solidRoot.add(this.highlight.solid);
      this.overlayRoot.add(this.highlight.overlay);
    }
    this.ghosting = shown !== null;
    this.crowd.setMaterial(this.ghosting ? this.stage.ghostMaterial : this.stage.solidMaterial);
    (this.ghosting ? this.stage.ghostRoot : this.stage.solidRoot).add(this.crowd.object);
    this.edges.object.visible = !this.ghosting;
    this.marks.place(!this.shown);
    this.placeSweep();
    this.request();
  }

  setXray(on: boolean): void {
    this.xray = on;
    this.rebuild();
  }

  /// Draws what two parts share, or the faces that meet.
  setShared(on: boolean): void {
    this.sharedShown = on;
    this.rebuild();
  }

  setGhosts(on: boolean): void {
    this.ghostsShown = on;
    this.request();
  }

  setZUp(on: boolean): void {
    this.turn(on);
    this.fitAll(true);
  }

  private turn(zUp: boolean): void {
    this.stage.turn(zUp);
    this.placeLamp();
    this.placeSection();
  }

  /// Dots where clashes are, to be seen from afar.
  setMarks(clashes: PackedClash[]): void {
    this.marks.set(clashes, this.palette);
    this.marks.place(!this.shown);
    this.request();
  }

  /// Moves parts to where they stand at a time.
  setTime(tracks: Track[], time: number): void {
    let isShown = false;
    let appeared = false;
    for (const track of tracks) {
      const matrix = track.at(time);
      appeared ||= this.crowd.isPresent(track.part) !== (matrix !== null);
      this.crowd.setPresent(track.part, matrix !== null);
      if (matrix) this.worldFromModel[track.part].copy(matrix);
      this.crowd.place(track.part);
      isShown ||= this.highlight?.has(track.part) ?? false;
    }
    if (appeared) this.edges.restart();
    else this.edges.place();
    if (appeared && this.shown) this.rebuild();
    else if (isShown) this.highlight?.place();
    this.goAlong();
    this.requestInHaste();
  }

  /// Moves one part, for a live page.
  setPose(part: number, worldFromModel: Matrix4): void {
    this.worldFromModel[part].copy(worldFromModel);
    // What lies outside would be cut off.
    this.extent.world.union(this.extent.partBox(part));
    this.crowd.place(part);
    this.edges.place();
    this.highlight?.place();
    this.request();
  }

  private placeSweep(): void {
    const { sweep } = this.report;
    if (!sweep) return;
    this.sweepWay?.discard();
    const model = this.models[this.modelOf[sweep.moving]];
    this.sweepWay = new SweepWay(sweep, model ?? null, this.frame, this.palette);
    this.overlayRoot.add(this.sweepWay.object);
  }

  /// Hides some parts, also where they are the subject.
  hide(parts: Iterable<number>): void {
    this.crowd.hide(parts);
    this.edges.restart();
    this.rebuild();
  }

  /// Cuts part of the scene away; with null, nothing.
  setSection(section: Section | null): void {
    this.cut.section = section;
    this.placeSection();
    this.request();
  }

  private placeSection(): void {
    this.stage.renderer.clippingPlanes = this.cut.place(this.extent.world, this.frame, this.stage.rotation);
  }

  /// Draws what is measured.
  placeRuler(): void {
    this.ruler.place(this.overlayRoot, this.frame, this.palette.contactA);
    this.request();
  }

  /// The picture as it is now, for a printer.
  picture(): string {
    this.draw(performance.now());
    return this.canvas.toDataURL("image/png");
  }

  get state() {
    return {
      frames: this.frames,
      firstPicture: this.firstPicture,
      highlighted: this.highlight?.subjects.map((subject) => subject.part) ?? [],
      contactTriangles: this.highlight?.contactTriangles ?? [],
      curvePoints: this.highlight?.curvePoints ?? 0,
      sharedTriangles: this.highlight?.sharedTriangles ?? 0,
      sharedBox: this.highlight?.sharedBox ?? false,
      ghosting: this.ghosting && this.ghostsShown,
      xray: this.xray,
      follows: this.follows,
      ...this.eye.state,
      calls: this.stage.renderer.info.render.calls,
      triangles: this.stage.renderer.info.render.triangles,
      edges: this.edges.object.visible ? this.edges.count : 0,
      crowdTriangles: this.crowd.drawnTriangles,
    };
  }
}
