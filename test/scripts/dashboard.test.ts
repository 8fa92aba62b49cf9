import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Metrics } from "../../src/telemetry/metrics.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

interface Panel {
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string }[];
}

/** The names of the samples that a process serves. */
async function servedNames(): Promise<Set<string>> {
  const metrics = new Metrics({ version: "1", active: () => 0, queue: async () => ({ queued: 0, oldestAt: null }), clock: () => 0 });
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const histogram = (name: string) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`];
  return new Set(types.flatMap(([, name = "", type]) => (type === "histogram" ? histogram(name) : [name])));
}

const namesIn = (text: string): string[] => text.match(/\b(?:dossier|nodejs|process)_[a-z0-9_]+/g) ?? [];

it("the dashboard asks only for metrics that the service serves, and for each of its own", async () => {
  const served = await servedNames();
  const { panels } = JSON.parse(read("deploy/grafana-dashboard.json")) as { panels: Panel[] };
  const asked = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr)));
  expect(asked.filter((name) => !served.has(name))).toEqual([]);
  const families = [...served].filter((name) => name.startsWith("dossier_") && !/_(?:bucket|sum|count)$/.test(name));
  expect(families.filter((family) => !asked.some((name) => name.startsWith(family)))).toEqual([]);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x}:${y}`)).size).toBe(panels.length);
});

it("docs/operations.md names only metrics that the service serves", async () => {
  const served = await servedNames();
  expect(namesIn(read("docs/operations.md")).filter((name) => !served.has(name))).toEqual([]);
});
