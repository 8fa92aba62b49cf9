import { describe, expect, it } from "vitest";
import { readAskArguments, readPromptsArguments, readReplayArguments, readVerifyArguments, wantsHelp } from "../../src/cli/arguments.ts";

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
      "--bundle",
      "b.json",
    ];
    expect(readAskArguments(args)).toEqual({
      request: { question: "灯塔是谁 设计的？", graph: "executor", language: "auto", sources: ["corpus", "web"] },
      json: true,
      corpusDir: "/",
      recordingFile: "r.ndjson",
      bundleFile: "b.json",
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

describe("the arguments of verify", () => {
  it("are one file or standard input, and a digest", () => {
    const digest = "AB".repeat(32);
    expect(readVerifyArguments(["证据.json"])).toEqual({ file: "证据.json" });
    expect(readVerifyArguments(["-", "--digest", digest])).toEqual({ file: "-", digest: "ab".repeat(32) });
  });

  it.each([
    [[], "file of an evidence bundle"],
    [["a.json", "b.json"], "b.json"],
    [["a.json", "--digest", "xyz"], "64 hex digits"],
    [["--bogus", "a.json"], "--bogus"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readVerifyArguments(args)).toThrow(new RegExp(`^.*${named}.*\n?usage:`));
  });
});

it("asks for help with --help or -h, unless it stands in the question", () => {
  expect([["--help"], ["ask", "x", "-h"], ["replay", "--help"]].map(wantsHelp)).toEqual([true, true, true]);
  expect([["ask", "--", "--help"], ["ask", "help"], []].map(wantsHelp)).toEqual([false, false, false]);
});

describe("the arguments of prompts", () => {
  it("are nothing, or --json", () => {
    expect(readPromptsArguments([])).toEqual({ json: false });
    expect(readPromptsArguments(["--json"])).toEqual({ json: true });
  });

  it.each([
    [["提示"], "提示"],
    [["--bogus"], "--bogus"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readPromptsArguments(args)).toThrow(new RegExp(`^.*${named}.*\n?usage:`));
  });
});
