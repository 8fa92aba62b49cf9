const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Where a list is divided: not inside 和平, 共和国, 参与 or 以及时. */
const JOINT =
  /\s*(?:、|，以及|以及|(?<![共温饱总讲随柔缓平谦亲中调])和(?![平谐田解服声睦约弦])|(?<![参给赋授])与(?![会否众])|(?<![以涉普波埃顾提危])及(?![时格其早第]))\s*/u;
const ASKING = /什么|谁|哪|几[个种座家位条年]|多少|何时|何地|怎么|怎样|如何|是否|吗/u;
/** What ends the name of a body that may have 和 in it. */
const BODY =
  /(?:局|部|委员会|委|公司|协会|学会|法|条例|大学|学院|研究所|研究院|中心|组织|基金会|银行|出版社|医院|集团|署|厅|院|会|党|奖|馆|计划|项目|工程|条约|公约|协定|学科|专业)$/u;
const MAX_ITEM = 24;
/** What sums up a list behind its last item: 甲和乙这两座城市, 甲、乙、丙三者. */
const SUMMED_UP =
  /^(.+?)\s*这?(两|二|三|四|五|六|几)(?:[者市省国县州地校队]|[个种座家位条款部本项所支名](?!月|小时|世纪)\p{sc=Han}{0,4})$/u;
const COUNTED: Readonly<Record<string, number>> = { 两: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6 };

/** The items of "甲、乙和丙", two or more; null where this is no list, or the name of one body. */
export function readChineseList(text: string): string[] | null {
  const items = withoutSum(text.split(JOINT).map((item) => item.trim()));
  if (items.length < 2 || new Set(items).size < items.length) return null;
  if (
    items.some(
      (item) => item === "" || item.length > MAX_ITEM || ASKING.test(item) || /^\d+年?$/u.test(item) || /[，,。；;：:]/u.test(item),
    )
  )
    return null;
  return isOneBody(items, text) ? null : items;
}

/** The items alone, where what sums them up counts as many. */
function withoutSum(items: readonly string[]): string[] {
  const [, last = "", count = ""] = SUMMED_UP.exec(items.at(-1) ?? "") ?? [];
  const fits = last !== "" && (COUNTED[count] ?? items.length) === items.length;
  return fits ? [...items.slice(0, -1), last] : [...items];
}

/** "食品和药品监督管理局": words of the dictionary before a body's name. */
function isOneBody(items: readonly string[], text: string): boolean {
  const last = items.at(-1) ?? "";
  const others = items.slice(0, -1);
  if (!BODY.test(last) || others.some((item) => BODY.test(item)) || (text.includes("、") && items.length > 3)) return false;
  return others.every((item) => words(item).every((word) => word.length > 1 && !/[\uE000-\uF8FF\p{sc=Latin}\p{N}]/u.test(word)));
}

/** The words of a run of ideographs, as the dictionary cuts them. */
export function words(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
