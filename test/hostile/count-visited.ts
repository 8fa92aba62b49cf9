type Method = (this: string, ...args: never[]) => unknown;

const REST = ["trim", "trimStart", "trimEnd", "normalize", "toLowerCase", "toUpperCase", "isWellFormed", "toWellFormed"] as const;
const SEARCHES = ["indexOf", "includes", "lastIndexOf"] as const;
const RESULTS = ["slice", "substring", "repeat", "padEnd"] as const;
const SINGLE = ["charAt", "charCodeAt", "codePointAt", "at", "startsWith", "endsWith"] as const;

/**
 * Returns how many characters of strings `work` visits: those that methods of strings read or copy, and those between the start and the
 * end of each search of a pattern. Backtracking inside a pattern is not counted. The load of the machine does not matter.
 */
export function countVisited(work: () => unknown): number {
  let visited = 0;
  const undo: (() => void)[] = [];
  const patch = <Name extends keyof string>(name: Name, count: (text: string, result: unknown) => number): void => {
    const native = String.prototype[name] as unknown as Method;
    const counted: Method = function (this, ...args) {
      const result = native.apply(this, args);
      visited += count(this, result);
      return result;
    };
    Object.assign(String.prototype, { [name]: counted });
    undo.push(() => Object.assign(String.prototype, { [name]: native }));
  };
  for (const name of REST) patch(name, (text) => text.length);
  for (const name of SEARCHES) patch(name, (text, result) => (typeof result === "number" && result >= 0 ? 1 : text.length));
  for (const name of RESULTS) patch(name, (_, result) => (result as string).length);
  for (const name of SINGLE) patch(name, () => 1);
  const { exec } = RegExp.prototype;
  // All methods with a pattern call `exec` once it is not the native one.
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const isAnchored = this.sticky || (this.source.startsWith("^") && !this.multiline);
    visited += match === null ? (isAnchored ? 1 : text.length - from) : match.index + match[0].length - from + 1;
    return match;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
    for (const one of undo) one();
  }
  return visited;
}
