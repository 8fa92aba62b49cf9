import { splitEnglishList } from "./en-lists.ts";
import { namesIn } from "./en-names.ts";

/** Whom or what a question is about, for the questions behind it. */
export interface Subject {
  readonly name: string;
  /** Whether the question asks who did it, or for what the subject has: a person that a later "he" means is then the answer. */
  readonly asksForPerson: boolean;
  /** Whether it is several things of which the same is asked, which only "they" can mean. */
  readonly isSeveral?: boolean;
}

const WHO_DID = /^who(?:m)?\s+(?!is\b|was\b|are\b|were\b)/i;
/** "Which company built it" asks for what a later "it" may mean. */
const WHICH_DID =
  /^(?:which|what)\s+(?!is\b|was\b|are\b|were\b|do\b|does\b|did\b)(?:\p{L}+\s+){1,3}?(?:\p{Ll}+ed|built|made|wrote|won|led|has|have)(?!\p{L})/iu;
const DEFINITE =
  /(?:\b(?:is|was|are|were|did|does|do|of|in)|^who \p{Ll}+(?:ed|t|de|te))\s+(the\s+\p{Ll}[\p{L}\s-]*?)(?:\s+(?:\p{Ll}+ed|built|made|written|held|found|born|won|drawn|taken|open|work|have|cost|first|mean|begin|grow))?\s*[?.]*$/iu;

/** "What is machine learning?", "How does photosynthesis work?" */
const DEFINED =
  /^what (?:is|are) (?!the |an? |it\b|its\b|they\b|that\b|this\b)(\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*){0,2})[?.]*$|^how do(?:es)? (?!it\b|they\b|one\b|you\b|we\b|i\b)(\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*){0,2}) works?[?.]*$/iu;

/** What the sentence is about, where that is plain: its only name, or the only thing it speaks of; null otherwise. */
export function subjectOf(sentence: string): Subject | null {
  if (WHICH_DID.test(sentence)) return null;
  const asksForPerson = WHO_DID.test(sentence);
  const names = namesIn(sentence);
  const [only] = names;
  if (only !== undefined)
    return names.length === 1
      ? { name: wholeName(sentence, only), asksForPerson: asksForPerson || isOwner(sentence, only) }
      : subjectOfSeveral(sentence, names);
  const defined = DEFINED.exec(sentence)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (defined !== undefined) return { name: defined, asksForPerson: false };
  const definite = DEFINITE.exec(sentence)?.[1]?.trim();
  return definite === undefined || / (?:and|or) /.test(definite) ? null : { name: definite, asksForPerson };
}

const NO_NOUN =
  /^(?:is|was|are|were|and|or|in|of|by|to|at|for|has|have|had|did|does|do|can|will|open|work|cost|mean|begin|start|with|from|on|as|run|use|make|when|where|who|why|how|built|made|written|held|found|born|won|drawn|\p{Ll}+ed)$/u;

/** "the mayor of Tolmere": she is not Tolmere. */
function isOwner(sentence: string, name: string): boolean {
  return sentence.includes(` of ${name}`) || sentence.includes(`${name}'s `);
}

/** "the Vess lighthouse": what stands behind the name until the verb belongs to it. */
function wholeName(sentence: string, name: string): string {
  // Behind "did the Heron" stands a verb.
  if (!/^the /i.test(name) || /(?:did|does|do)\s+$/i.test(sentence.slice(0, sentence.indexOf(name)))) return name;
  const behind = sentence.slice(sentence.indexOf(name) + name.length).match(/^(?:\s+\p{Ll}+){1,3}/u)?.[0] ?? "";
  const nouns: string[] = [];
  for (const word of behind.trim().split(/\s+/)) {
    if (word === "" || NO_NOUN.test(word)) break;
    nouns.push(word);
  }
  return [name, ...nouns].join(" ");
}

