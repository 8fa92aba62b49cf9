import { leansOnClause, resolveEnglish } from "./en-pronouns.ts";
import { hasChinesePronoun, leansOnChineseClause, resolveChinese } from "./zh-subject.ts";

const SMALL = "of|in|at|by|for|from|to|on|with|the|an?|is|was|are|were|did|does|and|how many|how much";
const DOUBLED = new RegExp(String.raw`(?<!\p{L})(${SMALL})\s+\1(?!\p{L})`, "iu");
/** A second question within the first, with nothing that joins them: "how many rooms did it have did the ferry carry". */
const RUN_TOGETHER =
  /(?<!\p{L})(?:did|does|is|was|are|were|has|had|can)(?!\p{L})(?:(?!(?<!\p{L})(?:and|or|but|that|which|who|whose|when|where|why|how|what|if|because|than|while|as|before|after|since|until)(?!\p{L})|[,;:]).)*(?<!\p{L})(?:did|does)(?!\p{L})/iu;
/** "Which flows faster?" of what was compared before it. */
const WHICH_OF_THEM = /^(?:and\s+)?which\s+(?:one\s+)?(?:is|are|was|were|has|have|\p{Ll}+s)(?:\s+\p{Ll}+){1,3}[?.]?$/iu;
const CONDITION = /^\s*(?:if|unless|provided|assuming)(?!\p{L})/iu;
/** A question word for figures stands where a question begins. */
const MISPLACED =
  /(?<!(?:^|[,;:]\s*|(?<!\p{L})(?:and|or|by|in|at|for|from|of|to|on|with|about|tell|me|know|say|explain|show|describe|state|find|out|over|than|into|through|after|within)\s+))(?<=\s)how (?:many|much)(?!\p{L})/iu;

/** Whether a part of a question is a sentence that can be asked alone, as far as its form tells. */
export function standsInEnglish(part: string): boolean {
  const [first = ""] = part.split(/[?,;]\s|\sand\s/);
  const broken = [DOUBLED, RUN_TOGETHER, CONDITION, MISPLACED, WHICH_OF_THEM].some((fault) => fault.test(part));
  return !broken && !leansOnClause(first, null) && (first !== part || resolveEnglish(part, null) !== null);
}

const CHINESE_DOUBLED = /(的|是|在|有|为|由|各|分别)\1(?!确|士)/u;
const ASKING = "多少|什么时候|什么|哪一?[年个座里位]|谁|何时|为什么|怎么|几[个座条年]";
/** Two question words with nothing that joins what they ask. */
const CHINESE_RUN_TOGETHER = new RegExp(`(?:是|有|为|在)(?:${ASKING})[^，,；;、？?和与及并]*(?:是|有|为|在)(?:${ASKING})`, "u");
/** What holds of each holds of several. */
const EACH = /(?:分别|各自?(?=[是有为建成位由产占]))/u;
const SEVERAL = /[和与及、跟同]|[哪几两三四五]|些/u;

const NOTHING_ASKED_ABOUT = /^(?:是|由|位于|坐落|在哪|成立于|建于|建成于)/u;

/** The same of a part in Chinese. */
export function standsInChinese(part: string): boolean {
  const [first = ""] = part.split(/[，,；;？?]/u);
  const alone = part.replace(/[？?。\s]+$/u, "") === first;
  if (CHINESE_DOUBLED.test(part) || CHINESE_RUN_TOGETHER.test(part) || leansOnChineseClause(first, null)) return false;
  if (EACH.test(first) && !SEVERAL.test(first.replace(/哪[一年里].*$/u, ""))) return false;
  if (NOTHING_ASKED_ABOUT.test(part)) return false;
  return !alone || !hasChinesePronoun(part) || resolveChinese(part, null) !== null;
}
