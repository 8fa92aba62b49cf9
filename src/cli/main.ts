import { VERSION } from "../compose/process.ts";
import { hasOption, misuse, readAskArguments, readPathArgument, readPromptsArguments, readVerifyArguments } from "./arguments.ts";
import { helpFor } from "./help.ts";
import { readKeysArguments } from "./keys-arguments.ts";
import { print, printError, type Terminal } from "./terminal.ts";

type Command = (terminal: Terminal) => Promise<number>;

/** Arguments are parsed before the command's module is imported, so that usage errors are fast. */
const COMMANDS: Readonly<Record<string, (args: string[]) => Command>> = {
  ask(args) {
    const asked = readAskArguments(args);
    return async (terminal) => (await import("./ask.ts")).ask(terminal, asked);
  },
  replay(args) {
    const file = readPathArgument("replay", "the file of a recording", args);
    return async (terminal) => (await import("./replay-file.ts")).runReplay(terminal, file);
  },
  verify(args) {
    const asked = readVerifyArguments(args);
    return async (terminal) => (await import("./verify-file.ts")).verify(terminal, asked);
  },
  prompts(args) {
    const { json } = readPromptsArguments(args);
    return async (terminal) => (await import("./prompts.ts")).prompts(terminal, json);
  },
  backup(args) {
    const file = readPathArgument("backup", "the file of a backup", args);
    return async (terminal) => (await import("./backup.ts")).backUp(terminal, file);
  },
  restore(args) {
    const file = readPathArgument("restore", "the file of a backup", args);
    return async (terminal) => (await import("./backup.ts")).restore(terminal, file);
  },
  import(args) {
    const folder = readPathArgument("import", "a data folder, such as ./data", args);
    return async (terminal) => (await import("./backup.ts")).importData(terminal, folder);
  },
  keys(args) {
    const command = readKeysArguments(args);
    return async (terminal) => (await import("./keys.ts")).keys(terminal, command);
  },
  start(args) {
    throw misuse(`npm start takes no arguments, but got: ${args.join(" ")}. Nothing was started.`);
  },
};

/** Returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function main([command = "", ...args]: string[], terminal: Terminal): Promise<number> {
  const isAsked = (...names: string[]): boolean => hasOption([command, ...args], names);
  if (isAsked("--help", "-h") || isAsked("--version")) {
    print(terminal, `${isAsked("--version") ? VERSION : helpFor(command)}\n`);
    return 0;
  }
  let execute: Command;
  try {
    execute = readCommand(command, args);
  } catch (error) {
    printError(terminal, error);
    return 2;
  }
  return execute(terminal).catch((error: unknown) => {
    printError(terminal, error);
    return 1;
  });
}

function readCommand(command: string, args: string[]): Command {
  const read = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (read === undefined) throw misuse(command === "" ? "A command is missing." : `There is no command ${command}.`);
  return read(args);
}
