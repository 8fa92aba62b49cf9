import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { askedRole, roleScript } from "../../fakes/model-server/role-script.ts";
import { contentsOf, offeredTools } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, plan, ROLES, verdict, WALL } from "../../fakes/scripted-roles.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { ODD, odd } from "../../helpers/mcp-servers.ts";
import { expectReplay, openWithServers } from "./mcp-under-test.ts";

const todo = (id: string) => plan([{ id, description: `${WALL} (${id})`, by: "agent" }]);

/** Plans as scripted; the judge always objects. */
const planning = (plans: readonly Behavior[]) =>
  roleScript({
    ...ROLES,
    "planner-response": plans,
    "verifier-response": [verdict(false, [], "再找找。")],
    tools: () => say.text("花岗岩。"),
  });

const listings = (ledger: readonly { target: string; source: string }[] = []) =>
  ledger.filter(({ target }) => target === "tools/list").map(({ source }) => source);

it("offers the tools of a server that has come back to the todos of the next plan, and lists only that server again", async () => {
  const clock = jumpingClock();
  const script = planning([todo("一"), todo("二"), todo("三")]);
  const opened = await openWithServers(
    async (request, index) => {
      const file = join(opened.dir, "server.ts");
      if (askedRole(request) === "verifier-response" && !existsSync(file)) {
        symlinkSync(ODD, file);
        // A server that failed is not tried again for a while.
        clock.jump(60_000);
      }
      return typeof script === "function" ? script(request, index) : undefined;
    },
    (dir) => ({ later: { command: process.execPath, args: [join(dir, "server.ts")] }, notes: odd() }),
    { clock: clock.now },
  );
  const { ask, dossier, model } = opened;
  const { run } = await ask("research", `${BUILDER} ${WALL}`);
  expect(run.status).toBe("succeeded");
  expect(listings(run.report?.ledger)).toEqual(["mcp:later"]);
  const asked = (role: string) => model.requests.filter((request) => askedRole(request) === role);
  const planned = asked("planner-response").map((request) => (contentsOf(request, "user").at(-1) ?? "").match(/\w+__note(?= \w+>)/g));
  expect(planned.slice(0, 2)).toEqual([["notes__note"], ["notes__note", "later__note"]].map((names) => expect.arrayContaining(names)));
  expect(planned[0]).not.toContain("later__note");
  const worked = asked("tools").map((request) => offeredTools(request).filter((name) => name.endsWith("__note")));
  expect(worked[0]).toEqual(["notes__note"]);
  expect(worked.at(-1)).toEqual(["notes__note", "later__note"]);
  await expectReplay(dossier, run.id);
});

it("tries a missing server once for each plan, and not again if the planner only plans further", async () => {
  const { ask, dossier } = await openWithServers(
    planning([plan([{ id: "T1", description: BUILDER }], { needsMorePlanning: true }), todo("一"), todo("二"), todo("三")]),
    () => ({ gone: { command: "/no/such/command" }, notes: odd() }),
  );
  const { run } = await ask("research", `${BUILDER} ${WALL}`);
  expect(listings(run.report?.ledger)).toEqual(["mcp:gone", "mcp:gone"]);
  await expectReplay(dossier, run.id);
});
