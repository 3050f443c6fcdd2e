// The left side: search, filters, the list, remarks.

import { type Report, STATUSES, type Status, VERDICTS, type Verdict } from "./data";
import { icon, iconButton, make } from "./dom";
import { noteFile } from "./editor";
import { type Entry, type Filter, type Group, isGroup, membersOf, type Order, rowsOf, select } from "./entries";
import { List } from "./list";
import type { Notes } from "./notes";
import { Tolerance } from "./tolerance";

export class Panel {
  readonly element: HTMLElement;
  readonly list: List;
  readonly search: HTMLInputElement;
  readonly filter: Filter = {
    verdicts: new Set(),
    statuses: new Set(),
    search: "",
    part: null,
    order: "severity",
    tolerance: 0,
  };
  /// The clashes that match the filters, in groups or not.
  shown: Entry[] = [];
  private readonly opened = new Set<Group>();
  private members = new Map<Group, Entry[]>();
  private readonly hasGroups: boolean;
  private isGrouped = true;
  private readonly tolerance: Tolerance | null;
  private readonly count = make("p", { class: "count", role: "status", "aria-live": "polite" });
  private readonly empty = make("div", { class: "empty" });
  private readonly partChip = make("div", { class: "part-filter", hidden: true });
  private readonly chips: { button: HTMLButtonElement; isOn: () => boolean }[] = [];

  constructor(
    private readonly report: Report,
    private readonly entries: Entry[],
    private readonly selected: () => Entry | null,
    choose: (entry: Entry) => void,
    private readonly filtered: (entries: Entry[]) => void,
    private readonly notes: Notes,
  ) {
    this.hasGroups = entries.some((entry) => entry.group !== null);
    this.list = new List(
      report.unit,
      this.hasGroups,
      choose,
      (group) => this.opened.has(group),
      (group) => this.members.get(group)?.length ?? 0,
      (group) => this.open(group, !this.opened.has(group)),
      (entry) => notes.summary(entry.id),
    );
    this.tolerance = Tolerance.of(entries, report.unit, () => this.apply());
    this.search = make("input", {
      type: "search",
      class: "search",
      placeholder: "Search parts, paths, ids…",
      "aria-label": "Search clashes",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => {
        this.filter.search = this.search.value;
        this.apply();
      },
    });
    this.element = make("aside", { class: "panel", id: "panel", "aria-label": "Clashes" });
    this.element.append(...this.remarks(), ...this.tables());
    if (entries.length > 0) {
      const verdicts = VERDICTS.filter((verdict) => entries.some((entry) => entry.verdict === verdict));
      const tools = make(
        "div",
        { class: "tools" },
        this.search,
        this.chipsOf("Verdict", verdicts, this.filter.verdicts),
      );
      if (report.resolved) tools.append(this.chipsOf("Since the baseline", STATUSES, this.filter.statuses));
      if (this.tolerance) tools.append(this.tolerance.element);
      const line = make("div", { class: "line" }, this.count, this.hasGroups && this.grouper(), this.sorter());
      tools.append(this.partChip, line);
      if (report.kind === "clash") tools.append(noteFile(notes));
      this.element.append(tools, this.list.element);
    }
    this.element.append(this.empty);
    this.apply();
  }

  private remarks(): HTMLElement[] {
    const notes = this.report.notes.map((note) => make("p", { class: "note" }, note));
    if (this.report.partial)
      notes.unshift(make("p", { class: "note strong" }, "Partial: the search was interrupted, and there may be more."));
    return notes.length > 0 ? [make("div", { class: "notes", role: "note" }, ...notes)] : [];
  }

