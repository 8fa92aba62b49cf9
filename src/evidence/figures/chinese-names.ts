/** A name in a Chinese text, and whether it must stand whole or may be told more fully. */
export interface ChineseName {
  readonly text: string;
  readonly whole: boolean;
}

const TITLED = /《([^《》]{1,40})》/g;
const QUOTED = /[“「『"]([^”」』"“]{2,20})[”」』"]/g;
const FOREIGN = /([\p{sc=Han}]{1,5})·([\p{sc=Han}]{1,6})/gu;
const ORGANISED =
  /([\p{sc=Han}]{2,10}?)(?:股份有限公司|有限责任公司|有限公司|公司|集团|大学|学院|研究院|研究所|医院|基金会|出版社|银行|交易所)/gu;
const SURNAMES =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤";
const PERSON = new RegExp(
  `(?<!\\p{sc=Han})([${SURNAMES}]\\p{sc=Han}{1,2})(?=先生|女士|教授|博士|院士|表示|指出|认为|宣布|设计|建造|创立|创办|发明|撰写|担任|出任|出生|说)|由([${SURNAMES}]\\p{sc=Han}{1,2})(?=设计|建造|创立|创办|发明|撰写|担任|出任|领导)`,
  "gu",
);
/** What stands before 公司 and the like without being a name. */
const NO_NAME =
  /(?:该|本|这家|此|上市|子|母|分|总|各|两家|多家|家|其|有限|科技|股份|控股|旗下|关联|跨国|商业|中央|一家|那家|保险|证券|我|所在|重点|综合|投资|全资|附属|当地|外国|国内|民营|国有|全球|大型|目标|制药|软件|电力|石油|航空|贸易|医药|互联网|的)$/;

/** The names of a Chinese claim that can be told without a dictionary: titles, quotations, organisations and some persons. */
export function chineseNames(claim: string): ChineseName[] {
  const whole = (pattern: RegExp): ChineseName[] =>
    [...claim.matchAll(pattern)].map((match) => ({ text: match[1] ?? match[2] ?? "", whole: true }));
  const foreign = [...claim.matchAll(FOREIGN)].map(({ 1: first = "", 2: last = "" }) => ({ text: `${first}·${last}`, whole: false }));
  const organised = [...claim.matchAll(ORGANISED)].flatMap(({ 1: name = "" }) =>
    NO_NAME.test(name) ? [] : [{ text: name, whole: false }],
  );
  const quoted = whole(QUOTED).filter(({ text }) => /\p{sc=Han}/u.test(text));
  return [...whole(TITLED), ...quoted, ...foreign, ...organised, ...whole(PERSON)];
}

/** What stands before 公司 or 集团 and may be a company's name, of which mostly the last characters are. */
export function chineseCompanies(text: string): string[] {
  return [...text.matchAll(/(\p{sc=Han}{2,10}?)(?:股份有限公司|有限责任公司|有限公司|公司|集团)/gu)].flatMap(({ 1: name = "" }) =>
    NO_NAME.test(name) ? [] : [name.slice(-2)],
  );
}

/** Of a name that is not whole, where it begins cannot be told: two characters next to each other near its end must be known. */
export function isChineseKnown({ text, whole }: ChineseName, known: string): boolean {
  const spelt = known.replaceAll(/\s/g, "");
  const name = text.replaceAll(/\s/g, "");
  if (whole || name.length < 2) return spelt.includes(name);
  if (name.includes("·")) {
    const [first = "", last = ""] = name.split("·");
    return spelt.includes(last.slice(0, 2)) && spelt.includes(first.slice(-2));
  }
  const tail = name.slice(-3);
  return Array.from({ length: tail.length - 1 }, (_, i) => tail.slice(i, i + 2)).some((pair) => spelt.includes(pair));
}
