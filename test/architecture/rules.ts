import { posix } from "node:path";
import { ENVIRONMENT_READER, IMPORT_TABLE, type ImportRule, LOADERS, PACKAGE_HOMES } from "./import-table.ts";
import type { ImportFact, ModuleFacts } from "./module-facts.ts";

/** Returns every violation of the table, one sentence each. */
export function faultsOf(module: ModuleFacts): string[] {
  const own = rowOf(module.path);
  const rule = IMPORT_TABLE[own];
  if (!rule) return [`${module.path}: "${own}" has no row in the import table`];
  const faults = module.imports.flatMap((fact) => {
    const why = importFault(module.path, own, rule, fact);
    return why ? [`${module.path}:${fact.line} ${why}`] : [];
  });
  if (module.hasDefaultExport) faults.push(`${module.path} has a default export`);
  if (module.readsEnvironment && module.path !== ENVIRONMENT_READER) faults.push(`${module.path} reads the environment`);
  return faults;
}

/** Package names loaded at run time, without builtins. */
export function runtimePackages(modules: readonly ModuleFacts[]): string[] {
  const specifiers = modules.flatMap(({ imports }) => imports.flatMap((fact) => (fact.typeOnly ? [] : (fact.specifier ?? []))));
  return [...new Set(specifiers.filter((name) => !name.startsWith(".") && !name.startsWith("node:")).map(packageName))].sort();
}

/** Returns each file that is part of a cycle, types included, with the path back to itself. */
export function cyclesAmong(modules: readonly ModuleFacts[]): string[] {
  const edges = new Map(modules.map((module) => [module.path, localImports(module)]));
  return [...edges.keys()].flatMap((start) => {
    const way = wayBack(edges, start);
    return way ? [way.join(" -> ")] : [];
  });
}

/** Returns the project files that a file imports, relative to the root. */
export function localImports(module: ModuleFacts): string[] {
  return module.imports.flatMap(({ specifier }) => (specifier?.startsWith(".") ? [resolve(module.path, specifier)] : []));
}

function importFault(path: string, own: string, rule: ImportRule, fact: ImportFact): string | undefined {
  if (fact.specifier === undefined) return LOADERS.includes(path) ? undefined : "imports a computed path";
  if (!fact.specifier.startsWith(".")) return packageFault(own, rule, fact.specifier);
  const target = resolve(path, fact.specifier);
  if (!target.startsWith("src/")) return `imports ${target}, which lies outside src`;
  const row = rowOf(target);
  if (row === own || rule.mayImport.includes(row)) return undefined;
  if (!matchesAny(rule.typesOf, target)) return `imports ${target}: ${own} may not import ${row}`;
  return fact.typeOnly ? undefined : `imports ${target}: ${own} may import only its types`;
}

function packageFault(own: string, rule: ImportRule, specifier: string): string | undefined {
  const name = packageName(specifier);
  const allowed = rule.packages.includes(name) || rule.packages.includes(name.startsWith("node:") ? "node:" : "npm:");
  const homes = PACKAGE_HOMES[name];
  return allowed && (!homes || homes.includes(own)) ? undefined : `imports ${name}: ${own} may not`;
}

function wayBack(edges: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const seen = new Set<string>();
  const walk = (path: readonly string[]): string[] | undefined => {
    for (const next of edges.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk([...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk([start]);
}

const resolve = (from: string, specifier: string) => posix.join(posix.dirname(from), specifier);

const rowOf = (path: string) => (path.split("/")[1] ?? "").replace(/\.ts$/, "");

const packageName = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

const matchesAny = (patterns: readonly string[], target: string) => patterns.some((pattern) => posix.matchesGlob(target, `src/${pattern}`));
