import { coverageOf, verifyClaims } from "../../../domain/citation.ts";
import { modelEntry } from "../../../domain/model-failure.ts";
import type { Analyst } from "../../../domain/ports/analyst.ts";
import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { ReportRenderer } from "../../../domain/ports/report-renderer.ts";
import type { Citation, Claim, Coverage, LedgerEntry, Report } from "../../../domain/report.ts";
import { modelOf } from "../../../domain/request.ts";
import type { Termination } from "../../../domain/run.ts";
import { DossierError, isErrorCode } from "../../../errors.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import { readCitedText } from "../../../evidence/cited-text.ts";
import type { Evidence } from "../../../evidence/evidence.ts";
import { withoutOwnNumbers } from "../../../evidence/own-numbers.ts";
import { withoutUnknownIds } from "../../../evidence/unknown-ids.ts";
import type { AgentReading, AgentStateValue, AgentUpdate } from "../../../graphs/agent/state.ts";
import { countOrigins, originsOfCited } from "../../claim-origins.ts";
import { knownAddresses } from "../../known-addresses.ts";
import type { Decide } from "../decide/decide-state.ts";
import { lastResponse } from "../decide/read-messages.ts";
import { modelsOf } from "../request.ts";
import { citedPrefixes } from "../shown-to.ts";
import { CUT_DETAIL, withCutNote } from "./cut-note.ts";
import { allReadings, citedEvidence, sourcesOf } from "./evidence.ts";
import { type FinalStep, finalStep, isCut, textOf } from "./final-step.ts";

export interface ConcludeDeps {
  readonly decide: Decide;
  /** Writes from what was found, where the model gave no answer; asks no model. */
  readonly rules: Analyst;
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

/** What is said, on what it stands, and why there is nothing else. */
interface Written {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly coverage: Coverage;
  readonly readings: readonly AgentReading[];
  /** Of the cited sources, by their ids. */
  readonly origins: ReadonlyMap<string, string>;
  /** The answer as Markdown where it cites nothing; null where it is made from the claims. */
  readonly text: string | null;
  readonly reason: string | null;
}

/** Makes the report of the answer; nothing is shown as cited whose quote does not stand where its citation says. */
export function createConcludeNode(deps: ConcludeDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { question, language } = state.task;
    const step = finalStep(state, deps.decide);
    const text = textOf(state, step);
    const written = text === null ? await byRules(state, deps, effects) : await asSaid(text, state, deps, effects);
    const { claims, citations, coverage, reason } = written;
    const known = knownAddresses(state);
    const sources = sourcesOf(state.hits, [...state.readings, ...written.readings], known).map((source) => {
      const origin = written.origins.get(source.id);
      return origin === undefined ? source : { ...source, origin };
    });
    const missed = text === null ? missedAnswer(state, step) : [];
    const ledger = [...state.ledger, ...missed].map((entry) => withoutInvented(entry, known));
    const content = { claims: [...claims], citations: [...citations], sources, coverage, ledger };
    const cut = isCut(state, step);
    const said = written.text ?? deps.renderMarkdown({ question, language, reason, ...content });
    const markdown = cut ? withCutNote(said, state.task) : said;
    const report: Report = { markdown, ...content };
    // What readers have just seen is not said again.
    if (markdown.trim() !== lastResponse(state.messages)?.content.trim())
      effects.emit({ type: "content", node: "conclude", callId: "report", try: 1, delta: markdown });
    return { steps: 1, report, termination: terminationOf(cut ? { ...step, detail: withCut(step.detail) } : step, written, text) };
  };
}

/** A call may name an address that nobody has found: the model's arguments stand in the ledger. */
function withoutInvented(entry: LedgerEntry, known: readonly string[]): LedgerEntry {
  // What is told of the model is ours.
  if (entry.what === "model") return entry;
  const { what, target, detail } = entry;
  // So is what is told of the server that ranks by meaning, which the operator named.
  const told = detail === null || what === "rerank" ? detail : stripUnknownAddresses(detail, known);
  return { ...entry, target: stripUnknownAddresses(target, known), detail: told };
}

