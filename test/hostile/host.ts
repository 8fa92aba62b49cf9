// The real service with a hostile source and a hostile tool: node host.ts '{"home", "pages", "settings"}'. It answers each IPC message with
// the longest block of its event loop since the last one.
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { sourceIdOf } from "../../src/domain/hit.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { TIME_LIMITS } from "../../src/network/send-request.ts";
import { startBlockMeter } from "../helpers/block-meter.ts";
import { localScope } from "../helpers/local-scope.ts";
import { finding } from "../helpers/search-answer.ts";
import type { Block, Feed } from "./hostile-service.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

const { home, pages, settings } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly home: string;
  readonly pages: string;
  readonly settings: Readonly<Record<string, string>>;
};
let feed: Feed = { numbers: [], length: 0, kind: "hits" };
let texts = new Map<number, string>();

const source: SearchSource = {
  id: "hostile",
  kind: "web",
  title: "Hostile",
  search: finding(({ text }) => {
    return feed.numbers.map((number) => {
      const url = `${pages}/${feed.length}/${number}.${feed.kind}`;
      const words = feed.kind === "hits" ? (texts.get(number) ?? "") : text.slice(0, 500);
      return {
        id: sourceIdOf(url),
        kind: "web",
        title: words,
        url,
        publishedAt: words,
        foundBy: "hostile",
        contentHash: null,
        snippet: words,
      };
    });
  }),
};

const Arguments = z.looseObject({ number: z.int().default(0) });
const tool: Tool<z.infer<typeof Arguments>> = {
  name: "hostile_tool",
  description: "Gives a hostile text.",
  kind: "query",
  schema: Arguments,
  timeoutMs: 20_000,
  async call({ number }) {
    const text = texts.get(number) ?? "";
    const found = { title: text, url: `https://example.org/${number}`, publishedAt: text, snippet: text, text };
    return { text, sources: [found], incomplete: text };
  },
};

const parts = { sources: [source], tools: [tool] };
const config = readConfig({
  ...{ DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus"), LOG_LEVEL: "silent" },
  ...{ SOURCES: localScope(parts), ...settings },
});
const dossier = await compose(config, { ...parts, network: { limits: { ...TIME_LIMITS, paced: false } } });
await dossier.prepare(new AbortController().signal);
const app = await buildApp(dossier);
await app.listen({ host: "127.0.0.1", port: 0 });

const meter = startBlockMeter();

process.on("message", (next: Feed | "look") => {
  process.send?.({ processorMs: meter.takeLongestMs() } satisfies Block);
  if (next !== "look") {
    feed = next;
    texts = new Map(feed.numbers.map((number) => [number, HOSTILE_TEXTS[number]?.[1](feed.length) ?? ""]));
    // Making the texts is no work of the service.
    meter.takeLongestMs();
  }
});
process.on("disconnect", () => process.exit());
process.once("SIGTERM", async () => {
  await dossier.drain(1_000);
  await app.close();
  await dossier.close(0);
  process.exit(0);
});
process.send?.({ port: (app.server.address() as AddressInfo).port });
