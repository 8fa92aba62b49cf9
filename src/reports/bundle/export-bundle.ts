import { createHash } from "node:crypto";
import { BUNDLE_TYPE, BUNDLE_VERSION, type BundledDocument, type BundledRun, type Rendered, type Sums } from "../../domain/bundle.ts";
import { canonicalJson, hashJson } from "../../domain/json.ts";
import type { RunStore } from "../../domain/ports/run-store.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Report } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import { renderMarkdown } from "../markdown.ts";

export function renderAgain({ question }: Pick<Run, "question">, report: Report, rendered: NonNullable<Rendered>): string {
  const { markdown: _, ...content } = report;
  return renderMarkdown({ ...content, ...rendered, question: question.trim().toWellFormed() }).toWellFormed();
}

/** Returns the arguments that render the report to its stored Markdown; null if none do, as after a change of the renderer. */
function findRendered(run: Run, report: Report, language: string): Rendered {
  const reasons = [null, run.termination?.detail ?? null];
  const reason = reasons.find((candidate) => renderAgain(run, report, { language, reason: candidate }) === report.markdown);
  return reason === undefined ? null : { language, reason };
}

interface BundleStores {
  readonly runs: Pick<RunStore, "get" | "segments" | "events" | "documentHashes">;
  readonly documents: Pick<DocumentStore, "get">;
}

const EVENTS_PER_PAGE = 200;

/**
 * Yields the bundle as canonical JSON with its digest as the last field. Holds one document or one page of events in memory.
 * @throws DossierError `not_found`; `no_report` if the run has no report yet
 */
export async function* exportBundle(tenant: string, runId: string, stores: BundleStores, program: string): AsyncGenerator<string> {
  const run = await stores.runs.get(tenant, runId);
  if (run === null) throw new DossierError("not_found", `There is no run ${runId}.`);
  if (run.report === null) throw new DossierError("no_report", `The run is ${run.status} and has no report, so it has no bundle.`);
  const hash = createHash("sha256");
  for await (const piece of canonicalPieces(run, run.report, stores, program)) {
    hash.update(piece);
    yield piece;
  }
  yield `,"digest":"${hash.update("}").digest("hex")}"}`;
}

async function* canonicalPieces(
  run: Run,
  { verdict: _, ...stored }: Report,
  stores: BundleStores,
  program: string,
): AsyncGenerator<string> {
  const report: Report = JSON.parse(canonicalJson(stored));
  const rendered = findRendered(run, report, await languageOf(run.id, stores));
  const { id, graph, question, status, createdAt, startedAt, endedAt, termination, usage } = run;
  const facts: BundledRun = { id, graph, question, status, createdAt, startedAt, endedAt, termination, usage };
  yield `{"documents":[`;
  const documents = yield* summed(documentsOf(run.id, report, stores));
  yield `],"events":[`;
  const events = yield* summed(eventsOf(run.id, stores));
  const sums: Sums = {
    documents,
    events,
    program: hashJson(program),
    rendered: hashJson(rendered),
    report: sumsOfReport(report),
    run: hashJson(facts),
  };
  const rest = canonicalJson({ program, rendered, report, run: facts, sums, type: BUNDLE_TYPE, version: BUNDLE_VERSION });
  yield `],${rest.slice(1, -1)}`;
}

async function* summed(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, string[]> {
  const sums: string[] = [];
  for await (const page of pages) {
    const texts = page.map(canonicalJson);
    if (texts.length > 0) yield `${sums.length > 0 ? "," : ""}${texts.join(",")}`;
    sums.push(...texts.map((text) => createHash("sha256").update(text).digest("hex")));
  }
  return sums;
}

/** Yields the documents, with text only if they are quoted: other texts prove nothing and have owners. */
async function* documentsOf(
  runId: string,
  { citations, closest }: Report,
  { runs, documents }: BundleStores,
): AsyncGenerator<BundledDocument[]> {
  const quoted = new Set([...citations, ...closest].map(({ contentHash }) => contentHash));
  const others = (await runs.documentHashes(runId)).filter((contentHash) => !quoted.has(contentHash)).sort();
  for (const contentHash of [...quoted, ...others]) {
    const { blocks: _, text, ...details } = await documents.get(runId, contentHash);
    yield [{ ...details, characters: text.length, text: quoted.has(contentHash) ? text : null }];
  }
}

async function* eventsOf(runId: string, { runs }: BundleStores): AsyncGenerator<readonly { readonly seq: number }[]> {
  for (let after = 0; ; ) {
    const page = await runs.events(runId, after, EVENTS_PER_PAGE);
    yield page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

async function languageOf(runId: string, { runs }: BundleStores): Promise<string> {
  const input = (await runs.segments(runId))[0]?.input;
  return input?.type === "start" ? input.task.language : "auto";
}

function sumsOfReport(report: Report): Sums["report"] {
  const { answers, blocks, citations, claims, closest, coverage, cutOff = null, ledger, markdown, missing, sources, struck } = report;
  return {
    answers: hashJson(answers),
    blocks: blocks.map(hashJson),
    citations: citations.map(hashJson),
    claims: claims.map(hashJson),
    closest: closest.map(hashJson),
    coverage: hashJson(coverage),
    cutOff: hashJson(cutOff),
    ledger: ledger.map(hashJson),
    markdown: hashJson(markdown),
    missing: missing.map(hashJson),
    sources: sources.map(hashJson),
    struck: struck.map(hashJson),
  };
}
