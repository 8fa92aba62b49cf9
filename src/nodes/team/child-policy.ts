import type { TerminationPolicy } from "../agent/termination-policy.ts";

const START = String.raw`^[ \t*_#>-]*`;
const COLON = String.raw`[*_]*[ \t]*[:：]`;
/** \x60 is a backtick. */
const TOOL = String.raw`(?:action|tool(?: call)?|动作|動作|行动|行動|工具(?:调用|調用)?)${COLON}[*_ \t\x60]*[\p{L}\p{N}_.-]{1,40}\x60?[ \t]*(?:[({（[].*)?`;
const INPUT = `(?:action input|(?:动作|動作|行动|行動)(?:输入|輸入))${COLON}.*`;
/** Matches a line such as `Action: search(x)` or `Action Input: x`. */
const ACTION = new RegExp(`${START}(?:${TOOL}|${INPUT})$`, "imu");
const FINISH = new RegExp(`${START}(?:final answer|answer|finish|最终答案|最終答案|答案|结论|結論)${COLON}`, "imu");

const NUDGE =
  "That names an action and makes none. Call the tool itself, in the way that tools are called here; or, if you have finished, write the whole answer.";

/** Rejects texts that announce an action or consist of a tool call written as text. */
export const rejectAnnouncedAction: TerminationPolicy = (text, tools) =>
  (ACTION.test(text) && !FINISH.test(text)) || isWrittenCall(text, tools) ? NUDGE : null;

/** The keys of a tool call that is written as JSON. An object with any other key is data, not a call. */
const CALL_KEYS =
  /^(?:action|tool|tool_?name|name|function|(?:action|tool)_?input|input|arguments|args|parameters|params|type|id|thought|reasoning)$/i;
const NAMING_KEYS = /^(?:action|tool|tool_?name|name|function)$/i;
const INPUT_KEYS = /^(?:(?:action|tool)_?input|input|arguments|args|parameters|params)$/i;
const LISTS = ["tool_calls", "calls", "actions"];
const THOUGHT = /^(?:thought|thinking|思考|想法)[ \t]*[:：][^\n]*\n+/i;
const FENCED = /^```[\w-]*([\s\S]*?)(?:```)?$/;
/** An unclosed quotation matches to the end of the text. Otherwise, scanning takes quadratic time. */
const QUOTED = /"(?:[^"\\]|\\[\s\S]?)*("|$)|'(?:[^'\\]|\\[\s\S]?)*('|$)|“[^”]*(”|$)/g;

function isWrittenCall(text: string, tools: readonly string[]): boolean {
  const bare = text.trim().replace(THOUGHT, "").trim();
  const inside = (FENCED.exec(bare)?.[1] ?? bare)
    .trim()
    .replace(/^`([^`]*)`$/, "$1")
    .trim();
  return isJsonCall(inside, tools) || isTaggedCall(inside, tools) || isFunctionCall(inside, tools);
}

function isJsonCall(text: string, tools: readonly string[]): boolean {
  if (!/^[{[]/.test(text)) return false;
  try {
    return isCall(JSON.parse(text), tools);
  } catch {
    return false;
  }
}

function isCall(value: unknown, tools: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isCall(one, tools));
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) {
    const [key, inner] = only;
    if (LISTS.includes(key)) return isCall(inner, tools);
    if (tools.includes(key)) return typeof inner === "object" && inner !== null;
  }
  if (!entries.every(([key]) => CALL_KEYS.test(key))) return false;
  const namesTool = (inner: unknown): boolean => typeof inner === "string" && tools.includes(inner.trim());
  const named = entries.some(([key, inner]) => NAMING_KEYS.test(key) && (namesTool(inner) || isCall(inner, tools)));
  // An object that contains only the name of a tool may be the requested data.
  return named && entries.some(([key, inner]) => INPUT_KEYS.test(key) || /^(?:action|tool)/i.test(key) || isCall(inner, tools));
}

function isTaggedCall(text: string, tools: readonly string[]): boolean {
  if (!/^<[|\w]/.test(text)) return false;
  const [, tag = "", rest = ""] = /^<\|?([\w.-]+)([\s\S]*)$/.exec(text) ?? [];
  if (tools.includes(tag)) return true;
  if (!/^(?:tools?|tool_?(?:name|calls?|code|use)|function(?:_?calls?)?|invoke|action)$/i.test(tag)) return false;
  return tools.some((tool) => new RegExp(`(?<![\\w.-])${RegExp.escape(tool)}(?![\\w.-])`).test(rest));
}

function isFunctionCall(text: string, tools: readonly string[]): boolean {
  if (!/^[\w.]+(?: [\w.]+)?[(（]/.test(text)) return false;
  const names = tools.map(RegExp.escape).join("|");
  const outside = removeArguments(removeQuotes(text.replace(/^print\((.*)\)$/s, "$1")));
  return new RegExp(`^(?:(?:await )?(?:functions\\.|default_api\\.|tools?\\.)?(?:${names})\\(\\)[;,\\s]*)+$`).test(outside);
}

function removeQuotes(text: string): string {
  return text.replaceAll(QUOTED, (quote, ...ends) => (ends.slice(0, 3).some(Boolean) ? "" : quote));
}

function removeArguments(text: string): string {
  let depth = 0;
  let outside = "";
  for (const character of text.replaceAll("（", "(").replaceAll("）", ")")) {
    if (character === ")") depth -= 1;
    if (depth === 0) outside += character;
    if (character === "(") depth += 1;
  }
  return outside;
}
