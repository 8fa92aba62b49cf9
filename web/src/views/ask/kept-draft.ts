import { fieldsOf, parseJson, textsIn } from "../../../../src/util/json-fields.ts";
import { type AskOptions, DEFAULT_OPTIONS } from "./ask-draft.ts";
import { ownTeamOf } from "./ask-team.ts";
import { namesOf } from "./asked-options.ts";

/** What was typed and chosen for a question that is not asked yet. */
export interface KeptDraft {
  /** The run that the form was filled from; empty if none. */
  readonly from: string;
  readonly question: string;
  readonly options: AskOptions;
  readonly urls: readonly string[];
  /** The names of the files, which a reload loses. */
  readonly fileNames: readonly string[];
  readonly isThreadUsed: boolean;
}

/** Reads what a page of this or another version has kept. */
export function parseDraft(text: string | null): KeptDraft | null {
  const { from, question, options, urls, fileNames, isThreadUsed } = fieldsOf(parseJson(text ?? ""));
  if (typeof from !== "string" || typeof question !== "string") return null;
  return {
    from,
    question,
    options: readOptions(options),
    urls: textsIn(urls),
    fileNames: textsIn(fileNames),
    isThreadUsed: isThreadUsed !== false,
  };
}

/** Takes the fields of the right type, and the default of every other one. */
function readOptions(value: unknown): AskOptions {
  const given = fieldsOf(value);
  const same = Object.entries(DEFAULT_OPTIONS).flatMap(([name, standard]) =>
    standard !== null && typeof given[name] === typeof standard && typeof standard !== "object" ? [[name, given[name]]] : [],
  );
  const limits = Object.entries(DEFAULT_OPTIONS.limits).map(([name, standard]) => {
    const text = fieldsOf(given["limits"])[name];
    return [name, typeof text === "string" ? text : standard];
  });
  const { team, sources, queries } = given;
  return {
    ...DEFAULT_OPTIONS,
    ...Object.fromEntries(same),
    limits: Object.fromEntries(limits),
    sources: Array.isArray(sources) ? textsIn(sources) : null,
    queries: typeof queries === "string" ? queries : null,
    team: typeof team === "string" ? team : ownTeamOf(team),
    models: namesOf(given["models"]),
    kept: fieldsOf(given["kept"]),
  };
}
