// Everything about one clash, beside its picture.

import { type Meeting, type Point, type Report, short, shortId, shortPoint } from "./data";
import { iconButton, make } from "./dom";
import { noteEditor } from "./editor";
import { type Entry, interval, isGroup, kindInWords, rough } from "./entries";
import { titleOf } from "./names";
import type { Notes } from "./notes";

type Fact = [string, string | HTMLElement];

export class Detail {
  readonly element = make("section", { class: "detail", "aria-label": "Details", hidden: true });

  constructor(
    private readonly report: Report,
    private readonly step: (by: number) => void,
    private readonly close: () => void,
    private readonly onlyPart: (part: number) => void,
    private readonly choose: (entry: Entry) => void,
    private readonly notes: Notes,
  ) {}

  /// How many pixels of the picture's right side it covers; on a phone it is below the picture.
  get covers(): number {
    return this.element.hidden || !matchMedia("(min-width: 800px)").matches ? 0 : this.element.offsetWidth + 10;
  }

  show(entry: Entry | null): void {
    this.element.hidden = entry === null;
    if (!entry) return this.element.replaceChildren();
    const head = make(
      "header",
      {},
      make("span", { class: `verdict ${entry.verdict}` }, entry.verdict),
      entry.status && make("span", { class: `status ${entry.status}` }, entry.status),
      make("span", { class: "gap" }),
      iconButton("previous", "Previous clash", () => this.step(-1), "k"),
      iconButton("next", "Next clash", () => this.step(1), "j"),
      iconButton("close", "Back to all parts", () => this.close(), "Esc"),
    );
    const parts = entry.names.map((name, index) => this.part(entry, name, index));
    const facts = this.facts(entry).map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)]);
    this.element.replaceChildren(head, ...this.group(entry), ...parts, make("dl", {}, ...facts.flat()));
    const subject = isGroup(entry) ? "Notes on the group" : "Notes";
    if (this.report.kind === "clash") this.element.append(noteEditor(this.notes, entry.id, subject));
  }

  /// What a group is, or which one a clash is in.
  private group(entry: Entry): HTMLElement[] {
    if (isGroup(entry)) return [make("p", { class: "of-group" }, `${kindInWords(entry)}; the gravest of them:`)];
    const { group } = entry;
    if (!group) return [];
    const noted = this.notes.summary(group.id);
    const text = `one of ${group.members.length}${noted === "" ? "" : `: ${noted}`}`;
    const onclick = () => this.choose(group);
    return [make("button", { type: "button", class: "text of-group", title: kindInWords(group), onclick }, text)];
  }

  private part(entry: Entry, name: string, index: number): HTMLElement {
    const part = entry.parts[index];
    const button = make(
      "button",
      {
        type: "button",
        class: "part",
        title: `${titleOf(name, entry.paths[index])}\nList the clashes of this part only`,
        disabled: part === undefined,
        onclick: () => this.onlyPart(part),
      },
      make("span", { class: `swatch ${index === 0 ? "a" : "b"}`, "aria-hidden": "true" }),
      make("span", { class: "names" }, make("strong", {}, name || "unnamed"), make("small", {}, entry.paths[index])),
    );
    return button;
  }

  private facts(entry: Entry): Fact[] {
    const { unit } = this.report;
    const { clash } = entry;
    const facts: Fact[] = [];
    if (clash) {
      if (clash.contained) facts.push(["Contained", clash.contained === "a" ? entry.names[0] : entry.names[1]]);
      if (clash.penetration !== null) {
        const capped = clash.limited_by_thickness ? ", as much as the thickness allows" : "";
        const open = clash.estimated ? ", estimated: a part is open" : "";
        facts.push(["Depth", `${interval(clash.penetration)} ${unit}${capped}${open}`]);
      }
      if (clash.volume != null) {
        const error = clash.volume_error != null ? ` ± ${rough(clash.volume_error, Math.ceil)}` : "";
        facts.push(["Volume", `${short(clash.volume)} ${unit && `${unit}³`}${error}`]);
      }
      if (!clash.shared && clash.shared_box) facts.push(["Drawn", "the box around what both share"]);
      if (clash.depth !== null) {
        const bound = `at most ${short(clash.depth)} ${unit}`;
        const along = clash.direction ? `, the second along ${shortPoint(clash.direction)}` : "";
        facts.push(["To separate", bound + along]);
      }
      if (clash.verdict === "near") facts.push(["Gap", `${short(clash.distance)} ${unit}`]);
      if (clash.face_pairs > 0) facts.push(["Face pairs", String(clash.face_pairs)]);
      if (clash.time !== null) {
        const length = clash.duration !== null ? `, for ${short(clash.duration)} s` : "";
        facts.push(["Time", `${short(clash.time)} s${length}${clash.sampled ? " (sampled)" : ""}`]);
      }
    }
    if (entry.point) facts.push(["At", `${shortPoint(entry.point)} ${unit}`]);
    const link = make("a", { class: "id", href: `#${encodeURIComponent(entry.id)}`, title: entry.id }, shortId(entry.id));
    facts.push(["Id", make("code", {}, link)]);
    return facts;
  }

  /// What came of a sweep.
  showSweep(): void {
    const { sweep, parts, unit } = this.report;
    if (!sweep) return;
    const words = { clear: "clear", hit: "hit", started_overlapping: "started overlapping" };
    const facts: Fact[] = [
      ["Moving", parts.names[sweep.moving]],
      ["Gets", `${short(100 * sweep.fraction)} % of its way`],
      ["Contacts", String(sweep.contacts.length)],
    ];
    for (const { point } of sweep.contacts.slice(0, 4)) facts.push(["At", `${shortPoint(point)} ${unit}`]);
    this.showFacts(words[sweep.verdict], sweep.verdict === "clear" ? "clear" : "overlapping", facts);
  }

  /// That two parts do not meet.
  showClear(gap: Report["gap"]): void {
    const facts: Fact[] = [["Answer", "the two do not meet"]];
    if (gap) facts.push(["Gap", `${short(gap.distance)} ${this.report.unit}`], ...this.closest(gap.closest));
    this.showFacts("clear", "clear", facts);
  }

  private closest(points: [Point, Point] | null): Fact[] {
    return (points ?? []).map((point) => ["Closest at", `${shortPoint(point)} ${this.report.unit}`]);
  }

  /// What a live server says.
  showMeeting(meeting: Meeting): void {
    const facts: Fact[] = [];
    if (meeting.contained) facts.push(["Contained", meeting.contained === "a" ? "the first" : "the second"]);
    if (meeting.facePairs > 0) facts.push(["Face pairs", String(meeting.facePairs)]);
    if (meeting.distance) facts.push(["Gap", `${short(meeting.distance)} ${this.report.unit}`]);
    facts.push(...this.closest(meeting.closest));
    if (meeting.point) facts.push(["At", `${shortPoint(meeting.point)} ${this.report.unit}`]);
    this.showFacts(meeting.verdict, meeting.verdict, facts);
  }

  showProblem(text: string): void {
    this.showFacts("error", "overlapping", [["Server", text]]);
  }

  private showFacts(word: string, kind: string, facts: Fact[]): void {
    this.element.hidden = false;
    const rows = facts.map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)]);
    const head = make("header", {}, make("span", { class: `verdict ${kind}`, role: "status" }, word));
    this.element.replaceChildren(head, make("dl", {}, ...rows.flat()));
  }
}
