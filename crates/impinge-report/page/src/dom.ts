// Elements in few words.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/// An element with attributes, listeners (`onclick`) and children. Text is only ever text: names cannot become tags.
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const PATHS: Record<string, string> = {
  menu: "M3 5h14M3 10h14M3 15h14",
  close: "M5 5l10 10M15 5L5 15",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3v14a7 7 0 0 0 0-14",
  help: "M7.5 7.6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.7M10 14.6v.2",
  fit: "M3 7V3h4M17 7V3h-4M3 13v4h4M17 13v4h-4",
  play: "M6 4l10 6-10 6z",
  pause: "M6 4v12M14 4v12",
  previous: "M12 5l-5 5 5 5",
  next: "M8 5l5 5-5 5",
  down: "M5 8l5 5 5-5",
  up: "M5 12l5-5 5 5",
  check: "M4 10.5l4 4 8-9",
};

export function icon(name: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name: string, label: string, onclick: () => void, key?: string): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return make("button", { type: "button", class: "icon", "aria-label": label, title, onclick }, icon(name));
}
