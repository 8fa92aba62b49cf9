import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Parts } from "../../../src/compose/parts.ts";
import { replay } from "../../../src/compose.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import type { Replay } from "../../../src/runs/replay.ts";
import type { Script } from "../../fakes/model-server/script.ts";
import { makeFolder, writeServers } from "../../helpers/mcp-servers.ts";
import type { TestDossier } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { watch } from "../agent/agent-under-test.ts";

type Servers = Parameters<typeof writeServers>[1];

/** The real program with a scripted model and the MCP servers of a file, all within its widest scope. */
export async function openWithServers(script: Script, servers: (dir: string) => Servers, parts: Parts = {}) {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  await writeFile(join(dir, "灯塔.txt"), "灯塔建于1874年，高三十米。\n");
  const mcpServers = servers(dir);
  const MCP_SERVERS = writeServers(dir, mcpServers);
  const SOURCES = ["corpus", ...Object.keys(mcpServers).map((name) => `mcp:${name}`)].join(",");
  const opened = await openWithModel(script, { parts: { tools: [], ...parts }, environment: { MCP_SERVERS, SOURCES } });
  return {
    ...opened,
    dir,
    environment: { MCP_SERVERS, SOURCES, OPENAI_BASE_URL: opened.model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" },
    async ask(graph: string, question: string, more: Parameters<TestDossier["start"]>[0] | object = {}) {
      const { id } = await opened.dossier.start({ graph, question, ...more });
      return watch(opened.dossier, id);
    },
  };
}

/** Expects that a run replays from its recording, without any server. */
export async function expectReplay(dossier: TestDossier, runId: string): Promise<Replay> {
  const recording = await readRecording(await dossier.recordingLines(runId));
  const again = await replay(recording, { tools: [] });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  return again;
}
