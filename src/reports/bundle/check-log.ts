import { z } from "zod";
import { EVENT_TYPES } from "../../domain/events.ts";
import { canonicalJson } from "../../domain/json.ts";
import type { ReadBundle } from "./read-bundle.ts";

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const FoundSchema = z.object({ type: z.literal("source-found"), source: z.object({ id: z.string(), url: z.string() }) });
const ShownSchema = z.object({ type: z.literal("content"), callId: z.literal("report"), path: z.literal(""), delta: z.string() });

/**
 * Whether the log has no gap, is of this run, and ends as the run did; where `isOwn`, also whether its events are of types that there are, every
 * source of the report was found in it, and the report that it shows is this one.
 */
export function checkLog(bundle: ReadBundle, isOwn: boolean): string[] {
  const { events, run } = bundle;
  const faults = events.flatMap(({ name, value }, index) => [
    ...(value.seq === index + 1 ? [] : [`${name}: its seq is ${value.seq}, and the log counts from 1 without a gap`]),
    ...(isOwn && !TYPES.has(value.type) ? [`${name}: there are no events of the type ${value.type}`] : []),
    ...(run === null || value.runId === run.id ? [] : [`${name}: it is of the run ${value.runId}`]),
  ]);
  return [...faults, ...checkEnd(bundle), ...(isOwn ? [...checkFound(bundle), ...checkShown(bundle)] : [])];
}

function checkEnd({ events, run }: ReadBundle): string[] {
  const last = events.at(-1)?.value;
  if (last === undefined) return ["events: the log is empty"];
  if (run === null) return [];
  const said = canonicalJson([last.type, last["status"] ?? null, last["termination"] ?? null]);
  if (said === canonicalJson(["run-ended", run.status, run.termination])) return [];
  return ["events: the log does not end as the run is said to have ended"];
}

function checkFound({ events, sources }: ReadBundle): string[] {
  const urls = new Map<string, string>();
  for (const { value } of events) {
    const found = FoundSchema.safeParse(value);
    if (found.success) urls.set(found.data.source.id, found.data.source.url);
  }
  return sources.flatMap(({ name, value: { id, url } }) => {
    const found = urls.get(id);
    if (found === undefined) return [`${name}: the log does not tell that ${id} was found`];
    return found === url ? [] : [`${name}: its address is not the one at which the log tells that ${id} was found`];
  });
}

/** What a part of the run has reported is not its report; an answer that readers saw while the model gave it is not shown a second time. */
function checkShown({ events, markdown }: ReadBundle): string[] {
  const last = events.map(({ value }) => ShownSchema.safeParse(value)).findLast(({ success }) => success);
  if (markdown === null || last?.data === undefined || last.data.delta === markdown) return [];
  return ["markdown: it is not the report that the log shows"];
}
