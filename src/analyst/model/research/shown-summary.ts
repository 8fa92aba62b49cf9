import type { Effects } from "../../../domain/ports/effects.ts";
import type { ReadText } from "../components/fit-props.ts";
import type { Form } from "../components/form.ts";
import { readShownText, ShownComponent } from "../components/shown-component.ts";
import type { Said, ShownReport } from "../manner.ts";
import { readNoAnswer } from "../no-answer.ts";
import { type Paper, ShownProse } from "../shown-prose.ts";

interface SummaryPlace {
  readonly node: string;
  readonly form: Form<unknown>;
  readonly paper: Paper;
}

/** Shows readers a summary while a model writes it: of its answer only sentences whose citations hold. */
export class ShownSummary implements ShownReport {
  readonly #paper: Paper;
  readonly #component: ShownComponent;

  constructor({ node, form, paper }: SummaryPlace, effects: Effects) {
    this.#paper = paper;
    this.#component = new ShownComponent({ node, form, readText: () => readCited(paper), whenWhole: ["unanswered"] }, effects);
  }

  push(piece: string): void {
    this.#component.push(piece);
  }

  /** Whether this is the answer that counts is known later. */
  end(): void {}

  restart(reason: string): void {
    this.#component.restart(reason);
  }

  whole({ text, unanswered }: Said, last: boolean): void {
    if (!last) this.#component.restart("The answer before it holds more, and counts.");
    const answer = readNoAnswer(text) === null ? readCited(this.#paper)(text, true, "answer").trim() : "";
    this.#component.end({ answer, unanswered: [...unanswered] });
  }
}

/** Reads the growing `answer` as cited prose, and other texts as those of any component. */
function readCited(paper: Paper): ReadText {
  const clean = readShownText(paper.known);
  const prose = new ShownProse(paper);
  let read = "";
  let shown = "";
  let over = false;
  return (text, ended, path) => {
    if (path !== "answer") return clean(text, ended, path);
    if (over || !text.startsWith(read)) return shown;
    shown += prose.push(text.slice(read.length)).join("");
    read = text;
    if (ended) shown += prose.end().join("");
    over = ended;
    return shown;
  };
}
