import { soundsChinese } from "../../../domain/companies/chinese-name.ts";
import { withoutUnspacedStopWords } from "../../../ranking/query-terms.ts";
import { ASPECTS, NO_COMPANIES } from "./share-cues.ts";

const SURE = /(?<![\w.])(?:(?:sh|sz|bj)\d{6}|\d{6}\.(?:sh|ss|sz|bj)|hk\d{5}|\d{4,5}\.hk)(?![\w])/gi;
/** The ranges in which the mainland's exchanges give out codes; not amounts, not parts of longer numbers. */
const SIX_DIGITS = /(?<![\w.,$¥€£+-])(?:60[0135]|68[89]|00[0-3]|30[0-2]|8[378]\d|92\d)\d{3}(?![\w%]|[.,]\d|\s*[元人名个万亿美])/g;
const FIVE_DIGITS = /(?<![\w.,$¥€£+-])0\d{4}(?![\w%]|[.,]\d)/g;
const SHARE_WORDS = /股票|股份|证券|代码|上市|A股|港股|\bstocks?\b|\bshares?\b|\bticker\b|\blisted\b/i;

/** Codes of shares in a question; bare digits only where it is about shares, or nothing but the code. */
export function symbolsIn(text: string, aboutShares: boolean): string[] {
  const bare = aboutShares || SHARE_WORDS.test(text) || /^\W*\d{6}\W*$/.test(text);
  const hongKong = bare && /港股|香港|Hong Kong|HKEX/i.test(text);
  return [
    ...new Set([
      ...(text.match(SURE) ?? []),
      ...((bare && text.match(SIX_DIGITS)) || []),
      ...((hongKong && text.match(FIVE_DIGITS)) || []),
    ]),
  ];
}

/**
 * What may be names of companies in a question that asks for something companies have. `strong` says that only companies
 * have it; otherwise a name must say itself that it is a company's, or the question that it is about companies.
 */
export function namesIn(text: string, strong: boolean): string[] {
  if (!ASPECTS.some(({ words }) => words.test(text))) return [];
  const { formal, bare } = chineseNames(text);
  const mayBeBare = strong || (formal.length === 0 && ABOUT_COMPANIES.test(text));
  const english = englishNames(text).filter((name) => (strong && !NO_COMPANIES.test(text)) || LEGAL_FORM.test(name));
  return [...new Set([...formal, ...(mayBeBare && text.length <= SHORT && bare.length <= MAX_BARE ? bare : []), ...english])];
}

/** Things that are held against each other are of one kind: beside a company stands a company. */
const BESIDE = /比较|对比|相比|[和与跟及、]|还是|哪[个家]|\b(?:compare|comparison|versus|vs)\b/i;
/** English names of Chinese companies that do not sound like it. */
const CHINESE_ABBREVIATION = /^(?:BYD|CATL|ICBC|SMIC|CNOOC|Tencent|Lenovo)$/;

/** The names of companies in a question that holds them against others, which are blanks in `text`. */
export function namesBeside(text: string): string[] {
  if (!BESIDE.test(text) || text.length > SHORT) return [];
  const { formal, bare } = chineseNames(text);
  const english = englishNames(text).filter((name) => soundsChinese(name) || CHINESE_ABBREVIATION.test(name));
  const names = [...formal, ...bare, ...english];
  return names.length <= MAX_BARE ? names : [];
}

const ABOUT_COMPANIES = /上市|股份|集团|企业|公司(?:概况|简介|资料|介绍|公告|新闻)|\blisted\b/i;
/** A question; what is longer, or leaves more words that no cue takes away, is a task and names nothing by them. */
const SHORT = 40;
const MAX_BARE = 3;
const COMPANY = /(?:公司|集团|股份|控股|银行|证券|保险)$/;
const LEGAL_FORM = /\b(?:Co|Corp|Inc|Ltd|Limited|Company|Corporation|Group|Holdings?|Bank)\b\.?$/i;
const TIMES =
  /(?:19|20)\d\d\s*(?:年度?|[-/])?(?:\s*\d{1,2}\s*[月/-]\s*(?:\d{1,2}\s*日?)?)?|第?[一二三四1-4]季度|[上下]半年|前三季度|全年|去年|今年|前年|近[一二三四五六七八九十\d]+[年月天日]|最近|最新|目前|当前|现在|截至|历年|每年|年度/g;
