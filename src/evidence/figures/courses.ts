const NUMBER = String.raw`[$€£¥]?(\d[\d.,]*)(?:e\d+)?`;
const UNIT = String.raw`(?:\s?(?:%|percent|million|billion|trillion|thousand|[万亿元]+|\p{Ll}{1,12}|\p{sc=Han}{1,3}))?`;
const FROM_TO = new RegExp(
  String.raw`(?:\bfrom |[从由自])\s?${NUMBER}${UNIT}?(?: to |\s?(?:增[加长]?|上升|上涨|下降|下跌|减少|降低?|升高?|涨|跌|提高|变)?[到至为]\s?)${NUMBER}`,
  "giu",
);
const UP = /\b(?:r[io]s(?:e|es|en|ing)|rose|increas\w*|gr[eo]w(?:s|n|ing)?|climb\w*|jump\w*|surg\w*|soar\w*)\b|[升涨增]/i;
const DOWN = /\b(?:f[ae]ll(?:s|en|ing)?|drop\w*|declin\w*|decreas\w*|shr[aiu]nk|reduc\w*|slump\w*|plung\w*|slid)\b|[降跌减]/i;

interface Course {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** What was said of it: 1 up, -1 down, 0 nothing. */
  readonly said: number;
}

/** Courses from one number to another that `claim` tells the other way round than `quoted`, or against its own word: "rose from 30 to 10". */
export function turnedCourses(claim: string, quoted: string): string[] {
  const told = coursesIn(quoted);
  return coursesIn(claim)
    .filter(({ from, to, said }) => {
      const stands = told.some((quote) => quote.from === from && quote.to === to && quote.said * said >= 0);
      const turned = told.some(
        (quote) => (quote.from === to && quote.to === from) || (quote.from === from && quote.to === to && quote.said * said < 0),
      );
      return !stands && (turned || (told.length > 0 && (to - from) * said < 0));
    })
    .map(({ text }) => text);
}

function coursesIn(text: string): Course[] {
  return Array.from(text.matchAll(FROM_TO), ({ 0: whole, 1: from = "", 2: to = "", index }) => {
    const words = `${
      text
        .slice(Math.max(0, index - 24), index)
        .split(/[,.;，。；]/)
        .at(-1) ?? ""
    }${/\p{sc=Han}/u.test(whole) ? whole : ""}`;
    return {
      text: whole.replace(/[.,]$/, ""),
      from: numberOf(from),
      to: numberOf(to),
      said: Number(UP.test(words)) - Number(DOWN.test(words)),
    };
  });
}

function numberOf(number: string): number {
  return Number(number.replaceAll(/,(?=\d{3})|[.,]$/g, ""));
}

/** Two numbers whose order says something: 7 of 9, 3:1, 1990-1995. */
const PAIR = /(?<![\d.:/-])(\d{1,4})(?: out of | of | in |\s?[:比]\s?|\s?-\s?|\/)(\d{1,4})(?!\d|[.:/-]\d)/g;
const OUTCOME = /\b(?:w[io]ns?|beat\w*|defeat\w*|los[et]\w*)\b|[胜负败]|不敌/i;

/** Pairs such as 7 of 9 or 3:1 that `quoted` has in the other order only. Scores turn with whose they are. */
export function turnedPairs(claim: string, quoted: string): string[] {
  const isScore = OUTCOME.test(claim) || OUTCOME.test(quoted);
  const pairs = (text: string): readonly (readonly [whole: string, key: string, turned: string])[] =>
    Array.from(text.matchAll(PAIR), ({ 0: whole, 1: one = "", 2: other = "" }) => [whole, `${one} ${other}`, `${other} ${one}`] as const);
  const told = new Set(pairs(quoted).map(([, key]) => key));
  return pairs(claim)
    .filter(([whole, key, turned]) => !(isScore && /[:比-]/.test(whole)) && key !== turned && told.has(turned) && !told.has(key))
    .map(([whole]) => whole);
}
