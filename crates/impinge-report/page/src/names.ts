// Names of parts, cut in the middle where there is no room: what tells parts apart often comes last.

import { make } from "./dom";

/// So many letters at the end are kept.
const TAIL = 7;

export function nameSpan(name: string, path: string): HTMLElement {
  const letters = Array.from(name || "unnamed");
  const title = titleOf(name, path);
  // A short name stays whole beside a long one.
  const least = `${0.64 * Math.min(letters.length, 10)}em`;
  if (letters.length <= 2 * TAIL) {
    const span = make("span", { class: "name", title }, make("span", { class: "start" }, letters.join("")));
    span.style.minWidth = least;
    return span;
  }
  const span = make(
    "span",
    { class: "name", title },
    make("span", { class: "start" }, letters.slice(0, -TAIL).join("")),
    make("span", { class: "end" }, letters.slice(-TAIL).join("")),
  );
  span.style.minWidth = least;
  return span;
}

/// The full path, and the GUID that a part has in IFC.
export function titleOf(name: string, path: string): string {
  const guid = ifcGuid(name) ?? ifcGuid(path);
  return guid ? `${path}\nIfcGuid ${guid}` : path;
}

/// 22 characters that stand alone, the last of them where there are several; the first holds two bits only.
function ifcGuid(text: string): string | null {
  const words = text.split(/[^0-9A-Za-z_$]/).filter((word) => /^[0-3][0-9A-Za-z_$]{21}$/.test(word));
  return words.at(-1) ?? null;
}
