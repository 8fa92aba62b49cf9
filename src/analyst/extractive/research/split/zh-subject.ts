import { askChinese, asksForBelonging, isChineseAttribute, isChineseBelonging, ownerBeforeFigure } from "./attributes.ts";
import { readChineseList, words } from "./zh-names.ts";

/** Whom or what a question is about, for the questions behind it. */
export interface ChineseSubject {
  readonly name: string;
  /** Whether the question asks who did it: 他 behind it means the answer. */
  readonly asksForPerson: boolean;
  /** What is said of it. */
  readonly rest: string;
}

/** A word that ends the noun which a question begins with. */
const PREDICATE: ReadonlySet<string> = new Set(
  "是 有 由 在 于 多少钱 何时 什么 什么时候 何 哪 哪里 哪个 哪些 哪年 哪一 哪位 哪家 哪座 多 多少 多大 多长 多高 多久 几 谁 为什么 怎么 怎样 如何 成立 创办 创立 创建 创始 建立 建成 建于 位于 坐落 出生 毕业 发布 开通 通车 开业 开放 获得 拥有 使用 采用 属于 能 可以 需要 共 一共 总共 现在 目前 开始 为 被 从 每 每年 每天 分别 各 各自 都 始建 诞生 去世 占 叫 用 修建 设计 发明 起源 最 最早 最初 主要 包括 可 适合 应该 生产 种植 供应 出版 上映 采取 提供".split(
    " ",
  ),
);
const OPENING = /^(?:请问|请|那么|那|另外|还有|此外|并且|而且|以及|并|我想知道|告诉我)[，,]?/u;
const WHO_DID = /^(?:是)?谁(?:最早|首先|第一个)?(\p{sc=Han}{1,3}?)(?:了|的)([^，,；;]+)/u;
const WHAT_IS = /^什么(?:是|叫做?)([^，,；;]{2,20})$/u;
const PERSONAL = /他|她/u;
/** What only the question before it, or its answer, can tell. */
const LEANING =
  /^(?:其中|里面|里头|中间|那里|那儿|这里|当时|当年|后来|此外|各|分别|如果|若|哪一?[个座条家种位](?:更|最|比较|较))|其中|它们各|他们各|[前后]者/u;
/** A person is asked for, and "he" is the answer. */
const ASKS_FOR_PERSON = /(?:由|被|是|归)(?:谁|哪位|何人)(?!$)/u;
/** Only of a person this is asked. */
const OF_PERSONS =
  /^(?:是(?:谁|什么人|哪里人|哪国人|干什么的|做什么的)|.{0,6}(?:出生|毕业|去世|逝世|结婚|生于|卒于|获得|获奖|担任|当选|写|画|作曲))/u;
/** 最大的镇 is one of what was spoken of. */
const RELATIVE = /^(?:最|第[一二三]|每|主要|其|另)/u;
/** What ends the name of a thing. */
const THING =
  /(?:桥|湖|河|江|海|山|峰|岛|港|塔|寺|庙|宫|城|墙|路|铁路|公路|隧道|水库|运河|机场|车站|站|线|地铁|大学|学院|学校|中学|小学|书院|公司|集团|工厂|厂|矿|银行|医院|博物馆|美术馆|图书馆|天文台|馆|台|剧院|公园|市|省|县|区|镇|村|国|州|号|茶|酒|奖|节|法|条约|协会|组织|机构|项目|工程|系统|图书|小说|电影|渡口|码头|灯塔|水电站|电站|大坝|坝)$/u;
/** 玉峰山上 is on 玉峰山. */
const ON_IT = /(?<=\p{sc=Han}[山岛湖河城园馆寺村镇县市])[上里内]有?$/u;
const PRONOUN =
  /(?<![其吉])(?:它们?|他们?|她们?)(?:的)?|(?<![尤与及极])其(?![他它余中实次])|(?:该|此)(?:公司|企业|市|城市|桥|大桥|湖|河|馆|博物馆|书|作品|项目|组织|机构|学校|大学|车站|岛|地|产品)|这(?:座|家|个|条|部|种|所|本|位)(?:\p{sc=Han}{1,2})?(?=的|是|有|在|由|成立|何|什|哪|多|建)/u;
