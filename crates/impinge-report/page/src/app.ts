// The page as a whole: what is selected, and who is told.

import { apart, type Meeting, meetingOf, type Report, short, shortId } from "./data";
import { Detail } from "./detail";
import { iconButton, make } from "./dom";
import { type Entry, entriesOf, isGroup } from "./entries";
import { followChoice } from "./follow";
import { headerOf } from "./header";
import { helpDialog } from "./help";
import { listenToKeys } from "./keys";
import { Live } from "./live";
import { type Motion, motionOf } from "./motion";
import { Notes } from "./notes";
import { Panel } from "./panel";
import { preparePrint } from "./print";
import { sharedOf } from "./shared";
import { Theme } from "./theme";
import { type Mark, Timeline } from "./timeline";
import { Toolbar } from "./toolbar";
import { Toolbox } from "./toolbox";
import { View } from "./view";

/// A full turn of the swept motion takes so many seconds.
const SWEEP_SECONDS = 4;

export class App {
  readonly panel: Panel;
  readonly theme: Theme;
  readonly detail: Detail;
  readonly help: HTMLDialogElement;
  readonly view: View | null;
  readonly timeline: Timeline | null;
  readonly live: Live | null;
  selected: Entry | null = null;
  private readonly root: HTMLElement;
  private readonly entries: Entry[];
  private readonly motion: Motion | null;
  private readonly notes: Notes;
  private readonly tools: Toolbox;
  private readonly toolbar = new Toolbar();
  private xray = false;
  private shared = true;
  private ghosts = true;
  private zUp: boolean;

  constructor(
    host: HTMLElement,
    readonly report: Report,
  ) {
    this.entries = entriesOf(report);
    this.zUp = report.z_up;
    this.motion = motionOf(report);
    this.theme = new Theme((isDark) => {
      this.view?.setTheme(isDark);
      this.panel.apply();
    });
    this.notes = new Notes(report);
    this.detail = new Detail(
      report,
      (by) => this.step(by),
      () => this.select(null),
      (part) => this.onlyPart(part),
      (entry) => this.select(entry),
      this.notes,
    );
    this.help = helpDialog(report.live);
    const stage = make("main", { class: "stage", "aria-label": "3D view" });
    this.root = make("div", { class: "app" });
    host.replaceChildren(this.root);
    this.root.append(
      headerOf(report, {
        list: () => this.togglePanel(),
        theme: () => this.theme.toggle(),
        help: () => this.help.showModal(),
      }),
      stage,
      this.help,
    );
    this.view = this.makeView(stage);
    this.panel = new Panel(
      report,
      this.entries,
      () => this.selected,
      (entry) => this.select(entry),
      (shown) => {
        this.view?.setMarks(shown.flatMap((entry) => entry.clash ?? []));
      },
      this.notes,
    );
    this.notes.changed = (byFile) => {
      this.panel.list.refresh();
      if (byFile && this.selected) this.detail.show(this.selected);
    };
    const shade = make("div", { class: "shade", onclick: () => this.togglePanel(false) });
    stage.before(this.panel.element, shade);
    this.tools = new Toolbox(report, this.view, (part) => this.onlyPart(part));
    const { section, measured, tree } = this.tools;
    this.fillToolbar();
    const bars = make("div", { class: "bars" }, this.toolbar.element);
    if (this.tools.buttons.length > 0) bars.append(section.element, measured, tree.element);
    stage.append(bars, this.detail.element);
    preparePrint(
      this.root,
      report,
      this.notes,
      () => this.panel.shown,
      () => this.view?.picture() ?? null,
    );
    this.timeline = this.makeTimeline();
    if (this.timeline) stage.append(this.timeline.element);
    if (report.animation?.film) stage.append(make("p", { class: "caption" }, report.notes.join(" ")));
    this.togglePanel(matchMedia("(min-width: 800px)").matches && !this.isQuiet());
    this.live = report.live && this.view ? this.makeLive(this.view) : null;
    this.toolbar.write();
    if (report.sweep) this.detail.showSweep();
    else if (report.kind === "check" && report.parts.names.length > 1 && this.entries.length === 0 && !report.live) this.showClear();
    this.startGame();
    listenToKeys(this);
    addEventListener("hashchange", () => this.followHash());
    this.followHash();
    if (report.kind === "check" && this.entries.length === 1) this.select(this.entries[0]);
  }

  /// Nothing to list.
  private isQuiet(): boolean {
    if (this.report.animation?.film) return this.entries.length === 0;
    return (
      this.entries.length === 0 &&
      this.report.notes.length === 0 &&
      this.report.tables.length === 0 &&
      !this.report.partial &&
      this.report.kind !== "clash"
    );
  }

