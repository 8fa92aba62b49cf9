import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { Instruction } from "dockerfile-ast";
import { buildContext, type CopySource, copyFiles } from "./copy-files.ts";
import { parseCopy, parseEnv, parseStages, type Stage } from "./parse.ts";

/** A stage after its steps. `root` is a folder that stands in for its file system. */
export interface BuiltStage {
  readonly stage: Stage;
  readonly root: string;
  readonly settings: Record<string, string>;
  workdir: string;
}

interface Build {
  readonly context: CopySource;
  readonly earlierStages: readonly BuiltStage[];
  readonly log: (line: string) => void;
}

type Step = (built: BuiltStage, instruction: Instruction, build: Build) => string;

const RUN_TIMEOUT_MS = 300_000;
/** Commands that need root or a package manager. */
const CONTAINER_ONLY_COMMANDS = /^(chown|adduser|addgroup|useradd|groupadd|apt-get|apk)\s/;

const ignored: Step = () => "ignored";

const STEPS: Readonly<Record<string, Step>> = {
  COPY: copyStep,
  RUN: runStep,
  WORKDIR: workdirStep,
  ENV: (built, instruction) => `${Object.keys(Object.assign(built.settings, parseEnv(instruction))).length} settings`,
  USER: () => "skipped: the check keeps the current user",
  VOLUME: ignored,
  EXPOSE: ignored,
  HEALTHCHECK: ignored,
  STOPSIGNAL: ignored,
  LABEL: ignored,
  CMD: ignored,
};

/** Performs the steps of every stage in `folder` and returns the last stage. Logs one line per step. @throws Error at the first failure */
export function buildStages(text: string, contextRoot: string, folder: string, log: (line: string) => void): BuiltStage {
  const done: BuiltStage[] = [];
  for (const stage of parseStages(text)) {
    const built: BuiltStage = { stage, root: join(folder, stage.name), settings: {}, workdir: "/" };
    mkdirSync(built.root, { recursive: true });
    for (const instruction of stage.instructions)
      performInstruction(built, instruction, { context: buildContext(contextRoot), earlierStages: done, log });
    done.push(built);
  }
  const last = done.at(-1);
  if (!last) throw new Error("The Dockerfile has no stage");
  return last;
}

/** Returns the path on this machine for a path in the image. */
export function hostPath(built: BuiltStage, path: string): string {
  return join(built.root, posix.resolve(built.workdir, path));
}

/** Returns the image's environment as NAME=value. Absolute paths are mapped into `root`. */
export function environmentOf(built: BuiltStage): string[] {
  return Object.entries(built.settings).map(([name, value]) => `${name}=${value.startsWith("/") ? hostPath(built, value) : value}`);
}

function performInstruction(built: BuiltStage, instruction: Instruction, build: Build): void {
  const keyword = instruction.getKeyword();
  const step = STEPS[keyword];
  if (!step) throw new Error(`${keyword} is not known to this check: add it to STEPS in scripts/docker/build.ts`);
  const outcome = step(built, instruction, build);
  build.log(`${built.stage.name}: ${keyword} ${instruction.getArgumentsContent()?.replace(/\s+/g, " ") ?? ""} (${outcome})`);
}

function workdirStep(built: BuiltStage, instruction: Instruction): string {
  built.workdir = posix.resolve(built.workdir, instruction.getArgumentsContent() ?? "");
  mkdirSync(hostPath(built, "."), { recursive: true });
  return "made";
}

function copyStep(built: BuiltStage, instruction: Instruction, { context, earlierStages: done }: Build): string {
  const { stage, sources, target } = parseCopy(instruction);
  const earlier = done.find((candidate) => candidate.stage.name === stage);
  if (stage && !earlier) throw new Error(`COPY --from=${stage}: there is no earlier stage with that name`);
  const from = earlier ? { root: earlier.root, offers: () => true } : context;
  return `${copyFiles(from, sources, hostPath(built, target), target.endsWith("/"))} files`;
}

function runStep(built: BuiltStage, instruction: Instruction): string {
  const commands = (instruction.getArgumentsContent() ?? "").split("&&").map((command) => command.trim());
  return commands.map((command) => runCommand(built, command)).join(", ");
}

function runCommand(built: BuiltStage, command: string): string {
  if (CONTAINER_ONLY_COMMANDS.test(command)) return `"${command}" skipped: works only in a container`;
  const mapped = command.replace(/(?<=^|[\s="'])\/[\w.-][\w./-]*/g, (path) => hostPath(built, path));
  const started = performance.now();
  const options = { cwd: hostPath(built, "."), timeout: RUN_TIMEOUT_MS, encoding: "utf8" } as const;
  const { status, stderr, error } = spawnSync("env", [...environmentOf(built), "sh", "-c", mapped], options);
  if (status !== 0) throw new Error(`RUN ${command} failed: ${error?.message ?? stderr.trim()}`);
  return `"${command}" ran ${((performance.now() - started) / 1000).toFixed(1)} s`;
}
