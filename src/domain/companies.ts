/** Name; Chinese name; English pattern; Chinese pattern. The first match wins, so `cost of revenue` comes before `revenue`. */
const TABLE = String.raw`
cost of revenue; 营业成本; costs? of (?:revenues?|sales|goods sold); 营业成本|销售成本
operating cash flow; 经营活动现金流量净额; operating cash ?flows?|cash ?flows? from operat\w+(?: activities)?|cash from operations; 经营(?:活动)?(?:产生的)?现金流(?:量净额|量)?
capital expenditures; 资本支出; capital expenditures?|cap ?ex; 资本(?:性)?支出|资本开支
research and development; 研发费用; (?:research (?:and|&) development|R&D)(?: (?:expenses?|costs?|spending))?; 研发(?:费用|支出|投入|开支)|研究与?开发费用
gross profit; 毛利润; gross profits?|gross income; 毛利润|毛利(?!率)
operating income; 营业利润; operating (?:income|profits?|earnings|loss(?:es)?)|income from operations; 营业利润|经营利润
net income; 净利润; net (?:income|profits?|earnings|loss(?:es)?)|bottom line|(?:more|most) profitable|profits?(?! margins?); 净利润|净收益|净收入|净亏损|[更最]赚钱|[更最]能?盈利|利润(?!率|表)
diluted earnings per share; 稀释每股收益; (?:diluted )?(?:earnings|income|profit) per (?:diluted )?share|(?:diluted )?EPS; (?:稀释)?每股(?:收益|盈利|盈余)
dividends per share; 每股股息; dividends?(?: (?:declared )?per share)?; 每股股息|每股分红|股息|分红
revenue; 营业收入; (?:total |net )?(?:revenues?|sales)|turnover; 营业总收入|营业收入|营业额|销售额|营收|收入
total liabilities; 总负债; (?:total )?liabilities; 总负债|负债(?:总额|合计)?
shareholders' equity; 股东权益; (?:total )?(?:share|stock)holders['’]? equity|book value; 股东权益|所有者权益|净资产
total assets; 总资产; (?:total )?assets; 总资产|资产(?:总额|总计|合计)
cash and cash equivalents; 现金及现金等价物; cash and (?:cash )?equivalents|cash (?:balance|on hand|position|holdings); 现金及现金等价物|货币资金
long-term debt; 长期债务; long[- ]term debt; 长期(?:债务|借款)
inventory; 存货; inventor(?:y|ies); 存货
shares outstanding; 流通股数; (?:common )?shares outstanding|outstanding shares|number of shares; 总股本|流通股数|股本总数`;

export const FIGURES = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [name = "", chinese = "", english = "", other = ""] = line.split("; ");
    return { name, chinese, words: new RegExp(String.raw`\b(?:${english})\b|${other}`, "gi") };
  });

const ADJECTIVE = /^(?:[更最]|more |most )/i;

export function figuresIn(text: string): { readonly name: string; readonly surface: string }[] {
  let rest = text;
  return FIGURES.flatMap(({ name, chinese, words }) => {
    const surface = rest.match(words)?.[0];
    rest = rest.replaceAll(words, " ");
    if (surface === undefined) return [];
    const noun = /\p{sc=Han}/u.test(surface) ? chinese : name;
    return [{ name, surface: ADJECTIVE.test(surface) ? noun : surface }];
  });
}

export const LEGAL_FORMS = "Inc|Corp|Corporation|Company|Co|Ltd|Limited";

/** Turns `Kweichow Moutai Co., Ltd.` into `Kweichow Moutai`. `more` adds words to remove, such as `|Group|Holdings?`. */
export function withoutLegalForm(name: string, more = ""): string {
  return name.replace(new RegExp(String.raw`[\s,]+(?:(?:${LEGAL_FORMS}${more})\b[\s.,]*)+$`, "i"), "").trim();
}

/** Ignores character width, white space and case: `万  科Ａ` and `万科a` give the same key. */
export function foldName(name: string): string {
  return name.normalize("NFKC").replaceAll(/\s+/g, "").toLowerCase();
}

