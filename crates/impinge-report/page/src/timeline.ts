// The slider of an animation, a game or a sweep, with a mark for each clash in it.

import { icon, make } from "./dom";

const STEPS = 10_000;

export interface Mark {
  time: number;
  kind: string;
  label: string;
}

export class Timeline {
  readonly element: HTMLElement;
  time = 0;
  private readonly slider: HTMLInputElement;
  private readonly button: HTMLButtonElement;
  private readonly label = make("output", { class: "time" });
  private playing = 0;
  private last = 0;

  constructor(
    private readonly duration: number,
    marks: Mark[],
    private readonly format: (time: number) => string,
    /// Seconds of the clock that the whole takes.
    private readonly length: number,
    private readonly changed: (time: number) => void,
  ) {
    this.button = make(
      "button",
      { type: "button", class: "icon", "aria-label": "Play", title: "Play (space)", onclick: () => this.toggle() },
      icon("play"),
    );
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: STEPS,
      value: 0,
      step: 1,
      "aria-label": "Time",
      oninput: () => {
        this.stop();
        this.set((Number(this.slider.value) / STEPS) * duration);
      },
    });
    const ticks = marks.map(({ time, kind, label }) => {
      const tick = make("span", { class: `tick ${kind}`, title: label });
      tick.style.left = `${duration > 0 ? (100 * time) / duration : 0}%`;
      return tick;
    });
    const track = make(
      "div",
      { class: "track" },
      this.slider,
      make("div", { class: "ticks", "aria-hidden": "true" }, ...ticks),
    );
    this.element = make("section", { class: "timeline", "aria-label": "Animation" }, this.button, track, this.label);
    this.write();
  }

  get isPlaying(): boolean {
    return this.playing !== 0;
  }

  set(time: number): void {
    this.time = Math.max(0, Math.min(time, this.duration));
    this.write();
    this.changed(this.time);
  }

  private write(): void {
    this.slider.value = String(this.duration > 0 ? Math.round((this.time / this.duration) * STEPS) : 0);
    this.label.textContent = this.format(this.time);
    this.slider.setAttribute("aria-valuetext", this.format(this.time));
  }

  toggle(): void {
    if (this.isPlaying) return this.stop();
    if (this.time >= this.duration) this.time = 0;
    this.last = performance.now();
    this.playing = requestAnimationFrame((now) => this.advance(now));
    this.face("pause", "Pause");
  }

  stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.face("play", "Play");
  }

  private face(name: string, label: string): void {
    this.button.replaceChildren(icon(name));
    this.button.setAttribute("aria-label", label);
    this.button.title = `${label} (space)`;
  }

  private advance(now: number): void {
    const step = ((now - this.last) / 1000) * (this.duration / this.length);
    this.last = now;
    this.set(this.time + Math.max(step, 0));
    if (this.time >= this.duration) return this.stop();
    this.playing = requestAnimationFrame((next) => this.advance(next));
  }
}
