import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

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

describe("the profile of compose.yaml with several processes", () => {
  const services = parse(read("compose.yaml"), { merge: true }).services;
  const { api, postgres } = services;
  const workers = [services["worker-1"], services["worker-2"]];

  it("starts only when it is asked for, after PostgreSQL", () => {
    for (const one of [postgres, api, ...workers]) expect(one.profiles).toEqual(["scaled"]);
    for (const one of [api, ...workers]) expect(one.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  });

  it("shares the database, and no folder of data", () => {
    expect([api, ...workers].map(({ environment }) => environment.ROLE)).toEqual(["api", "worker", "worker"]);
    expect(new Set([api, ...workers].map(({ environment }) => environment.DATABASE_URL)).size).toBe(1);
    const folders = [services.dossier, api, ...workers].map(({ volumes }) => volumes[0]);
    for (const folder of folders) expect(folder).toMatchObject({ type: "volume", target: "/data" });
    expect(new Set(folders.map(({ source }) => source)).size).toBe(4);
  });

  it("is as closed as the one process, and publishes only the API on loopback", () => {
    for (const one of [api, ...workers]) expect(one).toMatchObject({ read_only: true, cap_drop: ["ALL"], stop_grace_period: "30s" });
    expect(api.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
    for (const one of [postgres, ...workers]) expect(one.ports ?? []).toEqual([]);
    for (const one of [postgres, api, ...workers])
      expect(one).toMatchObject({ security_opt: ["no-new-privileges:true"], mem_limit: "4g", pids_limit: 1_024 });
  });
});

describe("deploy/kubernetes.yaml", () => {
  const documents = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document) => document.toJS());
  const [settings] = documents;
  const deployments = documents.filter(({ kind }) => kind === "Deployment");

  it("deploys both roles, with the same settings and the secret address of the database", () => {
    const containers = deployments.map(({ spec }) => spec.template.spec.containers[0]);
    expect(containers.map(({ env }) => env)).toEqual([[{ name: "ROLE", value: "api" }], [{ name: "ROLE", value: "worker" }]]);
    for (const { envFrom } of containers)
      expect(envFrom).toEqual([{ configMapRef: { name: "dossier" } }, { secretRef: { name: "dossier" } }]);
  });

  it("leaves time to drain, and asks each process whether it lives and is ready", () => {
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.data.DRAIN_SECONDS) + 8);
      expect(containers[0].livenessProbe.httpGet.path).toBe("/healthz");
      expect(containers[0].readinessProbe.httpGet.path).toBe("/readyz");
    }
  });

  it("gives each process no privilege, a root file system that is read-only, and limits", () => {
    for (const { spec } of deployments) {
      const { containers, securityContext, automountServiceAccountToken } = spec.template.spec;
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      const closed = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
      expect(containers[0]).toMatchObject({ securityContext: closed, resources: { limits: { memory: expect.any(String) } } });
    }
  });

  it("sends requests to the processes that answer them", () => {
    expect(documents.find(({ kind }) => kind === "Service").spec.selector).toEqual(deployments[0].spec.selector.matchLabels);
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