/** What begins a question that leaves its subject out. */
const WITHOUT_SUBJECT =
  /^(?:是|由|有|在哪|在什么|位于|坐落|成立|创办|创立|建成|建于|始建|何时|什么时候|哪[一年里天个位家]|谁|多[长高大少久重深宽远快]|几|为什么|怎么|怎样|如何|一?共有|总共|目前|现在|每[年天]|属于|能否|可以|需要|[长高](?=多少|达|约)|占多少|叫什么|从什么|从哪|使用|采用|主要|上面|上头)/u;
/** What a question begins with before it says or asks something of it. */
const ATTRIBUTE =
  /^(\p{sc=Han}{2,8}?)(?=(?:分别|各|都|大?约|一?共|能|可以?|需要?|支持)?(?:是|有|为|在|位于|多[少大长高久重深宽远快]|几|怎么|如何|什么|何时|哪|谁|由|贵|用)|(?:能|可以?|需要?|支持).*吗)/u;
const VAGUE = /这些|那些|上述|以上|该方面|此类|这样|这类|前者|后者/u;

/** What the sentence begins with, or what was done in it; null where that is not plain. */
export function subjectOfChinese(sentence: string): ChineseSubject | null {
  const plain = sentence.replace(OPENING, "").replace(/[？?。\s]+$/u, "");
  const done = WHO_DID.exec(plain);
  if (done) return { name: done[2] ?? "", asksForPerson: true, rest: "" };
  const defined = WHAT_IS.exec(plain)?.[1];
  if (defined !== undefined) return { name: defined, asksForPerson: false, rest: "是什么" };
  const parts = words(plain);
  let end = 0;
  while (end < parts.length && (parts.slice(0, end).join("").length < 2 || !PREDICATE.has(parts[end] ?? ""))) end++;
  // 城墙长多少, 游轮载客多少人: what stands right before the figure is said of the subject.
  const said = end > 1 && /^(?:多少|几)$/u.test(parts[end] ?? "") && saysOfIt(parts.slice(0, end)) ? end - 1 : end;
  let lead = parts.slice(0, said).join("");
  if (parts[end] === "于") lead = lead.replace(/(?:始建|重建|改建|[建位始产生设创源])$/u, "");
  if (end === parts.length || /^最/u.test(parts[end] ?? "") || lead.length < 2 || lead.length > 24 || WITHOUT_SUBJECT.test(lead))
    return null;
  const owned = /^(.+?)的(.+)$/u.exec(lead);
  const owner = owned && isChineseBelonging(owned[2] ?? "") ? owned[1] : ownerBeforeFigure(lead);
  const name = (owner ?? lead.replace(/的$/u, "")).replace(ON_IT, "");
  return { name, asksForPerson: name !== lead, rest: plain.slice(name.length) };
}

/** A model number is a piece of the name, and a figure's name is no verb. */
function saysOfIt(lead: readonly string[]): boolean {
  const word = lead.at(-1) ?? "";
  return !isChineseAttribute(word) && ownerBeforeFigure(lead.join("")) === null && !/[\p{N}\p{sc=Latin}]/u.test(word);
}

/** Whether it speaks of something before it that no single word names. */
export function isVagueChinese(sentence: string): boolean {
  return VAGUE.test(sentence);
}

export function hasChinesePronoun(sentence: string): boolean {
  return PRONOUN.test(sentence);
}

/** Whether a place can be visited, as 冬天能去吗 asks without naming it. */
export function asksForVisit(clause: string): boolean {
  return /^(?:[春夏秋冬][天季]|周末|晚上|白天|节假日|雨天)(?:能不能|可不可以|能|可以)(?:去|进|上去|参观|游览)/u.test(
    clause.replace(OPENING, ""),
  );
}

/** The sentence with the subject in the place of its pronoun or of nothing; null where it is not certain whom it means. */
export function resolveChinese(sentence: string, subject: ChineseSubject | null): string | null {
  const plain = sentence.replace(OPENING, "").trim();
  const mark = /[？?。]$/u.test(plain) ? "" : "？";
  if (subject !== null && OF_TWO.test(plain) && isList(subject.name)) return plain.replace(OF_TWO, subject.name);
  if (PRONOUN.test(plain)) {
    if (leadsItself(plain)) return sentence;
    if (subject === null || !mayMean(plain, subject)) return null;
    return `${plain.replaceAll(new RegExp(PRONOUN, "gu"), (found, at: number) => subject.name + possession(found, plain.slice(at + found.length)))}${mark}`;
  }
  const what = /^([^，,；;]+?)呢[？?]?$/u.exec(plain)?.[1];
  if (what !== undefined) return subject && aboutAnother(what, subject);
  const attribute = ATTRIBUTE.exec(plain)?.[1] ?? "";
  if (asksForBelonging(attribute, plain.slice(attribute.length)))
    return subject === null && !isChineseAttribute(attribute) ? sentence : subject && `${subject.name}的${plain}${mark}`;
  if (!WITHOUT_SUBJECT.test(plain)) return sentence;
  if (WHO_DID.test(plain.replace(/[？?。]$/u, ""))) return sentence;
  // 谁设计的 is asked of the subject, 谁先登顶 need not be.
  if (/^谁/u.test(plain) && !/的[？?]?$/u.test(plain)) return null;
  return subject && `${subject.name}${/^谁/u.test(plain) ? "是" : ""}${plain}${mark}`;
}

