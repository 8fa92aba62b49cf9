import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ndcg, recall } from "../../scripts/retrieval/measures.ts";
import { createPlainBm25 } from "../../scripts/retrieval/plain-bm25.ts";
import { readSmart } from "../../scripts/retrieval/smart-records.ts";
import { startSemanticServer, tei } from "../fakes/semantic-server.ts";

const SCRIPTS = join(import.meta.dirname, "../../scripts");
const run = promisify(execFile);

describe("the measures of retrieval", () => {
  it("discount a gain by its rank and compare it with the best order", () => {
    const grades = new Map([
      ["a", 1],
      ["b", 1],
    ]);
    expect(ndcg(["a", "b", "c"], grades, 10)).toBe(1);
    expect(ndcg(["c", "a"], grades, 10)).toBeCloseTo(0.3869, 4);
    expect(recall(["c", "a"], grades, 2)).toBe(0.5);
    expect(ndcg(["a"], new Map([["a", 0]]), 10)).toBe(0);
  });

  it("read titles and texts of SMART collections, each once", () => {
    expect(readSmart(".I 001\n.T\nthe loop\n.A\nsomebody\n.W\nthe loop\nends\n.I 2\n.W\n文字")).toEqual([
      { id: "1", title: "the loop", text: "ends" },
      { id: "2", title: "", text: "文字" },
    ]);
  });
});