/** The text of the model, with its citations checked and addresses that no source has found taken out. */
async function asSaid(said: string, state: AgentStateValue, { documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const known = knownAddresses(state);
  const { evidence, readings } = await citedEvidence(said, state, documents, effects);
  const read = readCitedText(said, evidence, citedPrefixes(state), [state.task.question], known);
  // Only now: what a citation parted may come together as an address where it is taken out.
  const ids = [JSON.stringify(state.hits), state.task.question, ...Array.from(evidence.values(), ({ text }) => text)];
  const clean = (words: string): string => stripUnknownAddresses(withoutUnknownIds(words, ids), known);
  const told = (words: string): string => clean(withoutOwnNumbers(words)).trim();
  // Of a sentence that was nothing but a number, nothing is left.
  const claims = read.claims
    .map((claim) => ({ ...claim, text: told(claim.text), section: told(claim.section) }))
    .filter(({ text }) => text !== "");
  const { citations } = read;
  const origins = originsOfCited(citations, [...evidence.values()].map(asRead));
  // What tried to cite and could not must not look like an answer that never meant to.
  const cited = citations.length > 0 || read.faults.some(({ why }) => why === "figure_not_in_quote");
  return {
    claims: countOrigins(claims, citations, origins),
    citations,
    coverage: coverageOf(claims, 0),
    readings,
    origins,
    text: cited ? null : clean(read.text).trim(),
    reason: null,
  };
}

function asRead({ sourceId: id, title = "", text, contentHash }: Evidence): Parameters<typeof originsOfCited>[1][number] {
  return { hit: { id, origin: id }, document: { title, text, contentHash } };
}

/** @throws DossierError what kept the model from answering, where nothing was found to write from */
async function byRules(state: AgentStateValue, { rules, documents }: ConcludeDeps, effects: Effects): Promise<Written> {
  const { question, language, systemContext, history, limits } = state.task;
  const { evidence, readings } = await allReadings(state, documents, effects);
  if (evidence.length === 0 && state.failure !== null) throw failureOf(state.failure);
  const draft = await rules.write({ question, language, systemContext, history, limits, models: null, readings: evidence }, effects);
  const texts = new Map(evidence.map(({ document }) => [document.contentHash, document.text]));
  const { citations, coverage, ...verified } = verifyClaims(draft.claims, draft.citations, (hash) => texts.get(hash));
  const origins = originsOfCited(citations, evidence);
  const claims = countOrigins(verified.claims, citations, origins);
  return { claims, citations, coverage, readings, origins, text: null, reason: evidence.length === 0 ? null : draft.reason };
}

/** Where the model was there and gave no answer; what kept it away stands in the ledger already. */
function missedAnswer({ task, ledger }: AgentStateValue, { reason, detail }: FinalStep): LedgerEntry[] {
  if (ledger.some(({ what }) => what === "model")) return [];
  const code = reason === "time_budget" ? "timeout" : isErrorCode(reason) ? reason : "empty";
  const message = detail === null ? "The model gave no answer." : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  return [modelEntry({ model: modelOf(modelsOf(task), "agent"), target: "report", code, message, ms: 0 })];
}

function withCut(detail: string | null): string {
  return detail === null ? CUT_DETAIL : `${detail}; ${CUT_DETAIL}`;
}

function failureOf({ code, message }: NonNullable<AgentStateValue["failure"]>): DossierError {
  return new DossierError(isErrorCode(code) ? code : "internal", message);
}

/** Rules that wrote an answer make it no failure, and rules that found none make it no answer, unless a limit says why. */
function terminationOf({ reason, detail }: ReturnType<typeof finalStep>, written: Written, text: string | null): Termination {
  const node = "conclude";
  if (text !== null) return { reason, node, detail };
  const told = [detail, "rules wrote the report"].filter((part) => part !== null).join("; ");
  if (reason === "completed" || reason === "no_answer")
    return written.claims.length > 0
      ? { reason: "completed", node, detail: told }
      : { reason: "no_answer", node, detail: written.reason ?? detail };
  return { reason, node, detail: told };
}
