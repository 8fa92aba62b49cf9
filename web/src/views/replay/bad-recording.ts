/** Why a file cannot be shown. `line` counts from 1; `detail` is what a parser said. */
export class BadRecording extends Error {
  readonly what:
    | "empty"
    | "binary"
    | "tooLarge"
    | "notJson"
    | "bundle"
    | "notRecording"
    | "version"
    | "event"
    | "gap"
    | "noEvents"
    | "cutBefore"
    | "longLine";
  readonly line: number;
  readonly detail: string;

  constructor(what: BadRecording["what"], line = 0, detail = "") {
    super(`${what} ${line} ${detail}`);
    this.name = "BadRecording";
    this.what = what;
    this.line = line;
    this.detail = detail;
  }
}
