import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { speaker } from "../graphs/team/team-under-test.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";
import { uncited } from "../helpers/uncited.ts";

const teamOf = (...ids: string[]) => ({ pattern: "sequential", children: ids.map((id) => ({ id, prompt: `#${id}`, tools: [] })) });
const TEAMS = { 评审: teamOf("正方", "反方"), reviewers: teamOf("one") };

/** Runs `npm run ask -- "…"`; the server has two teams, and `own.json` in the folder is a third one. */
async function askTeam(team: string, ...more: string[]) {
  const model = await startModelServer((request) =>
    say.text(speaker(request) === "supervisor" ? "大家都同意。" : `${speaker(request)} 已经完成。`),
  );
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "teams.json"), JSON.stringify(TEAMS));
  await writeFile(join(dir, "own.json"), JSON.stringify(teamOf("自己的")));
  const ended = await runCli(["ask", "灯塔好看吗？", "--team", team.endsWith(".json") ? join(dir, team) : team, ...more], {
    DATA_DIR: join(dir, "data"),
    CORPUS_DIR: join(dir, "corpus"),
    SOURCES: "corpus",
    TEAMS: join(dir, "teams.json"),
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "scripted",
  });
  return { ...ended, asked: model.requests.map(speaker) };
}

it("runs a team of the server by its name, and one from a file", async () => {
  const named = await askTeam("评审");
  expect([named.code, named.stdout]).toEqual([0, `${uncited("大家都同意。")}\n`]);
  expect(named.asked).toEqual(["正方", "反方", "supervisor"]);
  expect(named.stderr).toContain("team: 正方 completed, 反方 completed");
  const own = await askTeam("own.json", "--graph", "team");
  expect([own.code, own.stdout, own.asked]).toEqual([0, `${uncited("大家都同意。")}\n`, ["自己的", "supervisor"]]);
});

it("lists the teams of the server if the name is unknown, and starts no run", async () => {
  const { code, stderr, asked } = await askTeam("陪审");
  expect([code, asked]).toEqual([1, []]);
  expect(stderr).toContain('/team "陪审" is not known; this server has: 评审, reviewers.');
});
