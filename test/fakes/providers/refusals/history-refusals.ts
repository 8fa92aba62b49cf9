import { objectIn, objectsIn, stringIn } from "../values.ts";
import {
  asCode,
  asDetail,
  asDetails,
  asError,
  asErrors,
  asErrorText,
  asMessage,
  asText,
  byStatus,
  type RefusedRequest,
  within,
} from "./refused-request.ts";
import { both, follows, hasCalls, hasField, messagesHave, without } from "./request-forms.ts";

const SMALL = 4096;

/** Servers that refuse tools, an order of messages, or a field beside them. */
export const HISTORY_REFUSALS: readonly RefusedRequest[] = [
  byStatus(400, "tools", "Nothing here can be called; ask in plain words.", asError, hasField("tools")),
  byStatus(501, "tools, in plain text", "functions? not on this box", asText, hasField("tools")),
  within("body", "tools, quietly", "该模型暂未开放函数能力", asCode, hasField("tools")),
  byStatus(
    400,
    "a choice among tools",
    "Whether a function is used is decided by the model alone, so leave the choice out.",
    asMessage,
    hasField("tool_choice"),
  ),
  byStatus(
    422,
    "a forced tool",
    "forcing is not offered",
    asDetails,
    (body) => body["tool_choice"] === "required" || Object.hasOwn(objectIn(body["tool_choice"]), "function"),
  ),
  byStatus(
    400,
    "parallel calls as a choice",
    "One call or many: no setting decides that. Offending key: parallel_tool_calls",
    asErrorText,
    hasField("parallel_tool_calls"),
  ),
  within(
    "first-chunk",
    "several system messages",
    "Mehr als eine Anweisung des Betreibers: nur die erste Stelle ist dafür vorgesehen.",
    asError,
    messagesHave((_, roles) => roles.filter((role) => role === "system").length > 1),
  ),
  byStatus(
    400,
    "a system message that is not first",
    "template error: instructions belong at the top",
    asErrors,
    messagesHave((_, roles) => roles.lastIndexOf("system") > 0),
  ),
  byStatus(
    400,
    "any system message",
    "Роль «system» этой моделью не поддерживается.",
    asError,
    messagesHave((_, roles) => roles.includes("system")),
  ),
  byStatus(400, "several users in a row", "Turns have to take turns.", asError, follows("user", "user")),
  byStatus(500, "several users in a row, badly", "jinja: raise_exception: speaker repeated", asErrorText, follows("user", "user")),
  byStatus(400, "a user after a tool", "Nach dem Ergebnis eines Werkzeugs spricht zuerst das Modell.", asMessage, follows("user", "tool")),
  byStatus(
    400,
    "calls without tools",
    "The talk so far mentions functions, but you brought none along.",
    asError,
    without(hasCalls, "tools"),
  ),
  byStatus(405, "calls in a history", "results of functions cannot be replayed to this endpoint", asDetail, hasCalls),
  within(
    "later-chunk",
    "an assistant without words",
    "null where a text was expected (assistant)",
    asError,
    messagesHave((messages, roles) => roles.some((role, at) => role === "assistant" && stringIn(messages[at]?.["content"]) === "")),
  ),
  byStatus(
    415,
    "contents in parts",
    "Only strings are read; a list of parts arrived.",
    asDetail,
    messagesHave((messages) => messages.some(({ content }) => Array.isArray(content))),
  ),
  byStatus(422, "options of the stream", "stream_options: Fremdes Feld", asDetails, hasField("stream_options")),
  byStatus(
    400,
    "max_tokens",
    "The limit of a reply goes by its newer name on this service: max_completion_tokens.",
    asError,
    hasField("max_tokens"),
  ),
  byStatus(
    422,
    "max_completion_tokens",
    "What is max_completion_tokens? We only know max_tokens.",
    asDetails,
    hasField("max_completion_tokens"),
  ),
  byStatus(
    400,
    "many tokens beside tools",
    `Beyond ${SMALL} tokens no functions are served.`,
    asError,
    both(
      hasField("tools"),
      (body) => Number(body["max_completion_tokens"] ?? body["max_tokens"] ?? 0) > SMALL && objectsIn(body["tools"]).length > 0,
    ),
  ),
];
