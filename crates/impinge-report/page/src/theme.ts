// Light or dark: as the system says, until the user says otherwise.

const KEY = "impinge-theme";

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen: string | null = null;

  constructor(private readonly changed: (isDark: boolean) => void) {
    try {
      // Some browsers give pages from files no memory.
      this.chosen = localStorage.getItem(KEY);
    } catch {
      this.chosen = null;
    }
    this.apply();
    this.system.addEventListener("change", () => {
      this.apply();
      this.changed(this.isDark);
    });
  }

  get isDark(): boolean {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  toggle(): void {
    this.chosen = this.isDark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // Then it holds for this page only.
    }
    this.apply();
    this.changed(this.isDark);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
  }
}
