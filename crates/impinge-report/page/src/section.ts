// A plane that cuts part of the scene away, and the bar that moves it.

import { type Box3, type Euler, Plane, Vector3 } from "three";
import { make } from "./dom";
import type { Frame } from "./frame";

/// Where the scene is cut: across an axis of the world, at a share of its size; flipped, the other side is kept.
export interface Section {
  axis: 0 | 1 | 2;
  share: number;
  flipped: boolean;
}

export class Cut {
  section: Section | null = null;
  private readonly plane = new Plane();

  /// The planes that the renderer cuts by, for a world that is turned.
  place(world: Box3, frame: Frame, rotation: Euler): Plane[] {
    const { section, plane } = this;
    if (!section || world.isEmpty()) return [];
    // A little more than all at both ends, so that an end cuts nothing.
    const share = section.share * 1.002 - 0.001;
    const at = world.min
      .clone()
      .multiplyScalar(1 - share)
      .addScaledVector(world.max, share);
    const normal = new Vector3().setComponent(section.axis, section.flipped ? 1 : -1).applyEuler(rotation);
    plane.setFromNormalAndCoplanarPoint(normal, frame.point(at).applyEuler(rotation));
    return [plane];
  }

  has(at: Vector3): boolean {
    return this.section !== null && this.plane.distanceToPoint(at) < 0;
  }
}

const STEPS = 1000;

/// Axis, side and place of the plane; it tells what they are while it is shown.
export class SectionBar {
  readonly element: HTMLElement;
  private readonly section: Section = { axis: 0, share: 0.5, flipped: false };
  private readonly slider: HTMLInputElement;
  private readonly buttons: [HTMLButtonElement, () => boolean][] = [];

  constructor(private readonly changed: (section: Section | null) => void) {
    const button = (text: string, title: string, isOn: () => boolean, press: () => void) => {
      const onclick = () => (press(), this.write());
      const made = make("button", { type: "button", class: "toggle", title, onclick }, text);
      this.buttons.push([made, isOn]);
      return made;
    };
    const { section } = this;
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: STEPS,
      value: STEPS / 2,
      "aria-label": "Place of the section",
      oninput: () => this.write(),
    });
    this.element = make(
      "div",
      { class: "section-bar", role: "group", "aria-label": "Section", hidden: true },
      ...["x", "y", "z"].map((name, axis) =>
        button(
          name,
          `Cut across ${name}`,
          () => section.axis === axis,
          () => (section.axis = axis as Section["axis"]),
        ),
      ),
      button(
        "Flip",
        "Keep the other side",
        () => section.flipped,
        () => (section.flipped = !section.flipped),
      ),
      this.slider,
    );
  }

  get isOn(): boolean {
    return !this.element.hidden;
  }

  toggle(): void {
    this.element.hidden = this.isOn;
    this.write();
  }

  private write(): void {
    this.section.share = Number(this.slider.value) / STEPS;
    for (const [button, isOn] of this.buttons) button.setAttribute("aria-pressed", String(isOn()));
    this.changed(this.isOn ? { ...this.section } : null);
  }
}
