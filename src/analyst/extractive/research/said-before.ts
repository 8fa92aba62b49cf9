import type { AnswerKind } from "../answer-kind.ts";
import { holdsKind } from "../answer-signs.ts";
import { NEGATED } from "./says-just-that.ts";
import { type Demands, meets, termsOf } from "./subject-terms.ts";

const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");

/** Whoever says this does not know, and what else they say answers something else. */
const REFUSAL = any(
  String.raw`\b(?:(?:do|does|did|could|can|would)(?:n't| not)|cannot|never) (?:\p{L}+ )?(?:know|tell|say|find|found|see|have|answer|determine|confirm|recall|remember|provide|verify|mention|state|give|look|access|help)\b`,
  String.raw`\b(?:unable|not able|failed|impossible) to\b|\bnot (?:sure|certain|aware|known|found|clear|mentioned|stated|answered|familiar)\b|\b(?:unsure|uncertain|unknown|unclear|unanswered|no idea)\b`,
  String.raw`\b(?:no|not any|without|lack(?:s|ing)?|insufficient) (?:\p{L}+ ){0,2}(?:data|information|records?|answers?|knowledge|evidence|sources?|passages?|results?|details?|mention)\b|\bnothing (?:about|(?:was |is )?(?:found|known))\b|\bnames? no\b`,
  "不知道|不[太大]?(?:清楚|确定|確定|了解|知|晓|曉|详|詳|明确|明確)|(?:无法|無法|不能|没办法|沒辦法|没法|沒法)(?:回答|确[定认]|確[定認]|得知|获[知取]|獲[知取]|查|找|提供|给出|給出|判断|判斷|告[诉訴]|知|访问|訪問)",
  "[没沒](?:有)?(?:能|能够)?(?:找到|查到|提到|提及|相[关關]|回答|任何|答案|数据|數據|资料|資料|信息|資訊|记[载录]|記[載錄]|[说說]明|给出|給出|段落)|[找查]不到|(?:未|尚未|未能)(?:能)?(?:找到|查到|提[到及]|[记記][载載]|知|[给給]出|回答|说明|說明)|[暂暫尚]?[无無](?:数据|數據|资料|資料|信息|答案|从|從|可奉告)|答不[上出]",
  "わかりません|分かりません|知りません|不明|見つかりません|見つけられません|答えられません|存じません",
  String.raw`\bje ne (?:sais|connais|trouve|peux)|\bje n'ai (?:pas|aucune?)|\b(?:inconnue?|introuvable)s?\b|لا أعرف|لا أعلم|لا أملك|غير معروف`,
);
/** Nothing of this tells a fact: a courtesy, what somebody says of themselves or promises, a wish to be told more, a guess. */
const NO_STATEMENT = any(
  String.raw`[?？؟]["'”’」』）)]*\s*$`,
  String.raw`\b(?:sorry|apologi[sz]e|apologies|unfortunately|regret|please|one moment|hold on|wait)\b|\blet us\b|\blet's\b|^\s*(?:looking|searching|checking)\b`,
  String.raw`\b(?:i|me|my|we|our)\b`,
  String.raw`\b(?:probably|perhaps|maybe|possibly|presumably|supposedly|apparently|allegedly|likely|might|(?:may|could) (?:be|have|well)|guess|think|believe|assume|suppose|suspect|seems?|rumou?red)\b`,
  "抱歉|对不起|對不起|不好意思|很遗憾|很遺憾|(?<!自)我(?![国國军軍省市县縣校])|稍等|稍候|等一下|正在(?:[查搜找检檢]|[为為]您)|[请請](?:问|問|告[诉訴]|提供|[说說]明|稍)|帮[你您]|幫[你您]",
  "可能|大概|也[许許]|或[许許]|估[计計]|好像|似乎|据说|據說|[传傳][说說]|[应應][该該](?:是|有|在|不)|[猜推][测測想]|看[来來起]",
  "すみません|申し訳|お待ち|調べ(?:ます|て)|かもしれ|おそらく|たぶん|と思",
  String.raw`\b(?:désolée?|pardon|laissez-moi|je|probablement|peut-être|sans doute)(?!\p{L})|آسف|عذر|ربما`,
);

/** Whether an answer says that its giver does not know. */
export function isRefusal(answer: string): boolean {
  return REFUSAL.test(answer.replaceAll("’", "'"));
}

/** How questions ask for a kind in more ways than rules search by; what is not recalled is only looked for anew. */
const ASKED: readonly (readonly [AnswerKind, RegExp])[] = [
  ["duration", any("多久")],
  ["date", any(String.raw`\bwhen\b`, "何[时時]|什[么麼甚][时時]|什[么麼][时時]候|[几幾][时時]|いつ", String.raw`\bquand\b`)],
  [
    "quantity",
    any(
      String.raw`\bhow (?:deep|wide|broad|far|fast|often|hot|cold|warm|strong|loud|thick|late|early|heavy|rich|dense|steep|bright|powerful)\b`,
      "[几幾](?!乎)|多[深宽寬重远遠快厚高大长長]",
    ),
  ],
  ["person", any(String.raw`\bwho(?:m|se)?\b`, "谁|誰|何人|哪[一]?位|だれ|どなた", String.raw`\bqui\b`)],
];
const CHINESE_PERSON = /谁|誰|何人|哪一?位/u;
/** What is said beside the question's own characters and these has to be somebody's name. */
const NO_NAME = /[的了是有为為在于於由和与與也都就很一个個位人名叫做这那這他她它们們曾任现現担擔当當，。！、；：\s\p{P}]/gu;
const SHORTEST_NAME = 2;

/** Whether a sentence holds what kind of thing is asked for, where the question says so: no day without a date, nobody without a name. */
export function holdsWhatIsAsked(demands: Demands, sentence: string): boolean {
  const { property, text } = demands;
  if (property !== null) return property.isNamedIn(sentence);
  const kind = kindAsked(demands);
  if (kind === null) return true;
  const told = demands.years.reduce((rest, year) => rest.replaceAll(year, ""), sentence);
  return holdsKind(kind, told, text) && (kind !== "person" || !CHINESE_PERSON.test(text) || saysMore(text, told));
}

/** Whether a sentence that stands on nothing but having been said states a fact about what is asked. */
export function isStatement(demands: Demands, sentence: string): boolean {
  if (NO_STATEMENT.test(sentence.replaceAll("’", "'"))) return false;
  const kind = kindAsked(demands);
  // A figure, a date and a name say by themselves that they are the answer.
  if (kind === null && demands.property === null) return speaksOf(demands, sentence);
  return kind === "person" || !NEGATED.test(sentence);
}

function kindAsked({ answerKind, text }: Demands): AnswerKind | null {
  return answerKind ?? ASKED.find(([, cue]) => cue.test(text))?.[0] ?? null;
}

function speaksOf({ concepts }: Demands, sentence: string): boolean {
  const terms = termsOf(sentence);
  return concepts.length === 0 || concepts.some((concept) => meets(concept, terms));
}

/** Chinese has no capitals: what the sentence says beyond the question is as long as a name. */
function saysMore(question: string, sentence: string): boolean {
  const own = new Set(question.normalize("NFKC"));
  const more = Array.from(sentence.normalize("NFKC").replaceAll(NO_NAME, "")).filter((character) => !own.has(character));
  return more.length >= SHORTEST_NAME;
}
