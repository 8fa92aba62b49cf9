import { describe, expect, it } from "vitest";
import { readAskArguments, readReplayArguments, wantsHelp } from "../../src/cli/arguments.ts";

describe("the arguments of ask", () => {
  it("are a question of one or more words, and options", () => {
    const args = [
      "灯塔是谁",
      "设计的？",
      "--json",
      "--sources",
      "corpus, web",
      "--graph",
      "executor",
      "--corpus",
      "/",
      "--recording",
      "r.ndjson",
    ];
    expect(readAskArguments(args)).toEqual({
      request: { question: "灯塔是谁 设计的？", graph: "executor", language: "auto", sources: ["corpus", "web"] },
      json: true,
      corpusDir: "/",
      recordingFile: "r.ndjson",
    });
    expect(readAskArguments(["--", "--help"]).request.question).toBe("--help");
  });

  it.each([
    [[], "question"],
    [["   "], "question"],
    [["x", "--bogus"], "--bogus"],
    [["x", "--corpus", "/no/such/folder"], "/no/such/folder"],
    [["x", "--corpus", import.meta.filename], "arguments.test.ts"],
    [["x", "--sources", "a,,b"], "sources.1"],
    [["x", "--graph", ""], "graph"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readAskArguments(args)).toThrow(new RegExp(`^.*${named}.*\n?usage:`));
  });
});

describe("the arguments of replay", () => {
  it("are one file", () => {
    expect(readReplayArguments(["a.ndjson"])).toBe("a.ndjson");
  });

  it.each([
    [[], "file of a recording"],
    [["a.ndjson", "b.ndjson", "c.ndjson"], "b.ndjson c.ndjson"],
    [["--bogus", "a.ndjson"], "--bogus"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readReplayArguments(args)).toThrow(new RegExp(`^.*${named}.*\n?usage:`));
  });
});

it("asks for help with --help or -h, unless it stands in the question", () => {
  expect([["--help"], ["ask", "x", "-h"], ["replay", "--help"]].map(wantsHelp)).toEqual([true, true, true]);
  expect([["ask", "--", "--help"], ["ask", "help"], []].map(wantsHelp)).toEqual([false, false, false]);
});
