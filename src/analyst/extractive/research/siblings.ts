/** A name with a number ("Kite Glider 4"), or a code of letters and digits (X4): what differs in the digits alone is something else. */
const NUMBERED = /(\p{Lu}[\p{L}'’-]+)\s+(\d{1,3})(?![\d%])(?![.,]\d)(?!\s*(?:percent|per|million|billion|thousand)\b)/gu;
const CODE = /(?<![\p{Script=Latin}\p{N}])([A-Z]{1,4}-?)(\d{1,4})(?!\p{N})/gu;
/** Names of several words. */
const NAMES = /\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)+/gu;
/** What joins two in a heading: 绿茶与红茶. */
const JOINED = /[与和、]/u;

/** Whether `text` names another one of the kind that the question asks about, and not that one: another number, name or half of the heading. */
export function namesSibling(question: string, text: string, headings: string): boolean {
  return (
    isOtherNumber(question, text, NUMBERED) ||
    isOtherNumber(question, text, CODE) ||
    isOtherName(question, text) ||
    isOtherHalf(question, text, headings)
  );
}

/** Whether the number that the question gives a name stands behind it in `text`; true where it gives none. */
export function namesNumber(question: string, text: string): boolean {
  const asked = numbersIn(question, NUMBERED);
  return asked.length === 0 || numbersIn(text, NUMBERED).some((one) => asked.some((other) => isSame(one, other)));
}

function isOtherNumber(question: string, text: string, pattern: RegExp): boolean {
  const asked = numbersIn(question, pattern);
  const alike = numbersIn(text, pattern).filter(([name]) => asked.some((one) => one[0] === name));
  return alike.length > 0 && !alike.some((one) => asked.some((other) => isSame(one, other)));
}

type Numbered = readonly [name: string, number: string];

function isSame(one: Numbered, other: Numbered): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

function numbersIn(text: string, pattern: RegExp): Numbered[] {
  return Array.from(text.matchAll(pattern), ([, name = "", number = ""]) => [name, number]);
}

/** Lake Kest for Lake Ardle: of two words one is the same, and the name itself is not there. */
function isOtherName(question: string, text: string): boolean {
  const asked = namesIn(question);
  const said = namesIn(text);
  return (
    asked.length > 0 &&
    said.length > 0 &&
    !asked.some((name) => text.includes(name)) &&
    said.every((name) => asked.some((one) => isAlike(one, name)))
  );
}

/** Names of several words, without what makes them possessive. */
export function namesIn(text: string): string[] {
  return (text.match(NAMES) ?? []).map((name) => name.replace(/^The\s+|['’]s?$/gu, ""));
}

function isAlike(one: string, other: string): boolean {
  const [a, b] = [one.split(/\s+/), other.split(/\s+/)];
  return a.length === b.length && a.filter((word, i) => word !== b[i]).length === 1;
}

/** The half of the heading that the question does not name. */
function isOtherHalf(question: string, text: string, headings: string): boolean {
  const halves = headings.split("\n").map((heading) =>
    heading
      .split(JOINED)
      .map((half) => half.trim())
      .filter((half) => half.length > 1 && half.length < 9),
  );
  return halves.some((both) => {
    const asked = both.filter((half) => question.includes(half));
    const other = both.filter((half) => !question.includes(half));
    return both.length > 1 && asked.length > 0 && !asked.some((half) => text.includes(half)) && other.some((half) => text.includes(half));
  });
}
