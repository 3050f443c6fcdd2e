// Status, assignee and comments of one clash or group, to be written, and all of them to a file and back.

import type { Comment } from "./data";
import { iconButton, make } from "./dom";
import { type Notes, WORDS } from "./notes";

/// The fields of what is said about an id.
export function noteEditor(notes: Notes, id: string, label: string): HTMLElement {
  const { status, assignee } = notes.of(id);
  const words = [...new Set([...WORDS, ...(status ? [status] : [])])];
  const choice = make(
    "select",
    { class: "note-status", "aria-label": "Status", onchange: () => notes.setStatus(id, choice.value) },
    make("option", { value: "" }, "no status"),
    ...words.map((word) => make("option", { value: word, selected: word === status }, word)),
  );
  const person = make("input", {
    class: "note-assignee",
    placeholder: "Assignee",
    "aria-label": "Assignee",
    value: assignee ?? "",
    onchange: () => notes.setAssignee(id, person.value),
  });
  const comments = make("div", { class: "comments" });
  const draw = () => {
    const all = notes.of(id).comments.map((comment) =>
      commentOf(comment, notes.isOwn(id, comment) && (() => (notes.uncomment(id, comment), draw()))),
    );
    comments.replaceChildren(...all);
  };
  const text = make("textarea", { class: "note-comment", rows: 2, placeholder: "Comment", "aria-label": "Comment" });
  const add = () => {
    notes.comment(id, text.value);
    text.value = "";
    draw();
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
  });
  draw();
  const button = make("button", { type: "button", class: "text note-add", onclick: add }, "Add comment");
  return make(
    "section",
    { class: "note-editor", "aria-label": label },
    make("h3", {}, label),
    make("div", { class: "line" }, choice, person),
    comments,
    text,
    button,
  );
}

function commentOf({ text, author, date }: Comment, remove: false | (() => void)): HTMLElement {
  const by = [author, date?.slice(0, 10)].filter((word) => word).join(", ");
  return make(
    "div",
    { class: "comment" },
    make("p", {}, text, by !== "" && make("small", {}, ` ${by}`)),
    remove && iconButton("close", "Take the comment back", remove),
  );
}

/// Buttons that save all notes to a file and load one.
export function noteFile(notes: Notes): HTMLElement {
  const said = make("span", { class: "note-said", role: "status" });
  const chosen = make("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "Notes" });
  chosen.addEventListener("change", async () => {
    const file = chosen.files?.[0];
    if (!file) return;
    try {
      const count = notes.load(await file.text());
      said.textContent = `${count} loaded`;
    } catch (error) {
      said.textContent = `${file.name}: ${error instanceof Error ? error.message : String(error)}`;
    }
    chosen.value = "";
  });
  const save = () => {
    const address = URL.createObjectURL(new Blob([notes.save()], { type: "application/json" }));
    make("a", { href: address, download: "notes.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    said.textContent = `${notes.count} saved`;
  };
  const title = "Status, assignee and comments, as a file for impinge clash --status";
  return make(
    "div",
    { class: "line note-file" },
    make("button", { type: "button", class: "text", title, onclick: save }, "Save notes"),
    make("button", { type: "button", class: "text", title, onclick: () => chosen.click() }, "Load notes"),
    chosen,
    said,
  );
}
