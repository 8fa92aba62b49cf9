import { setImmediate } from "node:timers/promises";
import type { Draft, Reading, WritingView } from "../../domain/ports/analyst.ts";
import type { Citation, DraftClaim, Passage } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { chooseQuotes, MAX_QUOTES, type Quote } from "./choose-quotes.ts";
import { chooseCompanyRows, isCompanyRow, isOfCompany } from "./company-rows.ts";
import { type Evidence, matchSentences } from "./match.ts";
import { explainNoAnswer } from "./no-answer.ts";
import { type Question, readQuestion } from "./question.ts";
import { collectSentences, type Sentence } from "./sentences.ts";

/**
 * Whether there is an answer: the passages have to match so much of the question, by the rarity of its words. bench/retrieval.md has the
 * curve, and how it was chosen.
 */
export const THRESHOLD = 0.44;
const MAX_CLOSEST = 5;

/**
 * A draft of verbatim passages that are close to the question, best first, each cited; or no claim, the reason, and the closest passages,
 * which may not answer. Rejects soon after `signal` is aborted.
 */
export async function writeQuotes(view: WritingView, signal?: AbortSignal): Promise<Draft> {
  const question = readQuestion(view.question, view.history.at(-1)?.question);
  const sentences = await collectSentences(view.readings, signal);
  const evidence = withoutDocumentation(question, matchSentences(question, sentences));
  await setImmediate(undefined, { signal });
  const rows = chooseCompanyRows(question, evidence);
  const passages = chooseQuotes(question, evidence);
  const answers = Math.max(0, ...evidence.strengths.values()) >= THRESHOLD;
  // What a tool brought about a company is always quoted.
  const beside = passages.filter(({ sentences: [first] }) => first && !isCompanyRow(first) && (answers || isOfCompany(first)));
  const quotes = rows.areAsked ? rows.quotes : [...rows.quotes, ...beside].slice(0, MAX_QUOTES);
  if (quotes.length > 0) return { ...citeQuotes(quotes), reason: null };
  const asked = question.terms.flatMap(({ isContext, surface }, at) => (isContext ? [] : [{ surface, at }]));
  const said = evidence.whole();
  const missing = asked.flatMap(({ at, surface }) => ((said[at] ?? 0) === 0 ? [surface] : []));
  const found = { asked: asked.length, readings: view.readings.length, sentences: sentences.length };
  const reason = explainNoAnswer(resolveLanguage(view.language, view.question), found, missing);
  return { claims: [], citations: [], closest: passages.slice(0, MAX_CLOSEST).map(toPassage), reason };
}

/** The documentation that comes with the program gives way to any other source that answers at least as well. */
function withoutDocumentation(question: Question, evidence: Evidence): Evidence {
  const isOwn = ({ hit }: Reading): boolean => hit.isDocumentation === true;
  const strongest = (isOf: (reading: Reading) => boolean): number =>
    Math.max(0, ...[...evidence.strengths].flatMap(([reading, strength]) => (isOf(reading) ? [strength] : [])));
  const own = strongest(isOwn);
  if (own === 0 || strongest((reading) => !isOwn(reading)) < Math.max(own, THRESHOLD)) return evidence;
  return matchSentences(
    question,
    evidence.sentences.filter(({ section }) => !isOwn(section.reading)),
  );
}

/** The numbers of the citations are in the order of the claims. */
function citeQuotes(quotes: readonly Quote[]): { claims: DraftClaim[]; citations: Citation[] } {
  const citations: Citation[] = [];
  const cite = (passage: Passage): number => {
    const known = citations.find(
      ({ contentHash, start, end }) => contentHash === passage.contentHash && start === passage.start && end === passage.end,
    );
    if (known !== undefined) return known.id;
    citations.push({ id: citations.length + 1, ...passage });
    return citations.length;
  };
  const claims = quotes.map((quote): DraftClaim => {
    const passages = [...quote.above.map((sentence) => toPassage({ sentences: [sentence] })), toPassage(quote)];
    const text = passages.map((passage) => passage.quote).join("\n");
    return { text, citations: passages.map(cite), supported: true, section: "" };
  });
  return { claims, citations };
}

function toPassage({ sentences }: Pick<Quote, "sentences">): Passage {
  const [first, last] = [sentences[0], sentences.at(-1)] as [Sentence, Sentence];
  const { hit, document } = first.section.reading;
  const { start } = first;
  const { end } = last;
  return { sourceId: hit.id, contentHash: document.contentHash, start, end, quote: document.text.slice(start, end) };
}
