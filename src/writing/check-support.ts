import { refusedBudget } from "../domain/budget.ts";
import { type ChatMessage, textRequest } from "../domain/chat.ts";
import { unverified } from "../domain/citations.ts";
import { modelFailureEntry, rulesMayReplace } from "../domain/failures.ts";
import type { Citation, DraftClaim, LedgerEntry } from "../domain/report.ts";
import { modelOf } from "../domain/request.ts";
import { toDossierError } from "../errors.ts";
import type { CitedText } from "../evidence/cited-text.ts";
import { fence } from "../evidence/data-fence.ts";
import { packEvidence } from "../evidence/packed-evidence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { callOptions } from "./call-options.ts";
import type { CitedContext } from "./cited-report.ts";
import { SUMS } from "./judge-sums.ts";
import type { PreparedText } from "./prepare-text.ts";
import type { TextRole } from "./text-role.ts";

/** Longer lists of sentences are judged less carefully. */
const MAX_SENTENCES = 20;
const MAX_OUTPUT_TOKENS = 2_000;
/** In UTF-16 code units, on each side of a quote. */
const CONTEXT_LENGTH = 300;

type Checked = Pick<CitedText, "claims" | "citations" | "blocks">;

interface Checking extends Pick<PreparedText, "view" | "models" | "model" | "prompts" | "effects" | "since"> {
  readonly writer: Pick<TextRole, "role" | "node">;
}

type Verdicts = ReadonlyMap<number, boolean>;

/**
 * With `supportCheck: "model"`, asks a model once per section whether the quotes of its paraphrased sentences say what the sentences say.
 * A confirmed sentence is supported, a denied one is unverified, and so is what only sums up denied ones. A failed call changes nothing and
 * is in the ledger.
 */
export async function checkSupport(
  report: Checked,
  context: CitedContext,
  checking: Checking,
): Promise<Pick<Checked, "claims" | "blocks"> & { readonly ledger: readonly LedgerEntry[] }> {
  if (checking.view.supportCheck !== "model") return { ...report, ledger: [] };
  const told: Verdicts[] = [];
  const ledger: LedgerEntry[] = [];
  for (const group of groupsOf(report.claims)) {
    const since = checking.effects.now();
    try {
      told.push(await askAbout(group, report, context, checking));
    } catch (thrown) {
      checking.effects.signal.throwIfAborted();
      const error = toDossierError(thrown);
      const isRefused = refusedBudget(error) !== null;
      if (!isRefused && !rulesMayReplace(error.code, true)) throw thrown;
      const ms = checking.effects.elapsedMs(since);
      ledger.push(modelFailureEntry({ model: judgeOf(checking), target: "support", error, ms }));
      if (isRefused) break;
    }
  }
  const verdicts = new Map(told.flatMap((one) => [...one]));
  const judged = { ...report, claims: report.claims.map((claim, index) => withVerdict(claim, verdicts.get(index))) };
  if (![...verdicts.values()].includes(false)) return { ...judged, ledger };
  const { known, question, evidence } = context;
  const { claims, citations, blocks } = judged;
  const names = { names: [question, ...context.names], addresses: known };
  return { ...(await checking.effects.compute(SUMS, { claims, citations, blocks }, packEvidence(evidence), names)), ledger };
}

function judgeOf({ models, writer }: Checking): string {
  return models.roles.support ?? modelOf(models, writer.role);
}

function withVerdict(claim: DraftClaim, verdict: boolean | undefined): DraftClaim {
  if (verdict === undefined) return claim;
  return verdict ? { ...claim, supported: true, reason: null } : { ...claim, ...unverified("model_disagrees") };
}

/** Returns the indices of paraphrased sentences by section, at most `MAX_SENTENCES` in one group. */
function groupsOf(claims: readonly DraftClaim[]): number[][] {
  const paraphrased = claims.flatMap(({ support }, index) => (support === "paraphrased" ? [index] : []));
  const sections = Map.groupBy(paraphrased, (index) => claims[index]?.section ?? "");
  return [...sections.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / MAX_SENTENCES) }, (_, i) => own.slice(i * MAX_SENTENCES, (i + 1) * MAX_SENTENCES)),
  );
}

async function askAbout(group: readonly number[], checked: Checked, context: CitedContext, checking: Checking): Promise<Verdicts> {
  const { view, models, model, prompts, writer, effects, since } = checking;
  const sentences = group.map((index, i) => describeSentence(i + 1, checked.claims[index], checked.citations, context.evidence));
  const { today, systemContext } = view;
  const messages: ChatMessage[] = [
    { role: "system", content: await prompts("support", { today, systemContext }, view.prompts) },
    { role: "user", content: await prompts("messages/support-sentences", { sentences: sentences.join("\n\n") }) },
  ];
  const request = textRequest(judgeOf(checking), messages, Math.min(models.maxOutputTokens, MAX_OUTPUT_TOKENS));
  const options = callOptions({
    node: writer.node,
    purpose: "write",
    view,
    models,
    known: context.known,
    usedMs: effects.elapsedMs(since),
  });
  const reply = await model.complete(request, { ...options, onContent: () => {} }, effects);
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

const VERDICT = /^[\s*_`#>-]{0,9}(\d{1,2})[\s.:：)、*_`-]{1,9}(yes|no)(?![\p{L}\p{N}])/iu;

/** Reads lines such as `2: no`. If a number is told twice, the last line counts. */
function readVerdicts(text: string, group: readonly number[]): Verdicts {
  const verdicts = new Map<number, boolean>();
  for (const line of text.split("\n")) {
    const [, number, word] = VERDICT.exec(line.slice(0, 100)) ?? [];
    const index = group[Number(number) - 1];
    if (index !== undefined && word !== undefined) verdicts.set(index, word.toLowerCase() === "yes");
  }
  return verdicts;
}
