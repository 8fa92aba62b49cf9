import type { JournalRecord } from "../domain/recording.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";

const SUBJECTS: Readonly<Record<string, string>> = { search: "source", tool: "tool", model: "model" };

/** Returns which source, tool or model an effect asked, or "web" for a download; null for an effect inside of the service. */
export function subjectOf({ kind, request }: Pick<JournalRecord, "kind" | "request">): string | null {
  if (kind === "download") return "web";
  const field = SUBJECTS[kind];
  return field === undefined ? null : textOf(fieldsOf(request)[field]) || "unnamed";
}

export function outcomeOf({ ok, result }: Pick<JournalRecord, "ok" | "result">): string {
  return ok ? "ok" : textOf(fieldsOf(result)["code"]);
}

/** The path of the task that performed an effect, as in the origins of its events. */
export function taskOf({ key }: Pick<JournalRecord, "key">): string {
  return key.slice(0, key.indexOf("#"));
}

/** The node that performed an effect: `search` of `0:execute/1:search.a~2`. */
export function nodeOf(record: Pick<JournalRecord, "key">): string {
  return /(?:^|\/)\d+:([^/.~]+)[^/]*$/.exec(taskOf(record))?.[1] ?? "";
}
