// A slider for the overlaps that are forgiven: logarithmic, with 0 at its left end.

import { make } from "./dom";
import { type Entry, isForgiven, rough } from "./entries";

const STEPS = 100;

export class Tolerance {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  value = 0;
  private readonly said = make("output", { class: "tolerance-said" });
  private readonly from: number;
  private readonly to: number;

  /// Null where no overlap has a depth.
  static of(entries: Entry[], unit: string, changed: () => void): Tolerance | null {
    const depths = entries.flatMap(({ clash }) =>
      clash?.verdict === "overlapping" && !clash.limited_by_thickness && clash.penetration ? clash.penetration[1] : [],
    );
    const usable = depths.filter((depth) => depth > 0 && Number.isFinite(depth));
    return usable.length > 0 ? new Tolerance(entries, usable, unit, changed) : null;
  }

  private constructor(
    private readonly entries: Entry[],
    depths: number[],
    private readonly unit: string,
    private readonly changed: () => void,
  ) {
    const least = depths.reduce((one, other) => Math.min(one, other));
    const greatest = depths.reduce((one, other) => Math.max(one, other));
    // A whole power of ten below the least, but not so far that a step leaves out much.
    this.to = 10 ** Math.ceil(Math.log10(greatest));
    this.from = Math.max(10 ** Math.floor(Math.log10(least)), this.to * 1e-12, Number.MIN_VALUE);
    this.input = make("input", {
      type: "range",
      min: 0,
      max: STEPS,
      step: 1,
      value: 0,
      "aria-label": "Tolerance",
      title: "Hides overlaps that are no deeper, unless their thickness limits them",
      oninput: () => this.read(),
    });
    this.element = make("label", { class: "tolerance" }, "Tolerance", this.input, this.said);
    this.write();
  }

  reset(): void {
    this.input.value = "0";
    this.value = 0;
    this.write();
  }

  private read(): void {
    const step = Number(this.input.value);
    const exact = this.from * (this.to / this.from) ** ((step - 1) / (STEPS - 1));
    this.value = step === 0 ? 0 : Number(exact.toPrecision(2));
    this.write();
    this.changed();
  }

  /// The value, and how many overlaps it hides.
  private write(): void {
    const hidden = this.entries.filter((entry) => isForgiven(entry, this.value)).length;
    const length = `${rough(this.value, Math.round)} ${this.unit}`.trim();
    this.said.textContent = this.value === 0 ? "0" : `${length}, hides ${hidden}`;
    this.input.setAttribute("aria-valuetext", this.said.textContent);
  }
}
