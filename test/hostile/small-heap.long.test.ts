import { expect, it, onTestFinished } from "vitest";
import { openHostileService } from "./hostile-service.ts";
import { hostileModel, MEGABYTE, SETTINGS, type Told } from "./roles.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

const HEAP_MB = 256;
const RUNS = 16;
/** Sixteen runs over so much text take longer than other tests. */
const LIMIT_MS = 600_000;
const PAGES = ["all Chinese characters", "numbered lines", "different words"].map((wanted) =>
  HOSTILE_TEXTS.findIndex(([name]) => name === wanted),
);

it.each([
  ["all Chinese characters", "numbered lines"],
  ["different words", "cited quotes"],
])(
  `${RUNS} runs over pages of 1 MB, with models that write 1 MB of %s or %s, end well in a heap of ${HEAP_MB} MB`,
  { timeout: LIMIT_MS },
  async (...written) => {
    const told: Told = { number: 0, how: "writer", calls: [] };
    const heap = [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=16", "--heap-growing-percent=40"];
    const service = await openHostileService(hostileModel(told), { ...SETTINGS, MAX_SECONDS: "600" }, heap);
    onTestFinished(() => service.close());
    await service.feed({ numbers: PAGES, length: MEGABYTE, kind: "html" });
    const ids: string[] = [];
    for (let i = 0; i < RUNS; i += 1) {
      const question = `Who built the lighthouse of Aldermoor 水 a word 1? 谁建造了灯塔${i}？`;
      const response = await fetch(`${service.url}/research`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ question, sources: ["hostile"] }),
      });
      expect(response.status).toBe(202);
      ids.push(((await response.json()) as { id: string }).id);
    }
    const ends = new Map<string, unknown>();
    const countEnds = async (): Promise<number> => {
      told.number = HOSTILE_TEXTS.findIndex(([name]) => name === written[ends.size % written.length]);
      for (const id of ids) {
        const { status, termination } = (await (await fetch(`${service.url}/research/${id}`)).json()) as Record<string, unknown>;
        if (status !== "queued" && status !== "running") ends.set(id, { status, termination });
      }
      return ends.size;
    };
    // A heap at its limit, which collects garbage without end, would not answer.
    await expect.poll(countEnds, { timeout: LIMIT_MS, interval: 200 }).toBe(RUNS);
    const well = { status: "succeeded", termination: { reason: expect.stringMatching(/^(?:completed|no_answer)$/) } };
    for (const end of ends.values()) expect(end).toMatchObject(well);
    expect(service.child.exitCode).toBeNull();
  },
);
