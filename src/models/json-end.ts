/** Finds the end of a JSON object or list that arrives in pieces; every character is looked at once. */
export class JsonEnd {
  #depth = 0;
  #began = false;
  #inString = false;
  #escaped = false;

  /** Whether the first object or list is closed. */
  get closed(): boolean {
    return this.#began && this.#depth === 0;
  }

  push(piece: string): void {
    for (const character of piece) this.#look(character);
  }

  #look(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (character === "\\") this.#escaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') this.#inString = true;
    else if (character === "{" || character === "[") {
      this.#began = true;
      this.#depth += 1;
    } else if (character === "}" || character === "]") this.#depth -= 1;
  }
}
