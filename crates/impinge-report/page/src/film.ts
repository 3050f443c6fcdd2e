// How a film is lit and looked at: by one lamp that stays where it is, so that every body has a shadow on what it rests on or falls
// towards. Faces are seen from their front only, by the camera and by the lamp: so the back of a wall neither hides a room nor
// darkens it.

import { BasicShadowMap, type Color, type DirectionalLight, FrontSide, HemisphereLight, type Material } from "three";
import { MeshDepthMaterial, type Object3D, PCFShadowMap, SRGBColorSpace, Vector3, type WebGLRenderer } from "three";
import type { Film, Point } from "./data";
import type { Frame } from "./frame";

/// Scenes of more triangles have no shadows: for them everything is drawn twice.
const MOST_TRIANGLES = 100_000;
/// The picture that the lamp takes is so many pixels wide.
const SHADOW_PIXELS = 2048;
/// Around a part that is followed, shadows are seen so far, in parts of the camera's distance.
const LAMP_REACH = 0.6;

/// What the lamp sees lies a little deeper than it is, the more so the more it is turned away: or every surface would have spots of its own
/// shadow.
export const lampMaterial = new MeshDepthMaterial({
  polygonOffset: true,
  polygonOffsetFactor: 4,
  polygonOffsetUnits: 4,
});

export interface Ball {
  center: Vector3;
  radius: number;
}

export class Studio {
  /// Sides without sun differ as well.
  readonly ambient = new HemisphereLight(0xffffff, 0xb5aea2, 2);

  constructor(
    private readonly film: Film,
    private readonly frame: Frame,
    private readonly root: Object3D,
    private readonly lamp: DirectionalLight,
  ) {
    lamp.intensity = 2;
  }

  /// Lets parts of a material cast shadows, if they have few enough triangles.
  prepare(renderer: WebGLRenderer, material: Material, triangles: number, software: boolean): void {
    material.side = material.shadowSide = FrontSide;
    if (triangles > MOST_TRIANGLES) return;
    renderer.shadowMap.enabled = true;
    // Without a graphics card, soft edges take longer than all the rest.
    renderer.shadowMap.type = software ? BasicShadowMap : PCFShadowMap;
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.setScalar(SHADOW_PIXELS);
  }

  color(part: number, into: Color): void {
    const [red, green, blue] = this.film.colors[part];
    into.setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace);
  }

  /// Where the camera is at the start and what it looks at, in the scene: with `followed`, that.
  camera(followed: Vector3 | null): [Vector3, Vector3] {
    const inScene = (point: Point) => this.frame.point(point).applyEuler(this.root.rotation);
    const [camera, target] = [inScene(this.film.camera), inScene(this.film.target)];
    return followed ? [camera.sub(target).add(followed), followed.clone()] : [camera, target];
  }

  /// How far before what is followed all is cut away, in the scene.
  get cutaway(): number | null {
    return this.film.cutaway === null ? null : this.film.cutaway * this.frame.scale;
  }

  /// Puts the lamp above the camera's left shoulder. It shines on where parts move, as sharply as that allows, or on what is followed
  /// and seen around it; then not on what is cut away.
  placeLamp(followed: Vector3 | null, action: Ball, scene: Ball): void {
    const [camera, target] = this.camera(null);
    const up = new Vector3(0, 1, 0);
    const back = camera.sub(target);
    const lit = followed ? { center: followed, radius: LAMP_REACH * back.length() } : action;
    if (back.setY(0).lengthSq() === 0) back.set(0, 0, 1);
    const left = back.normalize().clone().cross(up);
    const direction = up.addScaledVector(left, 0.5).addScaledVector(back, 0.35).normalize();
    const away = 2 * scene.radius + lit.radius;
    this.lamp.position.copy(lit.center).addScaledVector(direction, away);
    this.lamp.target.position.copy(lit.center);
    const eye = this.lamp.shadow.camera;
    const reach = 1.05 * lit.radius;
    [eye.left, eye.right, eye.bottom, eye.top] = [-reach, reach, -reach, reach];
    const cut = followed ? this.cutaway : null;
    [eye.near, eye.far] = [cut === null ? 0 : Math.max(0, away - cut), 2 * away];
    eye.updateProjectionMatrix();
  }
}
