/** A company that files with the SEC, under the names by which questions know it. */
interface KnownCompany {
  readonly ticker: string;
  readonly names: readonly string[];
  /** Whether its names are also words for other things: Apple, 苹果, Target. */
  readonly ordinary: boolean;
  /** Whether it is a Chinese company that files with the SEC as well. */
  readonly chinese: boolean;
}

/** A known company where a text names it. */
export interface CompanyMention {
  readonly ticker: string;
  readonly surface: string;
  readonly index: number;
  readonly ordinary: boolean;
  readonly chinese: boolean;
}

/** Ticker and names; a star marks names that are ordinary words as well, CN a Chinese company. */
const LIST = `
AAPL * Apple, 苹果
MSFT Microsoft, 微软
NVDA Nvidia, 英伟达, 辉达
GOOGL Google, 谷歌
GOOGL * Alphabet
AMZN * Amazon, 亚马逊
META * Meta
META Meta Platforms, Facebook, 脸书
TSLA Tesla, 特斯拉
AVGO Broadcom, 博通
BRK-B Berkshire Hathaway, 伯克希尔哈撒韦, 伯克希尔·哈撒韦, 伯克希尔
LLY Eli Lilly, 礼来
WMT Walmart, 沃尔玛
JPM JPMorgan Chase, JPMorgan, JP Morgan, J.P. Morgan, 摩根大通
V * Visa
V 维萨
MA Mastercard, 万事达
XOM ExxonMobil, Exxon Mobil, Exxon, 埃克森美孚
UNH UnitedHealth Group, UnitedHealth, 联合健康
ORCL * Oracle, 甲骨文
COST Costco, 好市多, 开市客
HD Home Depot, 家得宝
PG Procter & Gamble, Procter and Gamble, P&G, 宝洁
NFLX Netflix, 奈飞, 网飞
JNJ Johnson & Johnson, Johnson and Johnson, 强生
BAC Bank of America, 美国银行
CRM Salesforce, 赛富时
CVX Chevron, 雪佛龙
KO Coca-Cola, Coca Cola, 可口可乐
AMD AMD, Advanced Micro Devices, 超威半导体
PEP PepsiCo, Pepsi, 百事可乐, 百事
CSCO Cisco, 思科
MRK Merck, 默沙东, 默克
ADBE * Adobe
ADBE 奥多比
MCD McDonald's, McDonalds, 麦当劳
IBM IBM, International Business Machines
GE General Electric, 通用电气
QCOM Qualcomm, 高通
TXN Texas Instruments, 德州仪器
INTU Intuit
CAT * Caterpillar
CAT 卡特彼勒
DIS Disney, 迪士尼
AMAT Applied Materials, 应用材料
VZ Verizon, 威瑞森
T AT&T
CMCSA Comcast, 康卡斯特
PFE Pfizer, 辉瑞
AMGN Amgen, 安进
GILD * Gilead
GILD 吉利德
UBER * Uber
UBER 优步
GS Goldman Sachs, 高盛
MS Morgan Stanley, 摩根士丹利
C Citigroup, 花旗
WFC Wells Fargo, 富国银行
AXP American Express, 美国运通
BLK BlackRock, 贝莱德
BA Boeing, 波音
LMT Lockheed Martin, 洛克希德马丁, 洛克希德·马丁
HON Honeywell, 霍尼韦尔
NKE Nike, 耐克
SBUX Starbucks, 星巴克
INTC * Intel
INTC 英特尔
MU * Micron Technology, Micron
MU 美光
PYPL PayPal, 贝宝
ABNB Airbnb, 爱彼迎
F * Ford, 福特
GM General Motors, 通用汽车
TGT * Target
PLTR Palantir
SNOW * Snowflake
COIN Coinbase
UPS * UPS
FDX FedEx, 联邦快递
DELL * Dell
DELL 戴尔
HPQ 惠普
MRNA Moderna
TSM TSMC, 台积电
ARM * Arm Holdings
SPOT Spotify
BABA CN Alibaba, 阿里巴巴
JD CN JD.com, 京东
BIDU CN Baidu, 百度
PDD CN Pinduoduo, PDD Holdings, 拼多多
NTES CN NetEase, 网易
NIO CN 蔚来
LI CN Li Auto, 理想汽车
XPEV CN XPeng, 小鹏汽车
TCOM CN Trip.com, 携程
`;

const COMPANIES = LIST.trim().split("\n").map(readLine);
/** A name with what may follow it and still be the name. */
const CORPORATE = String.raw`(?:\s*(?:公司|集团)|,?\s+(?:Inc|Corp|Corporation|Company|Co|Ltd|plc)\b\.?)?`;
const PATTERNS = COMPANIES.map((company) => ({ company, pattern: patternOf(company) }));

/** Every known company that `text` names, in reading order; of overlapping names the longest. */
export function knownCompaniesIn(text: string): CompanyMention[] {
  const found = PATTERNS.flatMap(({ company: { ticker, ordinary, chinese }, pattern }) =>
    Array.from(text.matchAll(pattern), ({ 0: surface, index }): CompanyMention => ({ ticker, surface, index, ordinary, chinese })),
  );
  const sorted = found.sort((a, b) => a.index - b.index || b.surface.length - a.surface.length);
  let end = 0;
  return sorted.filter(({ index, surface }) => {
    if (index < end) return false;
    end = index + surface.length;
    return true;
  });
}

/** The ticker of the company that goes by exactly this name, or null. */
export function tickerOfKnown(name: string): string | null {
  const [only, ...others] = knownCompaniesIn(name.trim());
  return only !== undefined && others.length === 0 && only.surface === name.trim() ? only.ticker : null;
}

/** Whether a text is the ticker of a known company, in capitals, and nothing else. */
export function isKnownTicker(text: string): boolean {
  return COMPANIES.some(({ ticker }) => ticker.length > 1 && ticker === text.trim());
}

/** `text` with blanks for the names of companies that are not Chinese. */
export function withoutUsCompanies(text: string): string {
  return knownCompaniesIn(text)
    .filter(({ chinese }) => !chinese)
    .reduce((rest, { index, surface }) => rest.slice(0, index) + " ".repeat(surface.length) + rest.slice(index + surface.length), text);
}

function readLine(line: string): KnownCompany {
  const [, ticker = "", mark, names = ""] = /^(\S+)(?: (\*|CN))? (.+)$/.exec(line) ?? [];
  return { ticker, names: names.split(", "), ordinary: mark === "*", chinese: mark === "CN" };
}

/** Ordinary words count with a capital only; other names however they are written. */
function patternOf({ names, ordinary }: KnownCompany): RegExp {
  const spelt = names.map((name) =>
    /^[\x20-\x7e]+$/.test(name) ? String.raw`(?<![\p{sc=Latin}\p{N}$])${literal(name)}(?![\p{sc=Latin}\p{N}])` : literal(name),
  );
  return new RegExp(`(?:${spelt.join("|")})${CORPORATE}`, ordinary ? "gu" : "giu");
}

function literal(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