describe("eval:retrieval", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "dossier-eval-"));
    const documents = [
      { _id: "salt", title: "Salt lakes", text: "The salt lake above the village is measured every spring." },
      { _id: "青", title: "青盐湖", text: "青盐湖的盐度每年春天测量一次。" },
      { _id: "other", title: "Trains", text: "The night train leaves at nine." },
    ];
    await writeFile(join(folder, "corpus.jsonl.gz"), gzipSync(documents.map((one) => JSON.stringify(one)).join("\n")));
    const queries = [
      { _id: "1", text: "When is the salt lake measured?" },
      { _id: "2", text: "青盐湖的盐度多久测量一次？" },
      { _id: "3", text: "nobody judged this" },
    ];
    await writeFile(join(folder, "queries.jsonl"), queries.map((one) => JSON.stringify(one)).join("\n"));
    await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\n1\tsalt\t1\n2\t青\t1\n");
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const evaluate = (qrels: string, ...more: string[]) => evaluateWith({}, qrels, ...more);
  const evaluateWith = (environment: Readonly<Record<string, string>>, qrels: string, ...more: string[]) =>
    run(
      process.execPath,
      [
        join(SCRIPTS, "eval-retrieval.ts"),
        ...["--corpus", join(folder, "corpus.jsonl.gz"), "--queries", join(folder, "queries.jsonl"), "--qrels", join(folder, qrels)],
        ...more,
      ],
      { env: { ...environment } },
    );

  it("prints one line of JSON for the judged queries", async () => {
    const { stdout } = await evaluate("qrels.tsv");
    const plain = { "ndcg@10": 1, "recall@100": 1 };
    expect(JSON.parse(stdout)).toEqual({ queries: 2, ...plain, plain, msPerQuery: expect.any(Number) });
  });

  it("measures one half of the queries", async () => {
    await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\n1\tsalt\t1\n2\tother\t1\n");
    expect(JSON.parse((await evaluate("qrels.tsv", "--half", "even")).stdout)).toMatchObject({ queries: 1, "ndcg@10": 1 });
    expect(JSON.parse((await evaluate("qrels.tsv", "--half", "odd")).stdout)).toMatchObject({ queries: 1, "ndcg@10": 0 });
    await expect(evaluate("qrels.tsv", "--half", "third")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("even|odd") });
  });

  it("compares with BM25 over title and text as one field", () => {
    const rank = createPlainBm25([
      { id: "a", title: "Salt", text: "lake" },
      { id: "b", title: "Train", text: "night" },
      { id: "c", title: "Salt", text: "salt salt mine" },
    ]);
    expect(rank("Where is the salt?", 10)).toEqual(["c", "a"]);
    expect(rank("Where is the salt?", 1)).toEqual(["c"]);
    expect(rank("?", 10)).toEqual([]);
  });

  it("reranks hits on request, and fails if the server does", async () => {
    const server = await startSemanticServer(tei(() => 1));
    onTestFinished(() => server.close());
    const { stdout } = await evaluateWith({ RERANK_BASE_URL: server.url }, "qrels.tsv", "--semantic");
    expect(JSON.parse(stdout)).toMatchObject({ queries: 2, "ndcg@10": 1, "recall@100": 1 });
    expect(server.asked.map(({ body }) => body["query"])).toEqual([
      "When is the salt lake measured?",
      "When is the salt lake measured?",
      "青盐湖的盐度多久测量一次？",
    ]);
    await server.close();
    await expect(evaluateWith({ RERANK_BASE_URL: server.url }, "qrels.tsv", "--semantic")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("could not be reached"),
    });
  });

  it.each([
    ["a stage without its server", ["qrels.tsv", "--semantic"], "RERANK_BASE_URL or EMBEDDINGS_BASE_URL"],
    ["a file that is not there", ["missing.tsv"], "missing.tsv cannot be read"],
    ["a line that is no judgement", ["broken.tsv"], "broken.tsv:2 is not"],
    ["a stage that it does not know", ["qrels.tsv", "--without", "magic"], "There is no stage magic"],
  ])("prints the error of %s and fails", async (_, [qrels = "", ...more], message) => {
    await writeFile(join(folder, "broken.tsv"), "1\tsalt\t1\n1 salt\n");
    await expect(evaluate(qrels, ...more)).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it.each([
    ["q1 d1 1\nq2\td2\t1\n", "bad.tsv:1 is not"],
    ["Query\tDocument\tGrade\n1\tsalt\t1\n", "bad.tsv:1 is not"],
    ["\n1\tsalt\t1\n\n青\n", "bad.tsv:4 is not"],
  ])("refuses judgements %j by their line", async (qrels, message) => {
    await writeFile(join(folder, "bad.tsv"), qrels);
    await expect(evaluate("bad.tsv")).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it("reads files with a BOM, line ends of Windows, or gzipped alike", async () => {
    const windows = (text: string): string => `\ufeff${text.replaceAll("\n", "\r\n")}`;
    await writeFile(join(folder, "queries.jsonl"), windows('{"_id":"1","text":"When is the salt lake measured?"}\n'));
    await writeFile(join(folder, "named.tsv"), windows("query-id\tcorpus-id\tscore\n1\tsalt\t1\n"));
    await writeFile(join(folder, "bare.tsv.gz"), gzipSync(windows("1\tsalt\t1\n")));
    for (const qrels of ["named.tsv", "bare.tsv.gz"])
      expect(JSON.parse((await evaluate(qrels)).stdout)).toMatchObject({ queries: 1, "ndcg@10": 1 });
  });

  it.each([
    ["hotpot", "\ufeff{}\n", "data.json:1 is not a question of HotpotQA: question: "],
    ["hotpot", "\n{\n", "data.json:2 is not a question of HotpotQA: the JSON is invalid."],
    ["cmrc", "[]", "data.json is not a file of CMRC 2018: Invalid input: expected object, received array."],
    ["cmrc", "", "data.json is not a file of CMRC 2018: the JSON is invalid."],
  ])("eval:evidence prints the error of a file in the format %s that contains %j", async (form, text, message) => {
    await writeFile(join(folder, "data.json"), text);
    const asked = run(process.execPath, [join(SCRIPTS, "eval-evidence.ts"), "--form", form, "--data", join(folder, "data.json")]);
    await expect(asked).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it.each([
    [
      "has a document twice",
      '{"_id":"青","text":"青盐湖"}\n{"_id":"b","text":"b"}\n{"_id":"青","text":"青盐湖"}\n',
      ':3 has the _id "青" of line 1 again',
    ],
    ["is empty", "\n", " is empty: there is nothing to measure"],
  ])("refuses a corpus that %s", async (_, corpus, message) => {
    await writeFile(join(folder, "corpus.jsonl.gz"), gzipSync(corpus));
    await expect(evaluate("qrels.tsv")).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it.each([
    ["hotpot", "", "is empty: there is nothing to measure"],
    ["cmrc", '{"data":[]}', "has no questions: there is nothing to measure"],
  ])("eval:evidence refuses a file in the format %s without questions", async (form, text, message) => {
    await writeFile(join(folder, "nothing"), text);
    const asked = run(process.execPath, [join(SCRIPTS, "eval-evidence.ts"), "--form", form, "--data", join(folder, "nothing")]);
    await expect(asked).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it("eval:evidence compares the cited sentences with the supporting facts", async () => {
    const question = {
      question: "Where was the director of The Salt Lake born?",
      answer: "Green Valley",
      supporting_facts: [
        ["The Salt Lake", 0],
        ["Ada Stone", 0],
      ],
      context: [
        ["The Salt Lake", ["The Salt Lake is a film directed by Ada Stone.", " It was shown in one village."]],
        ["Ada Stone", ["Ada Stone is a director who was born in Green Valley."]],
        ["Trains", ["The night train leaves at nine."]],
      ],
    };
    await writeFile(join(folder, "hotpot.jsonl"), JSON.stringify(question));
    const { stdout } = await run(process.execPath, [join(SCRIPTS, "eval-evidence.ts"), "--data", join(folder, "hotpot.jsonl")]);
    expect(JSON.parse(stdout)).toMatchObject({ questions: 1, "recall@5": 1, "recall@10": 1, answered: 1, answerQuoted: 1 });
    const zipped = join(folder, "hotpot.jsonl.gz");
    await writeFile(zipped, gzipSync(`\ufeff${JSON.stringify(question)}\r\n`));
    const again = await run(process.execPath, [join(SCRIPTS, "eval-evidence.ts"), "--data", zipped]);
    expect(again.stdout).toBe(stdout);
  });
});
