import { describe, expect, it } from "vitest";
import { sampleRun } from "../reports/sample-run.ts";
import { startApp } from "./app-under-test.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

async function serve(question?: string) {
  const { url, runs } = await startApp();
  const { id } = runs.add(sampleRun(question));
  return (query: string, init: RequestInit = {}) => fetch(`${url}/research/${id}/report${query}`, init);
}

describe("a report as a file", () => {
  it.each([
    ["html", "text/html", "text/html; charset=utf-8", "inline"],
    ["pdf", "application/pdf", "application/pdf", "inline"],
    ["docx", DOCX, DOCX, "attachment"],
    ["bib", "application/x-bibtex", "application/x-bibtex; charset=utf-8", "attachment"],
  ])("comes as %s by format and by Accept, the same bytes each time", async (format, accept, type, kind) => {
    const get = await serve("营业收入：增长了多少？");
    const first = await get(`?format=${format}`, { headers: { accept: "*/*" } });
    const second = await get("", { headers: { accept: `${accept}, application/json;q=0.5` } });
    expect([first.status, first.headers.get("content-type")]).toEqual([200, type]);
    expect(first.headers.get("content-disposition")).toBe(
      `${kind}; filename="report-run-2026-08-01.${format}"; filename*=UTF-8''%E8%90%A5%E4%B8%9A%E6%94%B6%E5%85%A5-%E5%A2%9E%E9%95%BF%E4%BA%86%E5%A4%9A%E5%B0%91.${format}`,
    );
    expect(Buffer.from(await first.arrayBuffer()).equals(Buffer.from(await second.arrayBuffer()))).toBe(true);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  it("is HTML for a browser", async () => {
    const get = await serve();
    const response = await get("", { headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } });
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });

  it("is not rendered again for a client that has it in that format", async () => {
    const get = await serve();
    const tag = (await get("?format=html")).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await get("?format=html", { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await get("?format=md", { headers: { "if-none-match": tag } })).status).toBe(200);
  });

  it("has no appendix with ?appendix=0, in each format, and another tag", async () => {
    const get = await serve();
    for (const format of ["md", "html"]) {
      const [whole, short] = await Promise.all([get(`?format=${format}`), get(`?format=${format}&appendix=0`)]);
      expect(short.headers.get("etag")).not.toBe(whole.headers.get("etag"));
      expect(await whole.text()).toContain("run-2026-08-01");
      expect(await short.text()).not.toContain("run-2026-08-01");
      const same = await get(`?format=${format}&appendix=1`);
      expect(same.headers.get("etag")).toBe(whole.headers.get("etag"));
    }
  });

  it.each(["2", "", "true", "0&appendix=1"])("is refused with ?appendix=%s", async (value) => {
    const get = await serve();
    const response = await get(`?format=md&appendix=${value}`);
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: "invalid_request" })]);
  });

  it("can be asked for without its body", async () => {
    const get = await serve();
    const head = await get("?format=html", { method: "HEAD" });
    const whole = await get("?format=html");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String((await whole.arrayBuffer()).byteLength));
  });

  it.each([
    ["../../etc/passwd\r\nSet-Cookie: a=b", "etc-passwd-Set-Cookie-a-b"],
    ['a"b;c\\d/e', "a-b-c-d-e"],
    ["?!", "report-run-2026-08-01"],
    ["\ud800 lone", "lone"],
    ["𠮷".repeat(100), "%F0%A0%AE%B7".repeat(60)],
  ])("has a safe name whatever was asked: %j", async (question, name) => {
    const get = await serve(question);
    const response = await get("?format=bib");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="report-run-2026-08-01.bib"; filename*=UTF-8''${name}.bib`,
    );
    expect(response.headers.get("set-cookie")).toBeNull();
  });
});
