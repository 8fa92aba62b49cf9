import type { CitedText } from "../../src/evidence/cited-text.ts";
import { readCitedText } from "../../src/evidence/cited-text.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import type { FaithfulSet, SetSentence } from "./read-set.ts";

/** What became of a sentence: the kind of its support, or `struck`. */
export interface Outcome {
  readonly sentence: SetSentence;
  readonly outcome: string;
  readonly reason: string | null;
}

export interface Score {
  readonly true: { readonly shown: number; readonly rightKind: number; readonly of: number };
  readonly false: {
    readonly quotedOrComputed: number;
    /** Computed with the right value, although the words say something else. Only a reader can tell. */
    readonly computedByValue: number;
    readonly decidableParaphrased: number;
    readonly undecidableParaphrased: number;
    readonly unverified: number;
    readonly struck: number;
    readonly of: number;
  };
}

const MIN_RIGHT_KIND = 0.85;
const KINDS = ["struck", "unverified", "summary", "paraphrased", "computed", "quoted"];

/** Writes the report as a model would, with sections as headings and a paragraph for each sentence, and reads it. */
export function judgeSet({ sentences, documents }: FaithfulSet): Outcome[] {
  const ids = new Map([...documents.keys()].map((name, i) => [name, `P${i + 1}`]));
  const evidence = new Map<string, Evidence>();
  for (const [name, text] of documents) {
    const id = ids.get(name) ?? "";
    evidence.set(id, { id, sourceId: name, contentHash: name, text, start: 0, end: text.length });
  }
  let section = "";
  const parts = sentences.flatMap((sentence) => {
    const heading = (sentence.section ?? "") === section ? [] : [`## ${sentence.section}`];
    section = sentence.section ?? "";
    const markers = (sentence.citations ?? []).map(({ document, quote }) => ` [${ids.get(document) ?? "P999"}: "${quote}"]`);
    const expression = sentence.expression ? ` [= ${sentence.expression}]` : "";
    return [...heading, `${sentence.text}${markers.join("")}${expression}`];
  });
  const read = readCitedText(parts.join("\n\n"), evidence);
  return sentences.map((sentence) => outcomeOf(sentence, read));
}

/** A sentence of the set may have become several of the report. The least supported counts. */
function outcomeOf(sentence: SetSentence, { claims, struck }: CitedText): Outcome {
  const plain = (text: string): string => text.replaceAll(/\s+/g, "");
  const isPart = ({ text }: { readonly text: string }): boolean => plain(sentence.text).includes(plain(text));
  const found = [
    ...struck.filter(isPart).map(({ text, reason }) => ({ text, outcome: "struck", reason })),
    ...claims
      .filter((claim) => claim.section === (sentence.section ?? "") && isPart(claim))
      .map(({ text, support, reason }) => ({ text, outcome: support ?? "", reason })),
  ];
  const whole = found.filter(({ text }) => plain(text) === plain(sentence.text));
  const [worst] = (whole.length > 0 ? whole : found).sort((a, b) => KINDS.indexOf(a.outcome) - KINDS.indexOf(b.outcome));
  return { sentence, outcome: worst?.outcome ?? "struck", reason: worst?.reason ?? null };
}

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const truths = outcomes.filter(({ sentence }) => sentence.truth);
  const lies = outcomes.filter(({ sentence }) => !sentence.truth);
  const countOf = (all: readonly Outcome[], is: (one: Outcome) => boolean): number => all.filter(is).length;
  const isParaphrased = ({ outcome }: Outcome): boolean => outcome === "paraphrased" || outcome === "summary";
  return {
    true: {
      shown: countOf(truths, ({ outcome }) => outcome !== "struck"),
      rightKind: countOf(truths, (one) => !isMissed(one)),
      of: truths.length,
    },
    false: {
      quotedOrComputed: countOf(lies, (one) => ["quoted", "computed"].includes(one.outcome) && !isComputedByValue(one)),
      computedByValue: countOf(lies, isComputedByValue),
      decidableParaphrased: countOf(lies, (one) => isParaphrased(one) && one.sentence.decidable !== false),
      undecidableParaphrased: countOf(lies, (one) => isParaphrased(one) && one.sentence.decidable === false),
      unverified: countOf(lies, ({ outcome }) => outcome === "unverified"),
      struck: countOf(lies, ({ outcome }) => outcome === "struck"),
      of: lies.length,
    },
  };
}

function isComputedByValue({ sentence, outcome }: Outcome): boolean {
  return !sentence.truth && outcome === "computed" && sentence.decidable === false && Boolean(sentence.expression);
}

/** Whether a true sentence did not get its kind, or a false one is supported although code can tell. */
export function isMissed({ sentence, outcome }: Outcome): boolean {
  if (sentence.truth) return outcome === "struck" || outcome !== (sentence.expect ?? sentence.kind ?? outcome);
  const allowed = sentence.decidable === false ? ["paraphrased", "summary"] : [];
  return !["struck", "unverified", ...allowed].includes(outcome) && !isComputedByValue({ sentence, outcome, reason: null });
}

export function missedTargets({ true: truths, false: lies }: Score): string[] {
  return [
    ...(truths.shown < truths.of ? ["a true sentence is not shown"] : []),
    ...(truths.rightKind < MIN_RIGHT_KIND * truths.of ? ["fewer than 85 % of the true sentences have their kind"] : []),
    ...(lies.quotedOrComputed > 0 ? ["a false sentence is quoted or computed"] : []),
    ...(lies.decidableParaphrased > 0 ? ["a false sentence that code can tell is paraphrased or a summary"] : []),
  ];
}
