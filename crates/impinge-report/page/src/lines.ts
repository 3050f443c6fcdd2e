// Lines, dots and arrows of a width that the eye sees, whatever the distance.

import {
  BufferGeometry,
  CanvasTexture,
  ConeGeometry,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  Object3D,
} from "three";
import { Points, PointsMaterial, Quaternion, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

export interface Stroke {
  color: number;
  width: number;
  opacity?: number;
  /// Seen through everything.
  through?: boolean;
}

export function segments(pairs: Vector3[], stroke: Stroke): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(pairs.flatMap(({ x, y, z }) => [x, y, z]));
  const material = new LineMaterial({
    color: stroke.color,
    linewidth: stroke.width,
    transparent: stroke.opacity !== undefined,
    opacity: stroke.opacity ?? 1,
    depthTest: !stroke.through,
    depthWrite: !stroke.through,
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
  const lines = new LineSegments2(geometry, material);
  lines.frustumCulled = false;
  return lines;
}

/// The pairs of points that a line through points is drawn from.
export function pairsOf(points: Vector3[], closed: boolean): Vector3[] {
  const pairs: Vector3[] = [];
  for (let i = 0; i + 1 < points.length; i++) pairs.push(points[i], points[i + 1]);
  if (closed && points.length > 2) pairs.push(points[points.length - 1], points[0]);
  return pairs;
}

let disc: CanvasTexture | null = null;

function discTexture(): CanvasTexture {
  if (!disc) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#fff";
    context.beginPath();
    context.arc(32, 32, 29, 0, 2 * Math.PI);
    context.fill();
    disc = new CanvasTexture(canvas);
  }
  return disc;
}

/// Round dots, each of its own color, seen through everything or not.
export function dots(at: Vector3[], colors: number[], size: number, through = true): Points {
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position",
    new Float32BufferAttribute(
      at.flatMap(({ x, y, z }) => [x, y, z]),
      3,
    ),
  );
  const parts = colors.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
  const linear = parts.map((part) => Math.pow(part / 255, 2.2));
  geometry.setAttribute("color", new Float32BufferAttribute(linear, 3));
  const material = new PointsMaterial({
    size: size * Math.min(devicePixelRatio, 2),
    sizeAttenuation: false,
    vertexColors: true,
    map: discTexture(),
    alphaTest: 0.5,
    depthTest: !through,
    transparent: true,
  });
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  return points;
}

/// An arrow that ends at its tip, seen through everything.
export function arrow(tail: Vector3, direction: Vector3, length: number, color: number): Object3D {
  const group = new Object3D();
  const tip = tail.clone().addScaledVector(direction, length);
  const neck = tail.clone().addScaledVector(direction, 0.72 * length);
  group.add(segments([tail, neck], { color, width: 4, through: true }));
  const cone = new Mesh(
    new ConeGeometry(0.11 * length, 0.3 * length, 16),
    new MeshBasicMaterial({ color, depthTest: false }),
  );
  cone.position.copy(neck).lerp(tip, 0.5);
  cone.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), direction));
  group.add(cone);
  return group;
}

/// Frees what the graphics card holds of objects made here. Shared geometries are freed when they are drawn next: that is dear,
/// so callers pass those that stay.
export function discard(object: Object3D, shared: (geometry: BufferGeometry) => boolean): void {
  object.traverse((child) => {
    const { geometry, material } = child as Mesh;
    if (geometry && !shared(geometry)) geometry.dispose();
    for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
  });
  object.removeFromParent();
}
