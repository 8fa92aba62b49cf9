import { type Copy, type Dockerfile, DockerfileParser, type Env, type From, type Instruction, type JSONInstruction } from "dockerfile-ast";

/** One stage of a Dockerfile. `instructions` does not include FROM. */
export interface Stage {
  /** The stage's name, or its index from 0 if it has none. */
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** Returns the stages in order. @throws Error if an instruction precedes the first FROM, which this check does not support */
export function parseStages(text: string): Stage[] {
  const dockerfile: Dockerfile = DockerfileParser.parse(text);
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction.getKeyword() === "FROM") stages.push(startStage(instruction as From, stages.length));
    else if (stages.length > 0) stages.at(-1)?.instructions.push(instruction);
    else throw new Error(`${instruction.getKeyword()} before the first FROM is not supported by this check`);
  }
  return stages;
}

/** Returns the last instruction with this keyword, which is the one that takes effect. */
export function lastInstruction(stage: Stage, keyword: string): Instruction | undefined {
  return stage.instructions.findLast((instruction) => instruction.getKeyword() === keyword);
}

/** Returns the strings of an exec form such as `CMD ["node", "x.ts"]` or `HEALTHCHECK CMD [...]`, or undefined for the shell form. */
export function parseExecForm(instruction: Instruction | undefined): string[] | undefined {
  const json = /\[.*\]$/s.exec(instruction?.getArgumentsContent() ?? "")?.[0];
  const isHealthcheck = instruction?.getKeyword() === "HEALTHCHECK";
  if (!instruction || !json || (!isHealthcheck && (instruction as JSONInstruction).getJSONStrings().length === 0)) return undefined;
  return JSON.parse(json);
}

export function parseEnv(instruction: Instruction): Record<string, string> {
  const properties = (instruction as Env).getProperties();
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getUnescapedValue() ?? ""]));
}

/** Returns the sources and the target of a COPY. `stage` is undefined if it copies from the build context. */
export function parseCopy(instruction: Instruction): { stage: string | undefined; sources: string[]; target: string } {
  const paths = instruction.getArguments().map((argument) => argument.getValue());
  const stage = (instruction as Copy).getFromFlag()?.getValue() ?? undefined;
  return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
}

function startStage(from: From, index: number): Stage & { instructions: Instruction[] } {
  return { name: from.getBuildStage() ?? String(index), image: from.getImage() ?? "", instructions: [] };
}
