import { fieldsOf, isFields, textOf } from "../../util/json-fields.ts";
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

/** The keys of a call in JSON. An object with any other key is data, not a call. */
const CALL_KEYS =
  /^(?:action|tool|tool_?name|name|function|(?:action|tool)_?input|input|arguments|args|parameters|params|type|id|thought|reasoning|tool_calls|calls|actions)$/i;
const CALL_TAG = /^<\|?(?:tools?|tool_?(?:name|calls?|code|use)|function(?:_?calls?)?|invoke|action)\b/i;
const THOUGHT = /^(?:thought|thinking|思考|想法)[ \t]*[:：][^\n]*\n+/i;

/** Whether the text begins and ends as a call of a tool in JSON, in tags or in program code. */
function isWrittenCall(text: string, tools: readonly string[]): boolean {
  const fenced = text.trim().replace(THOUGHT, "").trim();
  const bare = fenced
    .replace(/^(?:```[\w-]*|`)/, "")
    .replace(/`{1,3}$/, "")
    .trim();
  const names = `(?:${tools.map(RegExp.escape).join("|")})`;
  if (/^[{[]/.test(bare)) return isJsonCall(bare, tools);
  if (CALL_TAG.test(bare)) return new RegExp(`\\b${names}\\b`).test(bare);
  return new RegExp(`^<${names}[\\s>]`).test(bare) || (new RegExp(`^(?:[\\w.]+[.( ])?${names}[(（]`).test(bare) && /[)）];?$/.test(bare));
}

function isJsonCall(text: string, tools: readonly string[]): boolean {
  try {
    return isCall(JSON.parse(text), tools);
  } catch {
    return false;
  }
}

function isCall(value: unknown, tools: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isCall(one, tools));
  const entries = Object.entries(fieldsOf(value));
  // An object that contains only the name of a tool may be the requested data.
  const namesTool = (inner: unknown): boolean => entries.length > 1 && tools.includes(textOf(inner).trim());
  return (
    entries.every(([key]) => CALL_KEYS.test(key) || tools.includes(key)) &&
    entries.some(([key, inner]) => isCall(inner, tools) || (tools.includes(key) ? isFields(inner) : namesTool(inner)))
  );
}
