import type { ModelRole } from "../../../../src/domain/roles.ts";
import type { ResearchDraft } from "../../api/research-draft.ts";
import { hasFaults, readLimits, type TypedLimits } from "./ask-limits.ts";
import { queriesFault, queriesOf } from "./ask-queries.ts";
import type { OwnTeam } from "./ask-team.ts";

export const DEPTHS = ["quick", "standard", "deep"] as const;
export const STYLES = ["default", "answer", "report", "brief", "table"] as const;

/** What the options of the form say. Texts as typed. */
export interface AskOptions {
  readonly graph: string;
  readonly depth: (typeof DEPTHS)[number];
  readonly style: (typeof STYLES)[number];
  readonly instructions: string;
  readonly planApproval: boolean;
  /** Whether the planner may ask one question before the work. */
  readonly clarify: boolean;
  /** `auto` or a BCP 47 tag. */
  readonly language: string;
  readonly limits: TypedLimits;
  /** A day such as `2025-01-31`, or empty. */
  readonly since: string;
  /** Null: all that the server has. */
  readonly sources: readonly string[] | null;
  /** Whether to search other sources beside one's own files, addresses and folder. */
  readonly otherSources: boolean;
  /** What to search for, one text a line. Null: the words of the question, or what a model writes. */
  readonly queries: string | null;
  /** The name of a team of the server, or agents of the user's own. Null: the server's default. */
  readonly team: string | OwnTeam | null;
  /** Empty: the server's default. */
  readonly model: string;
  readonly models: Readonly<Partial<Record<ModelRole, string>>>;
  /** Fields of an earlier request that the form does not show, and asks again. */
  readonly kept: Pick<ResearchDraft, "systemContext" | "metadata">;
}

export const DEFAULT_OPTIONS: AskOptions = {
  graph: "executor",
  depth: "standard",
  style: "default",
  instructions: "",
  planApproval: false,
  clarify: true,
  language: "auto",
  limits: { seconds: "", downloads: "", modelCalls: "", costUsd: "" },
  since: "",
  sources: null,
  otherSources: false,
  queries: null,
  team: null,
  model: "",
  models: {},
  kept: {},
};

/** `deep` needs the graph research, and other graphs have no plan to approve. */
export function chooseDepth(options: AskOptions, depth: AskOptions["depth"]): AskOptions {
  return { ...options, depth, graph: depth === "deep" ? "research" : options.graph };
}

export function chooseGraph(options: AskOptions, graph: string): AskOptions {
  const depth = graph !== "research" && options.depth === "deep" ? "standard" : options.depth;
  return { ...options, graph, depth, planApproval: graph === "research" && options.planApproval };
}

interface More {
  readonly timeZone: string;
  readonly urls?: readonly string[];
  readonly threadId?: string | null;
}

/** The request that the form describes. The server has the last word on every field. @throws Error if a limit or what to search for cannot be read */
export function draftOf(question: string, options: AskOptions, { timeZone, urls = [], threadId = null }: More): ResearchDraft {
  const { graph, depth, style, instructions, planApproval, clarify, language, since, sources, otherSources, team, model, models, kept } =
    options;
  const read = readLimits(options.limits, null);
  // Without this limit the run would take more than its user allows.
  if (hasFaults(read)) throw new Error("A limit cannot be read, so nothing may be asked with it.");
  if (queriesFault(options) !== null) throw new Error("What to search for cannot be read, so nothing may be asked with it.");
  const queries = queriesOf(options);
  const limits = Object.entries(read.values);
  const report = { ...(style !== "default" && { style }), ...(instructions.trim() !== "" && { instructions: instructions.trim() }) };
  const roles = Object.entries(models).filter(([, name]) => name.trim() !== "");
  return {
    ...{ question, graph, depth, timeZone, ...kept },
    ...(language !== "auto" && { language }),
    ...(sources !== null && sources.length > 0 ? { sources } : otherSources && { otherSources }),
    ...(queries !== null && { queries }),
    ...(since !== "" && { since }),
    ...(planApproval && { planApproval }),
    ...(graph === "research" && !clarify && { clarify }),
    ...(graph === "team" && team !== null && { team }),
    ...(model.trim() !== "" && { model: model.trim() }),
    ...(roles.length > 0 && { models: Object.fromEntries(roles) }),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(Object.keys(report).length > 0 && { report }),
    ...(urls.length > 0 && { urls }),
    ...(threadId !== null && { threadId }),
  };
}
