/** A figure that companies report, under the names people use for it. */
export interface Figure {
  readonly name: string;
  readonly chinese: string;
  readonly words: RegExp;
}

/** A figure that a text asks for, in the words of the text; under its name where they are an adjective. */
export interface NamedFigure {
  readonly name: string;
  readonly surface: string;
}

/** Name; Chinese name; English words; Chinese words. The more particular figure first: operating income is not income. */
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

/** The figures that companies report, the more particular one first. */
export const FIGURES: readonly Figure[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [name = "", chinese = "", english = "", other = ""] = line.split("; ");
    return { name, chinese, words: new RegExp(String.raw`\b(?:${english})\b|${other}`, "gi") };
  });

/** "Which is more profitable?" */
const ADJECTIVE = /^(?:[更最]|more |most )/i;

/** The figures that `text` names, each once, in the order of `FIGURES`; what is part of one name is not another figure. */
export function figuresIn(text: string): NamedFigure[] {
  let rest = text;
  return FIGURES.flatMap(({ name, chinese, words }) => {
    const surface = rest.match(words)?.[0];
    rest = rest.replaceAll(words, " ");
    if (surface === undefined) return [];
    const noun = ADJECTIVE.test(surface) ? (/\p{sc=Han}/u.test(surface) ? chinese : name) : surface;
    return [{ name, surface: noun }];
  });
}
