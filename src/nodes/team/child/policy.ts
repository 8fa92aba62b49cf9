import { anyText, type TerminationPolicy } from "../../agent/decide/termination-policy.ts";
import { isWrittenCall } from "./written-call.ts";

/** A line that names one tool, perhaps with its arguments, or the arguments alone. */
const ACTION =
  /^[ \t*_#>-]*(?:(?:action|tool(?: call)?|动作|動作|行动|行動|工具(?:调用|調用)?)[*_]*[ \t]*[:：][*_ \t`]*[\p{L}\p{N}_.-]{1,40}`?[ \t]*(?:[({（[].*)?|(?:action input|(?:动作|動作|行动|行動)(?:输入|輸入))[*_]*[ \t]*[:：].*)$/imu;
const FINISH = /^[ \t*_#>-]*(?:final answer|answer|finish|最终答案|最終答案|答案|结论|結論)[*_]*[ \t]*[:：]/imu;

const NUDGE =
  "That names an action and makes none. Call the tool itself, in the way that tools are called here; or, if you have finished, write the whole answer.";

/**
 * A child has finished when it says so or answers: a text that writes down an action and nothing after it, or is nothing but a call, is
 * neither. Words alone are an answer; whether they say enough is for a model to judge.
 */
export const finishedText: TerminationPolicy = (text, tools) => anyText(text) ?? (namesAction(text, tools) ? NUDGE : null);

function namesAction(text: string, tools: readonly string[]): boolean {
  return (ACTION.test(text) && !FINISH.test(text)) || isWrittenCall(text, tools);
}
