/** What an answer has to name, where the question says so. */
export type AnswerKind = "money" | "age" | "duration" | "date" | "quantity" | "person";

/** Any of the parts, whatever the case. */
const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");

/** How questions ask for each kind, in English, French, Chinese and Japanese; tried in this order, the special ones first. */
const CUES: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    "money",
    any(
      String.raw`\bhow much (?:\S+\s+){0,5}?(?:cost|pay|paid|charge|spen[dt]|earn|worth|sold|sell|buy|bought|money)`,
      String.raw`\bwhat (?:do|does|did) (?:the |an? )?\S+ cost\b|\bhow (?:expensive|cheap)\b|\bwhat(?:'s| is| are| was| were) (?:\S+\s+){1,3}?(?:price|fee|salary|fare)s?\b`,
      String.raw`\bcombien\s+(?:\S+\s+){0,3}?(?:coût|vaut|valent|pay)|\bquel(?:le)?s?\s+(?:est|sont)\s+(?:le prix|le coût|les? tarifs?)`,
      "多少[钱錢]|[几幾][块塊]|多少(?:[美日欧歐港][元圆]|元|块)|(?:价格|價格|价钱|票价|票價|售价|[费費]用?)[^，。？?]{0,2}多少(?![时時天年秒分次人])",
      "いくら|値段|料金は",
    ),
  ],
  [
    "age",
    any(
      String.raw`\bhow old\b|\bwhat(?:'s| is| are| was| were) the ages? of\b|\bat what age\b|\bquel âge\b`,
      "[几幾多][少]?[岁歲]|多大(?:年[纪紀]|[岁歲]数|了)|年[龄齡][是有]?多|何歳",
    ),
  ],
  [
    "duration",
    any(
      String.raw`\bhow long\b|\b(?:pendant )?combien de temps\b`,
      "多久|多[长長][时時][间間]|[期命限史](?:[是有为為]|可?[达達]|能)?多[长長]|何[時年日週]間|何[分秒](?!子)|どのくらいの(?:時間|期間)",
    ),
  ],
  [
    "date",
    any(
      String.raw`\bwhen (?:was|were|did|had)\b|\b(?:what|which)\s+(?:exact\s+)?(?:year|month|date|day|century|decade)\b(?!\s+(?:formats?|fields?|range|strings?|types?)\b)`,
      String.raw`\bquand\b.*(?:[\s-](?:fut|furent|était|étaient|a|ont|t|née?s?)[\s-])|\b(?:quelle (?:année|date)|quel jour)(?!\p{L})`,
      // In the present these ask for a condition ("when is a run cancelled?"), and so does 什么时候 with 会.
      "(?:什[么麼][时時][候间間]|何[时時])(?!.*[会會]).*(?:了|的[？?]?$|[于於]|成立|出生|[创創][办辦立]|建[立成]|[发發][布行表]|出版|[去逝]世|上映|[开開][通业業])",
      "(?:什[么麼][时時][候间間]|何[时時]).*(?:通[车車]|退役|加入|爆[发發]|投入|引入|返回)|[于於是](?:什[么麼]|何)[时時][候间間]?[？?]?$|(?:[时時][间間]|日期)是[？?]?$",
      "(?<!那)[哪几幾]一?年(?![间間])|(?<![哪好])[几幾][月日号號]|星期[几幾]",
      String.raw`いつ.*(?:した|った|れた|いた|んだ)|何[年月日](?!間)(?=.*\p{sc=Hiragana})`,
    ),
  ],
  [
    "quantity",
    any(
      String.raw`\bhow (?:many|much|tall|big|large|high|heavy)\b|\bwhat\s+(?:percentage|number)\b|\bcombien\b`,
      "多少|(?<![哪那好])[几幾][个個种種位次张張条條届屆只隻首名座部人层層]|多[大长長高远遠重]",
      String.raw`いくつ|何[人個本冊回匹枚台](?=.*\p{sc=Hiragana})|ど[のれ]くらい`,
    ),
  ],
  [
    "person",
    any(
      // "Who" before a deed of the past; in the present it may ask for a part of a machine ("who decides?").
      String.raw`^\s*who\s+(?!.*\bor\b)(?:\w+ly\s+)?(?:\w+ed|won|wrote|made|built|led|began|sang|drew|became|took|found|taught|bought|sold|beat|shot)\b`,
    ),
  ],
];

/** The words of a question that only say of which kind the answer is; answers seldom repeat them. */
const CUE_WORDS = any(
  "^(?:costs?|prices?|pay|paid|charged?|fees?|worth|expensive|cheap|money|age|years?|date|coûte|coûtent|vaut|prix|âge|année|combien)$",
  "^(?:多少[钱錢]?|价格|價格|价钱|年[龄齡]|[岁歲])$",
);

/** The kind of answer that a question asks for, or null where it does not say. */
export function readAnswerKind(question: string): AnswerKind | null {
  return CUES.find(([, cue]) => cue.test(question))?.[0] ?? null;
}

/** Whether a word of a question says no more than of which kind the answer is. */
export function isCueWord(kind: AnswerKind | null, surface: string): boolean {
  return kind !== null && CUE_WORDS.test(surface);
}
