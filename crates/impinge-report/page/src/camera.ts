// The eye: it turns around a target, and flies to a new one.

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const FLIGHT = 420;

interface Flight {
  start: number;
  from: { position: Vector3; target: Vector3 };
  to: { position: Vector3; target: Vector3 };
}

export class Eye {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private flight: Flight | null = null;
  private size = { width: 1, height: 1 };
  /// So many pixels of the picture's right side are covered.
  private covered = 0;
  private readonly hurried = matchMedia("(prefers-reduced-motion: reduce)");

  /// `changed` is told whether more changes are to come soon.
  constructor(
    element: HTMLElement,
    private readonly changed: (isMoving: boolean) => void,
  ) {
    this.camera.position.set(2.6, 1.9, 4);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => changed(true));
    this.controls.addEventListener("start", () => (this.flight = null));
  }

  resize(width: number, height: number): void {
    this.size = { width, height: Math.max(height, 1) };
    this.camera.aspect = width / this.size.height;
    // The middle is that of what is free.
    if (this.covered > 0) this.camera.setViewOffset(width, this.size.height, this.covered / 2, 0, width, this.size.height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  /// Something covers the right side of the picture; what would cover most of it does not count.
  cover(pixels: number): void {
    this.covered = pixels < 0.6 * this.size.width ? pixels : 0;
    this.resize(this.size.width, this.size.height);
  }

  /// Looks at a ball of the scene from where it is, `fill` times as far away as needed to see all of it.
  fly(center: Vector3, radius: number, fill: number, at_once = false): void {
    const { camera, controls } = this;
    const half = (camera.fov * Math.PI) / 360;
    const narrow = Math.atan(Math.tan(half) * Math.min(camera.aspect, 1));
    const distance = (Math.max(radius, 1e-7) / Math.sin(narrow)) * fill;
    const direction = camera.position.clone().sub(controls.target);
    if (direction.lengthSq() === 0) direction.set(0.5, 0.4, 0.8);
    const to = { target: center.clone(), position: center.clone().addScaledVector(direction.normalize(), distance) };
    if (at_once || this.hurried.matches) {
      this.flight = null;
      this.set(to.position, to.target);
    } else {
      const from = { position: camera.position.clone(), target: controls.target.clone() };
      this.flight = { start: performance.now(), from, to };
    }
    this.changed(this.flight !== null);
  }

  /// Goes along with the scene when its origin changes, or with what is followed.
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    for (const end of this.flight ? [this.flight.from, this.flight.to] : []) {
      end.position.add(by);
      end.target.add(by);
    }
  }

  get isFlying(): boolean {
    return this.flight !== null;
  }

  /// For tests: what it looks at, and where that is in the picture, from -1 at the left to 1 at the right.
  get state() {
    const { target } = this.controls;
    return { target: target.toArray(), middle: target.clone().project(this.camera).x, flying: this.isFlying };
  }

  /// Looks at a target from a place, at once.
  set(position: Vector3, target: Vector3): void {
    this.camera.position.copy(position);
    this.controls.target.copy(target);
    this.controls.update();
  }

  /// Goes on with the flight, and keeps all between the near and the far plane, but for what is farther than `cutaway` before the target.
  prepare(now: number, sceneRadius: number, sceneCentre: Vector3, cutaway: number | null): void {
    const { flight, camera, controls } = this;
    if (flight) {
      const linear = Math.min((now - flight.start) / FLIGHT, 1);
      const eased = linear < 0.5 ? 2 * linear * linear : 1 - 2 * (1 - linear) * (1 - linear);
      const target = flight.from.target.clone().lerp(flight.to.target, eased);
      const from = flight.from.position.clone().sub(flight.from.target);
      const to = flight.to.position.clone().sub(flight.to.target);
      // The distance changes by factors, so that a flight to something tiny does not end in a jump.
      const length = Math.exp(Math.log(from.length()) * (1 - eased) + Math.log(to.length()) * eased);
      const direction = from.normalize().lerp(to.normalize(), eased).normalize();
      if (linear === 1) this.flight = null;
      this.set(target.clone().addScaledVector(direction, length), target);
    }
    const distance = camera.position.distanceTo(controls.target);
    camera.near = Math.max(distance * 0.02, 1e-8, cutaway === null ? 0 : distance - cutaway);
    camera.far = camera.position.distanceTo(sceneCentre) + 2 * sceneRadius + distance;
    camera.updateProjectionMatrix();
  }
}
