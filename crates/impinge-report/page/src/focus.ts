// What the eye flies to when a clash is chosen.

import { Box3, Vector3 } from "three";
import type { Meeting, Point } from "./data";
import type { Frame } from "./frame";
import type { SharedVolume } from "./shared";

export interface Shown {
  parts: number[];
  meeting: Meeting | null;
  focus: { box: [Point, Point] | null; point: Point | null };
  shared?: SharedVolume | null;
}

type PartBox = (part: number) => Box3;

/// The box of the world around where they meet.
export function focusBox(shown: Shown, partBox: PartBox): Box3 {
  const box = new Box3();
  const { box: given, point } = shown.focus;
  const points = given ?? shown.meeting?.closest ?? (point ? [point] : []);
  for (const p of points) box.expandByPoint(new Vector3(...p));
  // What is shared may reach farther than where surfaces cross.
  for (const p of [...(shown.meeting?.closest ?? []), ...(shown.shared?.box ?? [])]) box.expandByPoint(new Vector3(...p));
  if (box.isEmpty()) for (const part of shown.parts) box.union(partBox(part));
  return box;
}

/// A ball of the scene around where they meet, with enough of the parts to know them by.
export function focusBall(shown: Shown, partBox: PartBox, frame: Frame): [Vector3, number] {
  const box = focusBox(shown, partBox);
  const [low, high] = [frame.point(box.min), frame.point(box.max)];
  const boxes = shown.parts.map(partBox).filter((own) => !own.isEmpty());
  const sizes = boxes.map((own) => frame.point(own.min).distanceTo(frame.point(own.max)) / 2);
  const [smaller, larger] = sizes.length > 0 ? [Math.min(...sizes), Math.max(...sizes)] : [0.1, 0.1];
  // What contains the other must be seen as well.
  const enough = shown.meeting?.contained ? Math.min(0.9 * larger, 3 * smaller) : Math.min(0.5 * larger, 1.2 * smaller);
  return [low.clone().lerp(high, 0.5), Math.max(high.distanceTo(low) / 2, 0.7 * smaller, enough)];
}
