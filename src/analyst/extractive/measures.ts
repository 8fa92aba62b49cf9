import { type Amount, readAmounts } from "../../evidence/figures/amounts.ts";
import { plainText } from "../../evidence/figures/plain-text.ts";

/** Something that things have and that is told by a figure with a unit. */
export interface Measure {
  /** In English and in Chinese, as the object of "names no …". */
  readonly names: readonly [english: string, chinese: string];
  /** The words that ask for it as a thing: "the height of", 高度. */
  readonly nouns: RegExp;
  /** The words by which a text shows that a figure is this one and no other of the same units. */
  readonly told: RegExp;
  /** Kinds of the unit table. */
  readonly units: readonly string[];
  /** How questions ask for it in other words than its nouns. */
  readonly cues: RegExp;
}

const either = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");
const NO_CUE = /(?!)/u;

/** A price, a rate and a level are high without a height. */
const NO_HEIGHT = String.raw`(?!.*\b(?:rates?|prices?|costs?|fees?|fares?|taxes|tax|speeds?|temperatures?|salar(?:y|ies)|wages?|risks?|scores?|levels?|voltage|pressure|share|percentage|turnover|revenues?|profits?)\b)`;
const NO_CHINESE_HEIGHT = "(?<!(?:率|价格?|费用?|温度?|速度?|工资|收入|成本|利润|水平|分数|压力?)(?:有|是)?)";

/** Those whose values share units are told apart by their words. */
const MEASURES: readonly Measure[] = [
  {
    names: ["height", "高度"],
    nouns: either(String.raw`\bheights?\b|\belevations?\b|\baltitudes?\b`, "高度|身高|海拔"),
    told: either(String.raw`\b(?:tall|high)(?:er|est)?\b|\bheights?\b|\belevations?\b|\baltitudes?\b`, "高(?![速铁等中校级兴于])|海拔"),
    units: ["length"],
    cues: either(String.raw`\bhow (?:tall|high)\b${NO_HEIGHT}`, `${NO_CHINESE_HEIGHT}多高(?!的)`),
  },
  {
    names: ["length", "长度"],
    nouns: either(String.raw`\blengths?\b`, "[长長]度|全[长長]|[总總][长長]"),
    told: either(String.raw`\blong(?:er|est)?\b|\blengths?\b|\bstretch(?:es)?\b`, "[长長](?![江城沙安期大老])"),
    units: ["length", "months", "days", "seconds"],
    // A term or a life is long in time.
    cues: either("(?<![期命限史](?:有|是|能|可达)?)(?:有多[长長](?![时時])|多[长長][？?]?$)"),
  },
  {
    names: ["width", "宽度"],
    nouns: either(String.raw`\bwidths?\b|\bbreadth\b`, "[宽寬]度"),
    told: either(String.raw`\bwid(?:e|er|est|ths?)\b|\bbroad\b|\bbreadth\b|\bacross\b`, "[宽寬]"),
    units: ["length"],
    cues: either(String.raw`\bhow (?:wide|broad)\b`, "多[宽寬]"),
  },
  {
    names: ["depth", "深度"],
    nouns: either(String.raw`\bdepths?\b`, "深度|水深"),
    told: either(String.raw`\bdeep(?:er|est)?\b|\bdepths?\b`, "深(?![圳化入受])"),
    units: ["length"],
    cues: either(String.raw`\bhow deep\b`, "多深"),
  },
  {
    names: ["weight", "重量"],
    nouns: either(String.raw`\bweights?\b|\bmass\b`, "重量|[体體]重|[净淨]重|[总總]重"),
    told: either(String.raw`\bweigh|\bmass\b|\bheav(?:y|ier|iest)\b`, "重(?![庆要新建修点大视])"),
    units: ["mass"],
    cues: either(String.raw`\bhow heavy\b|\bhow much\b.*\bweigh(?:s|ed)?\b|\bwhat (?:does|do|did)\b.*\bweigh\b`, "有多重|多重[？?]?$"),
  },
  {
    names: ["distance", "距离"],
    nouns: either(String.raw`\bdistances?\b|\brange\b`, "射程|航程|[续續]航里程|[视視]距|距[离離]"),
    told: either(
      String.raw`\bdistances?\b|\brange\b|\breach(?:es)?\b|\bfar\b|\baway\b|\bvisible\b|\bseen\b|\bfrom\b|\boff(?:shore)?\b|\binland\b|\bwithin\b|\bnautical\b|\b(?:north|south|east|west)\b`,
      "射程|航程|[续續]航|距|可[见見]|看[到见見]|望[见見]|外|[东南西北]|海里",
    ),
    units: ["length"],
    cues: either(String.raw`\bhow far\b(?! (?:did|has|have)\b)`, "多[远遠](?!的)"),
  },
  {
    names: ["area", "面积"],
    nouns: either(String.raw`\b(?:surface )?areas?\b`, "面[积積]"),
    told: either(String.raw`\bareas?\b|\bcover(?:s|ing)?\b|\bsquare\b|\bhectares?\b|\bacres?\b`, "面[积積]|[占佔]地|平方"),
    units: ["area"],
    cues: NO_CUE,
  },
];