  private makeView(stage: HTMLElement): View | null {
    const holder = make("div", { class: "canvas" });
    stage.append(holder);
    try {
      const view = new View(holder, this.report, this.motion?.tracks ?? [], this.theme.isDark);
      view.canvas.setAttribute("role", "img");
      view.canvas.setAttribute("aria-label", `3D view of ${this.report.title}`);
      this.listenToClicks(view);
      return view;
    } catch (error) {
      console.warn("no 3D view:", error);
      const text = "This browser shows no 3D graphics (WebGL 2). The list has everything but the picture.";
      holder.replaceChildren(make("p", { class: "no-3d", role: "alert" }, text));
      return null;
    }
  }

  private fillToolbar(): void {
    const bar = this.toolbar;
    bar.element.append(iconButton("fit", "See everything", () => this.view?.fitAll(), "f"));
    // A film has no two parts to look at, and knows what is up.
    if (this.report.animation?.film) return;
    const title = {
      xray: "See through the two parts (x)",
      overlap: "Draw what the two parts share as a solid (v)",
      others: "Show or hide the other parts (g)",
      up: "Turn the world: Y up or Z up (z)",
    };
    // prettier-ignore
    {
      bar.add("X-ray", title.xray, () => this.xray, () => this.toggleXray());
      if (this.report.clashes.some((clash) => sharedOf(clash) !== null))
        bar.add("Overlap", title.overlap, () => this.shared, () => this.toggleShared());
      bar.add("Others", title.others, () => this.ghosts, () => this.toggleGhosts());
      bar.add("Z up", title.up, () => this.zUp, () => this.toggleZUp());
    }
    for (const button of this.tools.buttons) bar.add(...button);
    bar.write();
  }

  toggleXray(): void {
    this.view?.setXray((this.xray = !this.xray));
    this.toolbar.write();
  }

  toggleShared(): void {
    this.view?.setShared((this.shared = !this.shared));
    this.toolbar.write();
  }

  toggleGhosts(): void {
    this.view?.setGhosts((this.ghosts = !this.ghosts));
    this.toolbar.write();
  }

  toggleZUp(): void {
    this.view?.setZUp((this.zUp = !this.zUp));
    this.toolbar.write();
  }

  /// Presses the button of a tool; false where there is none.
  useTool(name: string): boolean {
    const button = this.tools.buttons.find(([text]) => text === name);
    button?.[3]();
    this.toolbar.write();
    return button !== undefined;
  }

  togglePanel(open = !this.root.classList.contains("with-panel")): void {
    this.root.classList.toggle("with-panel", open);
    // What is out of sight is not to be reached by Tab either.
    this.panel.element.inert = !open;
  }

  private makeTimeline(): Timeline | null {
    const { motion, report } = this;
    if (!motion || motion.tracks.length === 0) return null;
    const marks: Mark[] = report.clashes.flatMap((clash) =>
      clash.time === null
        ? []
        : [{ time: clash.time, kind: clash.verdict, label: `${clash.verdict} at ${short(clash.time)} s` }],
    );
    if (report.sweep) marks.push({ time: report.sweep.fraction, kind: "overlapping", label: "stop" });
    const { sweep } = report;
    const format = (time: number) => (sweep ? `${(100 * time).toFixed(1)} %` : `${time.toFixed(2)} s`);
    const length = sweep ? SWEEP_SECONDS : Math.max(motion.duration, 0.001);
    const timeline = new Timeline(motion.duration, marks.slice(0, 2000), format, length, (time) => {
      this.view?.setTime(motion.tracks, time);
    });
    timeline.set(sweep ? sweep.fraction : 0);
    return timeline;
  }

  /// A game opens with the first player in sight, and playing, as a film does, unless motion is not wanted.
  private startGame(): void {
    const { view, timeline, report } = this;
    const followed = report.animation?.followed ?? [];
    if (!view || !timeline || (followed.length === 0 && !report.animation?.film)) return;
    if (followed.length > 0) this.toolbar.element.append(followChoice(view, report, followed));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timeline.toggle();
  }

  private makeLive(view: View): Live {
    const live = new Live(
      view,
      (meeting) => this.showLive(view, meeting),
      (reason) => this.detail.showProblem(reason),
    );
    const bar = this.toolbar;
    // prettier-ignore
    {
      bar.add("Move", "Move the part (t)", () => live.mode === "translate", () => this.setLiveMode("translate"));
      bar.add("Turn", "Turn the part (r)", () => live.mode === "rotate", () => this.setLiveMode("rotate"));
    }
    this.report.parts.names.slice(0, 2).forEach((name, part) =>
      bar.add(
        name || "unnamed",
        `Drag ${name} (o)`,
        () => live.part === part,
        () => this.takeLive(part),
      ),
    );
    return live;
  }

