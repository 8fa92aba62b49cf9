import type { Todo } from "../../../domain/plan.ts";
import type { Executed, Summary } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import type { TodoWork } from "../../../graphs/research/state.ts";

/**
 * What todos have come to that no source bears out: what was said before the run, and the words of agents that quote nothing, such as a
 * calculation or what their user said. Each under its todo, none `supported`.
 */
export function unsourcedOf(todos: readonly Todo[], works: readonly TodoWork[]): DraftClaim[] {
  return todos.flatMap((todo) => {
    const section = todo.description;
    const findings = works.find((one) => one.todo.id === todo.id)?.findings;
    // What an earlier run of the thread has said has its quotes.
    const isQuoted = findings !== undefined && findings.citations.length > 0;
    if (todo.answeredBy === "conversation") return isQuoted ? [] : [{ text: todo.result ?? "", citations: [], supported: false, section }];
    if (findings === undefined || !isUnsourced({ todo, findings })) return [];
    return findings.claims.map(({ text }) => ({ text, citations: [], supported: false, section }));
  });
}

/** The same without the sentences that are shown as unsourced anyway. */
export function withoutThose(summary: Summary, shown: readonly DraftClaim[]): Summary {
  const texts = new Set(shown.map(({ text }) => text));
  return { ...summary, claims: summary.claims.filter(({ text, citations }) => citations.length > 0 || !texts.has(text)) };
}

/** Those of them that are not told by `claims` as well, sentence by sentence, with quotes; what several todos came to once, under them all. */
export function notBorneOut(unsourced: readonly DraftClaim[], claims: readonly DraftClaim[]): DraftClaim[] {
  const said = new Set(claims.filter(({ supported }) => supported).map(({ text }) => wordsIn(text)));
  const open = unsourced.filter(({ text }) => {
    const sentences = text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/).filter((sentence) => sentence.trim() !== "");
    return sentences.length === 0 || !sentences.every((sentence) => said.has(wordsIn(sentence)));
  });
  return [...Map.groupBy(open, ({ text }) => text.trim()).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return { ...first, section: sideBySide([first, ...more].map(({ section }) => section)) };
  });
}

/** Headings as one: what ends as a sentence does needs no mark before the next. */
function sideBySide(sections: readonly string[]): string {
  return [...new Set(sections)].reduce((all, next) => `${all}${/\p{Sentence_Terminal}$/u.test(all) ? " " : "; "}${next}`);
}

/** What a text says, whatever its punctuation and the numbers of its citations. */
function wordsIn(text: string): string {
  const plain = text
    .replaceAll(/\[\d+\]/g, " ")
    .normalize("NFKC")
    .toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function isUnsourced({ todo, findings }: Executed): boolean {
  return todo.status === "completed" && todo.by === "agent" && findings.citations.length === 0;
}
