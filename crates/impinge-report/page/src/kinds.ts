// Colors of parts in the overview: calm ones, the same for parts that belong together.

import { Color } from "three";

/// What parts are colored by: the first piece of their paths in which they differ, without the number behind it.
export function colorKeys(paths: string[]): string[] {
  const pieces = paths.map((path) => path.split("/"));
  const deepest = pieces.reduce((most, own) => Math.max(most, own.length), 0);
  for (let depth = 0; depth < deepest; depth++) {
    const keys = pieces.map((own) => withoutNumber(own[Math.min(depth, own.length - 1)] ?? ""));
    if (new Set(keys).size > 1) return keys;
  }
  return paths.map(() => "");
}

/// "bolt_7" and "bolt 12" are bolts.
const withoutNumber = (name: string) => name.replace(/[\s_.#:-]*\d+$/, "");

/// The golden angle, so that hues differ however many there are.
const STEP = 0.381966;
const FIRST_HUE = 0.55;

/// A color for each key, by the order in which keys come first; with one key the plain color.
export function calmColors(keys: string[], plain: number, isDark: boolean): Map<string, Color> {
  const colors = new Map<string, Color>();
  for (const key of keys) {
    if (colors.has(key)) continue;
    const count = colors.size;
    const hue = (FIRST_HUE + STEP * count) % 1;
    // Later rounds of the circle are a little lighter or darker.
    const shift = ((count >> 3) % 3) * 0.05;
    const color = new Color().setHSL(hue, isDark ? 0.28 : 0.36, (isDark ? 0.46 : 0.66) - shift);
    colors.set(key, color);
  }
  if (colors.size === 1) colors.set(keys[0], new Color(plain));
  return colors;
}
