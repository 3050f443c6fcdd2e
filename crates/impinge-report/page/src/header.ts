// The bar at the top: what the report is about.

import type { Report } from "./data";
import { iconButton, make } from "./dom";

export function headerOf(report: Report, press: { list(): void; theme(): void; help(): void }): HTMLElement {
  const kinds = { clash: "Clashes", check: "Check", sweep: "Sweep", arena: "Arena" };
  const parts = report.parts.names.length;
  const facts = [`${parts} ${parts === 1 ? "part" : "parts"}`];
  if (report.kind === "clash") {
    const found = report.clashes.length;
    facts.unshift(`${found} ${found === 1 ? "clash" : "clashes"}`);
  }
  if (report.unit) facts.push(`lengths in ${report.unit}`);
  return make(
    "header",
    { class: "bar" },
    iconButton("menu", "Show or hide the list", press.list, "l"),
    make("span", { class: "kind" }, report.live ? "View" : report.animation?.film ? "Film" : kinds[report.kind]),
    make("h1", { title: report.title }, report.title || "impinge"),
    report.partial && make("span", { class: "badge" }, "partial"),
    make("span", { class: "facts" }, facts.join(" · ")),
    make("span", { class: "gap" }),
    iconButton("theme", "Light or dark", press.theme, "d"),
    iconButton("help", "Keys and help", press.help, "?"),
  );
}
