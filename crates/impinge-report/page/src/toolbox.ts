// What helps to look at the scene: the section, the ruler, the tree of parts.

import { type Report, short } from "./data";
import { make } from "./dom";
import { SectionBar } from "./section";
import { PartTree } from "./tree";
import type { View } from "./view";

export class Toolbox {
  readonly section: SectionBar;
  readonly tree: PartTree;
  readonly measured = make("output", { class: "measured", hidden: true });
  isMeasuring = false;

  constructor(
    private readonly report: Report,
    private readonly view: View | null,
    choose: (part: number) => void,
  ) {
    this.section = new SectionBar((section) => view?.setSection(section));
    this.tree = new PartTree(report, choose, (hidden) => view?.hide(hidden));
  }

  /// The buttons: text, title, whether it is on, and what it does.
  get buttons(): [string, string, () => boolean, () => void][] {
    // What moves under one's hands is not cut, and a game is looked at otherwise.
    if (this.report.live || this.report.kind === "arena" || this.report.animation?.film) return [];
    const { section, tree } = this;
    return [
      ["Section", "Cut part of the scene away (c)", () => section.isOn, () => section.toggle()],
      ["Measure", "Measure between two points (m)", () => this.isMeasuring, () => this.toggleMeasure()],
      ["Parts", "All parts, to hide or isolate them (p)", () => tree.isOn, () => tree.toggle()],
    ];
  }

  toggleMeasure(): void {
    this.isMeasuring = !this.isMeasuring;
    this.view?.ruler.clear();
    this.showMeasured();
  }

  /// Takes a click on the picture as a point, where one is measuring.
  click(x: number, y: number): boolean {
    if (!this.isMeasuring || !this.view) return false;
    const point = this.view.picker.pointAt(x, y);
    if (point) this.view.ruler.add(point);
    this.showMeasured();
    return true;
  }

  private showMeasured(): void {
    this.view?.placeRuler();
    const distance = this.view?.ruler.distance ?? null;
    this.measured.hidden = !this.isMeasuring;
    const { unit } = this.report;
    this.measured.textContent = distance === null ? "Click two points" : `${short(distance)} ${unit}`;
  }
}
