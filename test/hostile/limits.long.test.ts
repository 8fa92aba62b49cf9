import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type HostileService, openHostileService } from "./hostile-service.ts";
import { hostileModel, ROLES, type Role, SETTINGS, type Told } from "./roles.ts";

const UNDER_WAY_MS = 400;
const POLL_MS = 50;
/** A machine that is three times slower and busy meets this. A frozen process does not. */
const PATIENCE_MS = 30_000;
const CAP_SECONDS = 3;

const CASES = ["titles and snippets", "pages (html)", "pages (txt)", "tool results", "model: writer", "model: plan"].map((name) => {
  const role = ROLES.find((one) => one.name === name);
  if (role === undefined) throw new Error(`There is no role ${name}.`);
  return [name, role] as const;
});

async function open(role: Role, settings: Readonly<Record<string, string>> = {}): Promise<HostileService & { start(): Promise<string> }> {
  const told: Told = { number: 0, how: "calls", calls: [] };
  const service = await openHostileService(role.model ? hostileModel(told) : null, { ...SETTINGS, ...settings });
  onTestFinished(() => service.close());
  return {
    ...service,
    async start() {
      const [batch = []] = role.batches;
      role.tell?.(batch, told);
      if (role.feed !== undefined) await service.feed(role.feed(batch));
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${service.url}/research`, { method: "POST", headers, body: JSON.stringify(role.request(batch)) });
      expect(response.status).toBe(202);
      return ((await response.json()) as { id: string }).id;
    },
  };
}

/** Returns the status of a run as soon as it has ended, and how long that took. */
async function ended({ url }: HostileService, id: string): Promise<{ readonly status: string; readonly ms: number }> {
  const since = performance.now();
  for (;;) {
    const { status } = (await (await fetch(`${url}/research/${id}`)).json()) as { status: string };
    if (status !== "queued" && status !== "running") return { status, ms: performance.now() - since };
    await pause(POLL_MS);
  }
}

it.each(CASES)("cancel and SIGTERM hold while %s of hostile texts are read", async (_, role) => {
  const service = await open(role);
  const id = await service.start();
  await pause(UNDER_WAY_MS);
  const canceled = await fetch(`${service.url}/research/${id}/cancel`, { method: "POST" });
  // 409: the run was faster than the cancel.
  expect([202, 409]).toContain(canceled.status);
  const { status, ms } = await ended(service, id);
  expect(["cancelled", "succeeded"]).toContain(status);
  expect(ms).toBeLessThan(PATIENCE_MS);

  await service.start();
  await pause(UNDER_WAY_MS);
  const since = performance.now();
  service.child.kill("SIGTERM");
  const [code] = (await once(service.child, "exit")) as [number | null];
  expect(code).toBe(0);
  expect(performance.now() - since).toBeLessThan(PATIENCE_MS);
});

it.each(CASES.slice(1))(`MAX_SECONDS=${CAP_SECONDS} ends a run that reads %s of hostile texts`, async (_, role) => {
  const service = await open(role, { MAX_SECONDS: String(CAP_SECONDS) });
  const { ms } = await ended(service, await service.start());
  expect(ms).toBeLessThan(CAP_SECONDS * 1_000 + PATIENCE_MS);
});
