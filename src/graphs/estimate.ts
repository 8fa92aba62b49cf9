import { estimateTokens } from "../domain/chat.ts";
import { DOWNLOADS_PER_PLACE, loweredIn } from "../domain/depth.ts";
import type { Estimate, EstimateTerms, Range, SentWords } from "../domain/estimate.ts";
import { URLS_SOURCE } from "../domain/hit.ts";
import type { SearchQuery, SearchSource } from "../domain/ports/sources.ts";
import type { Models } from "../domain/request.ts";
import type { Task } from "../domain/task.ts";
import { DossierError } from "../errors.ts";
import { needsQueries, searchesFor } from "../gathering/plan.ts";
import { KEEP } from "../gathering/rank.ts";

/** In tokens: a short request with a short answer. */
const SHORT_CALL = 500;
/** In tokens: the passages of a long request, its instructions, and the answer of a call that decides. */
const PASSAGES = 16_000;
const INSTRUCTIONS = 4_000;
const DECISION_OUTPUT = 2_000;
/** The text and its correction. */
const WRITING_CALLS = 2;
/** Plan, assessment of one todo, and verdict. At a lesser depth rules may take their place. */
const FEWEST_DEEP_CALLS = 3;

/** The range of what a run takes, from its limits and the shape of its graph. Nothing is asked of a model or a source. */
export function estimateOf({ task, graph, caps, inThread }: EstimateTerms, sources: ReadonlyMap<string, SearchSource>): Estimate {
  const { limits, depth = null, models } = task;
  const calls = callsOf(task, graph, inThread);
  const most = Math.min(limits.downloads, documentsOf(task, graph));
  // Agents, to which a model may give a todo, read them with their first search, and may make none.
  const readsAll = graph === "executor" || (graph === "research" && models === null);
  const fewest = readsAll ? Math.min(most, urlsOf(task)) : 0;
  const { input, output } = models === null ? { input: 0, output: 0 } : tokensOf(calls, task, models, inThread);
  const tokens = { from: Math.min(limits.tokens, calls.from * SHORT_CALL), to: Math.min(limits.tokens, input + output) };
  return {
    ...{ graph, depth, modelCalls: { from: calls.from, to: calls.to }, documents: { from: fewest, to: most }, tokens },
    costUsd: costOf(task, { ...tokens, output: Math.min(output, tokens.to) }),
    seconds: { to: limits.seconds },
    limits,
    sent: readsAll && (task.queries !== undefined || calls.forQueries === 0) ? sentTo(sources, task) : null,
    lowered: depth === null ? [] : loweredIn(depth, caps),
  };
}

/** Sources of these kinds are searched on this machine. */
const OWN_KINDS: readonly string[] = ["corpus", "upload"];

function sentTo(sources: ReadonlyMap<string, SearchSource>, task: Task): SentWords[] {
  const sent = searchesFor(task.queries ?? [], task).flatMap(({ source: id, query }): SentWords[] => {
    const source = sources.get(id);
    if (source === undefined || OWN_KINDS.includes(source.kind)) return [];
    return [{ source: id, words: wordsFor(source, query) }];
  });
  return sent.filter(({ words }) => words !== "");
}

/** Empty if the query has no word to search for: the source then fails without sending anything. */
function wordsFor(source: SearchSource, query: SearchQuery): string {
  try {
    return source.wordsOf?.(query) ?? query.text;
  } catch (error) {
    if (error instanceof DossierError && error.code === "empty") return "";
    throw error;
  }
}

/** An executor reads all addresses that it was given, and the best documents of the thread and of what it finds. */
function documentsOf({ sources, tools, since, given = [] }: Task, graph: string): number {
  const urls = urlsOf({ given });
  const searched = sources.length + tools.length > 0;
  if (graph !== "executor") return searched ? Number.POSITIVE_INFINITY : urls;
  // In place of a page that turns out to be older, the next one is read.
  const found = since === undefined ? KEEP : DOWNLOADS_PER_PLACE * KEEP;
  return urls + Math.min(KEEP, given.length - urls) + (searched ? found : 0);
}

