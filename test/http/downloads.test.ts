import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import { DossierError } from "../../src/errors.ts";
import { NO_BLOCKS, QUOTED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";
import { startApp } from "./app-under-test.ts";

const report: Report = {
  ...NO_BLOCKS,
  markdown: "# 净利润\n\n402.5亿元 [1]\n",
  claims: [{ text: "402.5亿元", citations: [1], ...QUOTED, section: "", origins: 1 }],
  citations: [{ id: 1, sourceId: "S1", contentHash: "a".repeat(64), start: 0, end: 10, quote: "净利润402.5亿元" }],
  closest: [],
  sources: [
    {
      id: "S1",
      kind: "corpus",
      title: "年报",
      url: "corpus:a.md",
      publishedAt: null,
      foundBy: "corpus",
      score: 1,
      contentHash: "a".repeat(64),
      status: "read",
      failure: null,
    },
  ],
  coverage: coverage(1),
  ledger: [],
};

describe("the report of a run", () => {
  it("is Markdown by default", async () => {
    const { url, runs } = await startApp();
    runs.add({ report, question: "净利润是多少？" });
    for (const [query, accept] of [
      ["", "*/*"],
      ["", "text/markdown"],
      ["?format=md", "application/json"],
      ["", "text/html;q=0.5, */*;q=0.8"],
    ]) {
      const response = await fetch(`${url}/research/run-1/report${query}`, { headers: { accept: accept ?? "" } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
      expect(await response.text()).toContain(
        "# 净利润是多少？\n\n- 402.5亿元[^1]\n\n是否回答了问题，未经判断。\n\n共 1 句，由程序核对：1 句为引文原话。\n\n[^1]: “净利润402.5亿元”——年报，a.md\n",
      );
    }
  });

  it("is JSON when requested by format or by Accept", async () => {
    const { url, runs } = await startApp();
    runs.add({ report, question: "净利润是多少？" });
    for (const [query, accept] of [
      ["?format=json", "*/*"],
      ["", "application/json"],
      ["", "text/markdown;q=0.1, application/*"],
    ]) {
      const response = await fetch(`${url}/research/run-1/report${query}`, { headers: { accept: accept ?? "" } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(await response.json()).toEqual(report);
    }
  });

  it.each(["odt", "MD", ""])("is not served in the format %j; the answer lists the formats", async (format) => {
    const { url, runs } = await startApp();
    runs.add({ report, question: "净利润是多少？" });
    const response = await fetch(`${url}/research/run-1/report?format=${format}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        code: "invalid_request",
        errors: [{ path: "/format", message: "must be one of the formats served here: md, json, html, pdf, docx, bib" }],
      },
    ]);
  });

  it("is not acceptable to a client that accepts none of the formats", async () => {
    const { url, runs } = await startApp();
    runs.add({ report, question: "净利润是多少？" });
    const response = await fetch(`${url}/research/run-1/report`, { headers: { accept: "application/zip" } });
    expect([response.status, await response.json()]).toMatchObject([406, { code: "not_acceptable" }]);
  });

  it("is a conflict while there is no report", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1/report`);
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { code: "no_report", detail: "The run is running and has no report." },
    ]);
  });
});

describe("a document of a run", () => {
  it("is served byte for byte, and may be cached privately forever", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const text = "比亚迪\r\n净利润 <script>alert(1)</script> 𠮷 \u2028 e\u0301";
    const hash = runs.keep("run-1", text);
    const response = await fetch(`${url}/research/run-1/documents/${hash}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(response.headers.get("etag")).toBe(`"${hash}"`);
    expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is not sent again to a client that has it", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const hash = runs.keep("run-1", "");
    const statusFor = async (tag: string) =>
      (await fetch(`${url}/research/run-1/documents/${hash}`, { headers: { "if-none-match": tag } })).status;
    expect(await statusFor(`"other", W/"${hash}"`)).toBe(304);
    expect(await statusFor('"other"')).toBe(200);
  });

  it("is not found under a hash that the run does not use, and that answer is not cached", async () => {
    const { url, runs } = await startApp();
    runs.add();
    for (const hash of ["0".repeat(64), "F".repeat(64), "../../etc/passwd"]) {
      const response = await fetch(`${url}/research/run-1/documents/${encodeURIComponent(hash)}`);
      expect([response.status, response.headers.get("cache-control"), await response.json()]).toMatchObject([
        404,
        "no-store",
        { code: "not_found" },
      ]);
    }
  });
});

describe("the recording of a run", () => {
  it("is downloaded line by line, unchanged", async () => {
    const { url, runs } = await startApp();
    runs.add({ id: "run:1", question: "灯塔/建于哪年?" });
    runs.end("run:1");
    runs.recordingLines = Array.from({ length: 5_000 }, (_, index) => `{"line":${index},"text":"净利润"}\n`);
    const response = await fetch(`${url}/research/run:1/recording`);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="report-run-1.ndjson"; filename*=UTF-8''${encodeURIComponent("灯塔-建于哪年")}.ndjson`,
    );
    expect(await response.text()).toBe(runs.recordingLines.join(""));
  });

  it("is a conflict while the run is executing", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1/recording`);
    expect(response.headers.get("content-disposition")).toBeNull();
    expect([response.status, await response.json()]).toMatchObject([409, { code: "run_not_finished" }]);
  });

  it("is released when its reader leaves or requests only the headers", async () => {
    const { url, runs } = await startApp();
    runs.add();
    runs.end("run-1");
    const open = new Set<object>();
    runs.recording = async function* () {
      const self = {};
      open.add(self);
      try {
        while (true) yield `${"x".repeat(100_000)}\n`;
      } finally {
        open.delete(self);
      }
    };
    const response = await fetch(`${url}/research/run-1/recording`);
    expect(open.size).toBe(1);
    await response.body?.cancel();
    await expect.poll(() => open.size).toBe(0);
    await fetch(`${url}/research/run-1/recording`, { method: "HEAD" });
    await expect.poll(() => open.size).toBe(0);
  });

  it("is cut short if the run is deleted meanwhile, which is no error in the log", async () => {
    const { url, runs, logLines } = await startApp();
    runs.add();
    runs.end("run-1");
    runs.recording = async function* () {
      yield `${"净".repeat(100_000)}\n`;
      throw new DossierError("not_found", "There is no run run-1.");
    };
    const response = await fetch(`${url}/research/run-1/recording`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(logLines.filter(({ msg }) => msg.startsWith("response "))).toMatchObject([{ level: 30, code: "not_found" }]);
  });

  it("answers HEAD with the headers alone", async () => {
    const { url, runs } = await startApp();
    runs.add();
    runs.end("run-1");
    const response = await fetch(`${url}/research/run-1/recording`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  });
});

describe("the bundle of a run", () => {
  it("is one JSON document, sent in chunks as an attachment", async () => {
    const { url, runs } = await startApp();
    runs.add({ id: "run:1", report, question: "灯塔/建于哪年?" });
    runs.bundlePieces = ["{", ...Array.from({ length: 5_000 }, (_, index) => `"${index}":"净利润",`), '"end":1}'];
    const response = await fetch(`${url}/research/run:1/bundle`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="report-run-1.bundle.json"; filename*=UTF-8''${encodeURIComponent("灯塔-建于哪年")}.bundle.json`,
    );
    expect(await response.text()).toBe(runs.bundlePieces.join(""));
  });

  it("is a conflict while there is no report", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1/bundle`);
    expect(response.headers.get("content-disposition")).toBeNull();
    expect([response.status, await response.json()]).toMatchObject([409, { code: "no_report" }]);
    expect((await fetch(`${url}/research/run-2/bundle`)).status).toBe(404);
  });

  it("answers HEAD with the headers alone", async () => {
    const { url, runs } = await startApp();
    runs.add({ report });
    const response = await fetch(`${url}/research/run-1/bundle`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([200, "application/json", ""]);
  });
});