/** "the population of Orin in Vessland": what stands behind the first "of". */
function subjectOfSeveral(sentence: string, names: readonly string[]): Subject | null {
  const [first = ""] = names;
  if (new RegExp(`\\bof ${escaped(first)} in `, "u").test(sentence)) return { name: first, asksForPerson: false };
  if (splitEnglishList(sentence)?.length !== names.length) return null;
  return { name: `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`, asksForPerson: false, isSeveral: true };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

const PERSONAL = /(?<!\p{L})(?:he|she|him|his|her|hers)(?!\p{L})/iu;
const PRONOUN = /(?<!\p{L})(?:it|its|they|them|their|he|she|him|his|her)(?!\p{L})/iu;
const VAGUE =
  /(?<!\p{L})(?:these|those|such|this|the (?:former|latter|above))(?!\p{L})|^(?:please\s+)?(?:cover|include|address|make sure|focus|keep|use|write)(?!\p{L})/iu;
/** "It is known that …" and "how long does it take" speak of nothing before them. */
const EMPTY = /(?<!\p{L})(?:it is (?:known|said|true|possible)|it take|it rain|it snow|it safe)(?!\p{L})/iu;
const THE_THING =
  /(?<!\p{L})the (company|firm|city|town|village|country|river|lake|museum|bridge|book|novel|film|organi[sz]ation|team|ship|tower|station|university|school|factory|island|region|railway|line|lighthouse|observatory)(?=\s*(?:\?|$|\s(?:was|is|were|are|have|has|open|employ|operate|make|cost|founded|built|opened|located|produce|earn)))/giu;

const KINDS =
  /(?<!\p{L})(?:company|firm|city|town|village|country|river|lake|museum|bridge|book|novel|film|organi[sz]ation|team|ship|tower|station|university|school|factory|island|region|railway|line|lighthouse|observatory)(?!\p{L})/iu;
/** A name that does not say of which kind it is may be one of these. */
const UNSAID = /^(?:company|firm|city|town|village|country|book|novel|film|team|ship)$/i;

/** "the bridge" may be the Orin Bridge, but no lighthouse; Tolmere may be "the city". */
function isCalled(noun: string, name: string): boolean {
  const kind = KINDS.exec(name)?.[0];
  return kind === undefined ? UNSAID.test(noun) : kind.toLowerCase() === noun.toLowerCase();
}

/** Whether a sentence speaks of something by a pronoun. */
export function hasPronoun(sentence: string): boolean {
  return PRONOUN.test(sentence) && !EMPTY.test(sentence);
}

/** Whether it speaks of something before it that is not named by a pronoun alone. */
export function isVague(sentence: string): boolean {
  return VAGUE.test(sentence);
}

/** The sentence with the subject in the place of its pronouns; null where it is not certain whom they mean. */
export function resolveEnglish(sentence: string, subject: Subject | null): string | null {
  const own = namesIn(sentence);
  if (!hasPronoun(sentence))
    return subject === null || subject.isSeveral || own.length > 0
      ? sentence
      : sentence.replaceAll(THE_THING, (found, noun: string) => (isCalled(noun, subject.name) ? subject.name : found));
  if (own.length > 0) return firstNameLeads(sentence, own[0] ?? "") ? sentence : null;
  if (leadsItself(sentence)) return sentence;
  if (subject === null) return null;
  if (subject.isSeveral) return aboutSeveral(sentence, subject.name);
  if (subject.asksForPerson && PERSONAL.test(sentence)) return null;
  const owner = /s$/.test(subject.name) ? `${subject.name}'` : `${subject.name}'s`;
  return withAgreement(sentence, subject.name)
    .replaceAll(/(?<!\p{L})(?:its|their|his)(?!\p{L})|(?<!\p{L})her(?=\s+\p{L})/giu, owner)
    .replaceAll(/(?<!\p{L})(?:it|they|them|he|she|him|her)(?!\p{L})/giu, subject.name);
}

/** "How long are they", "what are their lengths" of each of them. */
function aboutSeveral(sentence: string, names: string): string | null {
  if (/(?<!\p{L})(?:it|its|he|she|him|his|her)(?!\p{L})/iu.test(sentence)) return null;
  return sentence
    .replace(/(?<!\p{L})(is|are|was|were)\s+their\s+(\p{L}[\p{L} ]*)/iu, `$1 the $2 of ${names}`)
    .replaceAll(/(?<!\p{L})(?:they|them)(?!\p{L})/giu, names);
}

/** Whether its first clause says what the pronouns behind it mean. */
function leadsItself(sentence: string): boolean {
  const [first = ""] = sentence.split(/,\s|\sand\s/);
  return first !== sentence && !PRONOUN.test(first) && subjectOf(`${first}?`) !== null;
}

/** Whether the pronouns of a sentence come after a name of its own. */
function firstNameLeads(sentence: string, name: string): boolean {
  return sentence.indexOf(name) < sentence.search(PRONOUN);
}

const SINGULAR: Readonly<Record<string, string>> = { are: "is", do: "does", were: "was" };

/** "When were they" of one company is "when was it". */
function withAgreement(sentence: string, name: string): string {
  if (/s$/.test(name)) return sentence;
  return sentence.replaceAll(
    /(?<!\p{L})(are|do|were)\s+they(?!\p{L})/giu,
    (_, verb: string) => `${SINGULAR[verb.toLowerCase()] ?? verb} it`,
  );
}

/** "When does the ferry run?" of someone who is going to Vess: the place in brackets, where it is the only name before. */
export function placeEnglish(sentence: string, context: string): string {
  const [only, ...others] = namesIn(context);
  if (only === undefined || others.length > 0 || namesIn(sentence).length > 0) return sentence;
  return `${sentence.replace(/[?.\s]+$/, "")} (${only})?`;
}