function urlsOf({ given = [] }: Pick<Task, "given">): number {
  return given.filter(({ foundBy }) => foundBy === URLS_SOURCE).length;
}

/** `writing`: how many of the most calls may write a text. `forQueries`: how many may give what is searched first. */
interface Calls extends Range {
  readonly writing: number;
  readonly forQueries: number;
}

/** The fewest are those of a run that finds nothing: an executor then only decides, and the other graphs ask once. */
function callsOf(task: Task, graph: string, inThread: boolean): Calls {
  const { models, sources, tools, supportCheck, limits, queries } = task;
  // Calls of the request take the first round, without a model.
  const rounds = limits.optionalToolLoops - (task.calls === undefined ? 0 : 1);
  if (models === null) return { from: 0, to: 0, writing: 0, forQueries: 0 };
  const fewest = task.depth === "deep" ? FEWEST_DEEP_CALLS : 1;
  const most = limits.modelCalls;
  const ofAll = { from: Math.min(fewest, most), to: most, writing: most, forQueries: most };
  if (graph !== "executor") return ofAll;
  const decides = tools.length > 0 && rounds > 0;
  const searches = sources.length > 0 && queries === undefined;
  const asksForQueries = tools.length === 0 && searches && limits.optionalToolLoops > 0 && (inThread || needsQueries(task));
  // The last call is for the report.
  const forQueries = decides ? rounds : asksForQueries ? Math.min(1, most - 1) : 0;
  const from = Math.min(decides ? 1 : 0, most);
  // A model that checks sentences is asked once per section.
  if (supportCheck !== undefined) return { ...ofAll, from, forQueries };
  const to = Math.min(forQueries + (searches ? 1 : 0) + WRITING_CALLS, most);
  return { from, to, writing: Math.min(WRITING_CALLS, to), forQueries };
}

/** The most tokens that go in and come out. What a thread brings is not known, so its calls may fill the context of the model. */
function tokensOf({ to, writing }: Calls, { question, systemContext, report, history }: Task, models: Models, inThread: boolean) {
  const { contextTokens, maxOutputTokens } = models;
  const said = [question, systemContext, report?.instructions ?? "", ...history.flatMap((turn) => [turn.question, turn.answer])];
  // A correction is shown the text that it corrects.
  const input = PASSAGES + INSTRUCTIONS + estimateTokens(said.join("\n")) + maxOutputTokens;
  const room = contextTokens - maxOutputTokens;
  const each = inThread ? room : Math.min(room, input);
  return { input: to * Math.max(0, each), output: writing * maxOutputTokens + (to - writing) * Math.min(maxOutputTokens, DECISION_OUTPUT) };
}

/** At least all tokens at the lowest price of input. At most as many as can come out at the highest price of output, and the rest as input. */
function costOf({ models, team, limits }: Task, tokens: Range & { readonly output: number }): Range | null {
  if (models === null) return { from: 0, to: 0 };
  const children = team?.children.flatMap(({ model }) => model ?? []) ?? [];
  const prices = [models.default, ...Object.values(models.roles), ...children].map((name) => models.prices[name]);
  const known = prices.filter((price) => price !== undefined);
  if (known.length < prices.length) return null;
  const inputs = known.map(({ inputPerMillion }) => inputPerMillion);
  const dearest = Math.max(...inputs);
  const output = Math.max(dearest, ...known.map(({ outputPerMillion }) => outputPerMillion));
  const most = ((tokens.to - tokens.output) * dearest + tokens.output * output) / 1e6;
  return { from: (tokens.from * Math.min(...inputs)) / 1e6, to: limits.costUsd === null ? most : Math.min(limits.costUsd, most) };
}
