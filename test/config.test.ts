import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readConfig, SETTINGS } from "../src/config.ts";

it("has the defaults of the documentation", () => {
  expect(readConfig({})).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 3000,
    DATA_DIR: "./data",
    CORPUS_DIR: "./docs",
    LOG_LEVEL: "info",
    RUN_CONCURRENCY: 8,
    MAX_SECONDS: 600,
  });
});

it("takes an empty value for none", () => {
  expect(readConfig({ PORT: "", SOURCES: " ", MAX_COST_USD: "" })).toMatchObject({ PORT: 3000 });
});

it("names every setting that is wrong", () => {
  expect(() => readConfig({ PORT: "seventy", RUN_CONCURRENCY: "0", LOG_LEVEL: "loud" })).toThrow(
    /PORT: .*RUN_CONCURRENCY: .*|LOG_LEVEL: .*/s,
  );
});

it("refuses to serve other machines without being told to", () => {
  expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow(/ALLOW_ANONYMOUS=1/);
  expect(() => readConfig({ HOST: "127.0.0.1.example.org" })).toThrow(/ALLOW_ANONYMOUS=1/);
  expect(readConfig({ HOST: "0.0.0.0", ALLOW_ANONYMOUS: "1" }).HOST).toBe("0.0.0.0");
  for (const HOST of ["localhost", "::1", "127.1.2.3"]) expect(readConfig({ HOST }).HOST).toBe(HOST);
});

it("knows the settings that .env.example explains, and no others", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const named = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...SETTINGS].toSorted());
});
