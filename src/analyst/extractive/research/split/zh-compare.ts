import { askChinese, isChineseAttribute } from "./attributes.ts";
import { readChineseList } from "./zh-names.ts";

const COMPARE = /^(?:请|帮我|麻烦|请你)*(?:分析)?(?:并)?(?:比较|对比)(?:一下|分析)?(.+)$/u;
/** 甲的人口和乙的人口. */
const SAME_OF_EACH = /^(.+?)的(.+?)(?:和|与|跟|同|、)(.+?)的\2$/u;
const DIFFERENCE =
  /(?:有什么|有何|有哪些|有啥|的)?(?:主要|根本)?(?:的)?(?:区别|不同|差异|差别|异同|差距|优劣|对比|比较)(?:是什么|在哪里?|在于什么|有哪些|何在|有多大)?$/u;
const RESPECT = /在(.+?)(?:方面|上)(?:的)?(?:表现|情况)?$/u;
const WHICH =
  /^(.+?)(?:相比|比较|比起来|对比)?(?:之间|中)?[，,：:]?\s*(?:哪一?[个座家条种款位所部本]|谁)(?:城市|国家|地方|省份?|公司|企业|学校|大学|品种|地区|湖|河|山|桥)?(.*)$/u;
const DEGREE = /^(?:的)?(\p{sc=Han}*?)(?:更加?|比较|最)(\p{sc=Han}{1,2}?)(?:一些|一点|些)?(\p{sc=Han}{2,4})?$/u;
const DONE_FIRST = /^(?:的)?(?:先|最先|首先|较早|更早|最早)(成立|建成|通车|开通|出生|发布|上市|开放|创立|建立|投产)(?:的)?$/u;
const DONE_EARLIER = /^(成立|建成|通车|开通|出生|发布|上市|开放|创立|建立|投产)(?:得|的时间|时间)?(?:更|较|最)[早晚]$/u;
const THAN =
  /^(.+?)比(.+?)(?:的)?(人口|面积|长度|高度|海拔|深度|价格|票价|营收|净利润)?(?:更|要)?([大小长短高低矮深浅宽窄重轻快慢贵早晚多少])(?:多少|几.*|吗|很多吗|一些吗)?$/u;
const OR = /^(?:是)?(.+?)还是(.+?)(?:的)?(人口|面积|长度|高度|海拔|深度|价格|票价|营收|净利润)?更(\p{sc=Han}{1,2})$/u;

/** What a word for more or less measures. */
const MEASURE: Readonly<Record<string, string>> = {
  大: "有多大",
  小: "有多大",
  长: "有多长",
  短: "有多长",
  高: "有多高",
  低: "有多高",
  矮: "有多高",
  深: "有多深",
  浅: "有多深",
  宽: "有多宽",
  窄: "有多宽",
  重: "有多重",
  轻: "有多重",
  快: "有多快",
  慢: "有多快",
  远: "有多远",
  近: "有多远",
  贵: "的价格是多少",
  便宜: "的价格是多少",
  早: "是什么时候开始的",
  晚: "是什么时候开始的",
  古老: "有多少年历史",
  老: "有多少年历史",
};

/** A comparison as the questions whose answers it sets side by side; null where nothing is compared, or where it is not certain what. */
export function splitChineseComparison(sentence: string): string[] | null {
  const plain = sentence.replace(/[？?。\s]+$/u, "").replace(/^请问[，,]?/u, "");
  return than(plain) ?? which(plain) ?? compared(plain) ?? differing(plain);
}

function compared(plain: string): string[] | null {
  const rest = COMPARE.exec(plain)?.[1];
  return rest === undefined ? null : respects(rest.replace(/^[：:]/u, ""));
}

function differing(plain: string): string[] | null {
  return DIFFERENCE.test(plain) ? respects(plain) : null;
}

/** 甲和乙, 甲和乙的人口和面积, 甲和乙在口味方面的区别. */
function respects(text: string): string[] | null {
  const rest = text.replace(DIFFERENCE, "").replace(/(?:之间)?的?$/u, "");
  const respect = RESPECT.exec(rest);
  if (respect) return aboutEach(listOf(rest.slice(0, respect.index)), respect[1]);
  const [, one, attribute, other] = SAME_OF_EACH.exec(rest) ?? [];
  if (one !== undefined && other !== undefined) return aboutEach([one, other], attribute);
  for (const { index } of rest.matchAll(/的/gu)) {
    const found = aboutEach(listOf(rest.slice(0, index)), rest.slice(index + 1));
    if (found) return found;
  }
  return aboutEach(listOf(rest), undefined);
}

function listOf(text: string): string[] | null {
  return readChineseList(text.replaceAll(/(?<=.)(?:跟|同|相比于|对比|[Vv][Ss]\.?)(?=.)/gu, "和").replace(/(?:之间|两者|二者)$/u, ""));
}

function aboutEach(items: readonly string[] | null, respect: string | undefined): string[] | null {
  if (!items) return null;
  if (respect === undefined) return items.map((item) => `${item}是什么？`);
  const attributes = readChineseList(respect) ?? [respect];
  if (/[，,；;]|哪|什么|多少|谁/u.test(respect)) return null;
  const year = /(?:1[5-9]|20)\d\d年(?:度)?$/u.exec(items.at(-1) ?? "")?.[0] ?? "";
  return items
    .map((item) => (item.endsWith(year) ? item : `${item}${year}`))
    .flatMap((item) =>
      attributes.map((attribute) => (isChineseAttribute(attribute) ? askChinese(item, attribute) : `${item}的${attribute}如何？`)),
    );
}

function which(plain: string): string[] | null {
  const chosen = OR.exec(plain);
  if (chosen) return both([chosen[1] ?? "", chosen[2] ?? ""], chosen[3] ?? "", chosen[4] ?? "");
  const [, listed = "", asked = ""] = WHICH.exec(plain.replace(/^(?:请|帮我|麻烦)*(?:比较|对比)(?:一下)?/u, "")) ?? [];
  const owned = /^(.+)的(.+)$/u.exec(listed);
  const property = owned && isChineseAttribute(owned[2] ?? "") ? owned[2] : undefined;
  const items = listOf(property === undefined ? listed : (owned?.[1] ?? ""));
  if (!items) return null;
  const deed = (DONE_FIRST.exec(asked) ?? DONE_EARLIER.exec(asked))?.[1];
  if (deed !== undefined) return items.map((item) => `${item}是什么时候${deed}的？`);
  const [, attribute = "", adjective = "", done] = DEGREE.exec(asked) ?? [];
  if (adjective === "") return null;
  if (done !== undefined && !/^[早晚]$/u.test(adjective)) return null;
  if (done !== undefined) return items.map((item) => `${item}是什么时候${done}的？`);
  return both(items, property ?? attribute.replace(/^的/u, ""), adjective);
}

function than(plain: string): string[] | null {
  const [, one = "", other = "", attribute = "", adjective = ""] = THAN.exec(plain) ?? [];
  return one === "" || /[，,]|什么|谁|哪/u.test(`${one}${other}`) ? null : both([one, other], attribute, adjective);
}

function both(items: readonly string[], attribute: string, adjective: string): string[] {
  if (isChineseAttribute(attribute)) return items.map((item) => askChinese(item, attribute));
  if (attribute !== "" && /[多少]/u.test(adjective)) return items.map((item) => `${item}有多少${attribute}？`);
  const measure = MEASURE[adjective] ?? `有多${adjective}`;
  return items.map((item) => `${item}${attribute === "" ? "" : `的${attribute}`}${measure}？`);
}
