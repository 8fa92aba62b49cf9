/** What goes up and down without a figure: "Profit increased." */
const UP =
  "rose|rises?|risen|rising|increas(?:e|es|ed|ing)|gr[eo]ws?|grown|growing|climb(?:s|ed|ing)?|jump(?:s|ed)?|surg(?:es|ed)|soar(?:s|ed)?|improv(?:es|ed)";
const DOWN =
  "f[ae]ll|falls|fallen|falling|drop(?:s|ped)?|declin(?:es|ed|ing)|decreas(?:e|es|ed|ing)|shrank|shrunk|slump(?:s|ed)?|plung(?:es|ed)|worsen(?:s|ed)?";
const ENGLISH = new RegExp(
  String.raw`\b(\p{L}{3,20}) (?:(?:has|have|had|was|were|is|are|also|then|again|not|\p{Ll}{3,14}ly) ){0,3}(?:(${UP})|(${DOWN}))\b`,
  "giu",
);
const HAN_ADVERB = "(?:同比|环比|大幅|明显|显著|持续|继续|略有|有所|又|再次|逐年|总体|均|也|出现|实现|呈)*";
const CHINESE = new RegExp(
  String.raw`(\p{sc=Han}{2})${HAN_ADVERB}(?:(上升|增长|增加|上涨|提高|提升|攀升|大涨|走高)|(下降|下跌|下滑|减少|降低|回落|大跌|走低|缩减))`,
  "gu",
);
/** Words that stand before a verb without being what it is said of. */
const NO_NOUN =
  /^(?:that|which|who|and|but|it|they|this|these|those|then|has|have|had|was|were|the|not|may|can|will|would|could|did|does|to|all|both|million|billion|percent|year|month|quarter)$/i;

/** What `claim` says rose or fell, without a figure, of which `quoted` only says the opposite. */
export function turnedOutcomes(claim: string, quoted: string): string[] {
  const told = new Set(
    outcomesIn(quoted)
      .filter(({ behind }) => !/^ ?(?:by )?-/.test(behind))
      .map(({ noun, up }) => `${noun} ${up}`),
  );
  return outcomesIn(claim)
    .filter(({ behind }) => !/^ ?(?:了|by|from|to)? ?[$€£¥-]?\d/.test(behind))
    .filter(({ noun, up }) => told.has(`${noun} ${!up}`) && !told.has(`${noun} ${up}`))
    .map(({ text }) => text);
}

function outcomesIn(text: string): { readonly text: string; readonly noun: string; readonly up: boolean; readonly behind: string }[] {
  const english = Array.from(text.matchAll(ENGLISH), ({ 0: whole, 1: noun = "", 2: up, index }) => ({
    text: whole,
    behind: text.slice(index + whole.length, index + whole.length + 12),
    noun: noun.toLowerCase().replace(/s$/, ""),
    up: (up !== undefined) !== / not /i.test(whole),
  })).filter(({ noun }) => !NO_NOUN.test(noun));
  const chinese = Array.from(text.matchAll(CHINESE), ({ 0: whole, 1: noun = "", 2: up, index }) => ({
    text: whole,
    noun,
    up: up !== undefined,
    behind: text.slice(index + whole.length, index + whole.length + 12),
  }));
  return [...english, ...chinese];
}
