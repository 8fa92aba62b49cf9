import { MemorySaver } from "@langchain/langgraph";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { hang, text } from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { defineTalking } from "./talking-graph.ts";

/** After how many pieces a stream that stays open stops. */
const OPEN_AFTER = 6;
const USAGE = { prompt_tokens: 10, completion_tokens: 100, total_tokens: 110 };

/** Returns the model's answer to a question. */
export function answerTo(question: string): string {
  return Array.from({ length: 20 }, (_, index) => `${question} 答${index} `).join("");
}

/** Two nodes that call a model through the adapter: two calls one after the other, then two at once. */
export const MODEL_SCENARIO: Scenario = {
  name: "model",
  startServer: startModel,
  kind: "model",
  callOf: ({ messages }: { messages: readonly { content: string }[] }) => messages[0]?.content ?? "",
  path: ["inTurn", "atOnce"],
  replay: (recording, url) => replayRecording(recording, defineTalking(url)(new MemorySaver()), openJournal),
};

async function startModel(): Promise<CallServer> {
  const calls: string[] = [];
  const questionOf = (request: SeenRequest): string => contentsOf(request, "user")[0] ?? "";
  const onOver = (request: SeenRequest) => void (request.endedAt !== null && server.onAnswered?.(questionOf(request)));
  const answer = (request: SeenRequest) => {
    const question = questionOf(request);
    const nth = calls.push(question) - 1;
    const said = text(answerTo(question), { usage: USAGE, pieceLength: 6 });
    return nth >= (server.openFrom ?? Number.POSITIVE_INFINITY) ? hang({ after: OPEN_AFTER, of: said }) : said;
  };
  const { url, close } = await openModelServer(answer, { onOver });
  const server: CallServer = { url, calls, close };
  return server;
}
