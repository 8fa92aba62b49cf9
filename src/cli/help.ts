import { READ_TYPES } from "../domain/upload.ts";

export const seeHelp = (command: string): string => `See \`npm run ${command} -- --help\` for all options.`;

/** The usage of each command, and what it does. */
const USAGE = {
  ask: 'npm run ask -- "question" [FILE|FOLDER ...] [options]',
  replay: "npm run replay -- FILE             plays a recording again, without a network, and compares",
  verify: "npm run verify -- FILE [--digest HEX]   checks an evidence bundle; - reads standard input",
  prompts: "npm run prompts -- [--json]        lists the prompts of all roles, and which were changed",
  backup: "npm run backup -- FILE             copies the data folder's runs and documents while the service runs",
  restore: "npm run restore -- FILE            puts a backup into an empty data folder",
  import: "npm run import -- FOLDER          copies a data folder into the PostgreSQL database of DATABASE_URL",
  keys: `npm run keys -- create NAME [--tenant T] [--scopes ask,read,admin] [--expires 90d|2027-01-31]
                                    [--tokens-per-day 1000000] [--usd-per-day 5]
  npm run keys -- list             default: tenant default, scope ask (it may read too), no expiry
  npm run keys -- revoke NAME|ID`,
  start: "npm start                          starts the service; its settings are in .env.example",
} as const;

const ASK = `Files and folders after the question are read for it: ${READ_TYPES.join(", ")}.
With files, --url or --corpus, only these are searched, unless --sources or --other-sources says more.

options of ask:
  --depth quick|standard|deep   how much work: about 200, 800 or 3,000 words; deep needs a model and plans todos
  --style answer|report|brief|table
                                the form of the report; needs a model
  --language TAG                the language of the report, such as en or zh-Hans; default: that of the question
  --since DATE                  only what was published since this day, such as 2025-01-31
  --search WORDS                search for these words instead of those of the question; may be repeated
  --call 'TOOL JSON'            call this optional tool first; may be repeated
  --url ADDRESS                 read this web address; may be repeated
  --sources a,b                 use these sources only; corpus is the folder
  --corpus DIR                  search this folder instead of CORPUS_DIR
  --other-sources               beside your own files, addresses and folder, search the other sources too
  --partial                     answer after three seconds of indexing
  --thread ID                   continue this conversation, with what it has read and was given
  --model NAME                  use this model of the configured server
  --limit NAME=N                a limit such as downloads=20; may be repeated
  --graph NAME                  executor (default), research, agent or team
  --team NAME|FILE.json         a team of agents
  --approve-plan                ask before the plan of the graph research is executed
  --format md|html|json|pdf|docx|bib
                                the form of the output; pdf and docx need --out
  --out FILE                    write the report to this file; its ending names the format
  --json                        print the run as one line of JSON
  --recording FILE              write the recording, for npm run replay
  --bundle FILE                 write the evidence bundle, for npm run verify`;

/** What `--help` prints for a command, or for all of them. */
export function helpFor(command: string): string {
  const usage = Object.hasOwn(USAGE, command) ? [USAGE[command as keyof typeof USAGE]] : Object.values(USAGE);
  const lines = `usage:\n${usage.map((line) => `  ${line}`).join("\n")}\n\n--version prints the version.`;
  return command === "ask" || usage.length > 1 ? `${lines}\n\n${ASK}` : lines;
}
