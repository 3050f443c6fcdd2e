// The colors of all parts: one for each kind of part, strong only for who matters.

import { Color } from "three";
import type { Palette } from "./colors";
import type { Studio } from "./film";
import { calmColors, colorKeys } from "./kinds";
import type { Track } from "./motion";

export class Painter {
  private readonly keys: string[];
  /// The shape of each part that moves in an arena, counted from 0.
  private readonly playing = new Map<number, number>();

  constructor(
    paths: string[],
    private readonly modelOf: number[],
    players: Track[],
  ) {
    this.keys = colorKeys(paths);
    const shapes = [...new Set(players.map(({ part }) => modelOf[part]))];
    for (const { part } of players) this.playing.set(part, shapes.indexOf(modelOf[part]));
  }

  /// Gives each part its color; the one that is followed stands out.
  paint(palette: Palette, studio: Studio | null, follows: number | null, set: (part: number, color: Color) => void): void {
    const calm = calmColors(this.keys, palette.part, palette.isDark);
    const isPair = this.modelOf.length <= 2;
    const players = [palette.a, palette.b, palette.verdicts.inside];
    const [base, color] = [new Color(), new Color()];
    this.modelOf.forEach((_, part) => {
      // A little lighter or darker, so that equal neighbors are told apart.
      base.copy(calm.get(this.keys[part])!).offsetHSL(0, 0, (((part * 0.618034) % 1) - 0.5) * 0.09);
      const shape = this.playing.get(part);
      if (studio) studio.color(part, base);
      else if (part === follows) base.set(palette.contactA);
      else if (shape !== undefined) base.lerp(color.set(players[shape % players.length]), 0.75);
      else if (isPair) base.set(part === 0 ? palette.a : palette.b).lerp(color.set(palette.part), 0.35);
      set(part, base);
    });
  }
}
