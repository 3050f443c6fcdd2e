// What a picture is made of: solid things, ghosts, and what is drawn over everything; the lamp, and the passes that draw them.

import { AmbientLight, type Camera, DirectionalLight, DoubleSide, type Euler, type Light } from "three";
import { MeshLambertMaterial, Object3D, Scene, Vector3, WebGLRenderer } from "three";
import type { Eye } from "./camera";
import type { Palette } from "./colors";
import { depthMaterial, ghostMaterial } from "./ghost";

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly light = new DirectionalLight(0xffffff, 2.5);
  readonly overlay = new Scene();
  readonly solidMaterial = new MeshLambertMaterial({
    flatShading: true,
    side: DoubleSide,
    // Edges lie on faces.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  readonly ghostMaterial = ghostMaterial();
  private readonly depthMaterial = depthMaterial();
  private readonly solids = new Scene();
  private readonly ghosts = new Scene();
  /// They turn the world so that its upper side is up.
  readonly solidRoot = new Object3D();
  readonly ghostRoot = new Object3D();
  readonly overlayRoot = new Object3D();

  constructor(software: boolean) {
    // Without a graphics card, smooth edges cost more than they are worth.
    this.renderer = new WebGLRenderer({ antialias: !software, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.renderer.setPixelRatio(software ? 1 : Math.min(devicePixelRatio, 2));
    const roots = [this.solidRoot, this.ghostRoot, this.overlayRoot];
    [this.solids, this.ghosts, this.overlay].forEach((scene, index) => {
      scene.add(roots[index]);
      scene.matrixAutoUpdate = false;
    });
    this.ghosts.add(new AmbientLight(0xffffff, 2.4));
    this.overlay.add(new AmbientLight(0xffffff, 2.4));
  }

  lit(ambient: Light | undefined): void {
    this.solids.add(ambient ?? new AmbientLight(0xffffff, 1.25), this.light, this.light.target);
  }

  get rotation(): Euler {
    return this.solidRoot.rotation;
  }

  turn(zUp: boolean): void {
    for (const root of [this.solidRoot, this.ghostRoot, this.overlayRoot]) root.rotation.x = zUp ? -Math.PI / 2 : 0;
  }

  paint(palette: Palette): void {
    this.renderer.setClearColor(palette.background);
    this.ghostMaterial.color.set(palette.ghost);
  }

  /// The lamp is above the left shoulder, so that the sides of a box differ.
  carryLamp({ camera, controls }: Eye, away: number): void {
    const shoulder = new Vector3(-0.5, 0.65, 0).multiplyScalar(away).applyQuaternion(camera.quaternion);
    this.light.position.copy(camera.position).add(shoulder);
    this.light.target.position.copy(controls.target);
  }

  render(camera: Camera, withGhosts: boolean): void {
    const { renderer, ghosts } = this;
    renderer.info.reset();
    renderer.clear();
    renderer.render(this.solids, camera);
    if (withGhosts) {
      ghosts.overrideMaterial = this.depthMaterial;
      renderer.render(ghosts, camera);
      ghosts.overrideMaterial = null;
      renderer.render(ghosts, camera);
    }
    renderer.render(this.overlay, camera);
  }
}
