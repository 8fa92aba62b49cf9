import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withAddresses } from "../../scripts/lock-addresses.ts";

const ROOT = join(import.meta.dirname, "../..");

it("writes the address of each package, without the host of a registry", () => {
  const packages = {
    "": { name: "dossier", version: "0.1.0" },
    web: { name: "dossier-web", version: "0.0.0" },
    "node_modules/dossier-web": { resolved: "web", link: true },
    "node_modules/zod": { version: "4.6.7", integrity: "sha512-a" },
    "node_modules/a/node_modules/@types/node": { version: "24.19.2", resolved: "https://example.org/npm/other.tgz", integrity: "sha512-b" },
    "node_modules/alias": { name: "@scope/real", version: "1.0.0", integrity: "sha512-c" },
  };
  expect(JSON.parse(withAddresses(JSON.stringify({ lockfileVersion: 3, packages })))).toEqual({
    lockfileVersion: 3,
    packages: {
      "": { name: "dossier", version: "0.1.0" },
      web: { name: "dossier-web", version: "0.0.0" },
      "node_modules/dossier-web": { resolved: "web", link: true },
      "node_modules/zod": { version: "4.6.7", resolved: "https://registry.invalid/zod/-/zod-4.6.7.tgz", integrity: "sha512-a" },
      "node_modules/a/node_modules/@types/node": {
        version: "24.19.2",
        resolved: "https://registry.invalid/@types/node/-/node-24.19.2.tgz",
        integrity: "sha512-b",
      },
      "node_modules/alias": {
        name: "@scope/real",
        version: "1.0.0",
        resolved: "https://registry.invalid/@scope/real/-/real-1.0.0.tgz",
        integrity: "sha512-c",
      },
    },
  });
});

it("has been run for package-lock.json, whose registry npm replaces", () => {
  const lockFile = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  expect(withAddresses(lockFile) === lockFile, "node scripts/lock-addresses.ts").toBe(true);
  expect(readFileSync(join(ROOT, ".npmrc"), "utf8")).toContain("\nreplace-registry-host=always\n");
});
