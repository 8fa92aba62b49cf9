import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";
import { moduleFacts } from "./module-facts.ts";
import { cyclesAmong } from "./rules.ts";

const ROOT = join(import.meta.dirname, "../..");
const FILES = globSync("web/src/**/*.{ts,tsx}", { cwd: ROOT }).sort();
const MODULES = FILES.map((path) => moduleFacts(path, readFileSync(join(ROOT, path), "utf8")));

/** The local files that each file of the page imports. */
const IMPORTS = MODULES.flatMap(({ path, imports }) =>
  imports.flatMap(({ specifier, typeOnly }) => {
    if (specifier === undefined) return [{ path, target: "a computed path", typeOnly }];
    return specifier.startsWith(".")
      ? [{ path, target: posix.join(posix.dirname(path), specifier), typeOnly }]
      : [{ path, target: specifier, typeOnly }];
  }),
);

it("the page takes from the service types of src/domain, words, and functions of src/util that import nothing", () => {
  expect(FILES.length).toBeGreaterThan(50);
  const foreign = IMPORTS.filter(({ target }) => target.includes("/") && /^(?:src|test|scripts|bench)\//.test(target));
  const isUtil = (target: string): boolean => target.startsWith("src/util/");
  const isWords = (target: string): boolean => target.startsWith("src/words/");
  const isType = ({ target, typeOnly }: (typeof IMPORTS)[number]): boolean => typeOnly && target.startsWith("src/domain/");
  expect(foreign.filter((one) => !isUtil(one.target) && !isWords(one.target) && !isType(one))).toEqual([]);
  const shared = new Set(foreign.map(({ target }) => target).filter(isUtil));
  const needy = [...shared].filter((path) => moduleFacts(path, readFileSync(join(ROOT, path), "utf8")).imports.length > 0);
  expect({ shared: shared.size > 0, needy }).toEqual({ shared: true, needy: [] });
});

it("the view model knows neither React nor the network", () => {
  const own = IMPORTS.filter(({ path }) => path.startsWith("web/src/view-model/"));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter(({ target, typeOnly }) => !typeOnly && !target.startsWith("web/src/view-model/"))).toEqual([]);
});

it("the page has no default exports and no import cycles", () => {
  expect(MODULES.filter(({ hasDefaultExport }) => hasDefaultExport).map(({ path }) => path)).toEqual([]);
  expect(cyclesAmong(MODULES)).toEqual([]);
});

/** The only file that may make markup of text, after a library has cleaned it. */
const CLEANED = "web/src/views/components/clean-html.tsx";

it("no file of the page makes markup, a script or a style of text", () => {
  const makers = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc/i;
  const found = FILES.filter((path) => path !== CLEANED && makers.test(readFileSync(join(ROOT, path), "utf8")));
  expect(found).toEqual([]);
});
