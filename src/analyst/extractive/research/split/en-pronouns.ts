import { namesIn } from "./en-names.ts";
import { escaped, type Subject, subjectOf } from "./en-subject.ts";

const PERSONAL = /(?<!\p{L})(?:he|she|him|his|her|hers)(?!\p{L})/iu;
const PRONOUNS: readonly RegExp[] = ["its?", "they|them|their", "he|him|his", "she|hers?"].map(
  (forms) => new RegExp(`(?<!\\p{L})(?:${forms})(?!\\p{L})`, "iu"),
);
const PRONOUN = /(?<!\p{L})(?:it|its|they|them|their|he|she|him|his|her)(?!\p{L})/iu;
/** "the miners and their families": what they are stands in the sentence itself. */
const THEIR =
  /(?<!\p{L})(?:the|some|many|all|these) \p{Ll}+s (?:and|or|with|to|from|in|when|if|because|\p{Ll}+) (?:\p{Ll}+ )?(?:they|their|them)(?!\p{L})/iu;
const VAGUE =
  /(?<!\p{L})(?:these|those|such|this|the (?:former|latter|above))(?!\p{L})|^(?:please\s+)?(?:cover|include|address|make sure|focus|keep|use|write)(?!\p{L})/iu;
/** "It is known that …" and "how long does it take" speak of nothing before them. */
const EMPTY = /(?<!\p{L})(?:it is (?:known|said|true|possible)|it takes?|it rains?|it snows?|it safe)(?!\p{L})/iu;
/** What only the answer to the question before it, or that question as a whole, can tell. */
const LEANING =
  /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four|others?))|by how much|how (?:do|does|did) (?:they|it|these) (?:compare|differ)|there(?!\s+(?:is|are|was|were|an?|any)(?!\p{L}))|the (?:others|other one|same one|latter|former|rest of (?:it|them)))(?!\p{L})/iu;
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

/** "the Vess ferry", "Kest Museum": neither he nor she. */
function isThing(name: string): boolean {
  return KINDS.test(name) || /^the .*\p{Lu}/u.test(name);
}

/** Whether a sentence speaks of something by a pronoun. */
export function hasPronoun(sentence: string): boolean {
  return PRONOUN.test(sentence) && !EMPTY.test(sentence);
}

/** Whether it cannot be asked without the question before it. */
export function leansOnClause(clause: string, subject: Subject | null): boolean {
  const said = LEANING.exec(clause)?.[0];
  if (subject?.asksForThings === true && /(?<!\p{L})(?:they|them|their)(?!\p{L})/iu.test(clause)) return true;
  return said !== undefined && !(subject?.isSeveral === true && said.startsWith("of "));
}

const WHICH_OF = /(?<!\p{L})(of)\s+(?:them|these|those|the two)(?!\p{L})/iu;
const OF_TWO = /^(?:and\s+)?(?:which|who|what)(?:\s+one)?\s+of\s+(?:them|these|those|the two)(?!\p{L})|(?<!\p{L})both of them(?!\p{L})/iu;

/** The two that "which of them" means in a conversation about one after the other; null where the sentence means no two. */
export function bothInEnglish(sentence: string, one: Subject, other: Subject): Subject | null {
  if (!OF_TWO.test(sentence) || one.isSeveral || other.isSeveral) return null;
  return { name: `${one.name} and ${other.name}`, asksForPerson: false, isSeveral: true };
}

/** Whether a pronoun means a person, whom the question before it asks for. */
export function meansWhoIsAskedFor(clause: string, subject: Subject | null): boolean {
  return subject?.asksForPerson === true && PERSONAL.test(clause);
}

/** Whether it speaks of something before it that is not named by a pronoun alone. */
export function isVague(sentence: string): boolean {
  return VAGUE.test(sentence);
}

/** The sentence with the subject in the place of its pronouns; null where it is not certain whom they mean. */
export function resolveEnglish(sentence: string, subject: Subject | null): string | null {
  const own = namesIn(sentence);
  if (OF_TWO.test(sentence) && own.length === 0) return subject?.isSeveral ? sentence.replace(WHICH_OF, `$1 ${subject.name}`) : sentence;
  if (subject?.things !== undefined && own.length === 0 && OF_THINGS.test(sentence)) return aboutThings(sentence, subject.things);
  if (!hasPronoun(sentence))
    return subject === null || subject.isSeveral || own.length > 0
      ? sentence
      : inFull(sentence, subject.name).replaceAll(THE_THING, (found, noun: string) =>
          isCalled(noun, subject.name) ? subject.name : found,
        );
  if (own.length > 0) return firstNameLeads(sentence, own[0] ?? "") ? sentence : null;
  if (leadsItself(sentence)) return sentence;
  // "did they pay for it"
  if (PRONOUNS.filter((pronoun) => pronoun.test(sentence)).length > 1) return null;
  // "the miners and their families"
  if (subject === null || (THEIR.test(sentence) && !subject.isSeveral)) return null;
  if (subject.isSeveral) return aboutSeveral(sentence, subject.name);
  if (PERSONAL.test(sentence) && (subject.asksForPerson || isThing(subject.name))) return null;
  const owner = /s$/.test(subject.name) ? `${subject.name}'` : `${subject.name}'s`;
  return withAgreement(sentence, subject.name)
    .replaceAll(/(?<!\p{L})(?:its|their|his)(?!\p{L})|(?<!\p{L})her(?=\s+\p{L})/giu, owner)
    .replaceAll(/(?<!\p{L})(?:it|they|them|he|she|him|her)(?!\p{L})/giu, subject.name);
}

/** "the ferry" behind "the Vess ferry". */
function inFull(sentence: string, name: string): string {
  const noun = /\s(\p{Ll}[\p{L}-]+)$/u.exec(name)?.[1];
  if (noun === undefined || !/\p{Lu}/u.test(name)) return sentence;
  return sentence.replaceAll(new RegExp(`(?<!\\p{L})the ${escaped(noun)}(?!\\p{L})`, "giu"), name);
}

const OF_THINGS = /(?<!\p{L})(?:they|them|their)(?!\p{L})|^which(?:\s+one)?(?=\s(?:has|have|is|are|was|were|can|\p{Ll}+s)\s)/iu;

/** "Who discovered them", "which has a ring": of the things that the question before it asks for. */
function aboutThings(sentence: string, things: string): string | null {
  const which = sentence.replace(OF_THINGS, (found) => (/^which/i.test(found) ? `${found} of ${things}` : found));
  return aboutSeveral(which, things);
}

/** The clause with one thing in the place of "they", "them" and "their", and the verb as it needs it. */
export function askOfOne(clause: string, name: string): string {
  const owner = /s$/.test(name) ? `${name}'` : `${name}'s`;
  return withAgreement(clause, name)
    .replaceAll(/(?<!\p{L})their(?!\p{L})/giu, owner)
    .replaceAll(/(?<!\p{L})(?:they|them|it)(?!\p{L})/giu, name);
}

/** "How long are they", "what are their lengths" of each of them. */
function aboutSeveral(sentence: string, names: string): string | null {
  if (/(?<!\p{L})(?:it|its|he|she|him|his|her)(?!\p{L})/iu.test(sentence)) return null;
  return sentence
    .replace(/(?<!\p{L})of the two(?!\p{L})/iu, "of them")
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
