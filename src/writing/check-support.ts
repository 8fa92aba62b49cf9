import type { Block } from "../domain/blocks.ts";
import type { ChatMessage } from "../domain/chat.ts";
import { unverified } from "../domain/citations.ts";
import { computation } from "../domain/computation.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Citation, DraftClaim, LedgerEntry } from "../domain/report.ts";
import type { CitedText } from "../evidence/cited-text.ts";
import { fence } from "../evidence/data-fence.ts";
import { type PackedEvidence, packEvidence, unpackEvidence } from "../evidence/packed-evidence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import type { Judgement, Known } from "../evidence/support/judge.ts";
import type { QuotedPlace } from "../evidence/support/quote-texts.ts";
import { readAgain } from "../evidence/support/report-blocks.ts";
import { judgeReport } from "../evidence/support/report-sums.ts";
import { callModel, modelFailure } from "./call-model.ts";
import type { PreparedText } from "./prepare-text.ts";
import { WRITING_NODE } from "./text-roles.ts";

const MAX_OUTPUT_TOKENS = 2_000;
/** In UTF-16 code units, on each side of a quote. */
const CONTEXT_LENGTH = 300;

type Checked = Pick<CitedText, "claims" | "citations" | "blocks">;

type Checking = Pick<PreparedText, "view" | "models" | "model" | "prompts" | "since" | "context">;

/**
 * With `supportCheck: "model"`, asks a model once per section whether the quotes of its paraphrased sentences say what the sentences say.
 * A confirmed sentence is supported, a denied one is unverified, and so is what only sums up denied ones. A failed call changes nothing and
 * is in the ledger.
 */
export async function checkSupport(
  report: Checked,
  checking: Checking,
  effects: Effects,
): Promise<Pick<Checked, "claims" | "blocks"> & { readonly ledger: readonly LedgerEntry[] }> {
  const { view, models, context } = checking;
  if (view.supportCheck !== "model") return { ...report, ledger: [] };
  const verdicts = new Map<number, boolean>();
  const ledger: LedgerEntry[] = [];
  for (const group of groupsOf(report.claims)) {
    const since = effects.now();
    try {
      for (const [index, verdict] of await askAbout(group, report, checking, effects)) verdicts.set(index, verdict);
    } catch (thrown) {
      const { entry, spent } = modelFailure(thrown, { models, role: "support", since, failed: { target: "support" } }, effects);
      ledger.push(entry);
      if (spent !== null) break;
    }
  }
  const claims = report.claims.map((claim, index) => withVerdict(claim, verdicts.get(index)));
  if (![...verdicts.values()].includes(false)) return { ...report, claims, ledger };
  const { citations, blocks } = report;
  const known = { names: [context.question, ...context.names], addresses: context.known };
  return { ...(await effects.compute(SUMS, { claims, citations, blocks }, packEvidence(context.evidence), known)), ledger };
}

function withVerdict(claim: DraftClaim, verdict: boolean | undefined): DraftClaim {
  if (verdict === undefined) return claim;
  return verdict ? { ...claim, supported: true, reason: null } : { ...claim, ...unverified("model_disagrees") };
}

/** Returns the indices of paraphrased sentences by section. */
function groupsOf(claims: readonly DraftClaim[]): number[][] {
  const paraphrased = claims.flatMap(({ support }, index) => (support === "paraphrased" ? [index] : []));
  return [...Map.groupBy(paraphrased, (index) => claims[index]?.section ?? "").values()];
}

async function askAbout(group: readonly number[], report: Checked, checking: Checking, effects: Effects): Promise<Map<number, boolean>> {
  const { view, models, model, prompts, since, context } = checking;
  const sentences = group.map((index, i) => describeSentence(i + 1, report.claims[index], report.citations, context.evidence));
  const { today, systemContext } = view;
  const messages: ChatMessage[] = [
    { role: "system", content: await prompts("support", { today, systemContext }, view.prompts) },
    { role: "user", content: await prompts("messages/support-sentences", { sentences: sentences.join("\n\n") }) },
  ];
  const call = { role: "support", node: WRITING_NODE, purpose: "write", maxOutputTokens: MAX_OUTPUT_TOKENS, onContent: () => {} } as const;
  const reply = await callModel({ ...call, view, models, messages, since, known: context.known }, model, effects);
  return readVerdicts(reply.content, group);
}

function describeSentence(
  number: number,
  claim: DraftClaim | undefined,
  citations: readonly Citation[],
  evidence: ReadonlyMap<string, Evidence>,
): string {
  const cited = citations.filter(({ id }) => claim?.citations.includes(id));
  const quotes = cited.flatMap(({ quote, contentHash, start, end }) => {
    const passage = [...evidence.values()].find((one) => one.contentHash === contentHash);
    const around = passage?.text.slice(Math.max(0, start - CONTEXT_LENGTH), end + CONTEXT_LENGTH).toWellFormed() ?? quote;
    const title = passage?.title?.trim() ?? "";
    return [...(title === "" ? [] : [`Title: ${title}`]), `Quote: ${quote}`, `Around it: ${around}`];
  });
  return `${number}.\n${fence(`sentence-${number}`, claim?.text ?? "")}\n${fence(`quotes-${number}`, quotes.join("\n"))}`;
}

const VERDICT = /^[\s*_`#>-]{0,9}(\d{1,3})[\s.:：)、*_`-]{1,9}(yes|no)(?![\p{L}\p{N}])/iu;

/** Reads lines such as `2: no`. If a number is told twice, the last line counts. */
function readVerdicts(text: string, group: readonly number[]): Map<number, boolean> {
  const verdicts = new Map<number, boolean>();
  for (const line of text.split("\n")) {
    const [, number, word] = VERDICT.exec(line.slice(0, 100)) ?? [];
    const index = group[Number(number) - 1];
    if (index !== undefined && word !== undefined) verdicts.set(index, word.toLowerCase() === "yes");
  }
  return verdicts;
}

/** Judges again what sums up the report, after sentences of it have become unverified. */
export function judgeSums(report: Checked, evidence: PackedEvidence, known: Known): Pick<Checked, "claims" | "blocks"> {
  const passages = new Map(Array.from(unpackEvidence(evidence).values(), (passage) => [passage.contentHash, passage]));
  const placeOf = ({ contentHash, start, end, quote }: Citation): QuotedPlace => {
    const { text, title } = passages.get(contentHash) ?? { text: quote };
    return passages.has(contentHash) ? { text, title, contentHash, start, end } : { text, contentHash, start: 0, end: quote.length };
  };
  const { sentences, blocks } = readAgain(report, placeOf);
  judgeReport(blocks, known);
  return {
    claims: report.claims.map((claim, i) => (claim.support === "summary" ? lowered(claim, sentences[i]?.judgement) : claim)),
    blocks: report.blocks.map((block, i) => ("support" in block ? lowered(block, blocks[i]?.label) : block)),
  };
}

/** `judgeSums` as a computation. */
const SUMS = computation(import.meta.url, judgeSums, ({ claims }) => claims.reduce((sum, { text }) => sum + text.length, 0), 2_000);

function lowered<Part extends DraftClaim | Block>(part: Part, judgement: Judgement | null | undefined): Part {
  if (judgement?.why == null) return part;
  const { reason, words } = judgement.why;
  return { ...part, support: "unverified", reason: words === "" ? reason : `${reason}: ${words}` };
}