const NOISE =
  /比较|对比|相比|分析|查询|查找|查一下|查|列出|给出|看看|帮我|分别|哪[个家]|谁|更[高大多低好强]|最[高大多低好强]|高于|低于|多少|几何|怎么样|如何|怎样|是什么|什么是|什么|为什么|意思|含义|定义|概念|公式|计算|算法?|方法|标准|作用|影响|原因|关系|区别|不同|差[异别]|指标|规定|要求|披露|时间|流程|投资者|股票|代码|上市公司|上市|A股|港股|美股|沪深|数据|情况|变化|趋势|增长率?|同比|环比|增速|水平|规模|金额|数额|总额|比例|占比|单位|亿元|万元|关于|截止|以及|还有|之间|两[家个]|[这那]家|该公司|公司的|报告|信息|内容|表现|经营|介绍|主要|有关|相关|预测|未来|怎么|解读|阅读|编制|审计|会计|准则|收集|整理|研究|状况|至今|告诉|帮助|特点|位置|可能|部分|划分|按照?/g;
/** What has a price or a figure, too, and is no company. */
const NO_COMPANY =
  /\d|(?:行业|市场|产业|领域|技术|板块|指数|经济|国家|政府|大学|学院|公司法|证券法|模型|制度|研究|进展|黄金|白银|原油|石油|汇率|美元|人民币|房价|楼市|股市|大盘|期货|比特币|职业|工作|生意|项目|专业|岗位)$/;
const GENERIC =
  /^(?:我们?|你们?|本?公司|集团|企业|中国|我国|美国|全球|世界|国内|国外|香港|上海|深圳|北京|股份|控股|银行|证券|保险|人工智能|有限公司)$/;
const MAX_LENGTH = 20;
const MAX_ENGLISH_LENGTH = 60;
/** What stands between names; the dictionary that knows more such words would also cut rare names at them. */
const BETWEEN = /[的和与跟及、，。？！?!,;；：:（）()《》“”"\s|]+|^(?:请问|请|问|在)/;

interface ChineseNames {
  /** Those that end as names of companies do. */
  readonly formal: readonly string[];
  readonly bare: readonly string[];
}

/** What is left of the Chinese of a question without all that asks. */
function chineseNames(text: string): ChineseNames {
  const cut = (rest: string, pattern: RegExp): string => rest.replaceAll(new RegExp(pattern, "gi"), "|");
  const asked = [...ASPECTS.map(({ words }) => words), TIMES, NOISE].reduce(cut, text.replaceAll(/(公司|集团)(?=的)/g, "$1|"));
  const formal = asked.split(new RegExp(BETWEEN, "g")).filter((piece) => COMPANY.test(piece) && isName(piece));
  const rest = formal.reduce((left, name) => left.replaceAll(name, "|"), asked);
  const bare = (withoutUnspacedStopWords(rest).match(/[\p{sc=Han}A-Za-z0-9*·]+/gu) ?? []).filter(
    (piece) => isName(piece) && !NO_COMPANY.test(piece),
  );
  return { formal, bare };
}

function isName(piece: string): boolean {
  return /\p{sc=Han}{2}/u.test(piece) && piece.length <= MAX_LENGTH && !GENERIC.test(piece);
}

const ASKING = new Set(
  "a an and annual are as at better between bigger biggest by can china chinese compare compared comparing comparison current did differ difference differences do does find for from give higher hong how i in is its kong larger largest last latest less list lower me more most newest much of on or please q1 q2 q3 q4 recent report revenue roe eps shanghai share shenzhen show since smaller stock than the tell to versus vs was were what when which who whose with year".split(
    " ",
  ),
);
const WORD = String.raw`\p{Lu}[\p{sc=Latin}\p{N}&'’.\-]*`;
const CAPITALISED = new RegExp(String.raw`(?<![\p{L}\p{N}])${WORD}(?:(?:,?\s+)${WORD})*`, "gu");
/** `kweichow moutai stock price`, as people type it into a search box. */
const TYPED = /^\W*([a-z][a-z&.' -]{2,40}?)(?:'s)? (?:stock|shares?|market|revenue|net|annual|earnings|price)\b/;

/** Words with capitals that stand together; where there are none, what stands before the words that ask. */
function englishNames(text: string): string[] {
  const capitalised = (text.match(CAPITALISED) ?? []).map((run) => trimAsking(run.split(/\s+/)));
  const typed = /\p{Lu}/u.test(text)
    ? []
    : [trimAsking((TYPED.exec(text)?.[1] ?? "").replace(/^.* (?:of|in|for|on|by)$/, "").split(/\s+/))];
  return [...capitalised, ...typed].filter((name) => name.length >= 3 && name.length <= MAX_ENGLISH_LENGTH);
}

function trimAsking(words: readonly string[]): string {
  const bare = words.map((word) => word.replace(/['’]s?$/, "").replace(/[,;:?!]+$/, ""));
  const asks = (word: string | undefined): boolean =>
    word !== undefined && (word === "" || ASKING.has(word.toLowerCase().replace(/\.$/, "")));
  let [start, end] = [0, bare.length];
  while (start < end && asks(bare[start])) start++;
  while (end > start && asks(bare[end - 1])) end--;
  return bare.slice(start, end).join(" ");
}
