// The colors of the picture. Those of the panels are in style.css.

import type { Verdict } from "./data";

export interface Palette {
  isDark: boolean;
  background: number;
  part: number;
  ghost: number;
  a: number;
  b: number;
  contactA: number;
  contactB: number;
  /// What two parts share.
  shared: number;
  edge: number;
  curve: number;
  curveHalo: number;
  mark: number;
  verdicts: Record<Verdict, number>;
}

/// Blue and amber differ for every eye; the contact surface is red, as in the figures of Maia et al. 2006.
const light: Palette = {
  isDark: false,
  background: 0xf3f5f7,
  part: 0xaab4bf,
  ghost: 0x6b7a8a,
  a: 0x3f7fd6,
  b: 0xe2a72e,
  contactA: 0xd81f4a,
  contactB: 0xf2685f,
  shared: 0xd81f4a,
  edge: 0x1b2733,
  curve: 0x16202b,
  curveHalo: 0xffffff,
  mark: 0x16202b,
  verdicts: { duplicate: 0x8250df, overlapping: 0xd1242f, inside: 0xbc5d00, touching: 0x0a7a88, near: 0x6e7781 },
};

const dark: Palette = {
  isDark: true,
  background: 0x12161b,
  part: 0x6d7884,
  ghost: 0x9aa8b8,
  a: 0x5c9df2,
  b: 0xe8b548,
  contactA: 0xff3d66,
  contactB: 0xff8a7f,
  shared: 0xff3d66,
  edge: 0x0b0f14,
  curve: 0xffffff,
  curveHalo: 0x10151b,
  mark: 0xffffff,
  verdicts: { duplicate: 0xb392f0, overlapping: 0xff6b6b, inside: 0xf0954a, touching: 0x4fc3d0, near: 0x9aa4ae },
};

export const palette = (isDark: boolean): Palette => (isDark ? dark : light);
