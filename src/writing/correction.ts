import { STRUCK_REASONS, SUPPORT_REASONS, type SupportReason } from "../domain/report.ts";
import { countChecked, countUnverified, type ReadReport } from "./cited-report.ts";

/** Faults that a second text of the model cannot mend. */
const LASTING: readonly string[] = ["too_long", "model_disagrees"];
const MAX_FAULTS = 20;
const MAX_WORDS = 300;

/**
 * Whether a second text may be better: the model can mend a fault, and a sentence that is shown is unverified or at least as many
 * sentences are struck as shown.
 */
export function needsCorrection(report: ReadReport): boolean {
  if (report.noAnswer !== null) return false;
  if (countChecked(report) === 0) return true;
  const isAllChecked = countUnverified(report) === 0 && report.struck.length < report.claims.length;
  return !isAllChecked && report.faults.some(({ code }) => !LASTING.includes(code));
}

/** Names each fault once, a line each. */
export function formatFaults({ faults }: ReadReport): string {
  const lines = faults.map(({ code, words, sentence, marker }) => {
    const why = isReason(code) ? FAULTS[code](words) : code;
    return `- ${clip(sentence)}${marker === "" ? "" : ` ${clip(marker)}`}: ${why}`;
  });
  return [...new Set(lines)].slice(0, MAX_FAULTS).join("\n");
}

function isReason(code: string): code is SupportReason {
  return ([...SUPPORT_REASONS, ...STRUCK_REASONS] as string[]).includes(code);
}

function clip(text: string): string {
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS).toWellFormed()}…` : text;
}

const named = (words: string, otherwise: string): string => (words === "" ? otherwise : clip(words));

const FAULTS: Readonly<Record<SupportReason, (words: string) => string>> = {
  unknown_source: () => "No passage has this id.",
  quote_not_found: () => "The passage does not contain these words.",
  no_quote: () => "The citation quotes no words.",
  unknown_address: () => "No passage contains this web address. Write no addresses.",
  amount_contradicted: (words) => `The quote states another amount than ${named(words, "the sentence")}.`,
  unit_contradicted: (words) => `The quote states another unit than ${named(words, "the sentence")}.`,
  currency_contradicted: (words) => `The quote states another currency than ${named(words, "the sentence")}.`,
  date_contradicted: (words) => `The quote states another date than ${named(words, "the sentence")}.`,
  end_of_range: (words) => `The quote gives a range, and ${named(words, "the sentence")} is only one end of it.`,
  percent_for_points: (words) =>
    `A difference of percentages is in percentage points, not in percent${words === "" ? "" : `: ${clip(words)}`}.`,
  wrong_result: (words) => `The expression has another value${words === "" ? "" : `: ${clip(words)}`}.`,
  no_citation: () => "It has no citation.",
  amount_not_in_quote: (words) => `The quotes do not contain ${named(words, "its amount")}.`,
  date_not_in_quote: (words) => `The quotes do not contain ${named(words, "its date")}.`,
  name_not_in_source: (words) => `The source does not contain ${named(words, "its name")}.`,
  amount_not_in_sentences: (words) => `It has no citation, and no checked sentence contains ${named(words, "its amount")}.`,
  expression_not_understood: (words) => `The expression cannot be calculated${words === "" ? "" : `: ${clip(words)}`}.`,
  operand_not_in_quote: (words) => `The quotes do not contain ${named(words, "an amount of the expression")}.`,
  quote_cuts_amount: (words) => `The quote cuts off an amount${words === "" ? "" : `: ${clip(words)}`}. Quote it with its unit.`,
  quote_too_short: () => "The quote is too short. Quote at least three words.",
  quotation_not_in_source: (words) =>
    `The source does not contain the words between quotation marks${words === "" ? "" : `: ${clip(words)}`}. If they are translated, leave out the marks.`,
  sentence_before_struck: () => "The sentence before it was taken out. Name what it is about, or cite a passage.",
  too_long: () => "It is too long to be checked.",
  model_disagrees: () => "Its quotes do not say this.",
};
