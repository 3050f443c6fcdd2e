// How a film is lit: by one lamp that stays where it is, so that every body has a shadow on what it rests on or falls towards.

import { BasicShadowMap, type DirectionalLight, FrontSide, type Material, MeshDepthMaterial, PCFShadowMap } from "three";
import { Vector3, type WebGLRenderer } from "three";

/// Scenes of more triangles have no shadows: for them everything is drawn twice.
const MOST_TRIANGLES = 100_000;
/// The picture that the lamp takes is so many pixels wide.
const SHADOW_PIXELS = 2048;
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

/// Lets parts cast shadows, if there are few enough. Faces are seen from their front only, by the camera and by the lamp: so the back
/// of a wall neither hides a room nor darkens it.
export function prepareFilm(
  renderer: WebGLRenderer,
  light: DirectionalLight,
  material: Material,
  triangles: number,
  software: boolean,
): void {
  material.side = material.shadowSide = FrontSide;
  light.intensity = 2;
  if (triangles > MOST_TRIANGLES) return;
  renderer.shadowMap.enabled = true;
  // Without a graphics card, soft edges take longer than all the rest.
  renderer.shadowMap.type = software ? BasicShadowMap : PCFShadowMap;
  light.castShadow = true;
  light.shadow.mapSize.setScalar(SHADOW_PIXELS);
}

/// Puts the lamp above the left shoulder of who looks from `towards`; its shadows are as sharp as the ball of the action allows. It
/// shines through what is farther than `cutaway` before the ball's center.
export function placeLamp(
  light: DirectionalLight,
  towards: Vector3,
  action: Ball,
  scene: Ball,
  cutaway: number | null,
): void {
  const up = new Vector3(0, 1, 0);
  const back = towards.clone().setY(0);
  if (back.lengthSq() === 0) back.set(0, 0, 1);
  const left = back.normalize().clone().cross(up);
  const direction = up.clone().addScaledVector(left, 0.5).addScaledVector(back, 0.35).normalize();
  const away = 2 * scene.radius + action.radius;
  light.position.copy(action.center).addScaledVector(direction, away);
  light.target.position.copy(action.center);
  const { camera } = light.shadow;
  const reach = 1.05 * action.radius;
  [camera.left, camera.right, camera.bottom, camera.top] = [-reach, reach, -reach, reach];
  [camera.near, camera.far] = [cutaway === null ? 0 : Math.max(0, away - cutaway), 2 * away];
  camera.updateProjectionMatrix();
}
