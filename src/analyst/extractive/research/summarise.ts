import type { Effects } from "../../../domain/ports/effects.ts";
import type { Executed, Summary, SummaryView } from "../../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";
import { resolveLanguage } from "../../../ranking/language.ts";
import { questionOf, tellsKind, touches } from "./bears-out.ts";
import { type ResearchPhrases, researchPhrases } from "./phrases.ts";
import { sayComponent } from "./say-component.ts";
import { type Demands, readDemands } from "./subject-terms.ts";

/** So many sentences for each of several questions; one question alone keeps all of its own. */
const MAX_CLAIMS_EACH = 5;

/**
 * What was found, question by question in the order of the plan, under the question as heading where there are several: every sentence a
 * quote, none and no passage twice, with one list of citations. What failed is named, in the user's language, and brings nothing.
 */
export function summariseByRules(view: SummaryView, effects: Effects): Summary {
  const phrases = researchPhrases(resolveLanguage(view.language, view.question));
  const merged = new Merged();
  const several = view.executed.length > 1;
  for (const { todo, findings } of view.executed.filter(isAnswered)) {
    const question = questionOf(todo);
    const claims = several ? tellingOf(findings.claims, readDemands(question)) : findings.claims;
    for (const claim of claims) merged.add(claim, findings.citations, several ? question : claim.section);
  }
  const unanswered = view.executed.filter((executed) => !isAnswered(executed)).map((executed) => sayUnanswered(executed, phrases));
  const { claims, citations } = merged;
  sayComponent(effects, "summary-response", { answer: markdownOf(claims), unanswered });
  return { claims, citations, reason: claims.length > 0 ? null : reasonOf(view.executed, unanswered), unanswered };
}

/** What the conversation answers is no more open than what passages do. */
function isAnswered({ todo: { status } }: Executed): boolean {
  return status === "completed";
}

/** Those that speak of what is asked, best ones of at most five, in their order. */
function tellingOf(claims: readonly DraftClaim[], demands: Demands): DraftClaim[] {
  const worth = (claim: DraftClaim): number => (touches(demands.subject, claim) ? 2 : 0) + (tellsKind(demands, claim) ? 1 : 0);
  const ranked = claims
    .map((claim, index) => ({ claim, index, worth: worth(claim) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  const chosen = ranked.filter(({ worth: value }, i) => value > 0 || i === 0).slice(0, MAX_CLAIMS_EACH);
  return chosen.sort((a, b) => a.index - b.index).map(({ claim }) => claim);
}

/** One list of claims and one of citations. */
class Merged {
  readonly claims: DraftClaim[] = [];
  readonly citations: Citation[] = [];
  readonly #ids = new Map<string, number>();
  readonly #said = new Set<string>();

  add(claim: DraftClaim, citations: readonly Citation[], section: string): void {
    if (this.#said.has(claim.text)) return;
    this.#said.add(claim.text);
    const cited = claim.citations.flatMap((id) => citations.find((citation) => citation.id === id) ?? []);
    this.claims.push({ ...claim, section, citations: [...new Set(cited.map((citation) => this.#idOf(citation)))] });
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

function sayUnanswered({ todo }: Executed, phrases: ResearchPhrases): string {
  const why = todo.feedback ?? todo.result;
  return `${phrases.notAnswered(questionOf(todo))}${why === null || why === "" ? "" : ` (${why})`}`;
}

function reasonOf(executed: readonly Executed[], unanswered: readonly string[]): string | null {
  const [only] = executed;
  if (executed.length === 1 && only?.findings.reason) return only.findings.reason;
  return unanswered.length > 0 ? unanswered.join("\n") : null;
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
