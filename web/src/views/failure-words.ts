import { defineWords } from "../i18n/words.ts";

/** Why something could not be searched, read or asked, by the codes of sources, tools and models. */
export const failureWords = defineWords(
  {
    not_found: "It is not there.",
    unreachable: "It could not be reached.",
    timeout: "It did not answer in time.",
    blocked: "It refused access.",
    rate_limited: "It takes no more requests for now.",
    paywalled: "It is behind a paywall.",
    too_large: "It is too large.",
    unreadable: "Its answer could not be read.",
    empty: "It holds no text.",
    forbidden_address: "Its address may not be reached.",
    out_of_scope: "It lies outside the scope of this run.",
    before_since: "It was published before the day that was asked for.",
    tool_failed: "It failed.",
    document_too_large: "Its answer is longer than what is read.",
    interrupted: "It was interrupted. Whether it was done is not known.",
    not_confirmed: "It was not called, as nobody agreed to it.",
    invalid_arguments: "It was not called with valid arguments.",
    unknown_tool: "There is no such tool.",
    internal: "It failed inside the server.",
    model_call_cap: "No further call was allowed.",
    token_budget: "No further tokens were allowed.",
    cost_budget: "No further costs were allowed.",
    step_cap: "No further step was allowed.",
    model_required: "No model is configured.",
    model_unpaid: "The request allows no model call.",
  },
  {
    not_found: "不存在。",
    unreachable: "无法连接。",
    timeout: "没有及时答复。",
    blocked: "拒绝访问。",
    rate_limited: "暂时不再接受请求。",
    paywalled: "需要付费。",
    too_large: "过大。",
    unreadable: "答复无法解读。",
    empty: "没有文字内容。",
    forbidden_address: "地址不允许访问。",
    out_of_scope: "不在本次范围之内。",
    before_since: "发布日期早于所要求的日期。",
    tool_failed: "执行失败。",
    document_too_large: "答复过长。",
    interrupted: "调用中断，是否已执行不得而知。",
    not_confirmed: "没有得到同意，未调用。",
    invalid_arguments: "参数无效，未调用。",
    unknown_tool: "没有这个工具。",
    internal: "服务内部出错。",
    model_call_cap: "可用的调用次数已经用完。",
    token_budget: "可用的词元已经用完。",
    cost_budget: "可用的费用已经用完。",
    step_cap: "可用的步数已经用完。",
    model_required: "没有配置模型。",
    model_unpaid: "请求不允许调用模型。",
  },
);

type FailureWord = keyof (typeof failureWords)["en"];

/** An unknown code of a later version has no words. */
export function isKnownFailure(code: string): code is FailureWord {
  return Object.hasOwn(failureWords.en, code);
}
