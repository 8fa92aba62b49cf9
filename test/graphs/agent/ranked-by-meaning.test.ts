import { expect, it, onTestFinished } from "vitest";
import { replay } from "../../../src/compose.ts";
import type { SearchSource } from "../../../src/domain/ports/sources.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { cohere, type Speak, startSemanticServer } from "../../fakes/semantic-server.ts";
import { foundPage } from "../../helpers/page-source.ts";
import { finding } from "../../helpers/search-answer.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

const NAMES = ["甲", "乙", "丙", "丁"];
const QUERY = "奥尔德穆尔 灯塔 lamp";

/** Finds four pages in this order. */
const SOURCE: SearchSource = {
  ...{ id: "pages", kind: "web", title: "pages" },
  search: finding(() =>
    NAMES.map((name) => {
      const found = foundPage("pages", `http://127.0.0.1:9/${encodeURIComponent(name)}`);
      return { ...found, title: `${name} lamp ${found.title}` };
    }),
  ),
};

/** Runs an agent that searches once; `shown` is the order in which the model saw the pages. */
async function searchOnce(speak: Speak | null) {
  const server = await startSemanticServer(speak ?? (() => ({ status: 500, body: {} })));
  onTestFinished(() => server.close());
  const agent = await startAgent([say.toolCalls([{ name: "search", arguments: { query: QUERY } }]), say.text("好的，这里没有写到。")], {
    parts: { sources: [SOURCE] },
    environment: { SOURCES: "pages", ...(speak !== null && { RERANK_BASE_URL: `${server.url}/v2`, RERANK_MODEL: "m" }) },
  });
  const { run, of } = await agent.ask("灯塔的灯里烧什么？");
  expectNoRefusal(agent);
  const told = contentsOf(agent.server.requests[1]!, "tool").join("\n");
  const recording = await readRecording(await agent.dossier.recordingLines(run.id));
  await server.close();
  const again = await replay(recording);
  expect([again.difference, again.events]).toEqual([null, recording.events]);
  const ranking = run.report?.ledger.filter(({ what }) => what === "rerank") ?? [];
  return {
    run,
    ranking,
    asked: server.asked,
    failed: of("rerank-failed"),
    shown: Array.from(told.matchAll(/^\[S\d\] (.)/gm), ([, name]) => name),
  };
}

it("the agent's search has the order of a configured semantic server, and replays without it", async () => {
  const { shown, asked, ranking, failed } = await searchOnce(cohere((text) => NAMES.findIndex((name) => text.startsWith(name)) + 1));
  expect(shown).toEqual(["甲", "丁", "乙", "丙"]);
  expect(asked.map(({ body }) => body["query"])).toEqual([QUERY]);
  expect(ranking).toMatchObject([{ source: "rerank m", target: QUERY, outcome: "found", results: 4, failure: null }]);
  expect(failed).toEqual([]);
});
