import type { Run } from "../../../../src/domain/run.ts";
import { fieldsOf, textOf, textsIn } from "../../../../src/util/json-fields.ts";
import type { ResearchDraft } from "../../api/research-draft.ts";
import { type AskOptions, chooseDepth, chooseGraph, DEFAULT_OPTIONS, DEPTHS, STYLES } from "./ask-draft.ts";
import { LIMITS } from "./ask-limits.ts";
import { ownTeamOf } from "./ask-team.ts";

/** Reads the request of a run field by field: an older version may have stored another one. */
export function optionsOf({ graph, language = "auto", request = {} }: Pick<Run, "graph" | "language" | "request">): AskOptions {
  const { depth, report, limits, sources, otherSources, queries, planApproval, clarify, since, team, model, models } = request;
  const form = fieldsOf(report);
  const base = chooseGraph({ ...DEFAULT_OPTIONS, language }, graph);
  return {
    ...chooseDepth(base, DEPTHS.find((one) => one === depth) ?? DEFAULT_OPTIONS.depth),
    style: STYLES.find((one) => one === form["style"]) ?? DEFAULT_OPTIONS.style,
    instructions: textOf(form["instructions"]),
    planApproval: graph === "research" && planApproval === true,
    clarify: clarify !== false,
    limits: { ...DEFAULT_OPTIONS.limits, ...Object.fromEntries(LIMITS.map((name) => [name, numberText(fieldsOf(limits)[name])])) },
    since: textOf(since),
    sources: Array.isArray(sources) ? textsIn(sources) : null,
    otherSources: otherSources === true,
    queries: Array.isArray(queries) ? textsIn(queries).join("\n") || null : null,
    team: typeof team === "string" ? team : ownTeamOf(team),
    model: textOf(model),
    models: namesOf(models),
    kept: keptOf(request),
  };
}

function keptOf({ systemContext, metadata }: Readonly<Record<string, unknown>>): Pick<ResearchDraft, "systemContext" | "metadata"> {
  const fields = fieldsOf(metadata);
  return {
    ...(typeof systemContext === "string" && systemContext !== "" && { systemContext }),
    ...(Object.keys(fields).length > 0 && { metadata: fields }),
  };
}

/** The fields that are texts. */
export function namesOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).flatMap(([key, name]) => (typeof name === "string" ? [[key, name]] : [])));
}

function numberText(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}
