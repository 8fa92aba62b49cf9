import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig, SETTINGS } from "../src/config.ts";
import { DossierError } from "../src/errors.ts";

it("has the defaults that the documentation names", () => {
  expect(readConfig({})).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 3000,
    DATA_DIR: "./data",
    LOG_LEVEL: "info",
    RUN_CONCURRENCY: 8,
    MAX_SECONDS: 3_600,
    UNSUPPORTED_SENTENCES: "show",
    SUPPORT_CHECK: "code",
    TIME_ZONE: "UTC",
  });
});

it("treats an empty value as unset", () => {
  expect(readConfig({ PORT: "", SOURCES: " , ", MAX_COST_USD: "" })).toMatchObject({ PORT: 3000 });
});

it("names every wrong setting, whichever check refuses it", () => {
  const environment = {
    PORT: "seventy",
    RUN_CONCURRENCY: "0",
    LOG_LEVEL: "loud",
    ALLOWED_HOSTS: "localhost,http://a",
    CORS_ORIGINS: "*",
    SOURCES: "moon, corpus, 月亮",
  };
  const named = () => {
    try {
      readConfig(environment, ["corpus"]);
    } catch (error) {
      return error instanceof DossierError ? error.faults.map(({ path }) => path) : [];
    }
    return [];
  };
  expect(named().toSorted()).toEqual(["ALLOWED_HOSTS", "CORS_ORIGINS", "LOG_LEVEL", "PORT", "RUN_CONCURRENCY", "SOURCES"]);
  expect(() => readConfig(environment, ["corpus"])).toThrow("SOURCES: moon, 月亮 is not known; the known names are: corpus");
});

it("reads secrets from files that settings name, and names what is wrong with a file but not what is in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const config = readConfig({
    OPENAI_API_KEY_FILE: fileOf("openai", "sk-geheim\n"),
    OIDC_CLIENT_SECRET_FILE: fileOf("oidc", "灯塔\n"),
    DATABASE_URL_FILE: fileOf("database", "postgres://u:p@db/dossier"),
    TAVILY_API_KEY_FILE: fileOf("tavily", "tvly-1"),
    ANTHROPIC_API_KEY_FILE: fileOf("anthropic", "ant-1"),
    HTTPS_PROXY_FILE: fileOf("proxy", "u:p@proxy:3128"),
    RERANK_API_KEY_FILE: "",
  });
  expect(config).toMatchObject({
    OPENAI_API_KEY: "sk-geheim",
    OIDC_CLIENT_SECRET: "灯塔",
    DATABASE_URL: "postgres://u:p@db/dossier",
    HTTPS_PROXY: "http://u:p@proxy:3128",
  });
  expect(config.services["tavily"]).toMatchObject({ apiKey: "tvly-1" });
  expect(config.providers["anthropic"]).toMatchObject({ apiKey: "ant-1" });
  const empty = fileOf("empty", "\n");
  const wrong = {
    ...{ OPENAI_API_KEY: "a", OPENAI_API_KEY_FILE: fileOf("twice", "sk-geheim"), EMBEDDINGS_API_KEY_FILE: empty },
    ...{ RERANK_API_KEY_FILE: join(folder, "none"), DATABASE_URL_FILE: fileOf("url", "mysql://geheim") },
  };
  const faults = [
    "OPENAI_API_KEY is set too",
    "EMBEDDINGS_API_KEY_FILE: the file is empty",
    "RERANK_API_KEY_FILE: the file cannot be read (ENOENT)",
    /^(?!.*geheim).*DATABASE_URL: /s,
  ];
  for (const fault of faults) expect(() => readConfig(wrong)).toThrow(fault);
});

it.each(["0x50", "8e1", "+80", "-1", "80.0", "８０", "8 0", "1_000", "65536", "1e999"])("refuses the port %s", (PORT) => {
  expect(() => readConfig({ PORT })).toThrow("PORT: ");
});

it.each([
  { TIME_ZONE: "Berlin" },
  { TIME_ZONE: "+02:00" },
  { SUPPORT_CHECK: "judge" },
  { UNSUPPORTED_SENTENCES: "hide" },
  { OIDC_ISSUER: "https://login.example" },
  { OIDC_CLIENT_ID: "dossier" },
  { OIDC_SCOPES: "ask,write" },
  { OIDC_TENANT: "A b" },
])("refuses %j", (environment) => {
  expect(() => readConfig(environment)).toThrow(expect.objectContaining({ code: "config_invalid" }));
});

