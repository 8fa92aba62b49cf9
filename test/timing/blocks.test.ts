import { expect, it, onTestFinished } from "vitest";
import { cpuMs } from "../helpers/expect-linear.ts";
import { openHostileService } from "../hostile/hostile-service.ts";
import { ask, hostileModel, nameOf, ROLES, SETTINGS, type Told } from "../hostile/roles.ts";

const TARGET_MS = 50;
/** Above this, multiplied by the slowness of this machine, a test fails. */
const MOST_MS = 250;
const USUAL_MS = 40;
/** 400 and 413: a body that is too long or empty. 202: the machine is busy, and the run has not ended within a minute. */
const ANSWERS = [200, 202, 400, 413];

/** How much slower this machine computes than a usual one, at least 1. */
function slowness(): number {
  const once = () =>
    cpuMs(() => {
      let sum = 0;
      for (let i = 0; i < 30_000_000; i++) sum = Math.imul(sum ^ i, 0x01000193);
      return sum;
    });
  return Math.max(1, Math.min(once(), once(), once()) / USUAL_MS);
}

it.each(ROLES.map((role) => [role.name, role] as const))("%s of hostile texts never holds the event loop", async (name, role) => {
  const told: Told = { number: 0, how: "calls", calls: [] };
  const service = await openHostileService(role.model ? hostileModel(told) : null, SETTINGS);
  onTestFinished(() => service.close());
  await service.post(JSON.stringify({ question: "Who built the lighthouse of Aldermoor?", sources: ["corpus"] }));
  await service.feed("look");
  const blocks: { readonly texts: string; readonly processorMs: number }[] = [];
  for (const batch of role.batches) {
    expect(ANSWERS).toContain(await ask(service, role, batch, told));
    blocks.push({ texts: batch.map(nameOf).join(", "), ...(await service.feed("look")) });
  }
  blocks.sort((a, b) => b.processorMs - a.processorMs);
  const [longest] = blocks;
  const missed = blocks.filter(({ processorMs }) => processorMs > TARGET_MS).length;
  const factor = slowness();
  const ms = (longest?.processorMs ?? 0).toFixed(0);
  console.log(`${name}: longest block ${ms} ms (${longest?.texts}); ${missed} of ${blocks.length} runs above ${TARGET_MS} ms`);
  expect(longest?.processorMs).toBeLessThan(MOST_MS * factor);
});
