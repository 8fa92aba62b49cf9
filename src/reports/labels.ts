import type { FailureCode } from "../domain/report.ts";

/** Our own words in a report. */
export type Labels = typeof ENGLISH;

type Words = Readonly<Record<string, string>>;

/** The ledger says `model` for a model that only its server names. */
const ofModel = (name: string): string => (name === "model" ? name : `model ${name}`);

const ENGLISH = {
  noAnswer: "No answer was found.",
  noAnswerAsFar: "No answer was found in what could be searched.",
  nothingFound: "The search found nothing that has to do with it.",
  couldNotLook: "This question was not answered: no source in scope could be searched.",
  nothingRead: "This question was not answered: sources were found, and none of them was read.",
  notReached: "Not everything could be asked or read:",
  whatFailed: { search: "search in", tool: "tool", download: "page", model: "model", rerank: "ranking by" },
  failures: {
    not_found: "is not there",
    unreachable: "could not be reached",
    timeout: "did not answer in time",
    blocked: "refused access",
    rate_limited: "takes no more requests for now",
    paywalled: "is behind a paywall",
    too_large: "is too large",
    unreadable: "answered with something that could not be read",
    empty: "holds no text",
    forbidden_address: "has an address that may not be reached",
    out_of_scope: "lies outside the scope of the run",
  },
  /** By the code in the ledger; codes that sources share are in `failures`. */
  toolFailures: {
    tool_failed: "failed",
    document_too_large: "answered with more than is read",
    interrupted: "was interrupted; whether it was done is not known",
    not_confirmed: "was not called, as the user did not agree",
    invalid_arguments: "was not called with valid arguments",
    unknown_tool: "is not there",
    internal: "failed inside the server",
  } as Words,
  modelFailures: {
    unreachable: "could not be reached",
    timeout: "did not answer in time",
    rate_limited: "takes no more requests for now",
    too_large: "does not take a conversation of this size",
    unreadable: "gave no answer that could be used",
    empty: "gave no answer",
    model_call_cap: "could not be asked, because no further call was allowed",
    token_budget: "could not be asked, because no further tokens were allowed",
    cost_budget: "could not be asked, because no further costs were allowed",
    step_cap: "could not be asked, because no further step was allowed",
  } as Words,
  /** Shows the ledger's detail of a model failure, which is in English. */
  tellsModelFailures: true,
  byRules: {
    say: (model: string, why: string, did: string) => `The ${ofModel(model)} ${why}; ${did}.`,
    did: {
      decision: "rules decided which tools to call",
      plan: "rules planned",
      findings: "rules wrote what a todo found",
      assessment: "rules judged a todo",
      verdict: "rules verified the todos",
    } as Words,
    wrote: "rules wrote this report",
    outcome: "done by rules",
  },
  byWords: "ranked by words alone",
  cutOff: "The model's text was cut off before its end; what it said in whole sentences stands here, and the rest is missing.",
  notAnswered: "This question was not answered.",
  more: (count: number) => `and ${count} more`,
  quotes: "Quotes",
  sources: "Sources",
  retracted: "RETRACTED",
  authors: (first: readonly string[], more: boolean) => `${first.join(", ")}${more ? " et al." : ""}`,
  origins: (count: number) => `(${count} independent origins)`,
  coverage: (supported: number, sentences: number, struck: number) => {
    const leftOut = struck > 0 ? ` ${struck} ${struck === 1 ? "sentence" : "sentences"} left out that no quote bore out.` : "";
    return supported === 0
      ? `Verified 0/${sentences}: no source bears out any of these sentences.${leftOut.replace("no quote bore", "none bore")}`
      : `Verified ${supported}/${sentences}: every quote stands in its source, character by character.${leftOut}`;
  },
  onlyQuotes: "Only quotes: nothing was summed up or concluded. Read whether they answer the question.",
  unanswered: "Not answered",
  closest: "Closest passages (may not answer this)",
  unsupported: "(not verified)",
  ledger: "Where it looked",
  ledgerHead: ["What", "Where", "Outcome", "Milliseconds"],
  attempts: { search: "search", tool: "tool", download: "download", model: "model", rerank: "rerank" },
  failed: (code: string) => code,
  /** By the reason of the termination; English shows the reason itself. */
  endings: {} as Words,
  outcomes: { found: "found", nothing: "looked, found nothing", failed: "could not look", reused: "answered from an earlier call" },
  appendix: "Appendix",
  receipt: "Receipt",
  receiptRows: {
    run: "Run",
    asked: "Asked",
    started: "Started",
    ended: "Ended",
    ending: "How it ended",
    modelCalls: "Model calls",
    tokens: "Tokens in + out",
    cost: "Cost",
    toolCalls: "Tool calls",
    sourceRequests: "Requests to sources",
    downloads: "Downloads",
    program: "Written by",
  },
  modelsHead: ["Model", "Calls", "Tokens in", "Tokens out", "Cost", "Of these estimated"],
  back: "back to the text",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  replaced: (sign: string, count: number, characters: string) =>
    `The fonts of this file lack ${count} of its characters; ${sign} stands for each: ${characters}. The report as Markdown, HTML, DOCX or JSON has them.`,
};

