import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { openModelServer } from "../../test/fakes/model-server/serve.ts";
import { DEEP, settingsOf, startWorld } from "../../test/graphs/research/deep-world.ts";
import { LONG_REPORT, PICTURED } from "./scripted-answers.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "lighthouse.md":
    "# The lighthouse of Aldermoor\n\nThe lighthouse of Aldermoor was built in 1874 by Ada Penrose. Its lamp burns whale oil and can be seen from thirty kilometres away.\n\nThe keeper of the lighthouse climbs two hundred and twelve steps every evening.\n",
  "harbour.txt":
    "The harbour of Aldermoor freezes over in January.\n\nAda Penrose also designed the harbour wall, which is made of granite from Tolmere.\n",
  "zh/灯塔.md": "# 奥尔德穆尔灯塔\n\n奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。灯塔的灯使用鲸油，三十公里外都能看见。\n",
};

export interface Services {
  /** Addresses of a service without a model and of one with a scripted model. */
  readonly keyless: string;
  readonly modelled: string;
  /** A run with a report in sections, at the address of its service, and the numbers of the events that wrote its draft. */
  long(): Promise<{ readonly url: string; readonly id: string; readonly draft: readonly number[] }>;
  start(url: string, request: Readonly<Record<string, unknown>>, until: "ended" | "waiting" | "running"): Promise<string>;
  /** Cancels what was started until `running`, since it would keep the model busy. */
  cancelRunning(): Promise<void>;
  close(): Promise<void>;
}

/** Two services over a small folder of texts, on loopback ports. */
export async function openServices(home: string): Promise<Services> {
  const corpus = join(home, "corpus");
  await mkdir(join(corpus, "zh"), { recursive: true });
  for (const [name, text] of Object.entries(TEXTS)) await writeFile(join(corpus, name), text);
  const model = await openModelServer(PICTURED);
  const withModel = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "qwen3:8b", OPENAI_API_KEY: "sk-test" };
  const opened = [await serve(join(home, "keyless"), corpus, {}), await serve(join(home, "modelled"), corpus, withModel)];
  const running: string[] = [];
  let written: ReturnType<typeof writeLong> | undefined;
  return {
    keyless: opened[0]?.url ?? "",
    modelled: opened[1]?.url ?? "",
    long: () => (written ??= writeLong(home)),
    start: async (url, request, until) => {
      const id = await start(url, request, until);
      if (until === "running") running.push(`${url}/research/${id}/cancel`);
      return id;
    },
    async cancelRunning() {
      for (const address of running.splice(0)) await fetch(address, { method: "POST" });
    },
    async close() {
      for (const { close } of opened) await close();
      await (await written)?.close();
      await model.close();
    },
  };
}

/** Writes a report with an outline about eight harbours. Some of its sentences have no quote, one contradicts its quote. */
async function writeLong(home: string) {
  const web = await startWorld();
  const model = await openModelServer(LONG_REPORT);
  const withModel = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "qwen3:8b", OPENAI_API_KEY: "sk-test" };
  const service = await serve(join(home, "long"), join(home, "corpus"), { ...withModel, ...settingsOf(web.url) });
  const id = await start(service.url, DEEP, "ended");
  const ended = async (): Promise<boolean> => {
    const { status } = (await (await fetch(`${service.url}/research/${id}`)).json()) as { status: string };
    return status !== "running" && status !== "queued";
  };
  while (!(await ended())) await new Promise((resolve) => setTimeout(resolve, 500));
  const events = await (await fetch(`${service.url}/research/${id}/events`)).text();
  const written = events.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
  const draft = written.flatMap(({ seq, type, part }) => (type === "content" && part !== undefined ? [seq as number] : []));
  const close = async (): Promise<void> => {
    await service.close();
    await model.close();
    await web.close();
  };
  return { url: service.url, id, draft, close };
}

async function serve(data: string, corpus: string, environment: Readonly<Record<string, string>>) {
  const config = readConfig({ DATA_DIR: data, CORPUS_DIR: corpus, LOG_LEVEL: "silent", SOURCES: "corpus", ...environment });
  const dossier = await compose(config);
  const { runs, threads, operations, tenancy, reports, version } = dossier;
  const app = await buildApp({ runs, threads, operations, tenancy, reports, version, logger: pino({ level: "silent" }) });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  await dossier.prepare(new AbortController().signal);
  return { url, close: () => app.close().then(() => dossier.close(0)) };
}

async function start(url: string, request: Readonly<Record<string, unknown>>, until: "ended" | "waiting" | "running"): Promise<string> {
  const headers = { "content-type": "application/json", ...(until === "running" ? {} : { prefer: "wait=30" }) };
  const response = await fetch(`${url}/research`, { method: "POST", headers, body: JSON.stringify(request) });
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error(`The run was not started: ${response.status}`);
  return id;
}
