import "./style.css";
import { App } from "./app";
import { readReport } from "./data";

declare global {
  interface Window {
    /// For tests: what is shown, how long the page took to open, and where the handle of a live page is on the screen.
    impinge?: { state: () => App["state"]; openedIn: number; handle: () => { x: number; y: number } | null };
  }
}

const host = document.getElementById("app")!;
try {
  const app = new App(host, await readReport());
  window.impinge = { state: () => app.state, openedIn: performance.now(), handle: () => app.live?.onScreen() ?? null };
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `This report cannot be shown: ${String(error)}`;
  host.replaceChildren(message);
  throw error;
}
