import { z } from "zod";
import { HitSchema } from "../../domain/hit.ts";
import { canonicalJson } from "../../domain/json.ts";
import type { Task } from "../../domain/request.ts";
import { type ThreadResult, ToolResultSchema } from "../../domain/tool.ts";
import type { JournalTable } from "../schema.ts";

/** The most results that a run is given of its thread, and the most of their texts and snippets together, in UTF-16 code units. */
const MAX_RESULTS = 20;
export const MAX_LENGTH = 100_000;

const RequestSchema = z.object({ tool: z.string(), arguments: z.json(), scope: z.string().optional() });
const FindingsSchema = ToolResultSchema.pick({ text: true, content: true, incomplete: true }).extend({ hits: z.array(HitSchema) });
const AskedSchema = z.object({ metadata: z.record(z.string(), z.json()).default({}) });

type Row = Pick<JournalTable, "run_id" | "kind" | "request" | "result" | "at"> & {
  /** The request of the run. */
  readonly asked: string;
};

/**
 * Of equal calls the newest one, without what is incomplete, too long or cannot be read. `rows` come newest first.
 * @param metadata of the run that is given them
 */
export function readThreadResults(rows: readonly Row[], metadata: Task["metadata"]): ThreadResult[] {
  const own = canonicalJson(metadata);
  const known = new Set<string>();
  const results: ThreadResult[] = [];
  let length = 0;
  let isChanged = false;
  for (const { run_id: run, kind, request, result, at, asked } of rows) {
    isChanged ||= kind === "intent";
    if (kind === "intent") continue;
    const call = RequestSchema.safeParse(JSON.parse(request)).data;
    const findings = FindingsSchema.safeParse(JSON.parse(result)).data;
    if (call === undefined || findings === undefined || findings.incomplete !== undefined) continue;
    const key = canonicalJson({ name: call.tool, arguments: call.arguments });
    if (known.has(key)) continue;
    known.add(key);
    if (length + result.length > MAX_LENGTH) continue;
    length += result.length;
    const isOther = canonicalJson(AskedSchema.safeParse(JSON.parse(asked)).data?.metadata ?? {}) !== own;
    const { tool: name, arguments: args, scope } = call;
    const { text, hits, content } = findings;
    const more = { ...(content !== undefined && { content }), ...(scope !== undefined && { scope }) };
    results.push({ run, name, arguments: args, text, hits, ...more, ...((isChanged || isOther) && { outdated: true as const }), at });
    if (results.length === MAX_RESULTS) break;
  }
  return results;
}
