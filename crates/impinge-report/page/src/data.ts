// The report as Rust packed it (src/html/data.rs), and how to unpack it.

import { Matrix4 } from "three";

export type Point = [number, number, number];
export type Verdict = "duplicate" | "overlapping" | "inside" | "touching" | "near";
export type Status = "new" | "active" | "resolved";
export type Side = "a" | "b";

/// The gravest first.
export const VERDICTS: Verdict[] = ["duplicate", "overlapping", "inside", "touching", "near"];
export const STATUSES: Status[] = ["new", "active", "resolved"];

/// Points as f32: a point is the origin plus the scale times what is packed.
export interface Packed {
  origin: Point;
  scale: number;
  lists: string[];
}

/// A point is the origin plus the scale times what is packed, which is between -1 and 1. `half` of the box around the origin and
/// the `radius` of the ball are in packed units, too.
export interface PackedModel {
  origin: Point;
  scale: number;
  half: Point;
  radius: number;
  triangles: number;
  positions: string;
  indices: string;
  faces?: string;
}

export interface Polyline {
  points: Point[];
  closed: boolean;
}

/// Where two parts meet, as far as it is drawn; also the answer of a live server.
export interface Meeting {
  verdict: Verdict | "clear";
  contained: Side | null;
  point: Point | null;
  facePairs: number;
  distance: number | null;
  curve: Polyline[];
  facesA: Uint32Array;
  facesB: Uint32Array;
  closest: [Point, Point] | null;
}

export interface PackedClash {
  id: string;
  a: number;
  b: number;
  verdict: Verdict;
  contained: Side | null;
  point: Point | null;
  box: [Point, Point] | null;
  face_pairs: number;
  distance: number;
  penetration: [number, number] | null;
  /** Whether verdict or depth rest on a part that is open. */
  estimated?: boolean;
  limited_by_thickness: boolean;
  depth: number | null;
  direction: Point | null;
  time: number | null;
  duration: number | null;
  moment: number | null;
  sampled: boolean;
  status: Status | null;
  severity: string | null;
  review: Review | null;
  /// What both parts share, and by how much that may be wrong; not in all reports.
  volume?: number | null;
  volume_error?: number | null;
  curve: { points: Packed; closed: boolean[] } | null;
  faces_a: string;
  faces_b: string;
  closest: [Point, Point] | null;
  /// The surface of what both share, whose shape is moved by `at`, and the box around it.
  shared?: { at: Point; shape: PackedModel };
  shared_box?: [Point, Point];
}

/// What people said about a clash or a group.
export interface Review {
  status: string | null;
  assignee: string | null;
  comments: Comment[];
}

export interface Comment {
  guid?: string | null;
  author?: string | null;
  /// As ISO 8601 writes it.
  date?: string | null;
  text: string;
}

/// Clashes that are one matter, by their places in the list of clashes.
export interface PackedGroup {
  id: string;
  kind: "single" | "repeat" | "run";
  /// The gravest first.
  members: number[];
  review: Review | null;
}

export interface Resolved {
  id: string;
  verdict: Verdict;
  names: [string, string];
  paths: [string, string];
  point: Point | null;
}

/// Where the camera of an animation is at the start, what it looks at, how far before the part that it follows all is cut away, and the
/// color of each part, from 0 to 255.
export interface Film {
  camera: Point;
  target: Point;
  cutaway: number | null;
  colors: Point[];
}

export interface Report {
  schema: number;
  kind: "clash" | "check" | "sweep" | "arena";
  title: string;
  unit: string;
  z_up: boolean;
  partial: boolean;
  notes: string[];
  tables: { title: string; columns: string[]; rows: string[][] }[];
  live: boolean;
  models: PackedModel[];
  parts: { names: string[]; paths: string[]; models: number[]; world_from_model: string };
  clashes: PackedClash[];
  groups: PackedGroup[] | null;
  resolved: Resolved[] | null;
  /// How far the two parts of a check are apart.
  gap: { distance: number; closest: [Point, Point] } | null;
  animation: {
    name: string;
    duration: number;
    tracks: { part: number; times: string; world_from_model: string }[];
    /// Parts that can be followed, the first of them from the start.
    followed: number[];
    film: Film | null;
  } | null;
  sweep: {
    moving: number;
    verdict: "clear" | "hit" | "started_overlapping";
    fraction: number;
    path: string;
    stop: string;
    contacts: { point: Point; normal: Point }[];
  } | null;
}