it("reads decimal numbers, with a fraction for seconds and money", () => {
  const config = readConfig({ PORT: " 8080 ", MAX_SECONDS: "0.5", DRAIN_SECONDS: "0", MAX_COST_USD: "1.25", MAX_STEPS: "7" });
  expect(config).toMatchObject({ PORT: 8080, MAX_SECONDS: 0.5, DRAIN_SECONDS: 0, MAX_COST_USD: 1.25, MAX_STEPS: 7 });
  for (const MAX_SECONDS of ["0", "0x1", "1e1", ".5", "Infinity", "86401"])
    expect(() => readConfig({ MAX_SECONDS })).toThrow("MAX_SECONDS: ");
  for (const DRAIN_SECONDS of ["-1", "1e1", "NaN"]) expect(() => readConfig({ DRAIN_SECONDS })).toThrow("DRAIN_SECONDS: ");
});

it("knows the settings that .env.example explains, and no others", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const named = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...SETTINGS].toSorted());
});

it.each([
  ["http://127.0.0.1:8000/v1?x=1", "must end with its path"],
  ["http://127.0.0.1:8000/v1#中", "must end with its path"],
  ["http://127.0.0.1:8000/v1/chat/completions", "must be the address above /chat/completions"],
  ["http://127.0.0.1:8000/v1/completions/", "must be the address above /chat/completions"],
])("refuses %s as the address of a model's server", (OPENAI_BASE_URL, why) => {
  expect(() => readConfig({ OPENAI_BASE_URL })).toThrow(`OPENAI_BASE_URL: ${why}`);
});

it("takes a model of any provider with its key or address", () => {
  expect(readConfig({ MODEL: "anthropic:claude", ANTHROPIC_API_KEY: "k" })).toMatchObject({
    MODEL: "anthropic:claude",
    providers: { anthropic: { apiKey: "k" }, ollama: {} },
  });
  expect(readConfig({ MODEL: "ollama:qwen3:8b" }).MODEL).toBe("ollama:qwen3:8b");
  expect(() => readConfig({ MODEL: "mistralai:large" })).toThrow("MODEL: has no effect without MISTRAL_BASE_URL or MISTRAL_API_KEY");
  expect(() => readConfig({ MODEL: "qwen3:8b" })).toThrow("MODEL: must be provider:name");
  expect(() => readConfig({ OPENAI_BASE_URL: "http://a.example/v1", OPENAI_MODELS: "writer=deepseek:chat" })).toThrow("DEEPSEEK_API_KEY");
});

it("refuses a model without a server, and two models for one role", () => {
  expect(() => readConfig({ OPENAI_MODEL: "qwen3:8b" })).toThrow("OPENAI_MODEL: has no effect without OPENAI_BASE_URL or OPENAI_API_KEY");
  expect(() => readConfig({ OPENAI_MODELS: "writer=a" })).toThrow("OPENAI_MODELS: has no effect");
  const OPENAI_BASE_URL = "http://127.0.0.1:11434/v1/";
  expect(() => readConfig({ OPENAI_BASE_URL, OPENAI_MODELS: "writer=a,writer=b" })).toThrow(
    "OPENAI_MODELS: the role writer is given twice",
  );
  expect(readConfig({ OPENAI_BASE_URL, OPENAI_MODEL: "qwen3:8b", OPENAI_MODELS: "writer=a,agent=b" })).toMatchObject({
    OPENAI_BASE_URL,
    OPENAI_MODELS: { writer: "a", agent: "b" },
  });
});

it.each([
  [{ OPENAI_BASE_URL: "ollama:11434/v1" }, "OPENAI_BASE_URL: must be an address with http:// or https://, such as "],
  [{ RERANK_BASE_URL: "重排/v1" }, "RERANK_BASE_URL: must be an address with http:// or https://, such as "],
  [{ CONTACT_EMAIL: "港口办公室" }, "CONTACT_EMAIL: must be an address such as name@example.org"],
  [{ CORS_ORIGINS: "https://app.example.org/" }, "CORS_ORIGINS: each entry must be like https://example.com, without a slash at its end"],
  [{ ALLOWED_HOSTS: "localhost,*.example.org" }, "ALLOWED_HOSTS: each entry must be name or name:port, without *"],
  [{ ALLOWED_PRIVATE_HOSTS: "intranet" }, "ALLOWED_PRIVATE_HOSTS: each entry must be host:port, such as intranet.example:8080"],
])("says which form a setting must have: %j", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});
