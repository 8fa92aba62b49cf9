import { expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { type CallServer, type CrashedRun, runThrough, type Scenario } from "./crashing-run.ts";
import { MUTATION_PATH, mutationParts } from "./mutation-parts.ts";

const UNKNOWN = "The process ended during this call. Whether the call took effect is unknown, so it was not repeated.";

/** Counts its requests, and kills a process that asks for a change before it answers. */
async function startDeadly(): Promise<CallServer> {
  const calls: string[] = [];
  const { url, close } = await startLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://tools");
    const query = searchParams.get("query") ?? "";
    calls.push(`${pathname} ${query}`);
    if (pathname === "/mark") process.kill(Number(searchParams.get("pid")), "SIGKILL");
    const source = { title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: query, text: `已知 ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  return { url, calls, close };
}

const scenario = (name: Scenario["name"]): Scenario => ({
  name,
  startServer: startDeadly,
  kind: "tool",
  callOf: ({ tool, arguments: { query } }: { tool: string; arguments: { query: string } }) => `/${tool} ${query}`,
  path: MUTATION_PATH,
  replay: (recording, url) => replay(recording, mutationParts(url, null)),
});

/** Returns how the changes ended, as readers see it. */
function endings({ recording }: CrashedRun) {
  const events = recording.events.map(({ event }) => JSON.parse(event.body));
  return events.flatMap(({ type, tool, arguments: args, error }) =>
    type === "tool-ended" && tool === "mark" ? [[args.query, error?.code, error?.message]] : [],
  );
}

const ALL_UNKNOWN = ["一", "三", "二"].map((query) => [query, "interrupted", UNKNOWN]);

it("a change whose process is killed when the request arrives is made once, and the run says that its outcome is unknown", async () => {
  const crashed = await runThrough(scenario("mutation"), [null, null]);
  expect(crashed.deaths).toBe(2);
  const marked = crashed.calls.filter((call) => call.startsWith("/mark"));
  // Of two parallel changes, the second may not have left the process.
  expect([
    ["/mark 一", "/mark 三"],
    ["/mark 二", "/mark 三"],
    ["/mark 一", "/mark 三", "/mark 二"],
  ]).toContainEqual(marked.toSorted());
  expect(endings(crashed).toSorted()).toEqual(ALL_UNKNOWN);
  const told = crashed.recording.run.report?.ledger.filter(({ source }) => source === "mark").map(({ detail }) => detail);
  expect(told).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
});

it("a change whose process dies while making it is not repeated", async () => {
  const crashed = await runThrough(scenario("sudden-mutation"), [null, null]);
  expect(crashed.deaths).toBe(2);
  expect(crashed.marks).toEqual(["一", "三"]);
  expect(endings(crashed).toSorted()).toEqual(ALL_UNKNOWN);
});
