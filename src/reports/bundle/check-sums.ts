import { SumsSchema } from "../../domain/bundle.ts";
import { hashJson } from "../../domain/json.ts";
import { ITEM_NAMES, type ReadBundle } from "./read-bundle.ts";

/** Every part that is not what the bundle was made with, by its sum, and whether the whole has its digest. */
export function checkSums({ raw }: ReadBundle): string[] {
  const { digest, ...rest } = raw;
  const whole = hashJson(rest) === digest ? [] : ["digest: the bundle as a whole does not match it"];
  const read = SumsSchema.safeParse(raw["sums"]);
  if (!read.success) return [malformed(read.error.issues[0]), ...whole];
  const { documents, events, program, rendered, run, report } = read.data;
  return [
    ...one("program", raw["program"], program),
    ...one("run", raw["run"], run),
    ...one("rendered", raw["rendered"], rendered),
    ...one("coverage", raw.report["coverage"], report.coverage),
    ...one("markdown", raw.report["markdown"], report.markdown),
    ...list("claims", raw.report, report.claims),
    ...list("citations", raw.report, report.citations),
    ...list("closest", raw.report, report.closest ?? []),
    ...list("sources", raw.report, report.sources),
    ...list("ledger", raw.report, report.ledger),
    ...list("documents", raw, documents),
    ...list("events", raw, events),
    ...whole,
  ];
}

function malformed(issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string {
  const path = issue?.path.map(String).join(".") ?? "";
  return ["sums", ...(path === "" ? [] : [path]), issue?.message].join(": ");
}

function one(name: string, value: unknown, sum: string): string[] {
  return value !== undefined && hashJson(value) === sum ? [] : [`${name}: it was changed, as its sum tells`];
}

/** Where items were added or taken away, the places of the others have moved: then only those that are in no sum are named. */
function list(name: keyof typeof ITEM_NAMES, holder: Readonly<Record<string, unknown>>, sums: readonly string[]): string[] {
  const found = ((holder[name] ?? []) as unknown[]).map(hashJson);
  const inPlace = found.length === sums.length;
  const faults = found.flatMap((sum, index) => {
    const known = inPlace ? sums[index] === sum : sums.includes(sum);
    return known ? [] : [`${ITEM_NAMES[name]} ${index + 1}: it was changed, as its sum tells`];
  });
  return inPlace ? faults : [`${name}: the sums tell of ${sums.length}, there are ${found.length}`, ...faults];
}
