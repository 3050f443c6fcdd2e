// The keyboard.

import type { App } from "./app";

export function listenToKeys(app: App): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || app.help.open) return;
    const target = event.target as HTMLElement;
    if (target === app.panel.search) {
      if (event.key === "Escape") target.blur();
      else if (event.key === "ArrowDown" || event.key === "Enter") {
        app.panel.list.element.focus();
        app.step(1);
      } else return;
      return event.preventDefault();
    }
    if (target instanceof HTMLSelectElement) return;
    // What is typed is text; the way out of it is Escape.
    const isSlider = target instanceof HTMLInputElement && /^(range|checkbox)$/.test(target.type);
    if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !isSlider)) {
      if (event.key !== "Escape") return;
      target.blur();
      return event.preventDefault();
    }
    // A button is pressed by these, and a slider moved by the arrows.
    const presses = target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ");
    const slides = isSlider && /^(Arrow|Page|Home$|End$)/.test(event.key);
    if (presses || slides) return;
    if (act(app, event.key)) event.preventDefault();
  });
}

function act(app: App, key: string): boolean {
  switch (key) {
    case "j":
    case "ArrowDown":
      app.step(1);
      return true;
    case "k":
    case "ArrowUp":
      app.step(-1);
      return true;
    case "ArrowRight":
      return app.openGroup(true);
    case "ArrowLeft":
      return app.openGroup(false);
    case "Home":
      app.select(app.panel.list.at(0));
      return true;
    case "End":
      app.select(app.panel.list.at(-1));
      return true;
    case "PageDown":
      app.step(10);
      return true;
    case "PageUp":
      app.step(-10);
      return true;
    case "Enter":
      app.select(app.selected ?? app.panel.list.at(0));
      return true;
    case "Escape":
      app.back();
      return true;
    case "/":
      app.togglePanel(true);
      app.panel.search.focus();
      return true;
    case "?":
      app.help.showModal();
      return true;
    case "f":
      app.view?.fitAll();
      return true;
    case "x":
      app.toggleXray();
      return true;
    case "v":
      app.toggleShared();
      return true;
    case "g":
      app.toggleGhosts();
      return true;
    case "z":
      app.toggleZUp();
      return true;
    case "c":
      return app.useTool("Section");
    case "m":
      return app.useTool("Measure");
    case "p":
      return app.useTool("Parts");
    case "d":
      app.theme.toggle();
      return true;
    case "l":
      app.togglePanel();
      return true;
    case " ":
      app.timeline?.toggle();
      return app.timeline !== null;
    case "t":
      return app.setLiveMode("translate");
    case "r":
      return app.setLiveMode("rotate");
    case "o":
      return app.takeLive(1 - (app.live?.part ?? 0));
    default:
      return false;
  }
}
