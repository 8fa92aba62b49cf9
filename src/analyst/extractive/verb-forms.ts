import { stem } from "../../ranking/stem.ts";

/** Deeds that are told in other words than they are asked in: "who wrote it" by "was written by" and "its author". */
const DEEDS: readonly string[] = [
  "wrote written write writes writing author authored writer",
  "built build builds builder constructed",
  "designed design designer architect",
  "founded founder founders established",
  "discovered discovery discoverer",
  "invented invention inventor",
  "painted painter painting",
  "composed composer",
  "directed director",
  "led leader lead leads",
  "won winner win wins",
  "drew drawn draw drawing",
  "made make maker makes",
  "sang sung sing singer",
  "began begun begin",
  "taught teach teacher",
  "own owned owns owner owners belong belongs",
  "拥有 属于 归属 持有",
  "票价 门票",
  "写 所写 撰写 著作 写成 写的 创作 作者 所著 写于",
  "创办 创立 创建 创始",
  "建造 修建 建成",
  "寺庙 古寺 寺院 佛寺",
  "春天 春季",
  "夏天 夏季",
  "秋天 秋季",
  "冬天 冬季",
  "特产 盛产 出产 土产",
];

const FORMS: ReadonlyMap<string, readonly string[]> = formsByTerm();

function formsByTerm(): Map<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  for (const deed of DEEDS) {
    const terms = [...new Set(deed.split(" ").map((word) => (/^[a-z-]+$/.test(word) ? stem(word) : word)))];
    for (const term of terms) forms.set(term, [...(forms.get(term) ?? []), ...terms.filter((other) => other !== term)]);
  }
  return forms;
}

/** Other terms that tell the same deed as this term, which is stemmed. */
export function formsOf(term: string): readonly string[] {
  return FORMS.get(term) ?? [];
}
