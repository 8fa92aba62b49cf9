import { describe, expect, it } from "vitest";
import { startApp } from "./app-under-test.ts";

const HASH = "a".repeat(64);

describe("the original of a document", () => {
  it.each([
    ["租约.md", "text/markdown", Buffer.from("# 租约"), "text/plain; charset=utf-8", "md"],
    // Without a charset the browser finds out that it is GB18030.
    ["旧文.txt", "text/plain", Buffer.from([0xd7, 0xe2, 0xd4, 0xbc]), "text/plain", "txt"],
    ["notes.html", "text/html", Buffer.from("<script>alert(1)</script>"), "text/html; charset=utf-8", "html"],
    ["rent.pdf", "application/pdf", Buffer.from("%PDF-1.7"), "application/pdf", "pdf"],
  ])("%s is shown as it is, without running or loading anything", async (name, mediaType, bytes, shownAs, extension) => {
    const { url, runs } = await startApp();
    runs.add();
    runs.originalFile = { bytes, mediaType, name };
    const response = await fetch(`${url}/research/run-1/documents/${HASH}/original`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get("content-type")).toBe(shownAs);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toMatch(
      new RegExp(`^inline; filename="original\\.${extension}"; filename\\*=UTF-8''`),
    );
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/default-src 'none'/);
    // A sandbox would keep a browser from showing a PDF.
    if (mediaType !== "application/pdf") expect(policy).toMatch(/^sandbox;/);
    const head = await fetch(`${url}/research/run-1/documents/${HASH}/original`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    ["Bericht v2.0 – final", "application/pdf", "pdf", "Bericht-v2-0-final.pdf"],
    ["租约。第2.0版（终稿）", "text/plain", "txt", "租约-第2-0版-终稿.txt"],
    ['a.b"; filename="c', "text/html", "html", "a-b-filename-c.html"],
    ["图.表", "image/png", "bin", "图-表.bin"],
  ])("%j is sent under a name that a header can have", async (name, mediaType, extension, full) => {
    const { url, runs } = await startApp();
    runs.add();
    runs.originalFile = { bytes: Buffer.from("a"), mediaType, name };
    const response = await fetch(`${url}/research/run-1/documents/${HASH}/original`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toBe(
      `inline; filename="original.${extension}"; filename*=UTF-8''${encodeURIComponent(full)}`,
    );
  });

  it("is not found for a run or a hash that does not exist", async () => {
    const { url, runs } = await startApp();
    runs.add();
    for (const path of [`nobody/documents/${HASH}`, `run-1/documents/${"F".repeat(64)}`])
      expect((await fetch(`${url}/research/${path}/original`)).status).toBe(404);
  });
});
