/** Two ways in which one figure can be told; whoever tells it the other way round says the opposite. */
interface Axis {
  readonly up: RegExp;
  readonly down: RegExp;
  /** Whether a minus turns it round. */
  readonly signed: boolean;
}

/** Before a number: a currency's sign or an age. */
const TO_NUMBER = String.raw`(?= (?:the )?(?:ages? (?:of )?)?[$€£¥]?\d)`;
const AXES: readonly Axis[] = [
  {
    up: /\b(?:r[io]s(?:e|es|en|ing)|rose|increas\w*|gr[eo]w(?:s|n|ing)?|growth|up(?! to\b)|gain(?:s|ed|ing)?|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:e|es|ed|ing)|soar(?:s|ed|ing)?|higher)\b|上升|增长|增加|上涨|升至|提高|提升|攀升|上调|涨(?!幅)/i,
    down: /\b(?:fell|fall(?:s|en|ing)?|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|decreas\w*|down|lower(?:ed)?|shr[aiu]nk|reduc\w*|slump\w*|cut|plung\w*|slid|los(?:e|es|t|ing))\b|下降|下跌|下滑|减少|降低|跌|缩减|回落|下调|降(?!临|落|雨|水|生|价)/i,
    signed: true,
  },
  {
    up: /\b(?:profits?|earn(?:s|ed|ings?)|net income|surplus|gain(?:s|ed)|made(?! (?:an? )?(?:[a-z]+ )?loss))\b|净利润|盈利|利润|顺差|盈余|赚|净赚/i,
    down: /\b(?:loss(?:es)?|los(?:e|es|t|ing)|deficit)\b|亏损?|赤字|逆差/i,
    signed: true,
  },
  {
    up: new RegExp(
      String.raw`\b(?:over|above|(?<!\bno |\bnot )more than|older than|at least|no (?:less|fewer) than|not less than|a minimum of)${TO_NUMBER}|\band (?:over|older|above)\b|(?<!不)(?:超过|高于|多于)|以上|至少|最少|不(?:少|低)于`,
      "i",
    ),
    down: new RegExp(
      String.raw`\b(?:under|below|(?<!\bno |\bnot )(?:less|fewer) than|younger than|at most|no more than|not more than|up to|a maximum of)${TO_NUMBER}|\band (?:under|younger|below)\b|不足|(?<!不)(?:低|少)于|以下|不到|未满|至多|最多|不(?:超过|高于|多于)`,
      "i",
    ),
    signed: false,
  },
];
const BOUNDARY = /[;:；：。，！？!?\n]|, |\. | (?:and|but|while|whereas|after|from) |[而但]/g;
const REACH = 120;
const ABOUT = `(?:about |around |nearly |almost |over |约|近|逾|超过)?[$€£¥]?$`;
const BY = new RegExp(
  String.raw`\b(?:\p{Ll}{3,12}(?:ed|ose|ew|ell|en|up|down)|up|down|fell|rose|cut|rises?|falls?) by ${ABOUT}|[增升降减涨跌上下][加长少低高升降涨跌调]?了\s?${ABOUT}`,
  "u",
);
const TO = new RegExp(
  String.raw`\b(?:\p{Ll}{3,12}(?:ed|en)|fell|rose|grew|cut|up|down|rises?|falls?) to ${ABOUT}|\bfrom [$€£¥]?\d\S*(?: \p{Ll}{1,9})? to ${ABOUT}|[增升降减涨跌上下][加长少低高升降涨跌调]?[到至]\s?${ABOUT}`,
  "u",
);
const YEAR_BEFORE = /\b(?:before|prior to) (?:\w+ )?([12]\d{3})\b|([12]\d{3})年?(?:之前|以前|前)/gi;
const YEAR_AFTER = /\b(?:after|since) (?:\w+ )?([12]\d{3})\b|([12]\d{3})年?(?:之后|以后|后)/gi;

/** What of `text` is said together with that which stands from `start` to `end`. */
export function clauseAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - REACH), start);
  const from = Math.max(0, ...Array.from(before.matchAll(BOUNDARY), ({ 0: mark, index }) => index + mark.length));
  const behind = text.slice(end, end + REACH);
  const until = behind.search(BOUNDARY);
  return before.slice(from) + text.slice(start, end) + (until < 0 ? behind : behind.slice(0, until));
}

/** Whether two clauses tell one figure in opposite ways, such as "fell" and "rose"; a clause that does both tells it in none. */
export function isOpposite(
  claim: { readonly clause: string; readonly before: string; readonly negative: boolean },
  quote: { readonly clause: string; readonly before: string; readonly negative: boolean },
): boolean {
  return isByForTo(claim.before, quote.before) || AXES.some((axis) => directionOf(claim, axis) * directionOf(quote, axis) < 0);
}

/** Whoever rises by a number does not rise to it. */
function isByForTo(claim: string, quote: string): boolean {
  return (BY.test(claim) && TO.test(quote)) || (TO.test(claim) && BY.test(quote));
}

function directionOf({ clause, negative }: { readonly clause: string; readonly negative: boolean }, { up, down, signed }: Axis): number {
  const direction = Number(up.test(clause)) - Number(down.test(clause));
  return signed && negative ? -Math.abs(direction) : direction;
}

/** The years that `claim` puts something before of which the quotes only say "after", and the other way round. */
export function turnedYears(claim: string, quoted: string): string[] {
  const turned = (pattern: RegExp, other: RegExp): string[] => {
    const [same, opposite] = [yearsIn(quoted, pattern), yearsIn(quoted, other)];
    return [...yearsIn(claim, pattern)].filter((year) => opposite.has(year) && !same.has(year));
  };
  return [...turned(YEAR_BEFORE, YEAR_AFTER), ...turned(YEAR_AFTER, YEAR_BEFORE)];
}

function yearsIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ({ 1: english, 2: chinese }) => english ?? chinese ?? ""));
}
