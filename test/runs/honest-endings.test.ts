import { expect, it } from "vitest";
import { openDossier } from "../helpers/open-dossier.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

async function ask(
  request: { question: string; limits?: { seconds?: number; downloads?: number } },
  environment: Record<string, string> = {},
) {
  const dossier = await openDossier({ environment });
  const run = await dossier.finish((await dossier.start(request)).id);
  return { reason: run.termination?.reason, markdown: run.report?.markdown ?? "" };
}

it("distinguishes what was not found, not searched, not read, and not reached in time", async () => {
  const nothing = await ask({ question: "What is the capital of Mars?" });
  expect(nothing).toMatchObject({ reason: "no_answer", markdown: expect.stringContaining("no answer was found.") });
  const unreachable = await ask({ question: "谁建造了灯塔？" }, { CORPUS_DIR: "/nonexistent" });
  expect(unreachable).toMatchObject({ reason: "no_answer", markdown: expect.stringContaining("范围内的来源都无法查找") });
  const unread = await ask({ question: QUESTION, limits: { downloads: 0 } });
  expect(unread).toMatchObject({ reason: "no_answer", markdown: expect.stringContaining("none of them was read") });
  const late = await ask({ question: QUESTION, limits: { seconds: 0.001 } });
  expect(late.reason).toBe("time_budget");
  expect(late.markdown).toContain("No source in scope could be searched");
});
