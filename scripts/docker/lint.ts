import { validate } from "dockerfile-utils";
import { lastInstruction, parseExecForm, parseStages, type Stage } from "./parse.ts";

/**
 * Returns the faults of a Dockerfile: those of the linter library, or, if it finds none, those against this project's own rules.
 * Every stage must start from `nodeVersion`.
 */
export function lintDockerfile(text: string, nodeVersion: string): string[] {
  const faults = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
  if (faults.length > 0) return faults;
  const shipped = /^COPY\b.*\bdocs\b|^ENV\b.*\bCORPUS_DIR=/m.test(text) ? ["the image ships a corpus: remove docs and CORPUS_DIR"] : [];
  return [...shipped, ...projectFaults(parseStages(text), nodeVersion)];
}

function projectFaults(stages: readonly Stage[], nodeVersion: string): string[] {
  const image = stages.at(-1);
  if (!image) return ["there is no stage"];
  const user = lastInstruction(image, "USER")?.getArgumentsContent() ?? "root";
  const rules: [boolean, string][] = [
    [stages.every((stage) => new RegExp(`^node:${nodeVersion}(-|$)`).test(stage.image)), `a stage does not start from node:${nodeVersion}`],
    [!/^(root|0)(:|$)/.test(user), "the image runs as root: USER is missing"],
    [parseExecForm(lastInstruction(image, "CMD"))?.[0] === "node", 'CMD is not ["node", ...]: signals would not reach the service'],
    [lastInstruction(image, "ENTRYPOINT") === undefined, "ENTRYPOINT is set: signals would not reach the service"],
    [parseExecForm(lastInstruction(image, "HEALTHCHECK"))?.[0] === "node", "HEALTHCHECK is not run by node: slim images have no curl"],
    [lastInstruction(image, "STOPSIGNAL")?.getArgumentsContent() === "SIGTERM", "STOPSIGNAL is not SIGTERM"],
    [lastInstruction(image, "VOLUME") !== undefined, "VOLUME is missing: data would be deleted with the container"],
  ];
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}