/** Names in use. Companies that file with the SEC begin with their ticker. */
const COMPANY_NAMES = `
AAPL Apple, 苹果; APLE Apple Hospitality REIT, Apple Hospitality; MSFT Microsoft, 微软; NVDA Nvidia, 英伟达, 辉达; GOOGL Google, 谷歌
GOOGL Alphabet; AMZN Amazon, 亚马逊; META Meta, Meta Platforms, Facebook, 脸书; TSLA Tesla, 特斯拉; NFLX Netflix, 奈飞, 网飞
AVGO Broadcom, 博通; ORCL Oracle, 甲骨文; CRM Salesforce, 赛富时; ADBE Adobe, 奥多比; IBM IBM, International Business Machines
INTC Intel, 英特尔; AMD AMD, Advanced Micro Devices, 超威半导体; QCOM Qualcomm, 高通; TXN Texas Instruments, 德州仪器
AMAT Applied Materials, 应用材料; MU Micron Technology, Micron, 美光; CSCO Cisco, 思科; INTU Intuit; PLTR Palantir; SNOW Snowflake
DELL Dell, 戴尔; HPQ 惠普; TSM TSMC, 台积电; ARM Arm Holdings; ASML ASML, 阿斯麦; SAP SAP, 思爱普; UBER Uber, 优步
SPOT Spotify; ABNB Airbnb, 爱彼迎; PYPL PayPal, 贝宝; COIN Coinbase; PDD Pinduoduo, PDD Holdings, 拼多多
BRK-B Berkshire Hathaway, 伯克希尔哈撒韦, 伯克希尔·哈撒韦, 伯克希尔; JPM JPMorgan Chase, JPMorgan, JP Morgan, J.P. Morgan, 摩根大通
V Visa, 维萨; MA Mastercard, 万事达; AXP American Express, 美国运通; BAC Bank of America, 美国银行; WFC Wells Fargo, 富国银行
C Citigroup, 花旗; GS Goldman Sachs, 高盛; MS Morgan Stanley, 摩根士丹利; BLK BlackRock, 贝莱德; HSBC HSBC, 汇丰
LLY Eli Lilly, 礼来; UNH UnitedHealth Group, UnitedHealth, 联合健康; JNJ Johnson & Johnson, Johnson and Johnson, 强生; PFE Pfizer, 辉瑞
MRK Merck, 默沙东, 默克; AMGN Amgen, 安进; GILD Gilead, 吉利德; MRNA Moderna; NVO Novo Nordisk, 诺和诺德; AZN AstraZeneca, 阿斯利康
WMT Walmart, 沃尔玛; COST Costco, 好市多, 开市客; HD Home Depot, 家得宝; TGT Target; PG Procter & Gamble, Procter and Gamble, P&G, 宝洁
KO Coca-Cola, Coca Cola, 可口可乐; PEP PepsiCo, Pepsi, 百事可乐, 百事; MCD McDonald's, McDonalds, 麦当劳; SBUX Starbucks, 星巴克
NKE Nike, 耐克; DIS Disney, 迪士尼; CMCSA Comcast, 康卡斯特; VZ Verizon, 威瑞森; T AT&T; UPS UPS; FDX FedEx, 联邦快递
XOM ExxonMobil, Exxon Mobil, Exxon, 埃克森美孚; CVX Chevron, 雪佛龙; GE General Electric, 通用电气; CAT Caterpillar, 卡特彼勒
BA Boeing, 波音; LMT Lockheed Martin, 洛克希德马丁, 洛克希德·马丁; HON Honeywell, 霍尼韦尔; F Ford, 福特; GM General Motors, 通用汽车
TM Toyota, 丰田; SONY Sony, 索尼
BABA 阿里巴巴, Alibaba; JD 京东, JD.com; BIDU 百度, Baidu; NTES 网易, NetEase; TCOM 携程, Trip.com; BILI 哔哩哔哩, Bilibili; 腾讯, Tencent
NIO 蔚来, NIO; LI 理想汽车, Li Auto; XPEV 小鹏汽车, XPeng; 比亚迪, BYD; 吉利汽车, Geely; 长城汽车, Great Wall Motor; 上汽集团, SAIC Motor
美团, Meituan; 小米, Xiaomi; 快手, Kuaishou; 联想集团, Lenovo; 商汤, SenseTime; 科大讯飞, iFlytek; 寒武纪科技, Cambricon
贵州茅台酒, 贵州茅台, 茅台, Kweichow Moutai, Moutai; 五粮液, Wuliangye; 泸州老窖, Luzhou Laojiao; 伊利股份, 伊利, Yili
中芯国际, SMIC; 海光信息, Hygon; 京东方, BOE Technology; 立讯精密, Luxshare; 中兴通讯, ZTE; 海康威视, Hikvision
宁德时代, CATL; 隆基绿能, LONGi; 阳光电源, Sungrow; 万华化学, Wanhua Chemical; 紫金矿业, Zijin Mining
美的集团, Midea; 格力电器, 格力, Gree Electric; 海尔智家, 海尔, Haier; 中国中车, CRRC; 顺丰, SF Holding
工商银行, ICBC; 建设银行, China Construction Bank; 农业银行, Agricultural Bank of China; 中国银行, Bank of China
招商银行, China Merchants Bank; 中国平安, Ping An; 中国人寿, China Life; 中信证券, CITIC Securities
中国石油, PetroChina; 中国石化, Sinopec; 中国海油, 中海油, CNOOC; 中国移动, China Mobile; 中国联通, China Unicom; 中国电信, China Telecom
恒瑞医药, Hengrui; 迈瑞医疗, Mindray; 药明康德, WuXi AppTec; 万科A, 万科, Vanke; 恒大, Evergrande
海底捞, Haidilao; 泡泡玛特, Pop Mart; 安踏, Anta; 青岛啤酒, Tsingtao; 中国国航, Air China; 南方航空, China Southern Airlines`;

const TICKERS = new Map(
  COMPANY_NAMES.trim()
    .split(/[;\n]\s*/)
    .flatMap((entry) => {
      const [, ticker, list = ""] = /^(?:([A-Z-]+) )?(.+)$/.exec(entry) ?? [];
      const names = list.split(", ");
      return names.map((name) => [foldName(name), ticker ?? names[0] ?? ""] as const);
    }),
);

/** Returns the ticker of a company that files with the SEC, the Chinese name of another one; null for a name that is not in the table. */
export function tickerOfKnown(name: string): string | null {
  const bare = withoutLegalForm(name.trim().replace(/(?:股份|控股)?(?:有限)?(?:公司|集团)$|控股$/, ""), "|Group|Holdings|plc");
  return TICKERS.get(foldName(name)) ?? TICKERS.get(foldName(bare)) ?? null;
}
