import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { type HostileService, openHostileService } from "./hostile-service.ts";
import { hostileModel, ROLES, type Role, SETTINGS, type Told } from "./roles.ts";

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

async function statusOf({ url }: HostileService, id: string): Promise<string> {
  return ((await (await fetch(`${url}/research/${id}`)).json()) as { status: string }).status;
}

it.each(CASES)("cancel and SIGTERM hold while %s of hostile texts are read", async (_, role) => {
  const service = await open(role);
  const id = await service.start();
  await expect.poll(() => statusOf(service, id)).not.toBe("queued");
  const canceled = await fetch(`${service.url}/research/${id}/cancel`, { method: "POST" });
  // 409: the run was faster than the cancel.
  expect([202, 409]).toContain(canceled.status);
  await expect.poll(() => statusOf(service, id)).toMatch(/^(?:cancelled|succeeded)$/);

  const next = await service.start();
  await expect.poll(() => statusOf(service, next)).not.toBe("queued");
  service.child.kill("SIGTERM");
  const [code] = (await once(service.child, "exit")) as [number | null];
  expect(code).toBe(0);
});

it.each(CASES.slice(1))(`MAX_SECONDS=${CAP_SECONDS} ends a run that reads %s of hostile texts`, async (_, role) => {
  const service = await open(role, { MAX_SECONDS: String(CAP_SECONDS) });
  const id = await service.start();
  await expect.poll(() => statusOf(service, id)).toMatch(/^(?:succeeded|failed)$/);
});
