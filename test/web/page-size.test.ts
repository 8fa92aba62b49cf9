import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../web/dist");
const MAX_SCRIPT_BYTES = 200_000;

it("the first view needs at most 200 KB of compressed script", () => {
  const html = readFileSync(join(DIST, "index.html"), "utf8");
  const pending = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");
  const loaded = new Map<string, number>();
  while (pending.length > 0) {
    const path = pending.pop() ?? "";
    if (loaded.has(path)) continue;
    const script = readFileSync(join(DIST, path), "utf8");
    loaded.set(path, gzipSync(script).length);
    // Static imports only: what `import()` loads belongs to later views.
    for (const [, name] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) pending.push(`assets/${name}`);
  }
  expect(loaded.size).toBeGreaterThan(0);
  expect([...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
});
