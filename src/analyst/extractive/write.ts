import { setImmediate } from "node:timers/promises";
import type { Draft, WritingView } from "../../domain/ports/analyst.ts";
import type { Citation, DraftClaim } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import type { Span } from "../../ranking/sentences.ts";
import { judge } from "./answerability.ts";
import { raiseEachCompany } from "./each-company.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import { preferAskedFigures } from "./figure-rows.ts";
import { explainNoAnswer } from "./no-answer.ts";
import { collectSentences, type Sentence, textOf } from "./passages.ts";
import { type Question, readQuestion } from "./question.ts";
import { inheritFromLeadIns, type Scored, scoreSentences } from "./scoring.ts";
import { addSecondHop } from "./second-hop.ts";
import { selectSentences } from "./selection.ts";
import { followTitles, readTitles, type TitleLinks } from "./title-links.ts";

/**
 * A draft of verbatim sentences that bear on the question, each cited; or no claim and the reason, where no passage of
 * the readings speaks of what the question names. Rejects soon after `signal` is aborted.
 */
export async function writeExtract(view: WritingView, signal?: AbortSignal): Promise<Draft> {
  const question = readQuestion(view.question);
  const sentences = await collectSentences(view.readings, signal);
  const evidence = gatherEvidence(question.concepts, sentences);
  // Each step looks at every sentence; with very many of them other work needs a turn in between.
  await setImmediate(undefined, { signal });
  const titles = readTitles(sentences);
  const judgement = judge(question, evidence, titles);
  await setImmediate(undefined, { signal });
  const selected = judgement.answered ? selectSentences(scoreForReport(question, evidence, titles)) : [];
  if (selected.length > 0) return { ...cite(selected), reason: null };
  const reason = explainNoAnswer(resolveLanguage(view.language, view.question), {
    readings: view.readings.length,
    sentences: sentences.length,
    asked: question.concepts.map(({ surface }) => surface),
    missing: judgement.missing.map(({ surface }) => surface),
    spokenOf: judgement.spokenOf.map(({ surface }) => surface),
    answerKind: question.answerKind,
    property: question.property?.surface ?? null,
  });
  return { claims: [], citations: [], reason };
}

function scoreForReport(question: Question, evidence: Evidence, titles: TitleLinks): Scored[] {
  const hopped = addSecondHop(evidence, scoreSentences(question, evidence));
  const scored = inheritFromLeadIns(followTitles(question.text, hopped, titles));
  return raiseEachCompany(evidence, preferAskedFigures(question, evidence, scored));
}

function cite(sentences: readonly Sentence[]): { claims: DraftClaim[]; citations: Citation[] } {
  const citations: Citation[] = [];
  const idOf = ({ reading }: Sentence, { start, end }: Span): number => {
    const { contentHash, text } = reading.document;
    const known = citations.find((citation) => citation.contentHash === contentHash && citation.start === start && citation.end === end);
    if (known) return known.id;
    const id = citations.length + 1;
    citations.push({ id, sourceId: reading.hit.id, contentHash, start, end, quote: text.slice(start, end) });
    return id;
  };
  const severalDocuments = new Set(sentences.map(({ reading }) => reading.document.contentHash)).size > 1;
  const claims = sentences.map((sentence): DraftClaim => {
    const spans = sentence.header ? [sentence, sentence.header] : [sentence];
    const { heading, reading } = sentence.section;
    const section = heading || (severalDocuments ? reading.document.title || reading.hit.title : "");
    return { text: textOf(sentence), citations: spans.map((span) => idOf(sentence, span)), supported: true, section };
  });
  return { claims, citations };
}
