// All parts by their paths, to hide some or to see some alone.

import type { Report } from "./data";
import { icon, make } from "./dom";
import { titleOf } from "./names";

/// Rows at once: more are found by the search.
const MOST_ROWS = 400;

interface Node {
  name: string;
  path: string;
  depth: number;
  children: Map<string, Node>;
  /// All parts below it.
  parts: number[];
}

export class PartTree {
  readonly element: HTMLElement;
  private readonly hidden = new Set<number>();
  private readonly open = new Set<Node>();
  /// Made when it is first looked at.
  private root: Node | null = null;
  private readonly rows = make("div", { class: "tree-rows" });
  private readonly said = make("span", { class: "tree-said", role: "status" });
  private readonly search: HTMLInputElement;

  constructor(
    private readonly report: Report,
    private readonly choose: (part: number) => void,
    private readonly changed: (hidden: Set<number>) => void,
  ) {
    this.search = make("input", {
      type: "search",
      class: "search",
      placeholder: "Search parts…",
      "aria-label": "Search parts",
      oninput: () => this.draw(),
    });
    const all = make("button", { type: "button", class: "text", onclick: () => this.showAll() }, "Show all");
    this.element = make(
      "section",
      { class: "tree", "aria-label": "Parts", hidden: true },
      this.search,
      make("div", { class: "line" }, this.said, all),
      this.rows,
    );
  }

  get isOn(): boolean {
    return !this.element.hidden;
  }

  toggle(): void {
    this.element.hidden = this.isOn;
    if (this.isOn) this.draw();
  }

  showAll(): void {
    this.hidden.clear();
    this.tell();
  }

  private setShown(parts: number[], shown: boolean): void {
    for (const part of parts) {
      if (shown) this.hidden.delete(part);
      else this.hidden.add(part);
    }
    this.tell();
  }

  /// Hides all but some parts.
  private isolate(parts: number[]): void {
    this.report.parts.paths.forEach((_, part) => this.hidden.add(part));
    this.setShown(parts, true);
  }

  private tell(): void {
    this.draw();
    this.changed(this.hidden);
  }

  private draw(): void {
    const nodes = this.search.value.trim() === "" ? this.opened() : this.found();
    const { length } = this.report.parts.paths;
    this.said.textContent = `${length - this.hidden.size} of ${length} shown`;
    const rows = nodes.slice(0, MOST_ROWS).map((node) => this.row(node));
    if (nodes.length > MOST_ROWS) rows.push(make("p", { class: "note" }, `${nodes.length - MOST_ROWS} more`));
    this.rows.replaceChildren(...rows);
  }

  private opened(): Node[] {
    const list: Node[] = [];
    const add = (node: Node) => {
      for (const child of node.children.values()) {
        if (list.length > MOST_ROWS) list.length++;
        else list.push(child);
        if (this.open.has(child)) add(child);
      }
    };
    add((this.root ??= this.plant()));
    return list;
  }

  private plant(): Node {
    const root = treeOf(this.report.parts.paths);
    // What has a single child tells nothing.
    for (let node = root; node.children.size === 1; ) {
      [node] = node.children.values();
      this.open.add(node);
    }
    return root;
  }

  /// Parts whose paths have all words.
  private found(): Node[] {
    const words = this.search.value.toLowerCase().trim().split(/\s+/);
    const { paths, names } = this.report.parts;
    return paths.flatMap((path, part) => {
      const text = `${path}\n${names[part]}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return [];
      return { name: names[part] || path, path, depth: 1, children: new Map(), parts: [part] };
    });
  }

  private row(node: Node): HTMLElement {
    const shown = node.parts.filter((part) => !this.hidden.has(part)).length;
    const isLeaf = node.children.size === 0;
    const box = make("input", {
      type: "checkbox",
      checked: shown > 0,
      "aria-label": `Show ${node.name}`,
      onchange: () => this.setShown(node.parts, box.checked),
    });
    box.indeterminate = shown > 0 && shown < node.parts.length;
    const press = () => {
      if (isLeaf) return this.choose(node.parts[0]);
      if (!this.open.delete(node)) this.open.add(node);
      this.draw();
    };
    const row = make(
      "div",
      { class: "tree-row" },
      box,
      make(
        "button",
        { type: "button", class: "tree-name", title: titleOf(node.name, node.path), onclick: press },
        !isLeaf && icon(this.open.has(node) ? "down" : "next"),
        make("span", {}, node.name || "unnamed"),
        node.parts.length > 1 && make("span", { class: "amount" }, String(node.parts.length)),
      ),
      make("button", { type: "button", class: "text", onclick: () => this.isolate(node.parts) }, "only"),
    );
    row.style.paddingLeft = `${14 * (node.depth - 1)}px`;
    return row;
  }
}

function treeOf(paths: string[]): Node {
  const root: Node = { name: "", path: "", depth: 0, children: new Map(), parts: [] };
  paths.forEach((path, part) => {
    let node = root;
    const pieces = path.split("/");
    pieces.forEach((name, i) => {
      // Two parts of one path are two rows.
      const key = i + 1 === pieces.length ? `${name}\n${part}` : name;
      let child = node.children.get(key);
      if (!child) {
        child = { name, path: pieces.slice(0, i + 1).join("/"), depth: i + 1, children: new Map(), parts: [] };
        node.children.set(key, child);
      }
      child.parts.push(part);
      node = child;
    });
  });
  return root;
}
