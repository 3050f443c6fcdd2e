// What the list shows: clashes and resolved ones alike, filtered, searched and sorted, and the groups that they are in.

import type { PackedClash, PackedGroup, Point, Report, Resolved, Status, Verdict } from "./data";
import { short } from "./data";

export interface Entry {
  /// Its place in the order of severity.
  rank: number;
  id: string;
  verdict: Verdict;
  status: Status | null;
  names: [string, string];
  paths: [string, string];
  parts: number[];
  point: Point | null;
  clash: PackedClash | null;
  /// The group that it is in, where that has other members, too.
  group: Group | null;
}

/// A group of more than one clash. In the list it has the names and numbers of its gravest member.
export interface Group extends Entry {
  kind: PackedGroup["kind"];
  /// The gravest first.
  members: Entry[];
}

export const isGroup = (entry: Entry): entry is Group => "members" in entry;

export type Order = "severity" | "name" | "size" | "faces" | "time";

export interface Filter {
  verdicts: Set<Verdict>;
  statuses: Set<Status>;
  search: string;
  part: number | null;
  order: Order;
  /// Overlaps no deeper than this are left out; 0 leaves out none.
  tolerance: number;
}

export function entriesOf(report: Report): Entry[] {
  const { names, paths } = report.parts;
  const clashes = report.clashes.map((clash, rank): Entry => {
    const { id, verdict, status, a, b, point } = clash;
    return {
      rank,
      id,
      verdict,
      status,
      names: [names[a], names[b]],
      paths: [paths[a], paths[b]],
      parts: [a, b],
      point,
      clash,
      group: null,
    };
  });
  for (const group of report.groups ?? []) if (group.members.length > 1) join(group, clashes);
  const gone = (report.resolved ?? []).map((resolved: Resolved, i): Entry => {
    // The parts may still be there.
    const parts = resolved.paths.map((path) => paths.indexOf(path)).filter((part) => part >= 0);
    const { id, verdict, names, point } = resolved;
    const rank = clashes.length + i;
    return {
      rank,
      id,
      verdict,
      status: "resolved",
      names,
      paths: resolved.paths,
      parts,
      point,
      clash: null,
      group: null,
    };
  });
  return [...clashes, ...gone];
}

function join({ id, kind, members }: PackedGroup, clashes: Entry[]): void {
  const entries = members.map((member) => clashes[member]);
  const group: Group = { ...entries[0], id, kind, members: entries };
  for (const entry of entries) entry.group = group;
}

/// The kind of a group in words.
export function kindInWords(group: Group): string {
  const count = group.members.length;
  if (group.kind === "repeat") return `${count} times the same two shapes in the same way`;
  return `${count} clashes of one part`;
}

/// The members of each group that are among some entries.
export function membersOf(entries: Entry[]): Map<Group, Entry[]> {
  const members = new Map<Group, Entry[]>();
  for (const entry of entries) {
    if (!entry.group) continue;
    const known = members.get(entry.group);
    if (known) known.push(entry);
    else members.set(entry.group, [entry]);
  }
  return members;
}

/// What stands in the list: entries in their order, those of a group in one row, which is followed by them where it is open.
export function rowsOf(entries: Entry[], members: Map<Group, Entry[]>, isOpen: (group: Group) => boolean): Entry[] {
  const rows: Entry[] = [];
  for (const entry of entries) {
    const own = entry.group && members.get(entry.group);
    if (!entry.group || !own) rows.push(entry);
    else if (own[0] === entry) rows.push(entry.group, ...(isOpen(entry.group) ? own : []));
  }
  return rows;
}

const texts = new WeakMap<Entry, string>();

function textOf(entry: Entry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const ids = [entry.id, entry.group?.id ?? ""];
    text = [...entry.names, ...entry.paths, entry.verdict, entry.status ?? "", ...ids].join("\n").toLowerCase();
    texts.set(entry, text);
  }
  return text;
}

/// Whether it is an overlap that a tolerance forgives, as `--tolerance` of the command does.
export function isForgiven({ clash }: Entry, tolerance: number): boolean {
  if (tolerance === 0 || clash?.verdict !== "overlapping" || clash.limited_by_thickness) return false;
  return clash.penetration !== null && clash.penetration[1] <= tolerance;
}

/// Every word of the search must be somewhere in the names, paths, verdict, status or id, or in what `noted` says of it.
export function select(entries: Entry[], filter: Filter, noted: (entry: Entry) => string = () => ""): Entry[] {
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const chosen = entries.filter(
    (entry) =>
      (filter.verdicts.size === 0 || filter.verdicts.has(entry.verdict)) &&
      (filter.statuses.size === 0 || (entry.status !== null && filter.statuses.has(entry.status))) &&
      (filter.part === null || entry.parts.includes(filter.part)) &&
      !isForgiven(entry, filter.tolerance) &&
      words.every((word) => textOf(entry).includes(word) || noted(entry).includes(word)),
  );
  const compare = ORDERS[filter.order];
  return compare ? chosen.sort((one, other) => compare(one, other) || one.rank - other.rank) : chosen;
}

const size = (entry: Entry) => entry.clash?.penetration?.[1] ?? entry.clash?.depth ?? -(entry.clash?.distance ?? Infinity);

const ORDERS: Record<Order, ((one: Entry, other: Entry) => number) | null> = {
  severity: null,
  name: (one, other) => one.names[0].localeCompare(other.names[0]) || one.names[1].localeCompare(other.names[1]),
  size: (one, other) => size(other) - size(one) || 0,
  faces: (one, other) => (other.clash?.face_pairs ?? -1) - (one.clash?.face_pairs ?? -1),
  time: (one, other) => (one.clash?.time ?? -1) - (other.clash?.time ?? -1),
};

/// An interval as one number where it is narrow, as the table of the command has it.
export function interval([atLeast, atMost]: [number, number]): string {
  if (atMost <= atLeast * 1.011) return rough(atMost, Math.ceil);
  const end = rough(atMost, Math.ceil);
  return atLeast > 0 ? `${rough(atLeast, Math.floor)} to ${end}` : `≤ ${end}`;
}

/// A length with three digits, rounded up or down: more of them say nothing of an interval.
export function rough(length: number, round: (value: number) => number): string {
  if (!(length > 0 && Number.isFinite(length))) return short(length);
  const exponent = Math.floor(Math.log10(length)) - 2;
  const digits = length / 10 ** exponent;
  const isWhole = Math.abs(digits - Math.round(digits)) < 1e-9 * digits;
  return short(Number(`${isWhole ? Math.round(digits) : round(digits)}e${exponent}`));
}

/// The figures that say most about a clash: how deep it is, and what both parts share.
export function measure(entry: Entry, unit: string): string {
  const { clash } = entry;
  if (!clash) return "";
  if (clash.verdict === "near") return `gap ${short(clash.distance)} ${unit}`;
  if (clash.penetration !== null) {
    const depth = `depth ${clash.estimated ? "≈ " : ""}${interval(clash.penetration)} ${unit}`;
    return clash.volume != null ? `${depth}, ${rough(clash.volume, Math.round)} ${unit && `${unit}³`}`.trimEnd() : depth;
  }
  if (clash.depth !== null) return `separation ≤ ${short(clash.depth)} ${unit}`;
  if (clash.contained) return clash.contained === "a" ? "first in second" : "second in first";
  return clash.face_pairs > 0 ? `${clash.face_pairs} face pairs` : "";
}
