// Whom the view follows in a game.

import type { Report } from "./data";
import { make } from "./dom";
import type { View } from "./view";

/// Goes along with the first of some parts, and lets choose another.
export function followChoice(view: View, report: Report, followed: number[]): HTMLSelectElement {
  const name = (part: number) => report.parts.names[part] || "unnamed";
  const choice = make(
    "select",
    {
      class: "follow",
      title: "Whom the view follows",
      "aria-label": "Whom the view follows",
      onchange: () => view.follow(choice.value === "" ? null : Number(choice.value)),
    },
    make("option", { value: "" }, "follow nobody"),
    ...followed.map((part) => make("option", { value: part }, `follow ${name(part)}`)),
  );
  view.onFollow = (part) => (choice.value = part === null ? "" : String(part));
  view.follow(followed[0], true);
  return choice;
}
