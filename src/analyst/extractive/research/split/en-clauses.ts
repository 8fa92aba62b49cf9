import { cutClauses, joinLeaning } from "./cut-clauses.ts";
import { namesIn } from "./en-names.ts";
import { hasPronoun, leansOnClause, meansWhoIsAskedFor, resolveEnglish } from "./en-pronouns.ts";
import { escaped, type Subject, subjectOf } from "./en-subject.ts";

const WH = "when|where|who|whom|what|which|how|why";
const PREPOSITION = "by|in|at|for|from|of|to|on|with|through|under|over|into|since|until|during|after|before";
const AUXILIARIES = "does|do|did|is|are|was|were|has|have|had|can|could|may|might|must|should|will|would";
const WH_BEHIND = String.raw`(?=(?:(?:${PREPOSITION})\s+)?(?:${WH})(?!\p{L}))`;
/** "and does it run": a question without a question word says by a pronoun or an article that it begins anew. */
const YES_OR_NO = String.raw`(?:${AUXILIARIES})\s+(?:it|they|he|she|there|one|you)(?!\p{L})`;
/** Where a question of several begins anew. */
const JOINT = new RegExp(
  String.raw`\s*,\s*(?:and\s+)?(?:also\s+)?(?:${WH_BEHIND}|(?=${YES_OR_NO}|(?:${AUXILIARIES})\s+the\s))|\s+and\s+(?:also\s+)?(?:${WH_BEHIND}|(?=${YES_OR_NO}))`,
  "iu",
);
const BEGINS_YES_OR_NO = new RegExp(`^(?:${AUXILIARIES})\\s`, "iu");
const TWO_WORDS = /^(when|where|how|why|who)\s+and\s+(when|where|how|why|by whom)\s+(?=\p{L})(.+)$/iu;
/** "How many boats and how many crews does it have": nothing but what is counted stands before the verb that both share. */
const COUNTED = String.raw`how many (?:\p{Ll}+ )?(?:\p{Ll}+s|people|men|women|children|fish|sheep)`;
const HOW_MANY = new RegExp(String.raw`^(${COUNTED})\s+and\s+(${COUNTED})\s+((?:does|do|did|are|were|has|have|can|live)\s.+)$`, "iu");
const ELLIPTIC = new RegExp(
  String.raw`^(?:(?:${PREPOSITION})\s+)?(?:when|where|why|how|whom|which year|what year|how much|how long)$`,
  "iu",
);
const PASSIVE =
  /^(?:.+?)\s+(was|were|is|are)\s+(.+?)\s+(\p{Ll}+ed|built|made|written|led|won|drawn|found|begun|taught|bought|sold)(\s+.*)?$/iu;
const WHO_DID = /^who\s+((?:\p{Ll}+ed)|built|made|wrote|led|won|drew|found|began|taught|bought|sold)\s+(.+)$/iu;
const AUXILIARY = /^(?:(?:when|where|why|how)|(?:in|at) (?:which|what) \p{L}+)\s+((?:was|were|is|are|did|does|do|has|have|can)\s.+)$/iu;
const PAST_OF: Readonly<Record<string, string>> = { written: "wrote", drawn: "drew", begun: "began" };
const BARE_PROPERTY = /^(?:(?:what\s+(?:is|was|are|were)\s+)?)the\s+(\p{Ll}[\p{L} ]*)$/iu;

const BEGINS_QUESTION = new RegExp(String.raw`^(?:(?:${PREPOSITION})\s+)?(?:${WH})(?!\p{L})`, "iu");
/** "did the ferry", "is the tower": a clause with a subject of its own, though no name. */
const OWN_SUBJECT = new RegExp(String.raw`(?<!\p{L})(?:${AUXILIARIES}|what happens if)\s+(?:the|an?)\s+\p{Ll}`, "iu");
/** Who did what, each in its own words: nothing of it is left out. */
const ASKS_FOR_DOER = /^who \p{Ll}+ed (?:the|an?) \p{Ll}/iu;
/** What is counted in an event or at a place that the clause does not name again: "how many people died". */
const COUNTED_WITHIN =
  /^how many \p{Ll}+ (?:died|drowned|perished|survived|fled|fought|fell|took part|(?:were|was) (?:killed|injured|wounded|hurt|arrested|rescued|destroyed|involved))$/iu;

/** A request behind another. */
const REQUEST_BEHIND = new RegExp(
  String.raw`\s*,?\s+(?:and|then)\s+(?:also\s+|then\s+|finally\s+)*(?:please\s+)?(?:(?:tell me|say|find out|let me know|show me|explain)\s+(?:also\s+)?(?=(?:${WH})(?!\p{L}))|(?=(?:compare|tell me about|list|describe|explain)\s))`,
  "iu",
);

/** "Compare … and tell me who …" as two sentences; null where it is one, or where it is not certain what the second means. */
export function splitEnglishRequests(sentence: string): string[] | null {
  const plain = sentence.replace(/[?.\s]+$/, "");
  const [first = "", ...others] = plain.split(REQUEST_BEHIND);
  if (others.length === 0 || first === "" || !/\s/.test(first)) return null;
  const subject = subjectOf(`${first}?`);
  const rest = others.map((clause) => resolveEnglish(clause, subject));
  return rest.every((clause) => clause !== null) ? [first, ...rest].map(asSentence) : null;
}

