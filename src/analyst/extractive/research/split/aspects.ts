/** What a request wants to see covered, at its end. */
const ENGLISH =
  /^(.{10,300}?)[.:;]\s+(?:please\s+|it should\s+|the report should\s+)?(?:cover|include|address)\s+(?:the\s+)?(?:(?:following\s+)?(?:aspects|topics|points|dimensions)\s*)?(?:such as|like|including|:)?\s*([^.?!:;]{10,300})\.?$/isu;
const CHINESE =
  /^([^？?]{8,200}?)[，,。；;]\s*(?:需要|需|请|要|应当?|并)?(?:包括|包含|涵盖|覆盖)(?:这些|各|其)?(?:公司|企业|国家|产品|项目|方法)?的?([^？?。；;：:]{6,200}?)(?:等(?:方面|维度|内容|信息)?)?[。.]?$/u;
const OPENING = /^(?:请|帮我|麻烦|能否|给我|为我)*(?:收集|整理|分析|调研|总结|介绍|提供|列出|研究)*(?:一下|下)?/u;
/** Two may be one thing. */
const MIN_ASPECTS = 3;
const MAX_ASPECTS = 10;
const MAX_ASPECT = 60;

/**
 * A request that names the aspects it wants covered, as the request itself and one part for each of them; null where it names fewer than
 * three.
 */
export function splitAspects(request: string): string[] | null {
  const english = ENGLISH.exec(request);
  if (english) return aboutEach((english[1] ?? "").trim(), (english[2] ?? "").split(/\s*,\s*(?:and\s+)?|\s+and\s+(?=[^,]*$)/u), ": ");
  const chinese = CHINESE.exec(request);
  return chinese && aboutEach((chinese[1] ?? "").replace(OPENING, ""), (chinese[2] ?? "").split(/[、，,]|以及|和(?=[^和、，,]*$)/u), "：");
}

function aboutEach(request: string, aspects: readonly string[], colon: string): string[] | null {
  const named = aspects.map((aspect) => aspect.trim());
  const plain = named.every((aspect) => aspect !== "" && aspect.length <= MAX_ASPECT);
  if (!plain || named.length < MIN_ASPECTS || named.length > MAX_ASPECTS) return null;
  return [request, ...named.map((aspect) => `${request}${colon}${aspect}`)];
}