const CHINESE: Labels = {
  noAnswer: "没有找到答案。",
  noAnswerAsFar: "在能够查找的资料中没有找到答案。",
  nothingFound: "查找没有找到相关的资料。",
  couldNotLook: "这个问题没有得到回答：范围内的来源都无法查找。",
  nothingRead: "这个问题没有得到回答：找到了来源，但都没有读取。",
  notReached: "以下各项未能查找或读取：",
  whatFailed: { search: "来源", tool: "工具", download: "网页", model: "模型", rerank: "语义排序" },
  failures: {
    not_found: "不存在",
    unreachable: "无法连接",
    timeout: "没有及时答复",
    blocked: "拒绝访问",
    rate_limited: "暂时不再接受请求",
    paywalled: "需要付费",
    too_large: "过大",
    unreadable: "答复无法解读",
    empty: "没有文字内容",
    forbidden_address: "地址不允许访问",
    out_of_scope: "不在本次范围之内",
  },
  toolFailures: {
    tool_failed: "执行失败",
    document_too_large: "答复过大",
    interrupted: "调用中断，是否已执行不得而知",
    not_confirmed: "用户没有同意，未调用",
    invalid_arguments: "参数无效",
    unknown_tool: "不存在",
    internal: "服务内部出错",
  },
  modelFailures: {
    unreachable: "无法连接",
    timeout: "没有及时答复",
    rate_limited: "暂时不再接受请求",
    too_large: "容不下这么长的对话",
    unreadable: "没有给出可用的答复",
    empty: "没有给出答复",
    model_call_cap: "无法调用，因为可用的调用次数已经用完",
    token_budget: "无法调用，因为可用的词元已经用完",
    cost_budget: "无法调用，因为可用的费用已经用完",
    step_cap: "无法调用，因为可用的步数已经用完",
  },
  tellsModelFailures: false,
  byRules: {
    say: (model, why, did) => `模型${model === "model" ? "" : ` ${model} `}${why}；${did}。`,
    did: {
      decision: "调用哪些工具由规则决定",
      plan: "计划由规则制定",
      findings: "一项任务的结果由规则写出",
      assessment: "一项任务由规则判断",
      verdict: "各项任务由规则核实",
    },
    wrote: "本报告由规则撰写",
    outcome: "由规则完成",
  },
  byWords: "仅按词语排序",
  cutOff: "模型的文字在结束之前被截断；这里只有已经写完的句子，其余部分缺失。",
  notAnswered: "这个问题没有得到回答。",
  more: (count) => `另有 ${count} 项`,
  quotes: "引文",
  sources: "来源",
  retracted: "已撤稿",
  authors: (first, more) => `${first.join("、")}${more ? " 等" : ""}`,
  origins: (count) => `（${count} 个独立来源）`,
  coverage: (supported, sentences, struck) =>
    supported === 0
      ? `已核对 0/${sentences}：没有来源支持这些句子。${struck > 0 ? `另有 ${struck} 句同样没有来源支持，已删去。` : ""}`
      : `已核对 ${supported}/${sentences}：每条引文与来源逐字一致。${struck > 0 ? `另有 ${struck} 句没有引文支持，已删去。` : ""}`,
  onlyQuotes: "以上都是引文，没有归纳或推断；它们是否回答了问题，请阅读后判断。",
  unanswered: "未能回答的部分",
  closest: "最接近的段落（可能没有回答这个问题）",
  unsupported: "（未核实）",
  ledger: "查找记录",
  ledgerHead: ["事项", "位置", "结果", "毫秒"],
  attempts: { search: "搜索", tool: "工具", download: "下载", model: "模型", rerank: "重排" },
  failed: (code) => CHINESE.failures[code as FailureCode] ?? CHINESE.toolFailures[code] ?? CHINESE.modelFailures[code] ?? code,
  endings: {
    completed: "完成",
    finish_task: "任务结束",
    answered: "已回答",
    step_cap: "步数用完",
    model_call_cap: "模型调用次数用完",
    token_budget: "词元用完",
    cost_budget: "费用用完",
    time_budget: "时间用完",
    no_progress: "没有进展",
    no_answer: "没有答案",
    cancelled: "已取消",
    failed: "失败",
  },
  outcomes: { found: "找到", nothing: "查过，没有结果", failed: "无法查找", reused: "沿用先前的结果" },
  appendix: "附录",
  receipt: "运行记录",
  receiptRows: {
    run: "运行",
    asked: "提出时间",
    started: "开始时间",
    ended: "结束时间",
    ending: "结束方式",
    modelCalls: "模型调用",
    tokens: "输入 + 输出词元",
    cost: "费用",
    toolCalls: "工具调用",
    sourceRequests: "来源请求",
    downloads: "下载",
    program: "生成程序",
  },
  modelsHead: ["模型", "调用", "输入词元", "输出词元", "费用", "其中估算"],
  back: "回到正文",
  page: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
  replaced: (sign, count, characters) =>
    `本文件的字体缺少 ${count} 个字符，均以 ${sign} 代替：${characters}。Markdown、HTML、DOCX 和 JSON 格式的报告中有这些字符。`,
};

/** @param language BCP 47; Chinese has its own labels, all others have English ones */
export function labelsFor(language: string): { readonly language: "en" | "zh"; readonly labels: Labels } {
  return language.toLowerCase().split("-")[0] === "zh" ? { language: "zh", labels: CHINESE } : { language: "en", labels: ENGLISH };
}