const CLAUSE = /(?<!\d)[,，]|[,，](?!\d)|[;；。：\n]|\s(?:and|but|while)\s/u;
const YEAR = /^(?:1\d|20)\d\d$/;

const FIGURE =
  /[\p{N}一二两三四五六七八九十百千万]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|\w{3,5}ty|hundred|thousand|million|half)\b/iu;
const NOUN = "heights?|elevations?|altitudes?|lengths?|widths?|breadth|depths?|weights?|mass|distances?|range|area";
const EXACT = "(?:(?:exact|total|average|maximum|minimum|greatest|overall|approximate|mean|surface)\\s+)*";
/** The noun as all that is asked: "the height of the", "its height", 高度是多少, 高度如何; a range of products is none. */
const AS_NOUN = new RegExp(
  [
    String.raw`\b[Ww](?:hat|hich)(?:'s|\s+(?:is|are|was|were))\s+(?:(?:the|its|their|his|her)\s+)?${EXACT}(${NOUN})(?=\s+of\s+(?:the|this|that|its|an?|each|both)\b|\s+of\s+\p{Lu}|\s+(?:at|from|between)\b|\s*[?.,]|\s*$)`,
    String.raw`'s?\s+${EXACT}(${NOUN})\s*[?.]?\s*$`,
    String.raw`(?<![、和与與及或])(高度|身高|海拔|[长長]度|全[长長]|[总總][长長]|[宽寬]度|深度|水深|重量|[体體]重|射程|航程|[续續]航里程|距[离離]|面[积積])(?:大?[约約])?(?:分别|各)?(?:[是有为為]|[达達]到?)?(?:多[少大高深长長宽寬重远遠]|[几幾]|如何|怎么样|什么)?(?:平方)?(?:公里|千米|[厘毫海英]?米|[海英]里|公?吨|公斤|千克|公顷|亩)?[^\p{L}]*$`,
  ].join("|"),
  "u",
);
/** What asks for something else as well may be answered without this. */
const SEVERAL = either(
  String.raw`\band\s+(?:who|whom|whose|what|when|where|why|how|which)\b|[?？].*[?？]`,
  "[，,；;].*(?:谁|什么|何|哪|[几幾]|多少|多[高深长長宽寬重远遠大]|[为為]什么)",
);

/** What a question asks the measure of, in `surface` as it spells it; null where it asks for none. */
export function readMeasure(question: string): { readonly surface: string; readonly measure: Measure } | null {
  if (SEVERAL.test(question)) return null;
  const noun = AS_NOUN.exec(question)
    ?.slice(1)
    .find((group) => group !== undefined);
  const measure = MEASURES.find(({ nouns, cues }) => (noun !== undefined && nouns.test(noun)) || cues.test(question));
  if (measure === undefined) return null;
  return { surface: noun ?? measure.names[/\p{sc=Han}/u.test(question) ? 1 : 0], measure };
}

const MEASURING = /^(?:tall|high|wide|broad|deep|heavy|weigh(?:s|ed)?|far|[高深宽寬长長重远遠])$/iu;

/** Whether a word asks for a measure or tells of one, so that its figure is as good. */
export function isMeasuringWord(word: string): boolean {
  return MEASURING.test(word);
}

/** The measure that a word is the noun of. */
export function measureOf(noun: string): Measure | null {
  return MEASURES.find(({ nouns }) => nouns.test(noun)) ?? null;
}

/**
 * Whether `text` tells a value of the measure: a figure of its units in a clause that names it, or in one that names no
 * other measure of these units; or, as tables do, its noun with a figure that has no unit.
 */
export function tellsMeasure({ nouns, told, units }: Measure, text: string): boolean {
  if (!FIGURE.test(text)) return false;
  const others = MEASURES.filter((other) => other.told !== told && other.units.some((unit) => units.includes(unit)));
  const isValue = ({ unit, rate }: Amount): boolean => unit !== null && rate === null && units.includes(unit.kind);
  const plain = plainText(text, true);
  const inClause = plain.split(CLAUSE).some((clause) => {
    const values = readAmounts(clause, true).filter(isValue);
    if (values.length === 0) return false;
    // Pounds may be money.
    return told.test(clause) || (values.some(({ currencies }) => currencies === null) && !others.some((other) => other.told.test(clause)));
  });
  return (
    inClause ||
    (nouns.test(plain) &&
      readAmounts(plain, true).some(({ unit, currencies, text: figure }) => unit === null && currencies === null && !YEAR.test(figure)))
  );
}
