import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Only a repeated group can take exponential time: two ways to read the same text must be possible in each round. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/;

/** What the checker finds no answer for in time, by file and beginning, and why it is safe. */
const JUSTIFIED: readonly [file: string, start: string, why: string][] = [
  ["src/tools/shared/text.ts", "<\\/?[a-z]", "white space begins each round; a value without quotes has none"],
  ["src/ranking/publication-ids.ts", "(?<![\\d.])10", "a point begins each round, and digits go on"],
  ["src/ranking/query-terms.ts", "(?<![\\p{L}", "a hyphen, _ or / begins each round, and words have none"],
  ["src/ranking/tokenize.ts", "(?<!\\p{N})", "a point begins each round, and numbers have none"],
  ["src/models/tool-calls.ts", "^(?:\\s*<tool_call>", "no round has the beginning of the next one"],
  ["src/evidence/citation-markers.ts", "(?<![^\\S\\n])", "a comma or hyphen begins each round; the rest of it is white space and digits"],
  ["src/evidence/figures/plain-text.ts", "\\b(?:parts?", "a point begins each round, and digits go on"],
  ["src/documents/document-kind.ts", "^\\s*(?:<\\?xml", "a comment ends at its first -->"],
  ["src/documents/html/metadata.ts", "\\s*[|｜]", "each round takes one character"],
];

interface Expression {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

function expressionsIn(file: string): Expression[] {
  const { program } = parseSync(file, readFileSync(join(ROOT, file), "utf8"));
  const found: Expression[] = [];
  const add = (node: ESTree.Node): void => {
    if ("regex" in node && node.regex) found.push({ file, pattern: node.regex.pattern, flags: node.regex.flags });
  };
  new Visitor({ Literal: add }).visit(program);
  return found;
}

const isJustified = ({ file, pattern }: Expression): boolean => JUSTIFIED.some(([of, start]) => of === file && pattern.startsWith(start));

it("no text makes a regular expression take exponential time, and none of a request more than linear time", async () => {
  const all = globSync("src/**/*.ts", { cwd: ROOT }).flatMap(expressionsIn);
  expect(JUSTIFIED.filter(([file, start]) => !all.some((one) => one.file === file && one.pattern.startsWith(start)))).toEqual([]);
  const faults: string[] = [];
  for (const one of all.filter(({ file, pattern }) => file.startsWith("src/http/") || REPEATED_GROUP.test(pattern))) {
    if (isJustified(one)) continue;
    const found = await check(one.pattern, one.flags, { timeout: 60_000 });
    const what = found.status === "unknown" ? found.error.kind : found.complexity.type;
    const isAllowed = what === "polynomial" ? !one.file.startsWith("src/http/") : ["safe", "linear", "constant"].includes(what);
    if (!isAllowed) faults.push(`${one.file}: /${one.pattern}/${one.flags} ${what}`);
  }
  expect(faults).toEqual([]);
});
