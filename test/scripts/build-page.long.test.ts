import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A checkout with the sources of the page, as Git makes it. */
async function makeCheckout(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "dossier-web-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const isSource = (path: string): boolean => !/\/(?:node_modules|dist)(?:\/|$)/.test(path.slice(ROOT.length));
  for (const path of ["web", "src/util", "src/words", "package.json", "package-lock.json", ".npmrc"])
    await cp(join(ROOT, path), join(copy, path), { recursive: true, filter: isSource });
  return copy;
}

it("builds the page where it is missing or older than its sources, and only there", async () => {
  const checkout = await makeCheckout();
  await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  expect(buildPage(checkout)).toBe("built");
  const html = await readFile(join(checkout, "web/dist/index.html"), "utf8");
  const [, script = ""] = /src="\.\/(assets\/index-[^"]+\.js)"/.exec(html) ?? [];
  // React's build for developers has these words.
  expect(await readFile(join(checkout, "web/dist", script), "utf8")).not.toContain("Download the React DevTools");
  expect(buildPage(checkout)).toBe("up to date");
  const later = new Date(Date.UTC(2100, 0));
  await utimes(join(checkout, "src/util/text-fragment.ts"), later, later);
  expect(buildPage(checkout)).toBe("built");
});

it("leaves the page out where the packages for it are not installed", async () => {
  const checkout = await makeCheckout();
  await mkdir(join(checkout, "node_modules"));
  expect(buildPage(checkout)).toBe("packages missing");
});
