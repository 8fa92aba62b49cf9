/** Name; English pattern; Chinese pattern. The first match wins, so `cost of revenue` comes before `revenue`. */
const TABLE = String.raw`
cost of revenue; costs? of (?:revenues?|sales|goods sold); 营业成本|销售成本
operating cash flow; operating cash ?flows?|cash ?flows? from operat\w+(?: activities)?|cash from operations; 经营(?:活动)?(?:产生的)?现金流(?:量净额|量)?
capital expenditures; capital expenditures?|cap ?ex; 资本(?:性)?支出|资本开支
research and development; (?:research (?:and|&) development|R&D)(?: (?:expenses?|costs?|spending))?; 研发(?:费用|支出|投入|开支)|研究与?开发费用
gross profit; gross profits?|gross income; 毛利润|毛利(?!率)
operating income; operating (?:income|profits?|earnings|loss(?:es)?)|income from operations; 营业利润|经营利润
net income; net (?:income|profits?|earnings|loss(?:es)?)|bottom line|(?:more|most) profitable|profits?(?! margins?); 净利润|净收益|净收入|净亏损|[更最]赚钱|[更最]能?盈利|利润(?!率|表)
diluted earnings per share; (?:diluted )?(?:earnings|income|profit) per (?:diluted )?share|(?:diluted )?EPS; (?:稀释)?每股(?:收益|盈利|盈余)
dividends per share; dividends?(?: (?:declared )?per share)?; 每股股息|每股分红|股息|分红
revenue; (?:total |net )?(?:revenues?|sales)|turnover; 营业总收入|营业收入|营业额|销售额|营收|收入
total liabilities; (?:total )?liabilities; 总负债|负债(?:总额|合计)?
shareholders' equity; (?:total )?(?:share|stock)holders['’]? equity|book value; 股东权益|所有者权益|净资产
total assets; (?:total )?assets; 总资产|资产(?:总额|总计|合计)
cash and cash equivalents; cash and (?:cash )?equivalents|cash (?:balance|on hand|position|holdings); 现金及现金等价物|货币资金
long-term debt; long[- ]term debt; 长期(?:债务|借款)
inventory; inventor(?:y|ies); 存货
shares outstanding; (?:common )?shares outstanding|outstanding shares|number of shares; 总股本|流通股数|股本总数`;

const FIGURES = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [name = "", english = "", chinese = ""] = line.split("; ");
    return { name, words: new RegExp(String.raw`\b(?:${english})\b|${chinese}`, "gi") };
  });

/** Returns the English names of the figures that a text names, such as `net income` for 净利润. */
export function figuresIn(text: string): { readonly name: string }[] {
  let rest = text;
  return FIGURES.filter(({ words }) => {
    const whole = rest;
    rest = rest.replaceAll(words, " ");
    return rest !== whole;
  });
}

const LEGAL_FORMS = "Inc|Incorporated|Corp|Corporation|Company|Co|Com|Ltd|Limited|LLC|LP|PLC|SA|AG|NV|SE|AB|ASA|SPA|Group|Holdings?";

/** Turns `Kweichow Moutai Co., Ltd.` into `Kweichow Moutai`. */
export function withoutLegalForm(name: string): string {
  return name.replace(new RegExp(String.raw`[\s,]+(?:(?:${LEGAL_FORMS})\b[\s.,]*)+$`, "i"), "").trim();
}

/** Ignores character width, white space and case: `万  科Ａ` and `万科a` give the same key. */
export function foldName(name: string): string {
  return name.normalize("NFKC").replaceAll(/\s+/g, "").toLowerCase();
}
