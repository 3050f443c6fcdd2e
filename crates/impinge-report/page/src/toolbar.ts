// The buttons over the picture that are on or off.

import { make } from "./dom";

export class Toolbar {
  readonly element = make("div", { class: "toolbar", role: "toolbar", "aria-label": "View" });
  private readonly toggles: [HTMLButtonElement, () => boolean][] = [];

  add(text: string, title: string, isOn: () => boolean, press: () => void): void {
    const onclick = () => (press(), this.write());
    const button = make("button", { type: "button", class: "toggle", title, onclick }, text);
    this.toggles.push([button, isOn]);
    this.element.append(button);
  }

  /// Shows which are on.
  write(): void {
    for (const [button, isOn] of this.toggles) button.setAttribute("aria-pressed", String(isOn()));
  }
}
