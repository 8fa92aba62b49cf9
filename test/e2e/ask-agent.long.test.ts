import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { odd, writeServers } from "../helpers/mcp-servers.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";
import { uncited } from "../helpers/uncited.ts";

const asks = (question: string) => say.toolCalls([{ name: "ask_user", arguments: { question } }]);

/** Runs `npm run ask -- "…" --graph agent` with a standard input that holds `input` and then ends. */
async function askAgent(
  script: Script,
  input: string,
  more: readonly string[] = [],
  servers: (dir: string) => Parameters<typeof writeServers>[1] = () => ({}),
) {
  const model = await startModelServer(script);
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env = {
    DATA_DIR: join(dir, "data"),
    CORPUS_DIR: join(dir, "corpus"),
    SOURCES: ["corpus", ...Object.keys(servers(dir)).map((name) => `mcp:${name}`)].join(","),
    MCP_SERVERS: writeServers(dir, servers(dir)),
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "scripted",
  };
  const ended = await runCli(["ask", "灯塔有多高？", "--graph", "agent", ...more], env, input);
  const told = (index: number) => model.requests[index]?.body.messages.at(-1)?.content;
  return { ...ended, model, told, dir };
}

it("reads the answers to an agent's questions from standard input, one line each", async () => {
  const script = [asks("Which one? 哪一座？"), asks("In feet or metres? 用什么单位？"), say.text("它高四十米。")];
  const { code, stdout, stderr, told, model } = await askAgent(script, "奥尔德穆尔的那座\nmetres, please\n");
  expect(code).toBe(0);
  expect(stdout).toBe(`${uncited("它高四十米。")}\n`);
  expect(stderr).toContain("Which one? 哪一座？");
  expect(stderr).toContain("用什么单位？");
  expect(stderr.match(/answer> /g)).toHaveLength(2);
  expect([told(1), told(2)]).toEqual(["奥尔德穆尔的那座", "metres, please"]);
  expect(model.requests).toHaveLength(3);
});

it("reads a last line without a line break as an answer", async () => {
  const { code, stdout, told } = await askAgent([asks("哪一座？"), say.text("它高四十米。")], "那一座");
  expect([code, stdout, told(1)]).toEqual([0, `${uncited("它高四十米。")}\n`, "那一座"]);
});

it("reads y as consent to a call that changes something, and anything else as the reason against it", async () => {
  const note = (line: string) => ({ name: "notes__note", arguments: { line } });
  const { code, stderr, dir, told } = await askAgent(
    [say.toolCalls([note("一"), note("二")]), say.text("记下了一行。")],
    "y\n不要第二行\n",
    [],
    (folder) => ({ notes: odd("plain", join(folder, "notes")) }),
  );
  expect(code).toBe(0);
  expect(stderr).toContain('{"tool":"notes__note","arguments":{"line":"二"}}');
  expect(stderr.match(/y, or a reason against it> /g)).toHaveLength(2);
  expect(await readFile(join(dir, "notes"), "utf8")).toBe("一\n");
  expect(told(1)).toContain("不要第二行");
});

it("keeps a run that gets no answer, says so, and exits with 1", async () => {
  const { code, stdout, stderr, model } = await askAgent([asks("哪一座？"), asks("多少？")], "那一座\n");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("多少？");
  expect(stderr).toMatch(/The run waits for an answer, but standard input has ended\./);
  expect(stderr).not.toContain("internal:");
  expect(model.requests).toHaveLength(2);
});

it("prints the waiting run as JSON and nothing else if it gets no answer", async () => {
  const { code, stdout } = await askAgent([asks("哪一座？")], "", ["--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ status: "waiting", pending: [{ kind: "question", prompt: "哪一座？" }] });
});

it("prints the model's error, and exits with 1", async () => {
  const { code, stdout, stderr, model } = await askAgent([say.status(401)], "");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("model_refused: The model's server");
  expect(stderr).toContain("check OPENAI_API_KEY");
  expect(model.requests).toHaveLength(1);
});
