import { openLine } from "../../../domain/open-line.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { Executed, Summary, SummaryView } from "../../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";
import { resolveLanguage } from "../../../ranking/language.ts";
import { isAskedOnce, questionOf } from "./bears-out.ts";
import { chooseClaims } from "./choose-claims.ts";
import { type ResearchPhrases, researchPhrases } from "./phrases.ts";
import { sayComponent } from "./say-component.ts";

/**
 * What was found, question by question in the order of the plan, under the question as heading where there are several: every sentence a
 * quote, none and no passage twice, with one list of citations. What failed is named, in the user's language; of several it brings
 * nothing.
 */
export function summariseByRules(view: SummaryView, effects: Effects): Summary {
  const phrases = researchPhrases(resolveLanguage(view.language, view.question));
  const merged = new Merged();
  const several = view.executed.length > 1;
  for (const { todo, findings } of view.executed.filter((executed) => isAnswered(executed) || isEvidence(executed, view))) {
    const question = questionOf(todo);
    const claims = isAnswered({ todo, findings }) ? chooseClaims(question, findings, several) : findings.claims;
    const before = merged.claims.length;
    for (const claim of claims) merged.add(claim, findings.citations, several ? question : claim.section);
    // Everything was said under an earlier question: it answers both.
    if (merged.claims.length === before && claims[0]) merged.alsoUnder(claims[0], question);
  }
  const unanswered = view.executed.filter((executed) => !isAnswered(executed)).map((executed) => sayUnanswered(executed, phrases));
  const { claims, citations } = merged;
  sayComponent(effects, "summary-response", { answer: markdownOf(claims), unanswered });
  return { claims, citations, reason: claims.length > 0 ? null : reasonOf(view.executed, unanswered, phrases), unanswered };
}

/** What the conversation answers is no more open than what passages do. */
function isAnswered({ todo: { status } }: Executed): boolean {
  return status === "completed";
}

/** What the user's own words have found stays, also where it does not answer them. */
function isEvidence({ todo }: Executed, { question, executed }: SummaryView): boolean {
  return executed.length === 1 && isAskedOnce(todo, question, todo.rounds);
}

/** One list of claims and one of citations. */
class Merged {
  claims: DraftClaim[] = [];
  readonly citations: Citation[] = [];
  readonly #ids = new Map<string, number>();
  readonly #said = new Set<string>();

  add(claim: DraftClaim, citations: readonly Citation[], section: string): void {
    if (this.#said.has(claim.text)) return;
    this.#said.add(claim.text);
    const cited = claim.citations.flatMap((id) => citations.find((citation) => citation.id === id) ?? []);
    this.claims.push({ ...claim, section, citations: [...new Set(cited.map((citation) => this.#idOf(citation)))] });
  }

  /** Puts a second question above the claims that `claim` stands among. */
  alsoUnder({ text }: DraftClaim, question: string): void {
    const section = this.claims.find((claim) => claim.text === text)?.section;
    this.claims = this.claims.map((claim) => (claim.section === section ? { ...claim, section: `${section} ${question}` } : claim));
  }

  #idOf(citation: Citation): number {
    const key = `${citation.contentHash} ${citation.start} ${citation.end}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.citations.length + 1;
    this.#ids.set(key, id);
    this.citations.push({ ...citation, id });
    return id;
  }
}

function sayUnanswered({ todo, findings }: Executed, phrases: ResearchPhrases): string {
  const why = todo.feedback || findings.reason || todo.result || phrases.nothingFound;
  return openLine(shownOf(todo), why);
}

/** What it asks, without a question mark that only its being asked again has given it. */
function shownOf(todo: Executed["todo"]): string {
  const question = questionOf(todo);
  const isOnlyMarked = question.replace(/[?？]$/u, "") === todo.description.replace(/[.。!！…\s]+$/u, "");
  return isOnlyMarked ? todo.description : question;
}

function reasonOf(executed: readonly Executed[], unanswered: readonly string[], phrases: ResearchPhrases): string | null {
  const [only] = executed;
  if (executed.length === 1 && only?.findings.reason) return only.findings.reason;
  return unanswered.length > 0 ? unanswered.map(phrases.notAnswered).join("\n") : null;
}

function markdownOf(claims: readonly DraftClaim[]): string {
  const sections = [...Map.groupBy(claims, ({ section }) => section)];
  return sections
    .map(([section, members]) => {
      const sentences = members.map(({ text, citations }) => `${text} ${citations.map((id) => `[${id}]`).join("")}`);
      return [...(section === "" ? [] : [`## ${section}`]), ...sentences].join("\n\n");
    })
    .join("\n\n");
}
