// The picture. It is drawn when something changes, not all the time.

import { AmbientLight, Box3, Color, DirectionalLight, DoubleSide, Matrix4 } from "three";
import { MeshLambertMaterial, Object3D, type Points, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { Eye } from "./camera";
import { type Palette, palette } from "./colors";
import { Crowd } from "./crowd";
import { matrices, type Meeting, type PackedClash, type Point, type Report } from "./data";
import { type Ball, Studio } from "./film";
import { Frame } from "./frame";
import { depthMaterial, focusDistance, ghostMaterial } from "./ghost";
import { isSoftware } from "./graphics";
import { calmColors, colorKeys } from "./kinds";
import { Highlight, type Subject } from "./highlight";
import { discard, dots } from "./lines";
import { Model } from "./models";
import type { Track } from "./motion";
import { Ruler } from "./ruler";
import { Cut, type Section } from "./section";
import { SweepWay } from "./sweep";

export interface Shown {
  parts: number[];
  meeting: Meeting | null;
  focus: { box: [Point, Point] | null; point: Point | null };
}

/// A part that is followed is seen from so many times as far as it would fill the picture.
const FOLLOWED_FROM = 4;

export class View {
  readonly canvas: HTMLCanvasElement;
  readonly eye: Eye;
  readonly frame = new Frame();
  readonly worldFromModel: Matrix4[];
  readonly overlay = new Scene();
  /// Turns the world so that its upper side is up.
  private readonly roots = [new Object3D(), new Object3D(), new Object3D()];
  readonly overlayRoot = this.roots[2];
  frames = 0;
  firstPicture: number | null = null;
  highlight: Highlight | null = null;

  private readonly renderer: WebGLRenderer;
  private readonly models: Model[];
  private readonly modelOf: number[];
  private readonly colorKeys: string[];
  /// The shape of each part that moves in an arena, counted from 0.
  private readonly playing = new Map<number, number>();
  private readonly crowd: Crowd;
  private readonly worldBox = new Box3();
  /// Where parts move.
  private readonly actionBox = new Box3();
  private readonly studio: Studio | null;
  private readonly solids = new Scene();
  private readonly ghosts = new Scene();
  private readonly solidMaterial = new MeshLambertMaterial({ flatShading: true, side: DoubleSide });
  private readonly ghostMaterial = ghostMaterial();
  private readonly depthMaterial = depthMaterial();
  private readonly light = new DirectionalLight(0xffffff, 2.5);
  private palette: Palette;
  private marks: Points | null = null;
  private markAt: { point: Point; color: number }[] = [];
  private ghosting = false;
  private ghostsShown = true;
  private xray = false;
  private shown: Shown | null = null;
  private sweepWay: SweepWay | null = null;
  private readonly cut = new Cut();
  readonly ruler = new Ruler();
  private pending = 0;
  private hasty = false;
  /// The part that the eye goes along with, and where it was last, in the scene.
  private followed: { part: number; at: Vector3 } | null = null;
  /// Told whom the eye follows.
  onFollow: (part: number | null) => void = () => {};
  private calm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly report: Report,
    tracks: Track[],
    isDark: boolean,
  ) {
    // Without a graphics card, smooth edges cost more than they are worth.
    const software = isSoftware();
    this.renderer = new WebGLRenderer({ antialias: !software, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.renderer.setPixelRatio(software ? 1 : Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    host.append(this.canvas);
    this.palette = palette(isDark);
    this.models = report.models.map((model) => new Model(model));
    this.modelOf = report.parts.models;
    this.colorKeys = colorKeys(report.parts.paths);
    this.worldFromModel = matrices(report.parts.world_from_model).map((matrix) => matrix ?? new Matrix4());
    this.modelOf.forEach((model, part) => {
      if (model >= 0) this.worldBox.union(this.models[model].worldBox(this.worldFromModel[part]));
    });
    for (const track of tracks) this.includeWay(track);
    if (report.kind === "arena") {
      const shapes = [...new Set(tracks.map(({ part }) => this.modelOf[part]))];
      for (const { part } of tracks) this.playing.set(part, shapes.indexOf(this.modelOf[part]));
    }
    this.frame.fit(this.worldBox);
    const film = report.animation?.film;
    this.studio = film ? new Studio(film, this.frame, this.roots[0], this.light) : null;
    if (this.studio) {
      const triangles = this.modelOf.reduce((sum, model) => sum + (this.models[model]?.triangleCount ?? 0), 0);
      this.studio.prepare(this.renderer, this.solidMaterial, triangles, software);
    }
    this.crowd = new Crowd(this.models, this.modelOf, this.worldFromModel, this.frame, this.solidMaterial, software);
    this.eye = new Eye(this.canvas, (isMoving) => (isMoving ? this.requestInHaste() : this.request()));
    const ambient = this.studio?.ambient ?? new AmbientLight(0xffffff, 1.25);
    for (const [scene, root] of [this.solids, this.ghosts, this.overlay].map((s, i) => [s, this.roots[i]] as const)) {
      scene.add(root);
      scene.matrixAutoUpdate = false;
    }
    this.solids.add(ambient, this.light, this.light.target);
    this.ghosts.add(new AmbientLight(0xffffff, 2.4));
    this.overlay.add(new AmbientLight(0xffffff, 2.4));
    this.roots[0].add(this.crowd.object);
    this.paint();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.turn(report.z_up);
    this.placeSweep();
    this.lookAcross();
    this.fitAll(true);
    if (this.studio) this.eye.set(...this.studio.camera(null));
  }

  /// The picture has room for all places where a part comes by.
  private includeWay(track: Track): void {
    const model = this.modelOf[track.part];
    if (model < 0) return;
    for (const matrix of track.some(24)) this.actionBox.union(this.models[model].worldBox(matrix));
    this.worldBox.union(this.actionBox);
  }

  /// A sweep is seen from the side.
  private lookAcross(): void {
    const from = this.sweepWay?.side(this.roots[0].rotation);
    if (from) this.eye.camera.position.copy(this.eye.controls.target).add(from);
  }

  setTheme(isDark: boolean): void {
    this.palette = palette(isDark);
    this.paint();
    this.rebuild();
  }

  private paint(): void {
    this.renderer.setClearColor(this.palette.background);
    this.ghostMaterial.color.set(this.palette.ghost);
    const calm = calmColors(this.colorKeys, this.palette.part, this.palette.isDark);
    const isPair = this.modelOf.length <= 2;
    const players = [this.palette.a, this.palette.b, this.palette.verdicts.inside];
    const [base, color] = [new Color(), new Color()];
    this.modelOf.forEach((_, part) => {
      // A little lighter or darker, so that equal neighbors are told apart.
      base.copy(calm.get(this.colorKeys[part])!).offsetHSL(0, 0, (((part * 0.618034) % 1) - 0.5) * 0.09);
      const shape = this.playing.get(part);
      if (this.studio) this.studio.color(part, base);
      else if (part === this.follows) base.set(this.palette.contactA);
      else if (shape !== undefined) base.lerp(color.set(players[shape % players.length]), 0.75);
      else if (isPair) base.set(part === 0 ? this.palette.a : this.palette.b).lerp(color.set(this.palette.part), 0.35);
      this.crowd.setColor(part, base);
    });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.request();
  }

  /// Draws soon, once, however often it is asked for.
  request(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame((now) => this.draw(now));
  }

  /// Draws a rougher picture soon, and the full one when nothing has moved for a while.
  requestInHaste(): void {
    this.hasty = true;
    clearTimeout(this.calm);
    this.calm = setTimeout(() => {
      this.hasty = false;
      this.request();
    }, 160);
    this.request();
  }

  private draw(now: number): void {
    this.pending = 0;
    this.frames++;
    const { renderer, eye } = this;
    const { center, radius } = this.sceneBall();
    eye.prepare(now, radius, center, this.followed && this.studio ? this.studio.cutaway : null);
    const away = eye.camera.position.distanceTo(eye.controls.target);
    if (!this.studio) {
      // From above the left shoulder, so that the sides of a box differ.
      const shoulder = new Vector3(-0.5, 0.65, 0).multiplyScalar(away).applyQuaternion(eye.camera.quaternion);
      this.light.position.copy(eye.camera.position).add(shoulder);
      this.light.target.position.copy(eye.controls.target);
    }
    eye.camera.updateMatrixWorld();
    this.crowd.prepare(eye.camera, this.host.clientHeight, this.hasty);
    focusDistance.value = this.shown ? away : 1e-9;
    renderer.info.reset();
    renderer.clear();
    renderer.render(this.solids, eye.camera);
    if (this.ghosting && this.ghostsShown) {
      this.ghosts.overrideMaterial = this.depthMaterial;
      renderer.render(this.ghosts, eye.camera);
      this.ghosts.overrideMaterial = null;
      renderer.render(this.ghosts, eye.camera);
    }
    renderer.render(this.overlay, eye.camera);
    if (this.frames === 1) this.noteFirstPicture();
    if (eye.isFlying) this.requestInHaste();
  }

  /// For tests: when the first picture was complete, which the graphics card does not say by itself.
  private noteFirstPicture(): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const done = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!done) return;
    gl.flush();
    const look = () => {
      if (gl.clientWaitSync(done, 0, 0) === gl.TIMEOUT_EXPIRED) return void setTimeout(look, 5);
      gl.deleteSync(done);
      this.firstPicture = performance.now();
    };
    setTimeout(look, 0);
  }

  private sceneBall(box = this.worldBox): Ball {
    if (box.isEmpty()) return { center: new Vector3(), radius: 1 };
    const [low, high] = [this.frame.point(box.min), this.frame.point(box.max)];
    const center = low.clone().lerp(high, 0.5).applyEuler(this.roots[0].rotation);
    return { center, radius: high.distanceTo(low) / 2 };
  }

  /// Goes along with a part from now on, from behind and above; with null, stays.
  follow(part: number | null, atOnce = false): void {
    const before = this.follows;
    this.followed = part === null ? null : { part, at: this.middle(part) };
    this.onFollow(part);
    this.placeLamp();
    if (part !== before) this.paint();
    this.request();
    if (part === null || !this.followed) return;
    if (this.studio) return this.eye.set(...this.studio.camera(this.followed.at));
    const { min, max } = this.partBox(part);
    const radius = (this.frame.point(min).distanceTo(this.frame.point(max)) || 1e-3) / 2;
    this.eye.fly(this.followed.at, radius, FOLLOWED_FROM, atOnce);
  }

  private placeLamp(): void {
    this.studio?.placeLamp(this.followed?.at ?? null, this.sceneBall(this.actionBox), this.sceneBall());
  }

  get follows(): number | null {
    return this.followed?.part ?? null;
  }

  /// The middle of a part, in the scene.
  private middle(part: number): Vector3 {
    const box = this.partBox(part);
    const middle = box.isEmpty() ? new Vector3() : this.frame.point(box.min).lerp(this.frame.point(box.max), 0.5);
    return middle.applyEuler(this.roots[0].rotation);
  }

  /// Moves the eye by as much as the part that it follows has moved.
  private goAlong(): void {
    const { followed } = this;
    if (!followed || !this.crowd.isPresent(followed.part)) return;
    const now = this.middle(followed.part);
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
    const [center, radius] = this.focus(shown);
    this.eye.fly(center.applyEuler(this.roots[0].rotation), radius, 1.35);
  }

  private focusBox(shown: Shown): Box3 {
    const box = new Box3();
    const { box: given, point } = shown.focus;
    const points = given ?? shown.meeting?.closest ?? (point ? [point] : []);
    for (const p of points) box.expandByPoint(new Vector3(...p));
    for (const p of shown.meeting?.closest ?? []) box.expandByPoint(new Vector3(...p));
    if (box.isEmpty()) for (const part of shown.parts) box.union(this.partBox(part));
    return box;
  }

  partBox(part: number): Box3 {
    const model = this.modelOf[part];
    return model >= 0 ? this.models[model].worldBox(this.worldFromModel[part]) : new Box3();
  }

  /// A ball around where they meet, with enough of the parts to know them by.
  private focus(shown: Shown): [Vector3, number] {
    const box = this.focusBox(shown);
    const [low, high] = [this.frame.point(box.min), this.frame.point(box.max)];
    const boxes = shown.parts.map((part) => this.partBox(part)).filter((own) => !own.isEmpty());
    const sizes = boxes.map((own) => this.frame.point(own.min).distanceTo(this.frame.point(own.max)) / 2);
    const [smaller, larger] = sizes.length > 0 ? [Math.min(...sizes), Math.max(...sizes)] : [0.1, 0.1];
    // What contains the other must be seen as well.
    const enough = shown.meeting?.contained
      ? Math.min(0.9 * larger, 3 * smaller)
      : Math.min(0.5 * larger, 1.2 * smaller);
    return [low.clone().lerp(high, 0.5), Math.max(high.distanceTo(low) / 2, 0.7 * smaller, enough)];
  }

  /// Makes what is shown the scene's origin: there f32 has its digits.
  private rebase(shown: Shown): void {
    const box = this.focusBox(shown);
    if (box.isEmpty()) return;
    const origin = box.min.clone().multiplyScalar(0.5).addScaledVector(box.max, 0.5);
    this.eye.shift(this.frame.point(origin).negate().applyEuler(this.roots[0].rotation));
    this.frame.origin.copy(origin);
    this.crowd.placeAll();
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
      const subjects = parts.map((part, index): Subject => {
        const model = this.modelOf[part];
        return {
          part,
          model: model >= 0 ? this.models[model] : null,
          color: index === 0 ? this.palette.a : this.palette.b,
          contactColor: index === 0 ? this.palette.contactA : this.palette.contactB,
          faces: (index === 0 ? shown.meeting?.facesA : shown.meeting?.facesB) ?? new Uint32Array(),
        };
      });
      const present = subjects.filter((subject) => this.crowd.isPresent(subject.part));
      this.highlight = new Highlight(
        present,
        shown.meeting,
        shown.focus.box,
        this.frame,
        this.worldFromModel,
        this.palette,
        this.xray,
      );
      this.roots[0].add(this.highlight.solid);
      this.overlayRoot.add(this.highlight.overlay);
    }
    this.ghosting = shown !== null;
    this.crowd.setMaterial(this.ghosting ? this.ghostMaterial : this.solidMaterial);
    this.roots[this.ghosting ? 1 : 0].add(this.crowd.object);
    this.placeMarks();
    this.placeSweep();
    this.request();
  }

  setXray(on: boolean): void {
    this.xray = on;
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
    for (const root of this.roots) root.rotation.x = zUp ? -Math.PI / 2 : 0;
    this.placeLamp();
    this.placeSection();
  }

  /// Dots where clashes are, to be seen from afar.
  setMarks(clashes: PackedClash[]): void {
    this.markAt = clashes
      .filter((clash) => clash.point)
      .map((clash) => ({ point: clash.point!, color: this.palette.verdicts[clash.verdict] }));
    this.placeMarks();
    this.request();
  }

  private placeMarks(): void {
    if (this.marks) discard(this.marks, () => false);
    this.marks = null;
    if (this.shown || this.markAt.length === 0) return;
    const at = this.markAt.map(({ point }) => this.frame.point(point));
    // Very many would cover everything: then only those in front.
    const isCrowded = at.length > 300;
    this.marks = dots(
      at,
      this.markAt.map(({ color }) => color),
      isCrowded ? 6 : 8,
      !isCrowded,
    );
    this.overlayRoot.add(this.marks);
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
    if (appeared && this.shown) this.rebuild();
    else if (isShown) this.highlight?.place();
    this.goAlong();
    this.requestInHaste();
  }

  /// Moves one part, for a live page.
  setPose(part: number, worldFromModel: Matrix4): void {
    this.worldFromModel[part].copy(worldFromModel);
    // What lies outside would be cut off.
    this.worldBox.union(this.partBox(part));
    this.crowd.place(part);
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
    this.rebuild();
  }

  /// Cuts part of the scene away; with null, nothing.
  setSection(section: Section | null): void {
    this.cut.section = section;
    this.placeSection();
    this.request();
  }

  private placeSection(): void {
    this.renderer.clippingPlanes = this.cut.place(this.worldBox, this.frame, this.roots[0].rotation);
  }

  /// The point of a part under a place of the canvas, in the world.
  pointAt(x: number, y: number): Vector3 | null {
    const hit = this.crowd.pick(this.rayAt(x, y), (at) => this.cut.has(at), true);
    const upright = this.roots[0].quaternion.clone().invert();
    return hit && this.frame.world(hit.at.applyQuaternion(upright));
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

  private rayAt(x: number, y: number): Raycaster {
    const { clientWidth: width, clientHeight: height } = this.host;
    const raycaster = new Raycaster();
    raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.eye.camera);
    return raycaster;
  }

  /// What is under a place of the canvas: a mark or a part.
  pick(x: number, y: number): { mark: Point } | { part: number } | null {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.marks) {
      let best: { mark: Point } | null = null;
      let nearest = 10;
      for (const { point } of this.markAt) {
        const at = this.frame.point(point).applyEuler(this.roots[0].rotation).project(this.eye.camera);
        const away = Math.hypot(((at.x + 1) / 2) * width - x, ((1 - at.y) / 2) * height - y);
        if (at.z < 1 && away < nearest) [best, nearest] = [{ mark: point }, away];
      }
      if (best) return best;
    }
    const hit = this.crowd.pick(this.rayAt(x, y), (at) => this.cut.has(at));
    return hit && { part: hit.part };
  }

  get state() {
    return {
      frames: this.frames,
      firstPicture: this.firstPicture,
      highlighted: this.highlight?.subjects.map((subject) => subject.part) ?? [],
      contactTriangles: this.highlight?.contactTriangles ?? [],
      curvePoints: this.highlight?.curvePoints ?? 0,
      ghosting: this.ghosting && this.ghostsShown,
      xray: this.xray,
      follows: this.follows,
      target: this.eye.controls.target.toArray(),
      flying: this.eye.isFlying,
      calls: this.renderer.info.render.calls,
      triangles: this.renderer.info.render.triangles,
      crowdTriangles: this.crowd.drawnTriangles,
    };
  }
}
