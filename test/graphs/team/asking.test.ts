import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { CORPUS, makeHome, openDossier } from "../../helpers/open-dossier.ts";
import { startService } from "../../helpers/start-service.ts";
import { child, SUPERVISOR, startTeam } from "./team-under-test.ts";

const MODEL = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "nobody", SOURCES: "corpus" };
const many = (count: number) => Array.from({ length: count }, (_, at) => child(`c${at}`));

/** Returns the path of a teams file in a folder that is removed when the test has finished. */
async function teamsFile(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, "teams.json");
}

/** Returns a function that sends a server a request for a team and returns its answer. */
async function open(environment: Readonly<Record<string, string>>) {
  const service = await startService({ environment });
  return async (body: Record<string, unknown>) => {
    const problem = (await service.ask({ question: "谁在这里？", graph: "team", ...body })) as Problem;
    return { status: problem.status, code: problem.code, paths: problem.errors?.map(({ path }) => path) ?? [] };
  };
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly errors?: readonly { readonly path: string }[];
}

describe("a request for a team", () => {
  const REFUSED: readonly [what: string, team: unknown, paths: readonly string[]][] = [
    ["two children of one id", { pattern: "concurrent", children: [child("a"), child("b"), child("a")] }, ["/team/children/2/id"]],
    ["nine children", { pattern: "concurrent", children: many(9) }, ["/team/children"]],
    ["no children", { pattern: "concurrent", children: [] }, ["/team/children"]],
    ["an id that is no name", { pattern: "concurrent", children: [child("a/b")] }, ["/team/children/0/id"]],
    [
      "a prompt that is too long",
      { pattern: "concurrent", children: [{ id: "长", prompt: "长".repeat(8_001) }] },
      ["/team/children/0/prompt"],
    ],
    [
      "a stage with an unknown child",
      { pattern: "hybrid", children: [child("a")], stages: [{ children: ["a", "z"], concurrent: true }] },
      ["/team/stages/0/children/1"],
    ],
    [
      "a child in two stages",
      { pattern: "hybrid", children: [child("a")], stages: [{ children: ["a"] }, { children: ["a"] }] },
      ["/team/stages/1/children/0"],
    ],
    ["a child in no stage", { pattern: "hybrid", children: [child("a"), child("b")], stages: [{ children: ["a"] }] }, ["/team/stages"]],
    ["no stages where they are needed", { pattern: "hybrid", children: [child("a")] }, ["/team/stages"]],
    ["stages where there are none", { pattern: "sequential", children: [child("a")], stages: [{ children: ["a"] }] }, ["/team/stages"]],
    ["an unknown pattern", { pattern: "chaotic", children: [child("a")] }, ["/team/pattern"]],
    ["an unknown field", { pattern: "concurrent", children: [child("a", { mood: "good" })] }, ["/team/children/0/mood"]],
    [
      "more time than the run has",
      { pattern: "concurrent", children: [child("a", { timeoutMs: 3_600_001 })] },
      ["/team/children/0/timeoutMs"],
    ],
    ["an unknown name", "nobody", ["/team"]],
    ["none, where there is no default", undefined, ["/team"]],
  ];

  it("is refused with the place of each fault, and by another graph", async () => {
    const post = await open(MODEL);
    for (const [what, team, paths] of REFUSED)
      expect([what, await post({ team })]).toEqual([what, { status: 400, code: "invalid_request", paths }]);
    const team = { pattern: "concurrent", children: [child("a")] };
    expect(await post({ team, graph: "agent" })).toEqual({ status: 400, code: "invalid_request", paths: ["/team"] });
  });

  it("is refused by a server without a model", async () => {
    const post = await open({ SOURCES: "corpus" });
    const team = { pattern: "concurrent", children: [child("a")] };
    expect(await post({ team })).toMatchObject({ status: 422, code: "model_required" });
    expect(await post({ graph: "agent" })).toMatchObject({ status: 422, code: "model_required" });
  });

  it("may name a team of the server's file, whose default is used if none is named", async () => {
    const file = await teamsFile();
    const pair = { pattern: "sequential", children: [child("一"), child("二")] };
    await writeFile(file, JSON.stringify({ default: { pattern: "concurrent", children: [child("solo")] }, 两人: pair }));
    const does = {
      solo: () => say.text("I did it."),
      一: () => say.text("一好了。"),
      二: () => say.text("二好了。"),
      [SUPERVISOR]: () => say.text("Done."),
    };
    const team = await startTeam(does, { environment: { TEAMS: file } });
    expect((await team.ask("谁？", undefined)).children.map(({ id }) => id)).toEqual(["solo"]);
    expect((await team.ask("谁？", "两人")).children.map(({ id }) => id)).toEqual(["一", "二"]);
    expect(team.dossier.operations.graph("team").teams).toEqual([
      { name: "default", pattern: "concurrent", children: ["solo"] },
      { name: "两人", pattern: "sequential", children: ["一", "二"] },
    ]);
    expect(team.dossier.operations.graph("agent").teams).toBeUndefined();
  });
});

describe("a file of teams that cannot be used", () => {
  it.each([
    ["is no JSON", "{", "it cannot be read"],
    [
      "has a child twice",
      JSON.stringify({ 好: { pattern: "concurrent", children: [child("a"), child("a")] } }),
      "好/children/1/id: a is already the id",
    ],
    ["has a name that is none", JSON.stringify({ "a b": { pattern: "concurrent", children: [child("a")] } }), '"a b" is not a valid name'],
  ])("stops the start because it %s, with file and key", async (_, text, told) => {
    const file = await teamsFile();
    await writeFile(file, text);
    const opening = openDossier({ environment: { TEAMS: file } });
    await expect(opening).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining(`TEAMS, ${file}`) });
    await expect(opening).rejects.toThrow(told);
  });
});