  private tables(): HTMLElement[] {
    const cells = (tag: "th" | "td", row: string[]) =>
      row.map((cell, i) => make(tag, i === 0 ? {} : { class: "number" }, cell));
    return this.report.tables.map(({ title, columns, rows }) =>
      make(
        "div",
        { class: "figures" },
        make(
          "table",
          {},
          make("caption", {}, title),
          make("thead", {}, make("tr", {}, ...cells("th", columns))),
          make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells("td", row)))),
        ),
      ),
    );
  }

  private chipsOf<T extends Verdict | Status>(label: string, values: T[], chosen: Set<T>): HTMLElement {
    const group = make("div", { class: "chips", role: "group", "aria-label": label });
    for (const value of values) {
      const amount = this.entries.filter((entry) => entry.verdict === value || entry.status === value).length;
      const button = make(
        "button",
        {
          type: "button",
          class: `chip ${value}`,
          "aria-pressed": "false",
          "data-filter": value,
          onclick: () => {
            if (!chosen.delete(value)) chosen.add(value);
            this.apply();
          },
        },
        make("span", { class: `dot ${value}`, "aria-hidden": "true" }),
        value,
        make("span", { class: "amount" }, String(amount)),
      );
      this.chips.push({ button, isOn: () => chosen.has(value) });
      group.append(button);
    }
    return group;
  }

  /// Groups in one row each, or every clash in its own.
  private grouper(): HTMLElement {
    const button = make(
      "button",
      {
        type: "button",
        class: "toggle grouper",
        title: "One row for each group, or for each clash",
        "aria-pressed": "true",
        onclick: () => {
          this.isGrouped = !this.isGrouped;
          button.setAttribute("aria-pressed", String(this.isGrouped));
          this.apply();
        },
      },
      "Groups",
    );
    return button;
  }

  /// Opens or closes a group; false where there is nothing to do.
  open(group: Group, open: boolean): boolean {
    if (!this.isGrouped || this.opened.has(group) === open) return false;
    if (open) this.opened.add(group);
    else this.opened.delete(group);
    this.apply();
    return true;
  }

  /// Makes sure that the row of a clash is listed where it matches.
  reveal(entry: Entry): void {
    if (!isGroup(entry) && entry.group && !this.list.includes(entry)) this.open(entry.group, true);
  }

  private sorter(): HTMLElement {
    const orders: [Order, string][] = [
      ["severity", "by severity"],
      ["size", "by depth and gap"],
      ["faces", "by face pairs"],
      ["name", "by name"],
    ];
    if (this.report.clashes.some((clash) => clash.time !== null)) orders.push(["time", "by time"]);
    const sorter = make(
      "select",
      {
        class: "sorter",
        "aria-label": "Sort",
        onchange: () => {
          this.filter.order = sorter.value as Order;
          this.apply();
        },
      },
      ...orders.map(([value, label]) => make("option", { value }, label)),
    );
    return sorter;
  }

  /// Shows only the clashes of one part; with null those of all.
  setPart(part: number | null): void {
    this.filter.part = part;
    this.apply();
  }

  clear(): void {
    this.filter.verdicts.clear();
    this.filter.statuses.clear();
    this.filter.search = this.search.value = "";
    this.filter.part = null;
    this.tolerance?.reset();
    this.apply();
  }

  get isFiltered(): boolean {
    const { verdicts, statuses, search, part, tolerance } = this.filter;
    return verdicts.size > 0 || statuses.size > 0 || search !== "" || part !== null || tolerance > 0;
  }

  apply(): void {
    this.filter.tolerance = this.tolerance?.value ?? 0;
    const noted = (entry: Entry) =>
      this.notes.text(entry.id) + (entry.group ? `\n${this.notes.text(entry.group.id)}` : "");
    const shown = select(this.entries, this.filter, noted);
    this.shown = shown;
    const current = this.selected();
    this.members = membersOf(shown);
    const rows = this.isGrouped ? rowsOf(shown, this.members, (group) => this.opened.has(group)) : shown;
    this.list.set(rows, current && rows.includes(current) ? current : null);
    for (const { button, isOn } of this.chips) button.setAttribute("aria-pressed", String(isOn()));
    const all = this.entries.length;
    const matter = rows.filter((row) => isGroup(row) || !row.group || !this.isGrouped).length;
    const groups = this.isGrouped && this.hasGroups ? ` in ${matter} row${matter === 1 ? "" : "s"}` : "";
    this.count.textContent = (shown.length === all ? `${all} listed` : `${shown.length} of ${all}`) + groups;
    this.showPart();
    this.showEmpty(shown.length);
    this.filtered(shown);
  }

  private showPart(): void {
    const { part } = this.filter;
    this.partChip.hidden = part === null;
    if (part === null) return;
    const name = this.report.parts.names[part] || "unnamed";
    this.partChip.replaceChildren(
      make("span", {}, "Part "),
      make("strong", { title: this.report.parts.paths[part] }, name),
      iconButton("close", "Show the clashes of all parts", () => this.setPart(null)),
    );
  }

  private showEmpty(shown: number): void {
    this.empty.hidden = shown > 0;
    if (shown > 0) return;
    if (this.entries.length > 0) {
      const all = make("button", { type: "button", class: "text", onclick: () => this.clear() }, "Show all");
      this.empty.replaceChildren(make("p", {}, "Nothing matches."), all);
    } else {
      const lines = this.verdict().map((text) => make("p", {}, text));
      // What is only explained is no good news.
      const isGood = this.report.kind === "clash" || (this.report.kind === "check" && !this.report.live);
      this.empty.replaceChildren(...(isGood ? [icon("check")] : []), ...lines);
    }
  }

  private verdict(): string[] {
    const { kind, sweep, partial, parts } = this.report;
    if (kind === "sweep" && sweep) return [];
    if (this.report.animation?.film) return ["Play the film with the slider, or with the space bar."];
    if (kind === "arena") return ["Play the game with the slider, or with the space bar."];
    if (this.report.live) return ["Drag a part by its handles."];
    if (kind === "check") return parts.names.length > 1 ? ["Clear: the two do not meet."] : [];
    const found = partial ? "No clashes found so far." : "No clashes.";
    return [found, `${parts.names.length} ${parts.names.length === 1 ? "part was" : "parts were"} looked at.`];
  }
}
