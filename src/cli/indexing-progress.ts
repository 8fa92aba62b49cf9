import { isScreen, say, type Terminal } from "./terminal.ts";

const PAUSE_MS = 3_000;
const SCREEN_PAUSE_MS = 100;

/** A screen has one line that is rewritten. Other outputs get a line every three seconds. */
export class IndexingProgress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #showAt: number;
  #ended = false;

  constructor(terminal: Terminal, now: () => number = performance.now.bind(performance)) {
    this.#terminal = terminal;
    this.#now = now;
    this.#showAt = now() + (isScreen(terminal) ? 0 : PAUSE_MS);
  }

  show({ done, total }: { readonly done: number; readonly total: number }): void {
    if (this.#ended || this.#now() < this.#showAt) return;
    const line = `indexing: read ${done} of ${total} files …`;
    if (isScreen(this.#terminal)) this.#terminal.stderr.write(`\r${line}\x1b[K`);
    else say(this.#terminal, line);
    this.#showAt = this.#now() + (isScreen(this.#terminal) ? SCREEN_PAUSE_MS : PAUSE_MS);
  }

  /** Shows nothing more, and clears the line on a screen. */
  end(): void {
    if (!this.#ended && isScreen(this.#terminal)) this.#terminal.stderr.write("\r\x1b[K");
    this.#ended = true;
  }
}
