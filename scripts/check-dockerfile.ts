import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type BuiltStage, buildStages, hostPath } from "./docker/build.ts";
import { lintDockerfile } from "./docker/lint.ts";
import { serveAndStop } from "./docker/serve.ts";

const MAX_MODULES_MB = 250;

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
    checkModules(image);
    await serveAndStop(image, log);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts the blocks on the disk, which are more than the bytes in the files. */
function checkModules(image: BuiltStage): void {
  const modules = hostPath(image, "node_modules");
  const blocks = readdirSync(modules, { recursive: true, encoding: "utf8" }).map((path) => lstatSync(join(modules, path)).blocks);
  const megabytes = Math.ceil((blocks.reduce((sum, count) => sum + count, 0) * 512) / 1_000_000);
  log(`the layer of modules has ${megabytes} MB`);
  if (megabytes > MAX_MODULES_MB) throw new Error(`The layer of modules has ${megabytes} MB; at most ${MAX_MODULES_MB} are allowed`);
}

try {
  await checkDockerfile(resolve(import.meta.dirname, ".."));
} catch (cause) {
  console.error(`docker: FAILED: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}
