import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import type { ChatReply } from "../../src/domain/chat.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { CallOptions, ChatModel } from "../../src/domain/ports/models.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { NO_MODEL } from "../helpers/no-model.ts";
import { testGraph } from "../helpers/test-graph.ts";

const State = Annotation.Root({
  said: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

/** The questions to the model, by node: one after the other in the first node, all at once in the second. */
export const ASKED = { inTurn: ["一 first", "二 second"], atOnce: ["三 third", "四 fourth"] };

/** A graph whose nodes call the model at `url`; its report is the model's text. */
export function defineTalking(url: string) {
  const model = createChatModel({
    endpoint: { baseUrl: url, fetch: (address, init) => fetch(address, { ...init, redirect: "error", duplex: "half" } as RequestInit) },
    limits: { firstTokenMs: 120_000, betweenTokensMs: 120_000, callMs: 300_000 },
  });
  const inTurn = bindNode(async (_: typeof State.State, effects: Effects) => {
    const said: string[] = [];
    for (const question of ASKED.inTurn) said.push((await ask(model, "inTurn", question, effects)).content);
    return { said };
  });
  const atOnce = bindNode(async (_: typeof State.State, effects: Effects) => {
    const replies = await Promise.all(ASKED.atOnce.map((question) => ask(model, "atOnce", question, effects)));
    return { said: replies.map(({ content }) => content) };
  });
  return testGraph<typeof State.State>({
    name: "talking",
    compile: (checkpointer) =>
      new StateGraph(State)
        .addNode("inTurn", inTurn)
        .addNode("atOnce", atOnce)
        .addEdge(START, "inTurn")
        .addEdge("inTurn", "atOnce")
        .addEdge("atOnce", END)
        .compile({ checkpointer }) as never,
    input: {},
    report: (state) => state.said.join("\n"),
  });
}

/** Emits the model's text while it arrives. */
function ask(model: ChatModel, node: string, question: string, effects: Effects): Promise<ChatReply> {
  const request = {
    model: "scripted",
    messages: [{ role: "user", content: question }],
    tools: [],
    toolChoice: "none",
    schema: null,
    maxOutputTokens: 1_000,
    stopTools: [],
  } as const;
  const options: CallOptions = {
    node,
    limits: NO_MODEL.limits,
    models: { default: "scripted", roles: {}, contextTokens: 32_000, maxOutputTokens: 1_000, prices: {} },
    purpose: "write",
    shown: { content: () => ({ push: (text) => text, end: () => "" }) },
  };
  return model.complete(request, options, effects);
}
