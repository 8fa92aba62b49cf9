import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { Instruction } from "dockerfile-ast";
import { buildContext, type CopySource, copyFiles } from "./copy-files.ts";
import { copyOf, parseStages, type Stage, settingsOf } from "./parse.ts";

/** A stage after its steps: a folder that stands in for its file system, and what its processes are started with. */
export interface BuiltStage {
  readonly stage: Stage;
  readonly root: string;
  readonly settings: Record<string, string>;
  workdir: string;
}

interface Build {
  readonly context: CopySource;
  readonly done: readonly BuiltStage[];
  readonly say: (line: string) => void;
}

type Step = (built: BuiltStage, instruction: Instruction, build: Build) => string;

const RUN_TIMEOUT_MS = 300_000;
const COMMANDS_OF_A_CONTAINER = /^(chown|adduser|addgroup|useradd|groupadd|apt-get|apk)\s/;

const noted: Step = () => "noted";

const STEPS: Readonly<Record<string, Step>> = {
  COPY: copyStep,
  RUN: runStep,
  WORKDIR: workdirStep,
  ENV: (built, instruction) => `${Object.keys(Object.assign(built.settings, settingsOf(instruction))).length} settings`,
  USER: () => "skipped: this check keeps its own user",
  VOLUME: noted,
  EXPOSE: noted,
  HEALTHCHECK: noted,
  STOPSIGNAL: noted,
  LABEL: noted,
  CMD: noted,
};

/** Performs the steps of every stage below `folder` and returns the last stage. Says one line per step; throws at the first failure. */
export function buildStages(text: string, contextRoot: string, folder: string, say: (line: string) => void): BuiltStage {
  const done: BuiltStage[] = [];
  for (const stage of parseStages(text)) {
    const built: BuiltStage = { stage, root: join(folder, stage.name), settings: {}, workdir: "/" };
    mkdirSync(built.root, { recursive: true });
    for (const instruction of stage.instructions) perform(built, instruction, { context: buildContext(contextRoot), done, say });
    done.push(built);
  }
  const last = done.at(-1);
  if (!last) throw new Error("The Dockerfile has no stage");
  return last;
}

/** An absolute path of the image as a path of this machine. */
export function placeOf(built: BuiltStage, path: string): string {
  return join(built.root, posix.resolve(built.workdir, path));
}

/** The image's settings as NAME=value, those that are paths pointing into the stand-in. */
export function settingsFor(built: BuiltStage): string[] {
  return Object.entries(built.settings).map(([name, value]) => `${name}=${value.startsWith("/") ? placeOf(built, value) : value}`);
}

function perform(built: BuiltStage, instruction: Instruction, build: Build): void {
  const keyword = instruction.getKeyword();
  const step = STEPS[keyword];
  if (!step) throw new Error(`${keyword} is not known to this check`);
  const outcome = step(built, instruction, build);
  build.say(`${built.stage.name}: ${keyword} ${instruction.getArgumentsContent()?.replace(/\s+/g, " ") ?? ""} (${outcome})`);
}

function workdirStep(built: BuiltStage, instruction: Instruction): string {
  built.workdir = posix.resolve(built.workdir, instruction.getArgumentsContent() ?? "");
  mkdirSync(placeOf(built, "."), { recursive: true });
  return "made";
}

function copyStep(built: BuiltStage, instruction: Instruction, { context, done }: Build): string {
  const { stage, sources, target } = copyOf(instruction);
  const earlier = done.find((candidate) => candidate.stage.name === stage);
  if (stage && !earlier) throw new Error(`COPY --from=${stage}: there is no earlier stage of that name`);
  const from = earlier ? { root: earlier.root, offers: () => true } : context;
  return `${copyFiles(from, sources, placeOf(built, target), target.endsWith("/"))} files`;
}

function runStep(built: BuiltStage, instruction: Instruction): string {
  const commands = (instruction.getArgumentsContent() ?? "").split("&&").map((command) => command.trim());
  return commands.map((command) => runCommand(built, command)).join(", ");
}

function runCommand(built: BuiltStage, command: string): string {
  if (COMMANDS_OF_A_CONTAINER.test(command)) return `"${command}" skipped: it makes sense in a container only`;
  const mapped = command.replace(/(?<=^|[\s="'])\/[\w.-][\w./-]*/g, (path) => placeOf(built, path));
  const started = performance.now();
  const options = { cwd: placeOf(built, "."), timeout: RUN_TIMEOUT_MS, encoding: "utf8" } as const;
  const { status, stderr, error } = spawnSync("env", [...settingsFor(built), "sh", "-c", mapped], options);
  if (status !== 0) throw new Error(`RUN ${command} failed: ${error?.message ?? stderr.trim()}`);
  return `"${command}" ran ${((performance.now() - started) / 1000).toFixed(1)} s`;
}