/** 他 is no bridge, and 它们 is not one. */
function mayMean(sentence: string, { name, rest, asksForPerson }: ChineseSubject): boolean {
  const isSeveral = isList(name);
  if (/[他她它]们/u.test(sentence)) return isSeveral && !(PERSONAL.test(sentence) && THING.test(name));
  if (!PERSONAL.test(sentence)) return true;
  return !isSeveral && !asksForPerson && !THING.test(name) && !ASKS_FOR_PERSON.test(rest) && (OF_PERSONS.test(rest) || name.includes("·"));
}

/** Whether it cannot be asked without the question before it. */
export function leansOnChineseClause(clause: string, subject: ChineseSubject | null): boolean {
  return LEANING.test(clause.replace(OPENING, "")) && (subject === null || !isList(subject.name));
}

const OF_TWO =
  /^(?:这|那)?(?:[两二]者|[两二](?:[个家座条款种位本部所支台辆]|个)\p{sc=Han}{0,4}?|它们|他们|她们)(?:之间|当中|中|里|相比)?[，,]?(?=哪|谁)/u;

/** 甲和乙, in place of 两家公司 in a conversation about one after the other; null where the sentence means no two. */
export function bothInChinese(sentence: string, one: ChineseSubject, other: ChineseSubject): ChineseSubject | null {
  if (!OF_TWO.test(sentence.replace(OPENING, "")) || isList(one.name) || isList(other.name)) return null;
  return { name: `${one.name}和${other.name}`, asksForPerson: false, rest: "" };
}

/** 甲和乙, which 它们 means; what 甲和乙的做法 means is less plain. */
function isList(name: string): boolean {
  return !name.includes("的") && readChineseList(name) !== null;
}

/** Whether a clause names something of its own, or asks of another the very same. */
export function namesItselfInChinese(clause: string, before: ChineseSubject): boolean {
  const own = RELATIVE.test(clause) ? null : subjectOfChinese(clause);
  if (own === null) return /[\p{sc=Latin}\uE000-\uF8FF]/u.test(clause);
  if (own.rest === before.rest || ownsIt(own, before)) return true;
  return (own.name.length > 2 && THING.test(own.name)) || /[\p{sc=Latin}\uE000-\uF8FF]/u.test(own.name);
}

/** 上海的人口 behind 北京的面积; 公司的总部 and 湖泊的面积 may be those of what was spoken of. */
function ownsIt({ name, rest }: ChineseSubject, before: ChineseSubject): boolean {
  const isKind = new RegExp(`^${THING.source}`, "u").test(name) || isChineseBelonging(name) || before.rest.includes(name);
  return rest.startsWith("的") && !isKind;
}

/** 其人口 is 甲的人口. */
function possession(pronoun: string, rest: string): string {
  const owns = pronoun === "其" && [2, 3, 4, 5].some((length) => isChineseAttribute(rest.slice(0, length)));
  return pronoun.endsWith("的") || owns ? "的" : "";
}

/** 面积呢？ asks for something else of the same, 银湾市呢？ the same of something else. */
function aboutAnother(what: string, { name, rest }: ChineseSubject): string | null {
  if (isChineseAttribute(what)) return askChinese(name, what);
  // 分别 speaks of several before it.
  const each = rest.replaceAll(/分别|各自/gu, "");
  return each === "" ? null : `${what}${each}？`;
}

/** Whether the pronoun stands behind a noun of its own. */
function leadsItself(plain: string): boolean {
  const [first = ""] = plain.split(/[，,；;]/u);
  return !PRONOUN.test(first) && subjectOfChinese(first) !== null;
}
