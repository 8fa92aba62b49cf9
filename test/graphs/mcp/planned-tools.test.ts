import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readRecording } from "../../../src/journal/recording-file.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { askedRole, roleScript } from "../../fakes/model-server/role-script.ts";
import { contentsOf, offeredTools } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, plan, ROLES, WALL } from "../../fakes/scripted-roles.ts";
import { filesystem, makeFolder, odd, writeServers } from "../../helpers/mcp-servers.ts";
import { openDossier, type TestDossier } from "../../helpers/open-dossier.ts";
import { expectReplay, openWithServers } from "./mcp-under-test.ts";

/** Two planning rounds, then a todo of the executor and one of an agent, neither of which makes a call. */
const TWO = roleScript({
  ...ROLES,
  "planner-response": [
    plan([{ id: "T1", description: BUILDER }], { needsMorePlanning: true }),
    plan([
      { id: "T1", description: BUILDER },
      { id: "二", description: WALL, by: "agent" },
    ]),
  ],
  tools: ({ said }) => (said.includes(WALL) ? say.text("花岗岩。") : say.text("Nothing is needed.")),
});

const QUESTION = `${BUILDER} ${WALL}`;

const listingsOf = async (dossier: TestDossier, id: string) => {
  const { segments } = await readRecording(await dossier.recordingLines(id));
  return segments.flatMap(({ records }) => records).filter(({ kind }) => kind === "listing");
};

it("shows the planner the servers' tools with their purpose and whether they change something, and lists them once per run", async () => {
  const { ask, dossier, model } = await openWithServers(TWO, (folder) => ({ files: filesystem(folder), notes: odd() }));
  const { run } = await ask("research", QUESTION);
  expect(run.status).toBe("succeeded");
  const planned = model.requests.filter((request) => askedRole(request) === "planner-response");
  expect(planned).toHaveLength(2);
  for (const request of planned) {
    const told = contentsOf(request, "user").at(-1) ?? "";
    expect(told).toMatch(/<data files__read_text_file \w+>\nRead the complete contents of a file/);
    expect(told).toMatch(
      /<data notes__note \w+>\nWrites a line\.\n<\/data \w+>\n\(notes__note changes something: only for a task in which/,
    );
    expect(told).not.toContain("(files__read_text_file changes something");
    expect(told.indexOf("<data calculator ")).toBeLessThan(told.indexOf("<data files__"));
  }
  const worked = model.requests.filter((request) => askedRole(request) === "tools");
  expect(worked.map((request) => offeredTools(request).includes("notes__note"))).toEqual([true, true]);
  expect(await listingsOf(dossier, run.id)).toHaveLength(1);
  await expectReplay(dossier, run.id);
});

it("plans without a server that is missing or never answers, does not wait for it again, and reports it once", async () => {
  const { ask, dossier, model } = await openWithServers(TWO, () => ({
    gone: { command: "/no/such/command" },
    silent: odd("silent", "", { connectTimeoutMs: 1_000 }),
    notes: odd(),
  }));
  const { run, of } = await ask("research", QUESTION);
  expect(run.status).toBe("succeeded");
  expect(of("source-failed").map(({ source, failure, path }) => [source, failure, path])).toEqual([
    ["mcp:gone", "unreachable", ""],
    ["mcp:silent", "timeout", ""],
  ]);
  expect(run.report?.ledger.filter(({ target }) => target === "tools/list").map(({ source }) => source)).toEqual([
    "mcp:gone",
    "mcp:silent",
  ]);
  expect(contentsOf(model.requests[0]!, "user").at(-1)).toContain("<data notes__note ");
  await expectReplay(dossier, run.id);
});

it("connects to no server if rules plan: without a model, or if no model call can be paid", async () => {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const MCP_SERVERS = writeServers(dir, { notes: odd("pid", join(dir, "pid")) });
  const keyless = await openDossier({ parts: { tools: [] }, environment: { MCP_SERVERS, SOURCES: "corpus,mcp:notes" } });
  const { id } = await keyless.start({ graph: "research", question: QUESTION });
  expect((await keyless.finish(id)).status).toBe("succeeded");
  expect(existsSync(join(dir, "pid"))).toBe(false);
  expect(await listingsOf(keyless, id)).toEqual([]);

  const { ask, dossier, dir: other } = await openWithServers(TWO, (folder) => ({ notes: odd("pid", join(folder, "pid")) }));
  const { run } = await ask("research", QUESTION, { limits: { modelCalls: 0 } });
  expect(run.status).toBe("succeeded");
  expect(existsSync(join(other, "pid"))).toBe(false);
  expect(await listingsOf(dossier, run.id)).toEqual([]);
});
