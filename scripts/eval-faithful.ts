// Measures whether true sentences keep their support and false ones get none: npm run -s eval:faithful -- [FILE] [--half a|b] [--documents FOLDER].
import { parseArgs } from "node:util";
import { readHalf, readSet } from "./faithful/read-set.ts";
import { isMissed, judgeSet, missedTargets, type Outcome, scoreOf } from "./faithful/score-set.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string", default: "a" }, documents: { type: "string" } },
});
const [file] = positionals;
const outcomes = judgeSet(file === undefined ? await readHalf(values.half) : await readSet(file, values.documents ?? null));
const score = scoreOf(outcomes);
const targets = missedTargets(score);
for (const line of [...outcomes.filter(isMissed).map(formatMiss), ...targets]) process.stderr.write(`${line}\n`);
process.stdout.write(`${JSON.stringify(score)}\n`);
process.exitCode = targets.length > 0 ? 1 : 0;

function formatMiss({ sentence, outcome, reason }: Outcome): string {
  const wanted = sentence.truth ? (sentence.expect ?? sentence.kind ?? "shown") : `false (${sentence.fault ?? "?"})`;
  return [sentence.id ?? "?", wanted, outcome, reason ?? "", sentence.text].join(" | ");
}
