// When a picture is drawn: soon, once, however often it is asked for.

/// So many milliseconds after the last motion the full picture is drawn.
const CALM = 160;

export class Schedule {
  /// Whether the next picture may be rougher, because another is soon to come.
  isHasty = false;
  private pending = 0;
  private calm: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly draw: (now: number) => void) {}

  request(): void {
    if (this.pending !== 0) return;
    this.pending = requestAnimationFrame((now) => {
      this.pending = 0;
      this.draw(now);
    });
  }

  /// A rougher picture soon, and the full one when nothing has moved for a while.
  requestInHaste(): void {
    this.isHasty = true;
    clearTimeout(this.calm);
    this.calm = setTimeout(() => {
      this.isHasty = false;
      this.request();
    }, CALM);
    this.request();
  }
}
