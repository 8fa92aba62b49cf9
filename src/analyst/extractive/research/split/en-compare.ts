import { isAttribute, isPlural } from "./attributes.ts";
import { askHow, askOfEach, respectsWithHow } from "./en-ask-each.ts";
import { readList } from "./en-names.ts";

/** In which respect things are compared. */
const RESPECT =
  /\s*[,:]?\s+(?:in terms of|with (?:regard|respect) to|regarding|concerning|when it comes to|by|on)\s+(?:their\s+|the\s+)?(.+)$/iu;
const RESPECT_IN = /\s*[,:]?\s+(?:in terms of|with (?:regard|respect) to|regarding|in)\s+(?:their\s+|the\s+)?(\p{Ll}[\p{L}\s,-]*)$/iu;
/** "the price of A with the price of B", "the price of A with that of B". */
const SAME_OF_EACH =
  /^(?:the\s+)?(\S.*?)\s+of\s+(.+?)\s+(?:with|to|and|against|vs\.?|versus)\s+(?:(?:(?:the\s+)?\1|that|those|the one|the ones)\s+)?of\s+(.+)$/iu;
const ASKS = /^(?:what|who|when|where|which|how|why)(?!\p{L})/iu;
/** "Compare A and B: price, weight". */
const BEHIND_COLON = /^([^:]+?)\s*:\s*(\S.*)$/u;
const WHICH_BEHIND = /^(.+?)\s*[,:;–-]+\s*(?:and\s+)?(?:which|who|what)\s+(?:one\s+|of (?:them|the two)\s+)?(.+)$/iu;
const COMPARE = /^(?:please\s+|can you\s+|could you\s+)?(?:compare|contrast)\s+(.+)$/iu;
const DIFFERENCE =
  /^(?:what(?:'s| is| are)?|explain|describe|list|tell me)\s+(?:the\s+)?(?:\p{L}+\s+)?(?:differences?|similarit(?:y|ies))(?:\s+in\s+(\p{Ll}[\p{L}\s]*?))?\s+between\s+(.+)$/iu;
const DIFFER =
  /^how\s+(?:do|does|did)\s+(.+?)\s+(?:differ(?:\s+from\s+(.+?))?|compare(?:\s+(?:to|with)\s+(.+?))?)(?:\s+in\s+(?:terms of\s+)?(.+))?$/iu;
const VERSUS = /^(\S.*?)\s+(?:vs\.?|versus)\s+(.+)$/iu;
/** "Pros and cons of A vs. B", whose first words are one thing. */
const MATTER_OF = /^(?:the\s+)?([\uE000-\uF8FF])\s+of\s+(.+)$/iu;
const VERB = "is|was|has|have|had|are|were|opened|started|began|costs?|came";
const OF_THEM = new RegExp(String.raw`^(?:which|who|what)(?:\s+one)?\s+of\s+(.+?)\s+((?:${VERB})\s.+)$`, "iu");
const OF_THE_TWO =
  /^(?:which|who|what)\s+(?:one\s+)?((?:\p{L}+\s+){0,3}?(?:is|was|has|have|had|are|were|opened|started|began|costs?|came)\s.+?)\s*[,:;–-]+\s*(.+)$/iu;
const THAN = /^(?:is|are|was|were)\s+(.+?)\s+(\p{L}+er|more \p{L}+|less \p{L}+)\s+than\s+(.+)$/iu;

/** Which adjective asks for what a comparison is about. */
const MEASURE: Readonly<Record<string, string>> = {
  larger: "How large is",
  bigger: "How large is",
  smaller: "How large is",
  largest: "How large is",
  biggest: "How large is",
  smallest: "How large is",
  taller: "How tall is",
  tallest: "How tall is",
  higher: "How high is",
  highest: "How high is",
  lower: "How high is",
  longer: "How long is",
  longest: "How long is",
  shorter: "How long is",
  shortest: "How long is",
  deeper: "How deep is",
  deepest: "How deep is",
  wider: "How wide is",
  widest: "How wide is",
  heavier: "How heavy is",
  heaviest: "How heavy is",
  lighter: "How heavy is",
  faster: "How fast is",
  fastest: "How fast is",
  slower: "How fast is",
  older: "How old is",
  oldest: "How old is",
  younger: "How old is",
  warmer: "How warm is",
  colder: "How warm is",
};
const FIRST_OR_LAST = "first|last|earlier|later";
const DEED = new RegExp(
  String.raw`(?:was|were|is)\s+(?:(?:${FIRST_OR_LAST})\s+)?(\p{L}+(?:ed|ilt|orn|ade|itten|un|ound))(?:\s+(?:${FIRST_OR_LAST}))?$`,
  "iu",
);
const DID_FIRST = new RegExp(String.raw`(opened|started|began|came)\s+(?:${FIRST_OR_LAST})$`, "iu");
const BASE: Readonly<Record<string, string>> = { opened: "open", started: "start", began: "begin", came: "come" };
const HAS_MORE = /(?:has|have|had)\s+(?:more|fewer|the most|the fewest)\s+(\p{L}[\p{L}\s]*)$/iu;
const HAS_A_LARGER = /(?:has|have|had)\s+(?:an?|the)\s+\p{L}+er\s+(\p{L}[\p{L}\s]*)$/iu;
const DEARER = /(?:(?:is|are|was)\s+(?:cheaper|more expensive|dearer)|costs?\s+(?:more|less))$/iu;

/** A comparison as the questions whose answers it sets side by side; null where nothing is compared, or where it is not certain what. */
export function splitEnglishComparison(sentence: string): string[] | null {
  const plain = sentence.replace(/[?.\s]+$/, "");
  return ofTwo(plain) ?? whichOf(plain) ?? than(plain) ?? compared(plain) ?? differing(plain) ?? versus(plain);
}

function compared(plain: string): string[] | null {
  const rest = COMPARE.exec(plain)?.[1];
  if (rest === undefined) return null;
  const [, listed = "", asked] = BEHIND_COLON.exec(rest) ?? [];
  const items = asked !== undefined && ASKS.test(asked) ? itemsOf(listed) : null;
  if (items && asked !== undefined) return askOfEach(asked, items);
  if (asked !== undefined) return aboutEach(listed, asked.replace(/^(?:their|the)\s+/iu, ""));
  const [, attribute, one, other] = SAME_OF_EACH.exec(rest) ?? [];
  if (attribute !== undefined && one !== undefined && other !== undefined) return eachOfEach([attribute], [one, other]);
  for (const at of rest.matchAll(/\s+(?:of|between)\s+/gu)) {
    const attributes = attributesIn(rest.slice(0, at.index));
    const items = itemsOf(rest.slice(at.index + at[0].length));
    if (attributes && items) return eachOfEach(attributes, items);
  }
  const respect = RESPECT.exec(rest) ?? RESPECT_IN.exec(rest);
  return aboutEach(rest.slice(0, respect?.index ?? rest.length), respect?.[1]);
}

function differing(plain: string): string[] | null {
  const [, respect, rest] = DIFFERENCE.exec(plain) ?? [];
  if (rest !== undefined) {
    const last = RESPECT_IN.exec(rest);
    return aboutEach(rest.slice(0, last?.index ?? rest.length), respect ?? last?.[1]);
  }
  const [, one, from, to, inWhat] = DIFFER.exec(plain) ?? [];
  if (one === undefined) return null;
  const other = from ?? to;
  return aboutEach(other === undefined ? one : `${one} and ${other}`, inWhat);
}

function versus(plain: string): string[] | null {
  if (/^(?:what|who|when|where|which|how|why)\s/i.test(plain)) return null;
  const respect = RESPECT.exec(plain) ?? /\s*:\s*(.+)$/u.exec(plain) ?? RESPECT_IN.exec(plain);
  const head = plain.slice(0, respect?.index ?? plain.length);
  const [, matter, things = ""] = MATTER_OF.exec(head) ?? [];
  if (matter !== undefined && VERSUS.test(things)) return itemsOf(things)?.map((item) => `${matter} of ${item}`) ?? null;
  return VERSUS.test(head) ? aboutEach(head, respect?.[1]) : null;
}

function aboutEach(list: string, respect: string | undefined): string[] | null {
  const items = itemsOf(list);
  if (!items) return null;
  if (respect === undefined) return items.map((item) => `What is ${item}?`);
  const attributes = (respectsWithHow(respect) ?? readList(respect))?.map(withoutArticle) ?? [withoutArticle(respect)];
  return eachOfEach(attributes, items);
}

function eachOfEach(attributes: readonly string[], items: readonly string[]): string[] | null {
  // "vs. B: why is it so" names nothing that things have.
  if (attributes.some((attribute) => ASKS.test(attribute) && askHow(attribute, "") === null)) return null;
  const asked = (attribute: string, item: string): string =>
    askHow(attribute, item) ?? `What ${isPlural(attribute) ? "are" : "is"} the ${attribute} of ${item}?`;
  return items.flatMap((item) => attributes.map((attribute) => asked(attribute, item)));
}

function attributesIn(text: string): string[] | null {
  const list = readList(text)?.map(withoutArticle) ?? [withoutArticle(text)];
  return list.length === 1 || list.every(isAttribute) ? list : null;
}

function withoutArticle(item: string): string {
  return item.replace(/^(?:the|their)\s+/i, "");
}

/** Words that two things compared may share, said of the second alone: "solar and wind power". */
const SHARED =
  /^(\S+)\s+(power|energy|cars?|vehicles?|engines?|trains?|batteries|farming|education|cells|phones|machines|insurance|fuel|networks|systems|languages|banks|bridges?)$/iu;

function itemsOf(text: string): string[] | null {
  const items = readList(text.trim().replaceAll(/\s+(?:vs\.?|versus|with|to|against|from)\s+/giu, " and "));
  if (!items) return null;
  const shared = SHARED.exec(items.at(-1) ?? "")?.[2];
  return items.map((item) => (shared !== undefined && /^[\p{L}-]+$/u.test(item) && item !== shared ? `${item} ${shared}` : item));
}

function ofTwo(plain: string): string[] | null {
  const [, listed, which = ""] = OF_THEM.exec(plain) ?? [];
  const [, asked = which, list = listed ?? ""] = listed === undefined ? (OF_THE_TWO.exec(plain) ?? []) : [];
  return askEach(asked.trim(), itemsOf(list));
}

/** "A vs. B: which is longer?" */
function whichOf(plain: string): string[] | null {
  const [, list = "", asked = ""] = WHICH_BEHIND.exec(plain) ?? [];
  return /^(?:what|who|when|where|which|how|why)\s/i.test(list) ? null : askEach(asked.trim(), itemsOf(list.replace(COMPARE, "$1")));
}

function askEach(asked: string, items: readonly string[] | null): string[] | null {
  const questions = items?.flatMap((item) => ask(asked, item) ?? []);
  return questions === undefined || questions.length < (items?.length ?? 0) ? null : questions;
}

function than(plain: string): string[] | null {
  const [, one, adjective = "", other] = THAN.exec(plain) ?? [];
  if (one === undefined || other === undefined) return null;
  return askEach(`is ${adjective}`, [one, other]);
}

/** What has to be known of one of the things; null where the comparison is not understood. */
function ask(asked: string, item: string): string | null {
  if (DEARER.test(asked)) return `How much does ${item} cost?`;
  const more = HAS_MORE.exec(asked)?.[1];
  if (more !== undefined) return `How many ${more} does ${item} have?`;
  const larger = HAS_A_LARGER.exec(asked)?.[1];
  if (larger !== undefined) return `What is the ${larger} of ${item}?`;
  const deed = DEED.exec(asked)?.[1];
  if (deed !== undefined) return `When was ${item} ${deed}?`;
  const did = DID_FIRST.exec(asked)?.[1];
  if (did !== undefined) return `When did ${item} ${BASE[did.toLowerCase()]}?`;
  const adjective = /(?:is|are|was|were)\s+(?:the\s+)?(\p{L}+)$/iu.exec(asked)?.[1];
  const measure = MEASURE[adjective?.toLowerCase() ?? ""];
  if (measure !== undefined) return `${measure} ${item}?`;
  const degree = /(?:is|are)\s+(?:the\s+)?(?:more|less|most|least)\s+(\p{L}+)$/iu.exec(asked)?.[1];
  if (degree === "populous") return `How many people live in ${item}?`;
  return degree === undefined ? null : `How ${degree} is ${item}?`;
}
