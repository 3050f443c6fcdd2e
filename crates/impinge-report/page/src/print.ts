// What a printer gets: the picture as it is, and a table of all clashes that the filters let through.

import type { Report } from "./data";
import { shortId } from "./data";
import { make } from "./dom";
import { type Entry, measure } from "./entries";
import type { Notes } from "./notes";

/// Makes the sheet before it is printed, and takes it away afterwards.
export function preparePrint(
  root: HTMLElement,
  report: Report,
  notes: Notes,
  listed: () => Entry[],
  picture: () => string | null,
): void {
  let sheet: HTMLElement | null = null;
  const clear = () => {
    sheet?.remove();
    sheet = null;
  };
  addEventListener("beforeprint", () => {
    clear();
    const image = picture();
    sheet = make(
      "section",
      { class: "sheet" },
      make("h1", {}, report.title || "impinge"),
      ...report.notes.map((note) => make("p", {}, note)),
      image !== null && make("img", { src: image, alt: "the view" }),
      table(report, notes, listed()),
    );
    root.append(sheet);
  });
  addEventListener("afterprint", clear);
}

function table(report: Report, notes: Notes, entries: Entry[]): HTMLElement {
  const heads = ["Verdict", "First", "Second", "Depth or gap", "Since", "Notes", "Id"];
  const rows = entries.map((entry) => {
    const noted = [notes.summary(entry.id), entry.group && notes.summary(entry.group.id)].filter((text) => text);
    const cells = [
      entry.verdict,
      ...entry.names.map((name) => name || "unnamed"),
      measure(entry, report.unit),
      entry.status ?? "",
      noted.join("; "),
      shortId(entry.id),
    ];
    return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
  });
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", {}, head)))),
    make("tbody", {}, ...rows),
  );
}
