import { IMPORT_TABLE, PACKAGE_HOMES, SINGLE_FILES } from "./import-table.ts";

const FOLDERS = Object.keys(IMPORT_TABLE).filter((row) => !SINGLE_FILES.includes(row));

/**
 * Returns the overrides of biome.json that report in the editor what the tests check by the table; folders with equal rules share one.
 * Biome does not distinguish type imports from others, and only the tests check single files.
 */
export function biomeOverrides(): object[] {
  const byRule = Map.groupBy(FOLDERS, (folder) => JSON.stringify(IMPORT_TABLE[folder]));
  return [...byRule.values()].map((folders) => override(folders));
}

function override(folders: readonly string[]): object {
  const mayImport = IMPORT_TABLE[folders[0] ?? ""]?.mayImport ?? [];
  const message = `src/${folders.join(", src/")}: only ${mayImport.join(", ")} (see test/architecture/import-table.ts).`;
  const options = { patterns: [{ group: forbidden(folders), message }] };
  return {
    includes: folders.map((folder) => `src/${folder}/**`),
    linter: { rules: { style: { noRestrictedImports: { level: "error", options } } } },
  };
}

/** A group of adapters forbids its own names too, so that a file inside the folder cannot import the folder by its full path. */
function forbidden(folders: readonly string[]): string[] {
  const [first = ""] = folders;
  const rule = IMPORT_TABLE[first];
  const others = Object.keys(IMPORT_TABLE).filter((row) => !rule?.mayImport.includes(row) && (row !== first || folders.length > 1));
  const homes = Object.entries(PACKAGE_HOMES).filter(([, rows]) => !rows.includes(first));
  return [
    ...others.flatMap(pathsTo),
    ...(rule?.typesOf ?? []).map((path) => `!../**/${path}`),
    ...homes.flatMap(([name]) => [name, `${name}/**`]),
  ];
}

const pathsTo = (row: string) => (SINGLE_FILES.includes(row) ? [`../${row}.ts`, `../../${row}.ts`] : [`../**/${row}/**`]);
