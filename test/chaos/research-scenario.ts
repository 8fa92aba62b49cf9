import { replay } from "../../src/compose.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { researchParts } from "./research-parts.ts";

const OF_A_TODO = ["llm_decision", "search", "rerank", "download", "summarize", "work", "assess", "todo"];

/** A planned run of four todos, approved by its user. */
export const RESEARCH_SCENARIO: Scenario = {
  name: "research",
  startServer: startPages,
  kind: "search",
  callOf: ({ source, text }: { source: string; text: string }) => `/${source}?query=${encodeURIComponent(text)}`,
  path: ["plan", "approve", ...Array(4).fill(OF_A_TODO).flat(), "collect", "verify", "summarize"],
  sideBySide: true,
  replay: (recording, url) => replay(recording, researchParts(url)),
};

async function startPages(): Promise<CallServer> {
  const { url, requests, close } = await startLoopback(async (request, response) => {
    response.once("finish", () => server.onAnswered?.(request.url ?? ""));
    response.end("nothing");
  });
  const server: CallServer = { url, calls: requests, close };
  return server;
}
