import { replay } from "../../src/compose.ts";
import type { Behavior, Told } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenMessage, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import { speaker } from "../graphs/team/team-under-test.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { graphParts } from "./graph-parts.ts";
import { shareParts } from "./research-parts.ts";

const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
/** After how many pieces a stream that stays open stops. */
export const OPEN_AFTER = 6;
const USAGE = { prompt_tokens: 10, completion_tokens: 100, total_tokens: 110 };
const MANNER = { usage: USAGE, reasoning: "先想一想，再决定。 One thought, and then another one. ".repeat(4), pieceLength: 12 };

const calls = (name: string, input: Record<string, string>): Told => say.toolCalls([{ name, arguments: input }], MANNER);

/** One round with the tool, then the report. */
export function executorDoes(request: SeenRequest): Told {
  const shown = contentsOf(request, "user").join("\n");
  if (offeredTools(request).length > 0)
    return shown.includes("The finder knows") ? say.text("Enough.", MANNER) : calls("finder", { query: "灯塔 lighthouse" });
  const id = [...shown.slice(0, shown.indexOf(BUILT)).matchAll(/\bP\d+\b/g)].at(-1)?.[0];
  return say.text(`Ada Penrose built it in 1874. [${id}: "${BUILT}"]`, MANNER);
}

/** A question to the user, a search, then the answer. */
export function agentDoes({ body: { messages } }: SeenRequest): Told {
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results === 0) return calls("ask_user", { question: "Which lighthouse? 哪座灯塔？" });
  if (results === 1) return calls("search", { query: "lighthouse Aldermoor built" });
  return say.text(`Ada Penrose built it in 1874. [S1: "${BUILT}"]`, MANNER);
}

/** One child asks the user, another one searches, the last child and the supervisor write. */
function teamDoes(request: SeenRequest): Behavior {
  const { messages } = request.body;
  const called = messages.some(({ role }) => role === "tool");
  const who = speaker(request);
  if (who === "东" && !called) return calls("ask_user", { question: "哪座灯塔？" });
  if (who === "finds" && !called) return calls("search", { query: "lighthouse Aldermoor built" });
  if (who === "finds") return say.text(`Ada Penrose built it in 1874. [S1: "${BUILT}"]`, MANNER);
  if (who !== "supervisor") return say.text(`${who} 已经完成。`, MANNER);
  return say.text(`Ada Penrose built it in 1874. [P1: "${BUILT}"]`, MANNER);
}

/** An agent that calculates endlessly, and asks the user after three steps. */
function endlessDoes(request: SeenRequest): Behavior {
  const results = request.body.messages.filter(({ role }) => role === "tool").length;
  if (!offeredTools(request).includes("calculator")) return say.text("还没有算完。", MANNER);
  return results === 3
    ? calls("ask_user", { question: "Which lighthouse? 哪座灯塔？" })
    : calls("calculator", { expression: `${results}+${10 ** results}` });
}

/** Children get the same requests at the same time. */
const nameInTeam = (messages: readonly Pick<SeenMessage, "content">[]): string => `${String(messages[0]?.content)} ${nameOf(messages)}`;

/** The last message of a request distinguishes it from the other requests of its run, on the wire and in the journal. */
export const nameOf = (messages: readonly Pick<SeenMessage, "content">[]): string => String(messages.at(-1)?.content);

async function startModel(does: (request: SeenRequest) => Behavior, named = nameOf): Promise<CallServer> {
  const calls: string[] = [];
  const onOver = ({ body, endedAt }: SeenRequest) => void (endedAt !== null && server.onAnswered?.(named(body.messages)));
  const answer = (request: SeenRequest): Behavior => {
    const nth = calls.push(named(request.body.messages)) - 1;
    return nth >= (server.openFrom ?? Number.POSITIVE_INFINITY) ? say.hang({ after: OPEN_AFTER, of: does(request) }) : does(request);
  };
  const { url, close } = await openModelServer(answer, { onOver });
  const server: CallServer = { url, calls, close };
  return server;
}

const scenario = (name: "executor" | "agent", does: (request: SeenRequest) => Behavior, path: readonly string[]): Scenario => ({
  name,
  startServer: () => startModel(does),
  kind: "model",
  callOf: ({ messages }: { messages: readonly { content: string }[] }) => nameOf(messages),
  path,
  replay: (recording) => replay(recording, graphParts()),
});

export const EXECUTOR_SCENARIO = scenario("executor", executorDoes, [
  "llm_decision",
  "optional_tool",
  "llm_decision",
  "search",
  "rerank",
  "download",
  "summarize",
]);
export const AGENT_SCENARIO = scenario("agent", agentDoes, ["think", "ask", "think", "act", "think", "conclude"]);

export const TEAM_SCENARIO: Scenario = {
  name: "team",
  startServer: () => startModel(teamDoes, nameInTeam),
  kind: "model",
  callOf: ({ messages }: { messages: readonly { content: string }[] }) => nameInTeam(messages),
  path: [
    ...["act", "ask", "child", "child", "child", "conclude", "conclude", "conclude"],
    ...["stage", "stage", "stage", "supervise", "think", "think", "think", "think", "think"],
  ],
  sideBySide: true,
  replay: (recording) => replay(recording, graphParts()),
};

export const SHARE_SCENARIO: Scenario = {
  name: "share",
  startServer: () => startModel(endlessDoes),
  kind: "model",
  callOf: ({ messages }: { messages: readonly { content: string }[] }) => nameOf(messages),
  path: [
    ...["plan", ...Array(6).fill("think"), "act", "act", "act", "act", "ask", "write", "conclude"],
    ...["work", "assess", "todo", "collect", "verify", "summarize"],
  ],
  sideBySide: true,
  replay: (recording) => replay(recording, shareParts()),
};
