import { anyText, type TerminationPolicy } from "../../agent/decide/termination-policy.ts";

const ACTION =
  /^[\s*_#>-]*(?:action(?: input)?|tool(?: call)?|动作(?:输入)?|動作(?:輸入)?|行动(?:输入)?|行動(?:輸入)?|工具(?:调用|調用)?)[*_]*\s*[:：]/imu;
const FINISH = /^[\s*_#>-]*(?:final answer|answer|finish|最终答案|最終答案|答案|结论|結論)[*_]*\s*[:：]/imu;

const NUDGE =
  "That names an action and makes none. Call the tool itself, in the way that tools are called here; or, if you have finished, write the whole answer.";

/** A child has finished when it says so or answers: a text that writes down an action, and nothing after it, is neither. */
export const finishedText: TerminationPolicy = (text) => anyText(text) ?? (ACTION.test(text) && !FINISH.test(text) ? NUDGE : null);