function asSentence(clause: string): string {
  return `${capital(clause.trim())}${new RegExp(`^(?:${WH}|is|are|was|were|do|does|did)(?!\\p{L})`, "iu").test(clause) ? "?" : "."}`;
}

/** The questions of one sentence that asks several, each for itself; null where it asks one, or where they cannot be told apart safely. */
export function splitEnglishClauses(sentence: string): string[] | null {
  const plain = sentence.replace(/[?.\s]+$/, "");
  const many = HOW_MANY.exec(plain);
  if (many) return [`${many[1]} ${many[3]}?`, `${capital(many[2] ?? "")} ${many[3]}?`];
  const two = TWO_WORDS.exec(plain);
  if (two) return bothWords(two[1] ?? "", two[2] ?? "", two[3] ?? "");
  const clauses = cutClauses(plain, JOINT);
  const first = clauses[0]?.text ?? "";
  if (clauses.length < 2 || !BEGINS_QUESTION.test(first)) return null;
  const opening = withOwner(first, clauses.at(-1)?.text ?? "");
  const questions = joinLeaning(clauses, opening, (clause, before) => completed(clause, first, before), namesItself);
  return questions?.map((question) => `${capital(question)}?`) ?? null;
}

function namesItself(clause: string): boolean {
  return COUNTED_WITHIN.test(clause) || (namesIn(clause).length > 0 && !hasPronoun(clause));
}

/** The questions that are joined in a text, as they stand. */
export function questionClauses(text: string): string[] {
  return cutClauses(text.replace(/[?.\s]+$/, ""), JOINT).map((clause) => clause.text);
}

/** Whether a sentence asks several questions, so that a list in it may belong to one of them alone. */
export function asksSeveral(sentence: string): boolean {
  return questionClauses(sentence).length > 1;
}

/** "What is the population, and what is the area of Tolmere": the owner stands at the end alone. */
function withOwner(first: string, last: string): string {
  const owner = /\sof\s+\p{Lu}.*$/u.exec(last)?.[0];
  return owner !== undefined && BARE_PROPERTY.test(first) && !/ (?:of|in|for) /.test(first) ? `${first}${owner}` : first;
}

function bothWords(a: string, b: string, rest: string): string[] | null {
  const passive = PASSIVE.exec(`${a} ${rest}`);
  if (!/by whom/i.test(b)) return [`${a} ${rest}?`, `${capital(b)} ${rest}?`];
  return passive ? [`${a} ${rest}?`, `${whoDid(passive)}?`] : null;
}

/** A later clause as a question that stands for itself, or that it leans on the one before it; null where neither is certain. */
function completed(clause: string, first: string, before: string): string | "leans" | null {
  if (ELLIPTIC.test(clause)) return fromFirst(clause, before) ?? fromFirst(clause, first) ?? "leans";
  const subject = subjectOf(`${first}?`);
  if (leansOnClause(clause, subject) || meansWhoIsAskedFor(clause, subject)) return "leans";
  if (COUNTED_WITHIN.test(clause)) return subject && /^the .*\p{Lu}/u.test(subject.name) ? `${clause} in ${subject.name}` : "leans";
  if (BEGINS_YES_OR_NO.test(clause) && !asksAlone(clause, first, subject)) return "leans";
  const property = BARE_PROPERTY.exec(clause);
  if (property && !/ (?:of|in|for) /.test(clause)) return subject && `what is the ${property[1]} of ${subject.name}`;
  const plain = resolveEnglish(clause, subject);
  return plain === null || plain !== clause || standsBeside(clause, first) ? plain : "leans";
}

/** Whether "does it run" means what is plain; the owner of a ferry may be asked for, or the ferry, and a lid is the lid of something. */
function asksAlone(clause: string, first: string, subject: Subject | null): boolean {
  const asksForDoer = /^(?:who|what)\s(?!is\b|was\b|are\b|were\b)/iu.test(first);
  return namesItself(clause) || (subject !== null && !asksForDoer && (hasPronoun(clause) || resolveEnglish(clause, subject) !== clause));
}

/** Whether a clause says what it is about: beside a name, with a name; else a clause like the first one. */
function standsBeside(clause: string, first: string): boolean {
  if (namesIn(clause).length > 0) return true;
  // "An MCP server" is none that the clause could be about.
  const named = namesIn(first).filter((name) => !new RegExp(`(?<!\\p{L})an? (?:\\p{Ll}+ )?${escaped(name)}`, "u").test(first));
  // "Who invented the telephone" says what it is about; "what is the price" does not.
  return named.length === 0 && (OWN_SUBJECT.test(clause) || ASKS_FOR_DOER.test(clause) || !/(?<!\p{L})the(?!\p{L})/iu.test(clause));
}

/** "… and by whom": what is asked is what the first clause says. */
function fromFirst(clause: string, first: string): string | null {
  const passive = PASSIVE.exec(first);
  if (/^by whom$/i.test(clause)) return passive ? whoDid(passive) : null;
  const did = WHO_DID.exec(first);
  if (did) return `${clause} was ${did[2]} ${participle(did[1] ?? "")}`;
  const auxiliary = AUXILIARY.exec(first);
  return auxiliary ? `${clause} ${auxiliary[1]}` : null;
}

function whoDid([, , object, verb]: RegExpExecArray): string {
  return `Who ${PAST_OF[verb ?? ""] ?? verb} ${object}`;
}

function participle(past: string): string {
  return Object.entries(PAST_OF).find(([, one]) => one === past.toLowerCase())?.[0] ?? past;
}

function capital(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
