// The keys, in a dialog.

import { iconButton, make } from "./dom";

const KEYS: [string[], string][] = [
  [["j", "↓"], "next clash"],
  [["k", "↑"], "previous clash"],
  [["→", "←"], "open or close a group"],
  [["Enter"], "fly to the clash again"],
  [["Esc"], "back to all parts; clear filters"],
  [["/"], "search"],
  [["f"], "see everything"],
  [["x"], "see through the two parts"],
  [["v"], "draw what the two parts share as a solid, or the faces that meet"],
  [["g"], "show or hide the other parts"],
  [["z"], "turn the world: Y up or Z up"],
  [["c"], "cut part of the scene away"],
  [["m"], "measure between two points"],
  [["p"], "all parts, to hide or isolate them"],
  [["space"], "play or pause"],
  [["l"], "show or hide the list"],
  [["d"], "light or dark"],
  [["?"], "this help"],
];

const LIVE: [string[], string][] = [
  [["t"], "move the part"],
  [["r"], "turn the part"],
  [["o"], "the other part"],
];

export function helpDialog(live: boolean): HTMLDialogElement {
  const rows = [...(live ? LIVE : []), ...KEYS].map(([keys, does]) => [
    make("dt", {}, ...keys.map((key) => make("kbd", {}, key))),
    make("dd", {}, does),
  ]);
  const dialog = make(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    make(
      "header",
      {},
      make("h2", { id: "help-title" }, "Keys"),
      iconButton("close", "Close", () => dialog.close()),
    ),
    make("dl", {}, ...rows.flat()),
    make(
      "p",
      {},
      "Drag to turn, scroll or pinch to come closer, drag with the right button or two fingers to move. Click a part to list " +
        "its clashes only. Blue is the first part, amber the second, red what they share or the faces that meet; the line is where the surfaces cross.",
    ),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
