import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { WaitMark } from "../domain/ports/journal.ts";

const FILE = "waiting-runs";
/** Room for the id of a run. */
const CELL_BYTES = 64;
const BLANK = Buffer.alloc(CELL_BYTES, " ");

interface Cell extends WaitMark {
  /** Writes the mark if the run only waits. */
  settle(): void;
}

/**
 * Notes in a file which runs only wait for something outside. The system keeps what is written to a file when the process is killed. A run
 * without a note was at work, so a note that is missing or refused changes nothing but whom a crash is charged to.
 */
export class WaitMarks {
  readonly #path: string | null;
  #file: number | null;
  #left: ReadonlySet<string>;
  readonly #free: number[] = [];
  #cells = 0;
  #marked = 0;
  readonly #touched = new Set<Cell>();

  /** `dataDir` is null if it cannot be written. */
  constructor(dataDir: string | null) {
    const path = dataDir === null ? null : join(dataDir, FILE);
    this.#path = path;
    this.#file = path === null ? null : attempt(() => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
    this.#left = new Set(this.#file === null ? [] : namesIn(attempt(() => readFileSync(this.#file ?? 0)) ?? Buffer.of()));
  }

  /** Returns whether the run only waited when the last process died. */
  waited(runId: string): boolean {
    return this.#left.has(runId);
  }

  /** Forgets what the last process noted. */
  clear(): void {
    this.#left = new Set();
    const file = this.#file;
    if (file !== null) attempt(() => ftruncateSync(file));
  }

  open(runId: string, isWaiting: () => boolean): WaitMark {
    const at = this.#free.pop() ?? this.#cells++;
    const name = Buffer.alloc(CELL_BYTES, " ");
    name.write(runId);
    let isOpen = true;
    let isMarked = false;
    const mark = (wanted: boolean): void => {
      if (isMarked === wanted) return;
      isMarked = wanted;
      this.#marked += wanted ? 1 : -1;
      this.#write(at, wanted ? name : BLANK);
    };
    const cell: Cell = {
      touch: () => {
        if (!isOpen) return;
        mark(false);
        if (this.#touched.size === 0) setImmediate(this.#settle);
        this.#touched.add(cell);
      },
      settle: () => mark(isOpen && isWaiting()),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        mark(false);
        this.#free.push(at);
      },
    };
    return cell;
  }

  /** Leaves the marks of runs that did not end for the next process, and otherwise no file. */
  close(): void {
    const [file, path] = [this.#file, this.#path];
    this.#file = null;
    if (file !== null) closeSync(file);
    if (path !== null && this.#marked === 0) attempt(() => rmSync(path, { force: true }));
  }

  readonly #settle = (): void => {
    const cells = [...this.#touched];
    this.#touched.clear();
    for (const cell of cells) cell.settle();
  };

  #write(cell: number, bytes: Buffer): void {
    const file = this.#file;
    if (file !== null) attempt(() => writeSync(file, bytes, 0, CELL_BYTES, cell * CELL_BYTES));
  }
}

function namesIn(bytes: Buffer): string[] {
  const cells = Array.from({ length: Math.ceil(bytes.length / CELL_BYTES) }, (_, at) =>
    bytes.toString("utf8", at * CELL_BYTES, (at + 1) * CELL_BYTES),
  );
  return cells.map((cell) => cell.replaceAll("\0", "").trim()).filter((name) => name !== "");
}

/** A full or broken disk leaves the run without a mark. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
