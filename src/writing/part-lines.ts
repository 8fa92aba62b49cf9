/** What of a report with an outline a text is: its lead, or the section below a heading. */
export interface ReportPart {
  /** 0 for the lead, then the sections in order. */
  readonly number: number;
  readonly heading: string | null;
}

/** Takes from a growing text the lines of its part: of the lead those before the first heading, of a section those below its own. */
export class PartLines {
  readonly #isLead: boolean;
  #line = "";
  #isHead = true;
  #isOver = false;

  constructor({ heading }: ReportPart) {
    this.#isLead = heading === null;
  }

  push(piece: string): string {
    const lines = (this.#line + piece).split("\n");
    this.#line = lines.pop() ?? "";
    return lines.flatMap((line) => (this.#takes(line) ? `${line}\n` : [])).join("");
  }

  end(): string {
    return this.#takes(this.#line) ? this.#line : "";
  }

  #takes(line: string): boolean {
    const level = /^\s{0,3}(#{1,6})[ \t]/.exec(line)?.[1]?.length ?? 0;
    if (this.#isLead) {
      this.#isOver ||= level > 0;
      return !this.#isOver;
    }
    // A model may repeat the heading that it was given.
    const isRepeated = this.#isHead && level > 0 && level <= 2;
    if (line.trim() !== "") this.#isHead = false;
    return !isRepeated;
  }
}
