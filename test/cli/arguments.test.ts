import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasOption, readAskArguments, readPathArgument, readPromptsArguments, readVerifyArguments } from "../../src/cli/arguments.ts";

describe("the arguments of ask", () => {
  it("are a question of one or more words, and options", () => {
    const args = [
      "灯塔是谁",
      "设计的？",
      "--json",
      "--partial",
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
      partial: true,
      corpusDir: "/",
      recordingFile: "r.ndjson",
      bundleFile: "b.json",
      paths: [],
    });
    expect(readAskArguments(["--", "--help"]).request.question).toBe("--help");
  });

  it.each([
    [[], "question"],
    [["   "], "question"],
    [["x", "--bogus"], "--bogus"],
    [["x", "--corpus", "/no/such/folder"], "/no/such/folder"],
    [["x", "--corpus", import.meta.filename], "arguments.test.ts"],
    [["x", "--sources", "a,,b"], "--sources .number 2. must have"],
    [["租期多长？", "--recording", "out/../run", "--bundle", "./run"], "--recording and --bundle name the same file ./run"],
    [["x", "--graph", ""], "graph"],
    [["x", "--out", "报告.docx", "--format", "pdf"], "报告.docx names the format docx, but --format says pdf"],
    [["x", "--out", "报告.xlsx"], "报告.xlsx ends in no known format"],
    [["x", "--depth", "quick", "--depth=deep"], "--depth is given twice"],
    [["x", "--json", "--json"], "--json is given twice"],
    [["x", "--since", "last week"], "--since must be a day such as 2025-01-31"],
    [["x", "--style", "诗"], "--style must be one of answer, report, brief, table"],
    [["x", "--thread", "a b"], "--thread 1 to 100 characters"],
    [["x", "--url", "file:///etc/passwd"], "--url .number 1. must be an address"],
    [["x", "--search", "鲸油灯", "--search", "site:example.org"], "--search .number 2. must have words to search for"],
    [["x", "--call", "akshare_search 贵州茅台"], "--call takes a tool and its arguments as JSON"],
    [["x", "--call", 'akshare_search "贵州茅台"'], "calls.0.arguments|--call"],
    [["x", "--limit", "foo=3"], "--limit: there is no limit foo. Use one of optionalToolLoops, steps, modelCalls"],
    [[import.meta.filename, "租期多长？"], "is a file or folder. Put the question first"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readAskArguments(args)).toThrow(new RegExp(`^.*${named}.*`));
  });
});

it("a call is a tool and its arguments as JSON", () => {
  const { calls } = readAskArguments(["茅台？", "--call", 'akshare_search {"query": "贵州 茅台"}', "--call", "notes__list {}"]).request;
  expect(calls).toEqual([
    { tool: "akshare_search", arguments: { query: "贵州 茅台" } },
    { tool: "notes__list", arguments: {} },
  ]);
});

it("a limit above all that a request may ask for is left to the settings of the machine", () => {
  expect(readAskArguments(["灯塔？", "--limit", "downloads=9999", "--limit", "seconds=5"]).request.limits).toEqual({
    downloads: 9999,
    seconds: 5,
  });
  expect(() => readAskArguments(["灯塔？", "--limit", "downloads=9999", "--depth", "huge"])).toThrow(/--depth/);
});

describe("the team of ask", () => {
  const fileOf = (text: string): string => {
    const dir = mkdtempSync(join(tmpdir(), "dossier-team-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, "评审.json");
    writeFileSync(file, text);
    return file;
  };

  it("is named, and selects the team graph", () => {
    for (const more of [[], ["--graph", "team"]])
      expect(readAskArguments(["问", "--team", "评审", ...more]).request).toEqual({
        question: "问",
        graph: "team",
        language: "auto",
        team: "评审",
      });
  });

  it("is read from a file with the fields of a request", () => {
    const file = fileOf('{"pattern": "sequential", "children": [{"id": "正方", "prompt": "找支持的证据。"}]}');
    expect(readAskArguments(["问", "--team", file]).request).toMatchObject({
      graph: "team",
      team: { pattern: "sequential", children: [{ id: "正方", prompt: "找支持的证据。", critical: false, maxIterations: 10 }] },
    });
  });

  it.each([
    [
      '{"pattern": "sequential", "children": [{"id": "正方", "prompt": ""}]}',
      "评审.json is not a team: children/0/prompt: must not be empty",
    ],
    ['{"default": {}}', "评审.json is not a team: pattern: "],
    ['"评审"', "评审.json is not a team: it: "],
    ["{", "评审.json cannot be read: "],
    [`"${"长".repeat(400_000)}"`, "at most 1000000 are allowed"],
  ])("is refused with the file and the position of the error if the file has no team: %.60s", (text, named) => {
    expect(() => readAskArguments(["问", "--team", fileOf(text)])).toThrow(named);
  });

  it.each([
    [["x", "--team", "/no/such/team.json"], "/no/such/team.json cannot be read"],
    [["x", "--team", "评审", "--graph", "agent"], "--team works with the graph team only, not with agent"],
    [["x", "--team", ""], "team"],
    [["x", "--team"], "--team"],
  ])("is refused by name: %j", (args, named) => {
    expect(() => readAskArguments(args)).toThrow(new RegExp(`^.*${named}.*`));
  });
});

describe("the arguments of a command that takes one file", () => {
  it("are one file", () => {
    expect(readPathArgument("replay", "the file of a recording", ["a.ndjson"])).toBe("a.ndjson");
  });

  it.each([
    [[], "file of a recording"],
    [["a.ndjson", "b.ndjson", "c.ndjson"], "b.ndjson c.ndjson"],
    [["--bogus", "a.ndjson"], "--bogus"],
  ])("are refused by name: %j", (args, named) => {
    expect(() => readPathArgument("replay", "the file of a recording", args)).toThrow(new RegExp(`^.*${named}.*`));
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
    expect(() => readVerifyArguments(args)).toThrow(new RegExp(`^.*${named}.*`));
  });
});

it("ask for help with --help or -h, unless it is in the question", () => {
  const asksForHelp = (args: readonly string[]) => hasOption(args, ["--help", "-h"]);
  expect([["--help"], ["ask", "x", "-h"], ["replay", "--help"]].map(asksForHelp)).toEqual([true, true, true]);
  expect([["ask", "--", "--help"], ["ask", "help"], []].map(asksForHelp)).toEqual([false, false, false]);
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
    expect(() => readPromptsArguments(args)).toThrow(new RegExp(`^.*${named}.*`));
  });
});
