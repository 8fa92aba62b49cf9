/** What a thing has one of, so that two of them joined are two questions. */
const SINGLE =
  "capital|capital city|population|area|surface area|size|height|length|depth|width|weight|mass|age|price|cost|revenue|turnover|profit|net profit|net income|operating profit|income|budget|founder|founding year|headquarters|owner|director|author|publisher|architect|designer|builder|engineer|currency|official language|language|religion|anthem|flag|gdp|inflation|inflation rate|birthplace|spouse|occupation|nationality|president|prime minister|ceo|chairman|chair|mayor|governor|manager|keeper|capacity|speed|top speed|temperature|altitude|elevation|staff|melting point|boiling point|density|formula|symbol|range|power|radius|diameter|distance|orbit|colour|color|shape|taste|origin|meaning|purpose|function|market share|market value|net worth|name|year|date|place|location|address|winner|output|yield|salinity|span|material|toll|fare|ticket price|opening date|opening year|date of birth|place of birth|date of death|year of birth|year of completion|country of origin";
/** What it may have several of. */
const SEVERAL =
  "founders|owners|authors|causes|effects|symptoms|treatments|advantages|disadvantages|benefits|risks|uses|members|languages|neighbours|opening hours|winners|losers|exports|imports|products|costs|prices|revenues|goals|features|ingredients|consequences|rules|limits|methods|results|reasons|number of \\p{Ll}+";
const ADJECTIVES = "average|annual|total|net|gross|current|official|main|original|full|exact|maximum|minimum|estimated|approximate";

const ONE = new RegExp(`^(?:(?:${ADJECTIVES}) )*(?:${SINGLE})$`, "iu");
const MANY = new RegExp(`^(?:(?:${ADJECTIVES}) )*(?:${SEVERAL})$`, "iu");

/** Whether this is the name of something that things have, alone. */
export function isAttribute(text: string): boolean {
  return ONE.test(text) || MANY.test(text) || singularOf(text) !== null;
}

/** `populations` as `population`; null for what is no plural of something that a thing has one of. */
export function singularOf(text: string): string | null {
  if (MANY.test(text)) return null;
  const candidates = [text.replace(/ies$/i, "y"), text.replace(/s$/i, "")];
  return candidates.find((one) => one !== text && ONE.test(one)) ?? null;
}

/** Whether several are meant. */
export function isPlural(text: string): boolean {
  return !ONE.test(text) && (MANY.test(text) || /s$/i.test(text));
}

const CHINESE =
  "人口|人口数量|常住人口|面积|总面积|长度|全长|高度|海拔|深度|水深|宽度|重量|年龄|价格|票价|售价|成本|造价|营收|营业收入|收入|净利润|利润|市值|市盈率|产量|年产量|首都|省会|首府|货币|语言|官方语言|国歌|国旗|GDP|国内生产总值|创始人|创办人|创建者|设计者|设计师|建筑师|工程师|作者|导演|馆长|市长|总经理|董事长|校长|总部|所在地|地址|位置|成立时间|成立年份|建成时间|开通时间|通车时间|出生地|出生日期|容量|载客量|速度|最高速度|时速|温度|气温|平均气温|盐度|跨度|材料|用途|功能|作用|原因|影响|优点|缺点|优势|劣势|特点|特征|症状|治疗方法|口味|味道|产地|颜色|形状|员工人数|员工数|游客人数|游客数量|参观人数|学生人数|站点数量|线路长度|开放时间|门票价格|门票|寿命|质量|直径|半径|密度|熔点|沸点|化学式|历史|结构|发展历程|市场份额|毛利率|负债率|研发投入|客流量|年客流量|装机容量|发电量|特产|起因|经过|结果|结局|背景|意义|规定";
