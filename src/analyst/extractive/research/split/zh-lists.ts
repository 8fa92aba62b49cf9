import { askChinese, isChineseAttribute } from "./attributes.ts";
import { readChineseList } from "./zh-names.ts";
import { subjectOfChinese } from "./zh-subject.ts";

/** What several have with each other, or come to together, is one question. */
const TOGETHER =
  /之间|关系|一起|共同|联合|合作|相互|互相|距离|合并|战争|联系|相差|总共|加起来|合计|之和|相距|(?<=[和与、].*)之战|相隔|影响|区别|组成|融合|结合/u;
const EACH = /分别|各自|各(?=[是有为建成位由产])/gu;
const PREDICATE = "(?:是|有|为|达到?|约为)(?:多少|什么|谁|哪.*|多[大长高少深].*|几.*)|有哪些|多少|如何|怎么样|怎样|由谁.*";
const OWNED = new RegExp(`^(.+?)的(.+?)(${PREDICATE})$`, "u");
const UNOWNED = new RegExp(`^(.+?)(${PREDICATE})$`, "u");
const REQUEST = /^(?:请|请你|帮我|麻烦)?(?:列出|介绍一下|介绍|说明|告诉我|查找|给出|查一下|说说)(.+)$/u;
const FIRST_YEAR = /^((?:1[5-9]|20)\d\d年(?:度)?[，,]?)(.+)$/u;
const LAST_YEAR = /((?:在)?(?:1[5-9]|20)\d\d年(?:度)?.*)$/u;
const WHO_DID = /^(?:是)?谁(\p{sc=Han}{1,3}?)了(.+)$/u;
/** What stands before it holds a verb that is not known; or it asks for one of them. */
const UNSURE_REST = /^(?:什么|哪些|多少|谁)|哪一?个|更|最/u;
const MAX_MATTER = 6;
/** Their objects may be one title of two names. */
const OF_WORKS = /写|作|画|拍|导演|翻译|谱/u;

/** A question about several things at once as one question about each; null where it is about one, or where that is not certain. */
export function splitChineseList(sentence: string): string[] | null {
  if (TOGETHER.test(sentence)) return null;
  const whole = sentence.replace(/[？?。\s]+$/u, "").replace(/^请问[，,]?/u, "");
  const [, year = "", rest = whole] = FIRST_YEAR.exec(whole) ?? [];
  const plain = rest.replaceAll(EACH, "");
  const questions =
    requested(plain) ?? ofEach(plain, rest !== plain) ?? withoutOf(plain) ?? eachDoes(plain, rest !== plain) ?? doneTo(plain);
  return questions?.map((question) => `${year}${question.replace(/[？?]$/u, "")}？`) ?? null;
}

/** 甲和乙的人口和面积是多少: each of each. */
function ofEach(plain: string, saysEach: boolean): string[] | null {
  const [, owner = "", attributeText = "", predicate = ""] = OWNED.exec(plain) ?? [];
  const year = LAST_YEAR.exec(owner)?.[1] ?? "";
  const owners = readChineseList(owner.slice(0, owner.length - year.length));
  const attributes = attributesIn(attributeText) ?? matters(attributeText, predicate, saysEach);
  if (owners?.some(isUnsure) && !saysEach) return null;
  if (owner === "" || (owners === null && attributes === null)) return null;
  if (owners === null) return attributes?.map((attribute) => ask(owner, attribute, predicate)) ?? null;
  return owners.flatMap((one) => (attributes ?? [attributeText]).map((attribute) => ask(`${one}${year}`, attribute, predicate)));
}

function ask(owner: string, attribute: string, predicate: string): string {
  // 甲的人口和市长是多少 asks for each in its own way.
  return isChineseAttribute(attribute) && predicate.length <= 3 ? askChinese(owner, attribute) : `${owner}的${attribute}${predicate}`;
}

/** "起因、过程和后果是什么": what is listed by name under one owner is asked for one by one, whatever it is. */
function matters(text: string, predicate: string, saysEach: boolean): string[] | null {
  const list = /^(?:是什么|如何|怎么样|怎样|有哪些|是谁)$/u.test(predicate) ? readChineseList(text) : null;
  const certain = saysEach || (list !== null && list.length > 2 && text.includes("、"));
  return certain && list?.every((item) => item.length <= MAX_MATTER && !item.includes("的")) ? list : null;
}

function attributesIn(text: string): string[] | null {
  const list = readChineseList(text);
  return list?.every(isChineseAttribute) ? list : null;
}

/** 甲市人口和面积是多少: the first attribute stands behind its owner. */
function withoutOf(plain: string): string[] | null {
  const [, lead = "", predicate = ""] = UNOWNED.exec(plain) ?? [];
  const list = readChineseList(lead.replace(/的(?=[^的]*$)/u, ""));
  const [first = "", ...rest] = list ?? [];
  if (!list || !rest.every(isChineseAttribute)) return null;
  for (let i = 2; i < first.length; i++) {
    const attribute = first.slice(i);
    if (isChineseAttribute(attribute)) return [attribute, ...rest].map((one) => ask(first.slice(0, i), one, predicate));
  }
  return null;
}

/** 甲和乙哪年通车. */
function eachDoes(plain: string, saysEach: boolean): string[] | null {
  const subject = subjectOfChinese(plain);
  const [, owner, attribute] = subject === null ? [] : (/^(.+)的(.+)$/u.exec(subject.name) ?? []);
  const list = readChineseList(owner ?? subject?.name ?? "");
  if (subject === null || subject.rest === "" || !list || (!saysEach && (list.some(isUnsure) || UNSURE_REST.test(subject.rest))))
    return null;
  return list.map((item) => `${item}${attribute === undefined ? "" : `的${attribute}`}${subject.rest}`);
}

/** What is done to something joined by "and" is one matter. */
const ACTION =
  /^(?:生产|销售|研究|开发|设计|建造|管理|维护|安装|使用|运输|种植|加工|购买|出口|进口|保护|学习|培训|预防|治疗|收集|处理|计算|制造|采购|发展)/u;

/** Too short to be a name, or with a verb in it: 英国签订了. */
function isUnsure(item: string): boolean {
  return item.length < 2 || /[了着过]/u.test(item) || ACTION.test(item);
}

/** 谁创办了甲和乙. */
function doneTo(plain: string): string[] | null {
  const [, verb = "", objects = ""] = WHO_DID.exec(plain) ?? [];
  const list = readChineseList(objects);
  return !list || (OF_WORKS.test(verb) && list.length < 3) ? null : list.map((item) => `谁${verb}了${item}`);
}

/** 请列出甲和乙的人口. */
function requested(plain: string): string[] | null {
  const [, rest = ""] = REQUEST.exec(plain) ?? [];
  const [, owner = "", attributeText = ""] = /^(.+?)的(.+)$/u.exec(rest) ?? [];
  const attributes = attributesIn(attributeText) ?? (isChineseAttribute(attributeText) ? [attributeText] : null);
  const owners = readChineseList(owner);
  if (owner === "" || attributes === null || (owners === null && attributes.length < 2)) return null;
  return (owners ?? [owner]).flatMap((one) => attributes.map((attribute) => askChinese(one, attribute)));
}
