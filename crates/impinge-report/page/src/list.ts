// The list of clashes and groups. Only the rows in sight exist, so thousands cost nothing.

import { icon, make } from "./dom";
import { type Entry, type Group, isGroup, kindInWords, measure } from "./entries";
import { nameSpan } from "./names";

const ROW = 54;
const MARGIN = 6;

export class List {
  readonly element: HTMLElement;
  private readonly space = make("div", { class: "list-space", role: "presentation" });
  private readonly rows = new Map<number, HTMLElement>();
  private entries: Entry[] = [];
  private current = -1;

  constructor(
    private readonly unit: string,
    /// Whether rows can be opened.
    private readonly hasGroups: boolean,
    private readonly choose: (entry: Entry) => void,
    private readonly isOpen: (group: Group) => boolean,
    /// How many members match the filters.
    private readonly matching: (group: Group) => number,
    private readonly toggle: (group: Group) => void,
    /// The word that somebody gave it.
    private readonly noted: (entry: Entry) => string,
  ) {
    const role = hasGroups ? "tree" : "listbox";
    this.element = make("div", { class: "list", role, tabindex: 0, "aria-label": "Clashes" }, this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  set(entries: Entry[], selected: Entry | null): void {
    this.entries = entries;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.space.style.height = `${entries.length * ROW}px`;
    this.select(selected, selected !== null);
    this.draw();
  }

  get length(): number {
    return this.entries.length;
  }

  /// The entry so many rows from the current one.
  neighbor(step: number): Entry | null {
    if (this.entries.length === 0) return null;
    const wanted = this.current < 0 ? (step > 0 ? 0 : this.entries.length - 1) : this.current + step;
    return this.entries[Math.max(0, Math.min(wanted, this.entries.length - 1))];
  }

  at(index: number): Entry | null {
    return this.entries.at(index) ?? null;
  }

  select(entry: Entry | null, scroll: boolean): void {
    this.current = entry ? this.entries.indexOf(entry) : -1;
    if (scroll && this.current >= 0) {
      const [top, height] = [this.current * ROW, this.element.clientHeight];
      const { scrollTop } = this.element;
      if (top < scrollTop) this.element.scrollTop = top;
      else if (top + ROW > scrollTop + height) this.element.scrollTop = top + ROW - height;
    }
    for (const [index, row] of this.rows) row.setAttribute("aria-selected", String(index === this.current));
    this.draw();
    if (this.current >= 0) this.element.setAttribute("aria-activedescendant", `row-${this.current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const last = Math.min(this.entries.length, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
    for (const [index, row] of this.rows) {
      // The current row stays, because it is what the list says is active.
      if ((index < first || index >= last) && index !== this.current) {
        row.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index < last; index++) this.show(index);
    if (this.current >= 0) this.show(this.current);
  }

  private show(index: number): void {
    if (this.rows.has(index) || index >= this.entries.length) return;
    const row = this.row(this.entries[index], index);
    this.rows.set(index, row);
    this.space.append(row);
  }

  /// Whether it has a row.
  includes(entry: Entry): boolean {
    return this.entries.includes(entry);
  }

  /// Draws the rows again, with what was noted since.
  refresh(): void {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
  }

  private row(entry: Entry, index: number): HTMLElement {
    const { clash } = entry;
    const group = isGroup(entry) ? entry : null;
    const isMember = !group && entry.group !== null && this.hasGroups && this.includes(entry.group);
    const noted = this.noted(entry);
    const figures = measure(entry, this.unit);
    const time = clash?.time != null ? `${Number(clash.time.toPrecision(4))} s` : null;
    const row = make(
      "div",
      {
        class: `row${group ? " group" : ""}${isMember ? " member" : ""}`,
        id: `row-${index}`,
        role: this.hasGroups ? "treeitem" : "option",
        "aria-level": this.hasGroups ? (isMember ? 2 : 1) : null,
        "aria-expanded": group && String(this.isOpen(group)),
        "aria-selected": String(index === this.current),
        "aria-setsize": this.entries.length,
        "aria-posinset": index + 1,
        "data-id": entry.id,
        onclick: () => this.choose(entry),
      },
      make("span", { class: `dot ${entry.verdict}`, "aria-hidden": "true" }),
      make(
        "span",
        { class: "pair" },
        group && make("span", { class: "members", title: kindInWords(group) }, this.times(group)),
        nameSpan(entry.names[0], entry.paths[0]),
        make("span", { class: "times", "aria-label": "and" }, "×"),
        nameSpan(entry.names[1], entry.paths[1]),
        group && this.opener(group),
      ),
      make(
        "span",
        { class: "facts" },
        make("span", { class: `verdict ${entry.verdict}` }, entry.verdict),
        make("span", { class: "amount", title: figures }, figures),
        time && make("span", {}, time),
        clash?.sampled && make("span", {}, "sampled"),
        group && make("span", { class: "kind-of-group" }, group.kind === "repeat" ? "repeated" : "one part"),
        noted !== "" && make("span", { class: "noted", title: noted }, noted),
        entry.status && make("span", { class: `status ${entry.status}` }, entry.status),
      ),
    );
    row.style.transform = `translateY(${index * ROW}px)`;
    return row;
  }

  private times(group: Group): string {
    const [all, some] = [group.members.length, this.matching(group)];
    return some < all ? `${some} of ${all} ×` : `${all} ×`;
  }

  private opener(group: Group): HTMLElement {
    const isOpen = this.isOpen(group);
    const onclick = (event: Event) => {
      event.stopPropagation();
      this.toggle(group);
    };
    const label = isOpen ? "Close the group (←)" : "Open the group (→)";
    const attributes = { type: "button", class: "opener", title: label, "aria-label": label, tabindex: -1, onclick };
    return make("button", attributes, icon(isOpen ? "up" : "down"));
  }
}
