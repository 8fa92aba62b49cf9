import { misuse, readAskArguments, readPromptsArguments, readReplayArguments, readVerifyArguments, USAGE, wantsHelp } from "./arguments.ts";
import { print, tell } from "./terminal.ts";

/** Parses arguments first and loads the program only to execute the command, so that usage errors are fast. */
const COMMANDS: Readonly<Record<string, (args: string[]) => () => Promise<number>>> = {
  ask(args) {
    const asked = readAskArguments(args);
    return async () => (await import("./ask.ts")).ask(asked);
  },
  replay(args) {
    const file = readReplayArguments(args);
    return async () => (await import("./replay-file.ts")).replayFile(file);
  },
  verify(args) {
    const asked = readVerifyArguments(args);
    return async () => (await import("./verify-file.ts")).verify(asked);
  },
  prompts(args) {
    const { json } = readPromptsArguments(args);
    return async () => (await import("./prompts.ts")).prompts(json);
  },
};

/** Exit codes: 0 success, 1 failure, 2 wrong usage. */
async function main([command = "", ...args]: string[]): Promise<number> {
  if (wantsHelp([command, ...args])) {
    print(`${USAGE}\n`);
    return 0;
  }
  let work: () => Promise<number>;
  try {
    work = readCommand(command, args);
  } catch (error) {
    tell(error);
    return 2;
  }
  return work();
}

function readCommand(command: string, args: string[]): () => Promise<number> {
  const read = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (read === undefined) throw misuse(command === "" ? "A command is missing." : `There is no command ${command}.`);
  return read(args);
}

// The reader of a pipe may close it (`| head`).
process.stdout.on("error", () => process.exit(1));

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    tell(error);
    process.exitCode = 1;
  },
);
