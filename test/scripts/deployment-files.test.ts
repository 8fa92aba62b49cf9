import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("compose.yaml", () => {
  const { dossier } = parse(read("compose.yaml")).services;

  it("serves anonymous callers on this machine's loopback only", () => {
    expect(dossier.environment).toMatchObject({ HOST: "0.0.0.0", ALLOW_ANONYMOUS: "1" });
    expect(dossier.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
    expect(dossier.network_mode).toBeUndefined();
  });

  it("drops every privilege that the service does not need", () => {
    expect(dossier).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], tmpfs: ["/tmp"] });
    expect(dossier.volumes).toContainEqual({ type: "bind", source: expect.stringContaining("./docs"), target: "/corpus", read_only: true });
    // Docker Compose replaces this by nothing if CORPUS_DIR is not set.
    expect(dossier.environment.CORPUS_DIR).toMatch(/^\$\{CORPUS_DIR:\+\/corpus\}$/);
  });

  it("keeps the data and leaves time to drain", () => {
    expect(dossier).toMatchObject({ restart: "unless-stopped", stop_grace_period: "30s" });
    expect(dossier.volumes).toContainEqual({ type: "volume", source: "data", target: "/data" });
  });
});

describe("langgraph.json", () => {
  it("names each graph as an export of src/langgraph.ts", () => {
    const exported = [...read("src/langgraph.ts").matchAll(/^export const (\w+) = graphNamed\("\1"\);$/gm)].map(([, name]) => name);
    expect(exported.toSorted()).toEqual(["agent", "executor", "research", "team"]);
    expect(JSON.parse(read("langgraph.json")).graphs).toEqual(
      Object.fromEntries(exported.map((name) => [name, `./src/langgraph.ts:${name}`])),
    );
  });
});

describe(".env.example", () => {
  it("shows settings commented out, with their defaults", () => {
    const settings = [...read(".env.example").matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(Object.fromEntries(settings)).toMatchObject({
      HOST: "127.0.0.1",
      PORT: "3000",
      ALLOW_ANONYMOUS: "",
      ALLOWED_HOSTS: "",
      CORS_ORIGINS: "",
      DATA_DIR: "./data",
      CORPUS_DIR: "",
      SOURCES: "",
      LOG_LEVEL: "info",
      MAX_OPTIONAL_TOOL_LOOPS: "3",
      MAX_STEPS: "50",
      MAX_MODEL_CALLS: "80",
      MAX_TOKENS: "2000000",
      MAX_COST_USD: "",
      MAX_SECONDS: "3600",
      MAX_DOWNLOADS: "60",
      MAX_PARALLEL_TODOS: "4",
      MAX_WAITING_DAYS: "30",
      DRAIN_SECONDS: "20",
      RUN_CONCURRENCY: "8",
      UNSUPPORTED_SENTENCES: "show",
      SUPPORT_CHECK: "code",
      TIME_ZONE: "UTC",
      RERANK_BASE_URL: "",
      RERANK_API_KEY: "",
      RERANK_MODEL: "",
      EMBEDDINGS_BASE_URL: "",
      EMBEDDINGS_API_KEY: "",
      EMBEDDINGS_MODEL: "",
    });
    expect(new Set(settings.map(([name]) => name)).size).toBe(settings.length);
    expect(read(".env.example")).not.toMatch(/^[^#\n]/m);
  });
});