export async function readReport(): Promise<Report> {
  const element = document.getElementById("report");
  if (!element?.textContent) throw new Error("the page holds no report");
  const isPacked = element.dataset.packed === "deflate";
  const report = JSON.parse(isPacked ? await inflated(element.textContent) : element.textContent) as Report;
  // The text may be as large as all models; nobody reads it again.
  element.remove();
  return report;
}

function inflated(text: string): Promise<string> {
  const stream = new Blob([bytes(text) as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array };

export function bytes(text: string): Uint8Array {
  const native = (Uint8Array as FromBase64).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const array = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) array[i] = binary.charCodeAt(i);
  return array;
}

export const floats = (text: string) => new Float32Array(bytes(text).buffer);
export const doubles = (text: string) => new Float64Array(bytes(text).buffer);

/// Coordinates of three bytes each, from -1 to 1.
export function coordinates(text: string): Float32Array {
  const packed = bytes(text);
  const values = new Float32Array(packed.length / 3);
  const middle = 1 << 23;
  for (let i = 0, at = 0; i < values.length; i++, at += 3)
    values[i] = ((packed[at] | (packed[at + 1] << 8) | (packed[at + 2] << 16)) - middle) / (middle - 1);
  return values;
}

/// Numbers packed by their differences: see `deltas` in shape.rs. With `count`, there are so many.
export function integers(text: string, count?: number): Uint32Array {
  const packed = bytes(text);
  const values = new Uint32Array(count ?? packed.length);
  let [length, last] = [0, 0];
  for (let at = 0; at < packed.length; length++) {
    let byte = packed[at++];
    let rest = byte & 127;
    // Not shifted, because a difference may have 33 bits.
    for (let factor = 128; byte > 127; factor *= 128) rest += ((byte = packed[at++]) & 127) * factor;
    last += rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2;
    values[length] = last;
  }
  return count === undefined ? values.slice(0, length) : values;
}

/// Matrices of twelve numbers each; null where they are no numbers, because the part is not there.
export function matrices(text: string): (Matrix4 | null)[] {
  const numbers = doubles(text);
  const list: (Matrix4 | null)[] = [];
  for (let i = 0; i + 12 <= numbers.length; i += 12) {
    const n = numbers.subarray(i, i + 12);
    list.push(
      Number.isNaN(n[0])
        ? null
        : new Matrix4(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], 0, 0, 0, 1),
    );
  }
  return list;
}

export function unpackPoints(packed: Packed, list: number): Point[] {
  const values = floats(packed.lists[list]);
  const { origin, scale } = packed;
  const points: Point[] = [];
  for (let i = 0; i < values.length; i += 3) {
    points.push([origin[0] + scale * values[i], origin[1] + scale * values[i + 1], origin[2] + scale * values[i + 2]]);
  }
  return points;
}

export function meetingOf(clash: PackedClash): Meeting {
  const curve = clash.curve;
  return {
    verdict: clash.verdict,
    contained: clash.contained,
    point: clash.point,
    facePairs: clash.face_pairs,
    distance: clash.distance,
    curve: curve ? curve.closed.map((closed, i) => ({ points: unpackPoints(curve.points, i), closed })) : [],
    facesA: integers(clash.faces_a),
    facesB: integers(clash.faces_b),
    closest: clash.closest,
  };
}

/// That two parts do not meet, and how far they are apart, where that is known.
export function apart(gap: Report["gap"]): Meeting {
  return {
    verdict: "clear",
    contained: null,
    point: null,
    facePairs: 0,
    distance: gap?.distance ?? null,
    curve: [],
    facesA: new Uint32Array(),
    facesB: new Uint32Array(),
    closest: gap?.closest ?? null,
  };
}

/// A number for people: six digits.
export function short(value: number): string {
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e9) return String(Number(value.toPrecision(6)));
  return value.toExponential(4).replace(/\.?0+e/, "e");
}

export const shortPoint = (point: Point) => `(${point.map(short).join(", ")})`;

/// Eight digits of an id tell clashes apart for people.
export const shortId = (id: string) => (id.length > 16 ? id.slice(0, 8) + id.slice(16) : id.slice(0, 8));
