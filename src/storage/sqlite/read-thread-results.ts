import { z } from "zod";
import { HitSchema } from "../../domain/hit.ts";
import { canonicalJson } from "../../domain/json.ts";
import type { ThreadResult } from "../../domain/tool.ts";
import type { JournalTable } from "../schema.ts";

/** The most results that a run is given of its thread, and the most of their texts and snippets together, in UTF-16 code units. */
const MAX_RESULTS = 20;
const MAX_LENGTH = 100_000;

const RequestSchema = z.object({ tool: z.string(), arguments: z.json() });
const FindingsSchema = z.object({ text: z.string(), hits: z.array(HitSchema) });

/** Of equal calls the newest one; what is too long, and what cannot be read, is left out; what was found before something was changed is outdated. `rows` come newest first. */
export function readThreadResults(rows: readonly Pick<JournalTable, "run_id" | "kind" | "request" | "result" | "at">[]): ThreadResult[] {
  const known = new Set<string>();
  const results: ThreadResult[] = [];
  let length = 0;
  let isChanged = false;
  for (const { run_id: run, kind, request, result, at } of rows) {
    isChanged ||= kind === "intent";
    if (kind === "intent") continue;
    const call = RequestSchema.safeParse(JSON.parse(request)).data;
    const findings = FindingsSchema.safeParse(JSON.parse(result)).data;
    if (call === undefined || findings === undefined) continue;
    const key = canonicalJson({ name: call.tool, arguments: call.arguments });
    if (known.has(key)) continue;
    known.add(key);
    if (length + result.length > MAX_LENGTH) continue;
    length += result.length;
    results.push({ run, name: call.tool, arguments: call.arguments, ...findings, ...(isChanged && { outdated: true as const }), at });
    if (results.length === MAX_RESULTS) break;
  }
  return results;
}
