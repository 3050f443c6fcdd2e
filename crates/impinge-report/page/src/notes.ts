// What people say about clashes and groups: it comes with the report, is kept in the browser, and goes to a file and back. The file is
// what `impinge clash --status` reads.

import type { Comment, Report, Review } from "./data";

/// What BCF's readers know; others may come with a report.
export const WORDS = ["Open", "In Progress", "Resolved", "Closed"];

interface NotesFile {
  schema: 1;
  notes: Record<string, Partial<Review>>;
}

export class Notes {
  private readonly given = new Map<string, Review>();
  private readonly own = new Map<string, Review>();
  private readonly key: string;
  /// Told when something changed: one note, or many by a file.
  changed: (byFile: boolean) => void = () => {};

  constructor(report: Report) {
    this.key = `impinge-notes:${report.title}`;
    const known = [...report.clashes, ...(report.groups ?? [])];
    for (const { id, review } of known) if (review) this.given.set(id, review);
    try {
      // Some browsers give pages from files no memory. What is said of other clashes stays in it.
      const kept = localStorage.getItem(this.key);
      if (kept) for (const [id, review] of read(kept)) this.own.set(id, review);
    } catch {
      this.own.clear();
    }
  }

  /// What is said about an id: what came with the report, and what was written here over it.
  of(id: string): Review {
    const [given, own] = [this.given.get(id) ?? EMPTY, this.own.get(id)];
    return own ? merged(given, own) : given;
  }

  /// In a few words, for a row.
  summary(id: string): string {
    const { status, assignee, comments } = this.of(id);
    const remarks = comments.length === 0 ? "" : `${comments.length} comment${comments.length === 1 ? "" : "s"}`;
    return [status, assignee && `(${assignee})`, remarks].filter((word) => word).join(" ");
  }

  /// All that is said, to be searched.
  text(id: string): string {
    const { status, assignee, comments } = this.of(id);
    return [status, assignee, ...comments.map(({ text }) => text)].join("\n").toLowerCase();
  }

  setStatus(id: string, status: string): void {
    this.change(id, (own) => (own.status = status));
  }

  setAssignee(id: string, assignee: string): void {
    this.change(id, (own) => (own.assignee = assignee.trim()));
  }

  comment(id: string, text: string): void {
    if (text.trim() === "") return;
    const date = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    this.change(id, (own) => own.comments.push({ date, text: text.trim() }));
  }

  /// Takes back a comment that was made here.
  uncomment(id: string, comment: Comment): void {
    this.change(id, (own) => (own.comments = own.comments.filter((one) => !isSame(one, comment))));
  }

  isOwn(id: string, comment: Comment): boolean {
    return this.own.get(id)?.comments.some((one) => isSame(one, comment)) ?? false;
  }

  private change(id: string, edit: (own: Review) => void): void {
    const own = this.own.get(id) ?? { status: null, assignee: null, comments: [] };
    edit(own);
    this.own.set(id, own);
    this.keep();
  }

  private keep(byFile = false): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(file(this.own)));
    } catch {
      // Then it holds for this page only, or until it is saved.
    }
    this.changed(byFile);
  }

  /// How many clashes and groups have something said about them.
  get count(): number {
    return Object.keys(this.all().notes).length;
  }

  /// The text of a file with all that is said.
  save(): string {
    return JSON.stringify(this.all(), null, 2) + "\n";
  }

  private all(): NotesFile {
    const ids = new Set([...this.given.keys(), ...this.own.keys()]);
    return file(new Map([...ids].map((id) => [id, this.of(id)])));
  }

  /// Adds what a file says; throws where it is no file of notes.
  load(text: string): number {
    const loaded = read(text);
    for (const [id, review] of loaded) this.own.set(id, merged(this.own.get(id) ?? EMPTY, review));
    this.keep(true);
    return loaded.length;
  }
}

const EMPTY: Review = { status: null, assignee: null, comments: [] };

/// A later word counts more, an empty one takes back; comments add up.
function merged(given: Review, later: Review): Review {
  const fresh = later.comments.filter((comment) => !given.comments.some((known) => isSame(known, comment)));
  return {
    status: (later.status ?? given.status) || null,
    assignee: (later.assignee ?? given.assignee) || null,
    comments: [...given.comments, ...fresh],
  };
}

const isSame = (one: Comment, other: Comment) =>
  (one.guid ?? one.text) === (other.guid ?? other.text) &&
  (one.author ?? null) === (other.author ?? null) &&
  (one.date ?? null) === (other.date ?? null);

/// Only what is said: an empty word is none in a file, except in the browser's memory, where it takes one back.
function file(reviews: Map<string, Review>): NotesFile {
  const notes: [string, Partial<Review>][] = [];
  for (const [id, { status, assignee, comments }] of reviews) {
    const note: Partial<Review> = {};
    if (status !== null) note.status = status;
    if (assignee !== null) note.assignee = assignee;
    if (comments.length > 0) note.comments = comments;
    if (Object.keys(note).length > 0) notes.push([id, note]);
  }
  return { schema: 1, notes: Object.fromEntries(notes) };
}

/// Reads a file of notes, as the command does.
function read(text: string): [string, Review][] {
  const { schema, notes } = JSON.parse(text) as { schema?: unknown; notes?: unknown };
  if (schema !== 1 || !isRecord(notes)) throw new Error("this is no file of notes of schema 1");
  return Object.entries(notes).map(([id, note]) => {
    if (!isRecord(note)) throw new Error(`the note of ${id} is none`);
    const comments = Array.isArray(note.comments) ? note.comments.filter(isRecord).map(commentOf) : [];
    if (word(note.comment)) comments.push(commentOf({ ...note, text: note.comment }));
    return [id, { status: word(note.status), assignee: word(note.assignee), comments }];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const word = (value: unknown) => (typeof value === "string" ? value : null);

/// Fields that say nothing are left out.
function commentOf({ guid, author, date, text }: Record<string, unknown>): Comment {
  const said = Object.entries({ guid, author, date }).filter(([, value]) => typeof value === "string");
  return { ...Object.fromEntries(said), text: word(text) ?? "" };
}
