import { type CompanyMention, knownCompaniesIn } from "../../domain/companies/known-companies.ts";

/** Companies that do not file with the SEC and are often told of all the same; none of the names is an ordinary word. */
const FURTHER: readonly (readonly string[])[] = `Tencent, 腾讯
Huawei, 华为
Xiaomi
ByteDance, 字节跳动
Meituan, 美团
Lenovo, 联想集团
BYD, 比亚迪
CATL, 宁德时代
Moutai, 茅台
Samsung, 三星
Toyota, 丰田
Honda, 本田
Nissan, 日产汽车
Sony, 索尼
Nintendo, 任天堂
SoftBank, 软银
Volkswagen, 大众汽车
BMW, 宝马
Siemens, 西门子
Bayer, 拜耳
Airbus, 空中客车, 空客
Nestle, Nestlé, 雀巢
Novartis, 诺华
AstraZeneca, 阿斯利康
Novo Nordisk, 诺和诺德
HSBC, 汇丰
PetroChina, 中国石油
Sinopec, 中国石化
OpenAI
SpaceX`
  .split("\n")
  .map((line) => line.split(", "));
const PATTERNS = FURTHER.map((names) => ({
  name: names[0] ?? "",
  pattern: new RegExp(names.map((name) => (/^\p{sc=Han}/u.test(name) ? name : String.raw`(?<!\p{L})${name}(?!\p{L})`)).join("|"), "gu"),
}));

/** Every company that `text` names under a name that is known; those of one company share their `ticker`. */
export function companiesIn(text: string): CompanyMention[] {
  const further = PATTERNS.flatMap(({ name, pattern }) =>
    Array.from(
      text.matchAll(pattern),
      ({ 0: surface, index }): CompanyMention => ({ ticker: name, surface, index, ordinary: false, chinese: false }),
    ),
  );
  return [...knownCompaniesIn(text), ...further];
}
