const MAX_LABEL = 999;

/** Knows while a text goes by whether it is inside a bracket that opened its line, as labels of references do. */
export class LineBeginning {
  #state: "prefix" | "label" | "text" = "prefix";
  #length = 0;

  get inLabel(): boolean {
    return this.#state === "label";
  }

  pass(text: string): void {
    for (const mark of text) {
      if (this.#state === "label") this.#inLabel(mark);
      else if (mark === "\n") this.#state = "prefix";
      else if (this.#state === "prefix" && mark === "[") this.#enterLabel();
      else if (this.#state === "prefix" && !/[\s>*+\-\d.)]/.test(mark)) this.#state = "text";
    }
  }

  #enterLabel(): void {
    this.#state = "label";
    this.#length = 0;
  }

  #inLabel(mark: string): void {
    this.#length++;
    if (mark === "[") this.#length = 0;
    else if (mark === "]" || this.#length > MAX_LABEL) this.#state = "text";
  }
}
