import { splitEnglishList } from "./en-lists.ts";
import { namesIn } from "./en-names.ts";

/** Whom or what a question is about, for the questions behind it. */
export interface Subject {
  readonly name: string;
  /** Whether the question asks who did it, or for what the subject has: a person that a later "he" means is then the answer. */
  readonly asksForPerson: boolean;
  /** Whether it is several things of which the same is asked, which only "they" can mean. */
  readonly isSeveral?: boolean;
  /** Whether the question asks for some of a kind, which "they" means then: "How many islands …". */
  readonly asksForThings?: boolean;
  /** What it has several of, which "they" means behind "What are the moons of Tharsa". */
  readonly things?: string;
}

const ASKS_FOR_THINGS = /^(?:how many|(?:which|what)\s+(?!is\b|was\b|are\b|were\b|do\b|does\b|did\b))/i;
const WHO_DID = /^who(?:m)?\s+(?!is\b|was\b|are\b|were\b)/i;
const THINGS = /^what (?:are|were) (the (?:\p{Ll}+ ){1,3}of \S.*?)[?.\s]*$/iu;
/** "Which company built it" asks for what a later "it" may mean. */
const WHICH_DID =
  /^(?:which|what)\s+(?!is\b|was\b|are\b|were\b|do\b|does\b|did\b)(?:\p{L}+\s+){1,3}?(?:\p{Ll}+ed|built|made|wrote|won|led|has|have)(?!\p{L})/iu;
const DEFINITE =
  /(?:\b(?:is|was|are|were|of|in)|^who \p{Ll}+(?:ed|t|de|te))\s+(the\s+\p{Ll}[\p{L}\s-]*?)(?:\s+(?:\p{Ll}+ed|built|made|written|held|found|born|won|drawn|taken|open|work|have|cost|first|mean|begin|grow))?\s*[?.]*$/iu;
/** "did the lighthouse cost to build": a verb stands behind the noun. */
const DOING = /\b(?:did|does|do)\s+(the(?:\s+\p{Ll}[\p{L}-]*)+)/iu;
const NOT_IN_NOUN = /^(?:of|to|in|on|at|by|from|with|for|during|before|after|since|into|over|through|up|down|out|off)$/;
/** "the oak in Kest" is not Kest. */
const PLACED = /(?<!\p{L})the\s+(?:\p{Ll}[\p{L}-]*\s+){1,4}(?:in|on|at|near|from)\s+$/iu;

/** "What is machine learning?", "How does photosynthesis work?" */
const DEFINED =
  /^what (?:is|are) (?!the |an? |it\b|its\b|they\b|that\b|this\b)(\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*){0,2})[?.]*$|^how do(?:es)? (?!it\b|they\b|one\b|you\b|we\b|i\b)(\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*){0,2}) works?[?.]*$/iu;

/** What the sentence is about, where that is plain: its only name, or the only thing it speaks of; null otherwise. */
export function subjectOf(sentence: string): Subject | null {
  if (WHICH_DID.test(sentence)) return null;
  const subject = namedIn(sentence);
  const things = subject?.isSeveral ? undefined : THINGS.exec(sentence)?.[1];
  if (subject && things !== undefined) return { ...subject, things };
  return subject && ASKS_FOR_THINGS.test(sentence) ? { ...subject, asksForThings: true } : subject;
}

function namedIn(sentence: string): Subject | null {
  const asksForPerson = WHO_DID.test(sentence);
  const names = namesIn(sentence);
  const [only] = names;
  if (only !== undefined)
    return names.length === 1
      ? { name: placedName(sentence, only) ?? wholeName(sentence, only), asksForPerson: asksForPerson || isOwner(sentence, only) }
      : subjectOfSeveral(sentence, names);
  const defined = DEFINED.exec(sentence)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (defined !== undefined) return { name: defined, asksForPerson: false };
  const definite = doingNoun(sentence) ?? DEFINITE.exec(sentence)?.[1]?.trim();
  return definite === undefined || / (?:and|or) /.test(definite) ? null : { name: definite, asksForPerson };
}

const NO_NOUN =
  /^(?:is|was|are|were|and|or|in|of|by|to|at|for|has|have|had|did|does|do|can|will|open|work|cost|mean|begin|start|with|from|on|as|run|use|make|the|a|an|about|into|over|near|between|under|like|before|after|during|since|until|not|still|now|today|when|where|who|why|how|built|made|written|held|found|born|won|drawn|\p{Ll}+ed)$/u;

/** The noun between "did" and the verb. */
function doingNoun(sentence: string): string | undefined {
  const words = DOING.exec(sentence)?.[1]?.split(/\s+/) ?? [];
  const behind = words.slice(1);
  const end = behind.findIndex((word) => NO_NOUN.test(word) || NOT_IN_NOUN.test(word));
  const noun = behind.slice(0, end < 0 ? behind.length : end);
  if (/^(?:and|or)$/.test(behind[end] ?? "")) return undefined;
  // What ends it is the verb, or stands behind the verb.
  if (end < 0 || NOT_IN_NOUN.test(behind[end] ?? "")) noun.pop();
  return noun.length === 0 ? undefined : ["the", ...noun].join(" ");
}

function placedName(sentence: string, name: string): string | undefined {
  const placed = PLACED.exec(sentence.slice(0, sentence.indexOf(name)))?.[0];
  return placed === undefined ? undefined : `${placed}${name}`;
}

const IS_VERB = /^(?:have|open|work|cost|mean|begin|start|run|use|make)$/;

/** "the mayor of Tolmere": she is not Tolmere. */
function isOwner(sentence: string, name: string): boolean {
  return sentence.includes(` of ${name}`) || sentence.includes(`${name}'s `);
}

/** "the Vess lighthouse": what stands behind the name until the verb belongs to it. */
function wholeName(sentence: string, name: string): string {
  if (!/^the /i.test(name)) return name;
  const behind = sentence.slice(sentence.indexOf(name) + name.length).match(/^(?:\s+\p{Ll}+){1,3}/u)?.[0] ?? "";
  const nouns: string[] = [];
  for (const word of behind.trim().split(/\s+/)) {
    if (word === "" || NO_NOUN.test(word)) break;
    nouns.push(word);
  }
  // Behind "did the Heron" stands a verb.
  const isDoing = /(?:did|does|do)\s+$/i.test(sentence.slice(0, sentence.indexOf(name)));
  if (isDoing && (nouns.length === 0 || !IS_VERB.test(behind.trim().split(/\s+/)[nouns.length] ?? ""))) nouns.pop();
  return [name, ...nouns].join(" ");
}

/** "the population of Orin in Vessland": what stands behind the first "of". */
function subjectOfSeveral(sentence: string, names: readonly string[]): Subject | null {
  const [first = ""] = names;
  if (new RegExp(`\\bof ${escaped(first)} in `, "u").test(sentence)) return { name: first, asksForPerson: false };
  if (splitEnglishList(sentence)?.length !== names.length) return null;
  return { name: `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`, asksForPerson: false, isSeveral: true };
}

/** A text as a pattern of itself. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
