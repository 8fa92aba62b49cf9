/** Terms, stemmed as `tokenise` gives them, that tell the same relation in other words: a length is told by "long", an owner by "belongs to". */
const FAMILIES: readonly (readonly string[])[] = [
  ["length", "long", "全长", "长度"],
  ["depth", "deep", "深度", "水深"],
  ["height", "high", "tall", "高度", "海拔"],
  ["width", "wide", "宽度"],
  ["weight", "weigh", "heavi", "重量"],
  ["own", "owner", "ownership", "belong", "properti", "possess"],
  ["拥有", "所有", "属于", "归属", "持有", "业主", "东家"],
  ["price", "cost", "fare", "fee", "ticket", "charg", "toll", "admiss"],
  ["价格", "票价", "售价", "门票", "费用", "收费", "单价"],
  ["visitor", "guest", "tourist", "visit"],
  ["游客", "参观", "访客", "人次", "客流"],
  ["人数", "人次", "人口"],
  ["found", "establish", "founder", "成立", "创立", "创办", "创建"],
  ["built", "build", "complet", "finish", "construct", "erect"],
  ["建于", "建成", "始建", "建立", "修建", "兴建", "落成", "竣工", "建造", "完工"],
  ["通车", "开通", "开播"],
  ["locat", "situat", "stand", "lie", "place"],
  ["位于", "坐落", "地处", "位置", "地点", "所在"],
  ["popul", "inhabit", "resid"],
  ["employ", "staff", "employe", "worker"],
  ["员工", "职工", "雇员"],
  ["die", "death", "kill", "perish"],
  ["ceo", "chief", "led", "lead", "leader"],
  ["surfac", "area", "cover"],
  ["去世", "逝世", "病逝"],
  ["born", "birth"],
  ["出生", "出身", "生于", "诞生"],
  ["marri", "spous", "wife", "husband"],
  ["又叫", "又名", "又称", "别名", "别称", "也叫", "俗称", "亦称", "也称"],
  ["原因", "因为", "由于", "导致", "因此"],
  ["分布", "产于", "栖息", "见于"],
  ["营收", "营业"],
  ["率领", "带领", "统领", "率"],
  ["兵力", "士兵", "大军", "军队", "人马", "水军"],
  ["能去", "开放", "参观", "游览"],
];
const RELATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  FAMILIES.flat().map((term) => [term, FAMILIES.filter((family) => family.includes(term)).flat()]),
);

/** Chinese names end in what they are names of. */
const CLASSES: Readonly<Record<string, string>> = {
  湖泊: "湖",
  河流: "河江",
  山脉: "山岭",
  山峰: "山峰",
  桥梁: "桥",
  岛屿: "岛",
  城市: "市城",
  车站: "站",
  港口: "港",
  学校: "校学",
  寺庙: "寺庙",
  村庄: "村庄",
  道路: "路道街",
  公园: "园",
  灯塔: "塔",
  铁路: "线",
};

/** Terms that tell what this one tells, in another form. */
export function relativesOf(term: string): readonly string[] {
  return RELATIVES.get(term) ?? [];
}

/** Whether a term is, by its end, the name of one of those that a Chinese word names as a class: 镜湖 is one of the 湖泊. */
export function isOfClass(word: string, terms: ReadonlySet<string>): boolean {
  const ends = CLASSES[word];
  return ends !== undefined && [...terms].some((term) => /^\p{sc=Han}{2}$/u.test(term) && ends.includes(term.charAt(1)));
}
