import { expect, it, onTestFinished } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { DEEP, deepScript, factOf, HARBOURS, settingsOf, startWorld } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

async function ask(script: (request: SeenRequest) => Behavior | undefined) {
  const web = await startWorld();
  onTestFinished(() => web.close());
  const settings = { environment: settingsOf(web.url), parts: { tools: [] }, corpus: {} };
  const { dossier, model } = await openWithModel(script, settings);
  const run = await dossier.finish((await dossier.start(DEEP)).id);
  await expectReplay({ dossier, run });
  const ledger = run.report?.ledger.filter(({ what }) => what === "model") ?? [];
  return { run, model, claims: run.report?.claims.map(({ text }) => text) ?? [], ledger };
}

const written = deepScript();
const roleOf = ({ body }: SeenRequest): string => String(body.model);

it.each(["ok", "一切都好。"])("a deep run lists what its todos quote if its report is only %s, and says so", async (words) => {
  const { run, claims, ledger } = await ask((request) => {
    if (roleOf(request) === "outline") return say.text(words);
    return roleOf(request) === "summary" ? say.component("summary-response", { answer: words, missing: [] }) : written(request);
  });
  for (const harbour of HARBOURS) expect(claims).toContain(factOf(harbour, 2010));
  expect(claims).not.toContain(words);
  expect(run.termination?.reason).toBe("completed");
  expect(ledger).toMatchObject([{ target: "report", failure: "unreadable", detail: expect.stringContaining("citation that holds") }]);
});

const FACT = factOf(HARBOURS[1] ?? "", 2012);

/** The fact with the id of the note that quotes it. */
function citing(request: SeenRequest): string {
  const said = contentsOf(request, "user").at(-1) ?? "";
  const id = [...said.slice(0, said.indexOf(FACT)).matchAll(/<data (P\d+) /g)].at(-1)?.[1];
  return `${FACT} [${id}: “${FACT}”]`;
}

it("a deep run whose outline has no sections is written in one call, from all notes", async () => {
  const { model, claims, ledger } = await ask((request) => {
    if (roleOf(request) === "outline") return say.text(citing(request));
    if (roleOf(request) !== "summary") return written(request);
    return say.component("summary-response", { answer: citing(request), answers: "fully", missing: [] });
  });
  const writing = model.requests.map(roleOf).filter((role) => ["outline", "summary", "section"].includes(role));
  expect([writing, claims, ledger]).toEqual([["outline", "summary"], [FACT], []]);
});

it("a section of which nothing holds lists its notes, and the ledger says so", async () => {
  const { run, claims, ledger } = await ask((request) =>
    roleOf(request) === "section" ? say.text("我做不到。 I cannot.") : written(request),
  );
  for (const harbour of HARBOURS) expect(claims).toContain(factOf(harbour, 2010));
  expect(claims.join()).not.toContain("我做不到");
  expect(run.report?.blocks.filter(({ kind }) => kind === "heading")).toHaveLength(HARBOURS.length);
  expect(ledger.map(({ target }) => target)).toEqual(HARBOURS.map(() => "section"));
});
