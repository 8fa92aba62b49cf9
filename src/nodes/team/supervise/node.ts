import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { ReportRenderer } from "../../../domain/ports/report-renderer.ts";
import type { Termination } from "../../../domain/run.ts";
import type { Child } from "../../../domain/team.ts";
import { DossierError } from "../../../errors.ts";
import type { TeamStateValue, TeamUpdate } from "../../../graphs/team/state.ts";
import { CUT_DETAIL } from "../../agent/conclude/cut-note.ts";
import { makeReport } from "../../agent/conclude/make-report.ts";
import { type Answer, readAnswer } from "../../agent/conclude/read-answer.ts";
import { knownAddresses } from "../../known-addresses.ts";
import { type AskDeps, askSupervisor, type Summed } from "./ask-supervisor.ts";
import { listed, withoutUpgrades } from "./check-answer.ts";
import { evidenceOf, Places } from "./places.ts";

export interface SuperviseDeps extends AskDeps {
  readonly documents: DocumentStore;
  readonly renderMarkdown: ReportRenderer;
}

const OF_MODELS = ["model_refused", "model_unavailable"] as const;
const NOT_ASKED: Summed = { text: null, cut: false, ledger: [], spent: null };

/** Writes the answer from what the children have come to; where its model cannot be had for it, their answers are listed. */
export function createSuperviseNode(deps: SuperviseDeps): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects) => {
    const { task, children, work, hits, readings } = state;
    const anything = children.some(({ success }) => success === true);
    const places = new Places(work);
    if (!anything && places.all.length === 0) throwShared(children);
    const evidence = await evidenceOf(places, hits, deps.documents, effects);
    const summed = anything ? await askSupervisor(state, places, deps, effects) : NOT_ASKED;
    const known = knownAddresses(state);
    const view = { question: task.question, hits, prefixes: ["S"], known, evidence };
    const answer =
      summed.text === null
        ? listed(children, work, places, evidence)
        : withoutUpgrades(readAnswer(summed.text, view), work, places, evidence);
    const ledger = [...state.ledger, ...summed.ledger];
    const reason = anything ? null : failures(children);
    const report = makeReport(answer, { task, hits, readings, known, ledger, reason, cut: summed.cut }, deps.renderMarkdown);
    if (report.markdown.trim() !== summed.text?.trim())
      effects.emit({ type: "content", node: "supervise", callId: "report", try: 1, delta: report.markdown });
    return { report, termination: terminationOf(answer, summed, children) };
  };
}

/** A model that nobody could work with is the run's failure, as it is an agent's. */
function throwShared(children: readonly Child[]): void {
  const [first] = children;
  const code = first?.error?.code ?? "";
  if (!OF_MODELS.some((one) => one === code) || !children.every(({ error }) => error?.code === code)) return;
  throw new DossierError(OF_MODELS.find((one) => one === code) ?? "internal", first?.error?.message ?? "");
}

function terminationOf(answer: Answer, { text, cut, spent }: Summed, children: readonly Child[]): Termination {
  const node = "supervise";
  const nothing = answer.claims.length === 0 && (answer.text ?? "").trim() === "";
  if (nothing) return { reason: spent ?? "no_answer", node, detail: failures(children) };
  const told = [failures(children), text === null ? "the children's answers are listed" : null, cut ? CUT_DETAIL : null];
  return { reason: spent ?? "completed", node, detail: told.filter((part) => part !== null).join("; ") || null };
}

/** Null where all have finished. */
function failures(children: readonly Child[]): string | null {
  const failed = children.flatMap(({ id, success, error }) => (success === true ? [] : [`${id} (${error?.code ?? "not begun"})`]));
  return failed.length === 0 ? null : `failed: ${failed.join(", ")}`;
}
