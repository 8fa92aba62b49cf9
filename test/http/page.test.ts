import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { exchange, get, startApp } from "./app-under-test.ts";

const HTML = '<!doctype html><script type="module" src="/assets/index-abc.js"></script>';
const SCRIPT = `export const text = "${"灯塔 ".repeat(500)}";`;

async function builtPage(): Promise<string> {
  const pageFolder = await mkdtemp(join(tmpdir(), "dossier-page-"));
  onTestFinished(() => rm(pageFolder, { recursive: true, force: true }));
  await mkdir(join(pageFolder, "assets"));
  await writeFile(join(pageFolder, "index.html"), HTML);
  const script = join(pageFolder, "assets/index-abc.js");
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  return pageFolder;
}

it("serves the page under the addresses of its views, with a policy that allows only its own scripts and styles", async () => {
  const { url } = await startApp({ pageFolder: await builtPage() });
  for (const path of ["/", "/runs/abc", "/runs/abc/documents/1", "/history", "/compare?left=1&right=2", "/system", "/replay"]) {
    const response = await fetch(`${url}${path}`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([response.status, response.headers.get("content-type"), await response.text()], path).toEqual([
      200,
      "text/html; charset=utf-8",
      HTML,
    ]);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; .*script-src 'self'; style-src 'self'; require-trusted-types-for 'script'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});

it("keeps the API's addresses, and answers programs at those of views with 406", async () => {
  const { url } = await startApp({ pageFolder: await builtPage() });
  const refused = await fetch(`${url}/runs/abc`, { headers: { accept: "application/json" } });
  expect([refused.status, await refused.json()]).toMatchObject([406, { code: "not_acceptable" }]);
  for (const path of ["/nothing", "/assets/nothing.js", "/assets/..%2findex.html", "/assets/%2e%2e/index.html"]) {
    const missing = await fetch(`${url}${path}`, { headers: { accept: path === "/assets/nothing.js" ? "text/html" : "*/*" } });
    expect([missing.status, (await missing.json()) as unknown], path).toMatchObject([404, { code: "not_found" }]);
  }
  expect((await fetch(`${url}/`, { method: "POST" })).status).toBe(405);
});

it("gives a reader in a browser the page at every address that does not exist", async () => {
  const { url } = await startApp({ pageFolder: await builtPage() });
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const [path, status] of [
    ["/nosuch", 404],
    ["/历史/old?x=1", 404],
    ["/runs/%E0%A4%A", 400],
    [`/research/${"a".repeat(501)}`, 404],
  ] as const) {
    const response = await fetch(`${url}${path}`, { headers: { accept } });
    expect([response.status, response.headers.get("content-type"), await response.text()], path).toEqual([
      status,
      "text/html; charset=utf-8",
      HTML,
    ]);
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  // What the API has is the API's, also for a browser.
  expect(await (await fetch(`${url}/research/none`, { headers: { accept } })).json()).toMatchObject({ code: "not_found" });
  expect((await fetch(`${url}/nosuch`, { method: "POST", headers: { accept } })).status).toBe(404);
});

it("lets browsers keep hashed files for ever, and compresses what they can read", async () => {
  const { url, port } = await startApp({ pageFolder: await builtPage() });
  const plain = await exchange(port, get("/assets/index-abc.js", { Host: "127.0.0.1" }));
  expect([plain.headers.get("content-encoding"), Buffer.from(plain.body).toString()]).toEqual([undefined, SCRIPT]);
  expect(plain.headers.get("content-type")).toBe("application/javascript; charset=utf-8");
  for (const encoding of ["br", "gzip"]) {
    const response = await fetch(`${url}/assets/index-abc.js`, { headers: { "accept-encoding": encoding } });
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([encoding, "Origin, accept-encoding"]);
    expect(Number(response.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 5);
    expect(await response.text()).toBe(SCRIPT);
  }
  const tag = plain.headers.get("etag") ?? "";
  const again = await exchange(port, get("/assets/index-abc.js", { Host: "127.0.0.1", "If-None-Match": tag }));
  expect([again.status, again.body]).toEqual([304, ""]);
});

it("leads to the documentation of the API where no page is built", async () => {
  const { url } = await startApp({ pageFolder: "/nothing/here" });
  const root = await fetch(url, { redirect: "manual" });
  expect([root.status, root.headers.get("location")]).toEqual([303, "/docs"]);
});