const CHINESE_ATTRIBUTE = new RegExp(`^(?:国土|土地|现任|首任|前任|第一任|平均|年|总|主要|最大|最高|官方|目前的?)?(?:${CHINESE})$`, "u");
/** Of these a figure is asked for. */
const COUNTED =
  /(?:人口|面积|长度|全长|高度|海拔|深度|水深|宽度|重量|年龄|价格|票价|售价|成本|造价|营收|收入|利润|市值|市盈率|产量|GDP|总值|容量|载客量|速度|时速|温度|气温|盐度|跨度|人数|数量|数|质量|直径|半径|密度|熔点|沸点|份额|率|投入|客流量|发电量|门票)$/u;

/** Whether this is the name of something that things have, alone. */
export function isChineseAttribute(text: string): boolean {
  return CHINESE_ATTRIBUTE.test(text);
}

/** What a thing has as a part or a belonging, so that it is nobody's where nobody is named. Persons, whom 他 may mean, are none. */
const CHINESE_PARTS =
  "工厂|厂房|分厂|生产线|分公司|子公司|分店|门店|门市|产品|业务|品牌|专利|股价|电池|电池容量|屏幕|屏幕尺寸|内存|处理器|芯片|摄像头|镜头|机身|外壳|键盘|续航|发动机|座位|座椅|车厢|车票|船票|票|车站|站台|停车场|出入口|城门|桥墩|桥面|主塔|校区|校园|宿舍|专业|院系|藏书|藏品|展厅|展品|馆藏|特色菜|招牌菜|保修期|保修|保质期|会费|学费|租金|月租|押金|房间|客房|床位|病床|叶子|花期|果实|种子|毛色|羽毛|尾巴|食物|天敌|幼崽|水质|水温|支流|源头|上游|下游|河口|航线|班次|首班车|末班车|营业时间|网址|电话|官网|会址|总站|气候|方言";
/** Whom it has; anyone else may be meant by them, unless they are counted. */
const CHINESE_PEOPLE = "员工|职工|雇员|工人|股东|客户|学生|教师|读者|游客|观众|乘客|会员|成员";
const CHINESE_PART = new RegExp(
  `^(?:海外|国外|境外|国内|本地|主要|全部|全职|正式|现有|在职|旗下|下属|成人|儿童|往返|单程|前置|后置|备用|核心|主打|平均|最大的?|总)*(?:${CHINESE_PARTS}|${CHINESE_PEOPLE})$`,
  "u",
);

/** Whether this is, alone, something that only a thing named before it can have: 海外工厂, 电池. */
export function isChineseBelonging(text: string): boolean {
  return isChineseAttribute(text) || CHINESE_PART.test(text);
}

/** Whether what begins a question is such a thing, so that the question is about what was spoken of before it. */
export function asksForBelonging(text: string, rest: string): boolean {
  const counted = /^(?:人数|总数|大?约)?(?:一?共)?有?(?:多少|几[个名位人])/u.test(rest);
  return isChineseBelonging(text) && (counted || !new RegExp(`(?:${CHINESE_PEOPLE})$`, "u").test(text));
}

/** The owner in front of a figure's name with nothing between them, as in 青岚山海拔; null where that is not how it ends. */
export function ownerBeforeFigure(lead: string): string | null {
  for (let at = 2; at < lead.length - 1; at++) {
    const attribute = lead.slice(at);
    const ofYear = attribute.startsWith("年") && /\p{N}$/u.test(lead.slice(0, at));
    if (!ofYear && lead[at - 1] !== "的" && COUNTED.test(attribute) && isChineseAttribute(attribute)) return lead.slice(0, at);
  }
  return null;
}

/** How its value is asked for. */
export function askChinese(subject: string, attribute: string): string {
  if (COUNTED.test(attribute)) return `${subject}的${attribute}是多少？`;
  if (/(?:人|者|师|长|经理|作者|导演)$/u.test(attribute)) return `${subject}的${attribute}是谁？`;
  if (/(?:时间|年份|日期)$/u.test(attribute)) return `${subject}的${attribute}是什么时候？`;
  return `${subject}的${attribute}是什么？`;
}