  setLiveMode(mode: "translate" | "rotate"): boolean {
    this.live?.setMode(mode);
    this.toolbar.write();
    return this.live !== null;
  }

  takeLive(part: number): boolean {
    this.live?.take(part);
    this.toolbar.write();
    return this.live !== null;
  }

  private showLive(view: View, meeting: Meeting): void {
    view.show({ parts: [0, 1], meeting, focus: { box: null, point: meeting.point } }, false);
    this.detail.showMeeting(meeting);
  }

  /// Two parts that do not meet, and where they come closest.
  private showClear(): void {
    const { gap } = this.report;
    this.detail.showClear(gap);
    if (gap) this.view?.show({ parts: [0, 1], meeting: apart(gap), focus: { box: null, point: null } }, false);
  }

  private listenToClicks(view: View): void {
    let start: [number, number] | null = null;
    view.canvas.addEventListener("pointerdown", (event) => (start = [event.offsetX, event.offsetY]));
    view.canvas.addEventListener("pointerup", (event) => {
      const [x, y] = [event.offsetX, event.offsetY];
      const isClick = start && Math.hypot(x - start[0], y - start[1]) < 4;
      start = null;
      if (!isClick || this.live || event.button !== 0) return;
      if (this.tools.click(x, y)) return;
      const hit = view.picker.pick(x, y);
      if (!hit) return;
      if ("part" in hit) return this.onlyPart(hit.part);
      const entry = this.entries.find((one) => one.point === hit.mark);
      if (entry) this.select(entry);
    });
  }

  /// Lists the clashes of one part, where it has any.
  private onlyPart(part: number): void {
    if (!this.entries.some((entry) => entry.parts.includes(part))) return;
    this.panel.setPart(part);
    if (matchMedia("(min-width: 800px)").matches) this.togglePanel(true);
  }

  select(entry: Entry | null, fly = true): void {
    this.selected = entry;
    if (entry) this.panel.reveal(entry);
    this.panel.list.select(entry, true);
    if (entry || !this.report.sweep) this.detail.show(entry);
    else this.detail.showSweep();
    this.view?.eye.cover(entry ? this.detail.covers : 0);
    if (entry && this.timeline && entry.clash?.time != null) {
      this.timeline.stop();
      this.timeline.set(entry.clash.moment ?? entry.clash.time);
    }
    this.view?.show(
      entry && {
        parts: entry.parts,
        meeting: entry.clash && meetingOf(entry.clash),
        focus: { box: entry.clash?.box ?? null, point: entry.point },
        shared: entry.clash && sharedOf(entry.clash),
      },
      fly,
    );
    // On a phone the list would cover what was chosen.
    if (entry && !matchMedia("(min-width: 800px)").matches) this.togglePanel(false);
    this.remember(entry);
  }

  /// Puts the chosen entry into the address.
  private remember(entry: Entry | null): void {
    try {
      history.replaceState(null, "", entry ? `#${entry.id}` : location.pathname + location.search);
    } catch {
      // Within a notebook the page has no address of its own.
    }
  }

  step(by: number): void {
    const entry = this.panel.list.neighbor(by);
    if (entry && entry !== this.selected) this.select(entry);
  }

  /// Opens or closes the chosen group, or the group of the chosen clash.
  openGroup(open: boolean): boolean {
    const { selected } = this;
    const group = selected && (isGroup(selected) ? selected : selected.group);
    if (!group) return false;
    // The row of a member goes when its group is closed.
    if (!open && this.selected !== group) this.select(group);
    return this.panel.open(group, open);
  }

  /// An address names a clash or a group by its id, or by the short one that people see.
  private followHash(): void {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // Then it is taken as it is.
    }
    const all = [...this.entries, ...this.entries.flatMap((one) => one.group ?? [])];
    const entry = id && (all.find((one) => one.id === id) ?? all.find((one) => shortId(one.id) === id));
    if (entry && entry !== this.selected) this.select(entry);
  }

  /// One step back: help, selection, filters.
  back(): void {
    if (this.tools.isMeasuring) this.useTool("Measure");
    else if (this.selected) this.select(null);
    else if (this.panel.isFiltered) this.panel.clear();
  }

  get state() {
    return {
      selected: this.selected?.id ?? null,
      listed: this.panel.shown.length,
      rows: this.panel.list.length,
      theme: document.documentElement.dataset.theme,
      time: this.timeline?.time ?? null,
      playing: this.timeline?.isPlaying ?? false,
      answers: this.live?.answers ?? 0,
      ...(this.view?.state ?? null),
    };
  }
}
