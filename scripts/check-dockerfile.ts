import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildStages, hostPath } from "./docker/build.ts";
import { lintDockerfile } from "./docker/lint.ts";
import { checkModulesSize } from "./docker/modules-size.ts";
import { serveAndStop } from "./docker/serve.ts";

const log = (line: string) => console.log(`docker: ${line}`);

/** Lints the Dockerfile of a folder and performs its steps without Docker. @throws Error at the first failure */
async function checkDockerfile(root: string): Promise<void> {
  const text = readFileSync(join(root, "Dockerfile"), "utf8");
  const nodeVersion = readFileSync(join(root, ".node-version"), "utf8").trim();
  const faults = lintDockerfile(text, nodeVersion);
  if (faults.length > 0) throw new Error(`Dockerfile: ${faults.join("; ")}`);
  log("the linter found no faults");
  if (process.versions.node !== nodeVersion) throw new Error(`This check needs Node ${nodeVersion}, not ${process.versions.node}`);
  const folder = mkdtempSync(join(tmpdir(), "dossier-image-"));
  try {
    const image = buildStages(text, root, folder, log);
    log(checkModulesSize(hostPath(image, "node_modules")));
    await serveAndStop(image, log);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await checkDockerfile(resolve(import.meta.dirname, ".."));
} catch (cause) {
  console.error(`docker: FAILED: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}
