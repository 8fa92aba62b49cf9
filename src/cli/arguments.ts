import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { LimitsSchema } from "../domain/limits.ts";
import { plainIssue } from "../domain/plain-issue.ts";
import { type ResearchRequest, ResearchRequestSchema } from "../domain/request.ts";
import { type Team, TeamSchema } from "../domain/team.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { beginsWithPath, splitPaths, wordsBeforeQuestion } from "./given-files.ts";
import { seeHelp } from "./help.ts";
import { BINARY_FORMATS, formatOfFile, REPORT_FORMATS, type ReportFormat } from "./report-output.ts";

const TEAM_GRAPH = "team";
const QUESTION_FIRST = "Put the question first, in quotes, and files after it.";
const LIMIT_NAMES = Object.keys(LimitsSchema.shape);

const text = { type: "string" } as const;
export const ASK_OPTIONS = {
  json: { type: "boolean" },
  corpus: text,
  partial: { type: "boolean" },
  "other-sources": { type: "boolean" },
  graph: text,
  "approve-plan": { type: "boolean" },
  team: text,
  sources: text,
  depth: text,
  style: text,
  language: text,
  since: text,
  thread: text,
  model: text,
  limit: { type: "string", multiple: true },
  recording: text,
  bundle: text,
  url: { type: "string", multiple: true },
  search: { type: "string", multiple: true },
  call: { type: "string", multiple: true },
  format: text,
  out: text,
} as const;

export interface AskArguments {
  readonly request: ResearchRequest;
  readonly json: boolean;
  readonly corpusDir?: string;
  /** Whether to answer before the corpus is indexed. */
  readonly partial: boolean;
  readonly recordingFile?: string;
  readonly bundleFile?: string;
  /** Files and folders to give to the run. */
  readonly paths: readonly string[];
  /** The form of the printed or written report. If absent, its Markdown is printed. */
  readonly format?: ReportFormat;
  readonly outFile?: string;
}

/** Whether one of these options is given; what follows `--` is no option. */
export function hasOption(args: readonly string[], names: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => names.includes(arg));
}

/** @throws DossierError `invalid_request` with the fault and how to get help */
export function readAskArguments(args: string[]): AskArguments {
  checkRepeats(args);
  const { values, positionals } = parse({ args, options: ASK_OPTIONS });
  const { corpus, recording, bundle, json = false, partial = false } = values;
  const sources = values.sources?.split(",").map((source) => source.trim());
  const before = wordsBeforeQuestion(positionals);
  const [unknown] = before.filter((word) => !existsSync(word));
  if (unknown !== undefined) throw misuse(`There is no file or folder ${unknown}. ${QUESTION_FIRST}`);
  if (before.length > 0 || beginsWithPath(positionals)) throw misuse(`${positionals[0]} is a file or folder. ${QUESTION_FIRST}`);
  const { question, paths } = splitPaths(positionals);
  const output = readOutput(values.format, values.out, json);
  const planApproval = values["approve-plan"] === true && ({ planApproval: true } as const);
  const { depth, style, language, since, model, thread: threadId, limit, url: urls, search: queries, call } = values;
  const form = {
    depth,
    language,
    since,
    model,
    threadId,
    urls,
    queries,
    otherSources: values["other-sources"],
    ...(style !== undefined && { report: { style } }),
    ...(limit && { limits: readLimits(limit) }),
    ...(call && { calls: call.map(readCall) }),
  };
  const asked = { question, ...(sources && { sources }), ...askedGraph(values, depth), ...planApproval, ...withoutUndefined(form) };
  const request = readRequest(asked);
  if (corpus !== undefined && statSync(corpus, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw misuse(`There is no folder ${corpus}.`);
  const missing = paths.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined) throw misuse(`There is no file or folder ${missing}.`);
  checkDistinct({ recording, bundle, out: values.out });
  return {
    request,
    json,
    partial,
    ...(corpus !== undefined && { corpusDir: resolve(corpus) }),
    ...(recording !== undefined && { recordingFile: recording }),
    ...(bundle !== undefined && { bundleFile: bundle }),
    ...output,
    paths,
  };
}

/** How high a limit may be is judged by the settings of this machine, and later. */
function readRequest(asked: Readonly<Record<string, unknown>>): ResearchRequest {
  const { success, data, error } = ResearchRequestSchema.safeParse(asked, { error: plainIssue });
  if (success) return data;
  const issues = error.issues.filter(({ code, path }) => code !== "too_big" || path[0] !== "limits");
  if (issues.length > 0) throw misuse(issues.map(describeIssue).join("; "));
  const { limits, ...others } = asked;
  return { ...ResearchRequestSchema.parse(others), limits: limits as NonNullable<ResearchRequest["limits"]> };
}

/** The fields of a request that an option of another name sets. */
const OPTION_OF: Readonly<Record<string, string>> = {
  threadId: "thread",
  queries: "search",
  calls: "call",
  urls: "url",
  limits: "limit",
  report: "style",
};

/** Names the option as the user wrote it. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const [field = "", name] = issue.path.map(String);
  if (field === "") return issue.message;
  const option = OPTION_OF[field] ?? field;
  if (field === "limits" && issue.code === "unrecognized_keys")
    return `--limit: there is no limit ${issue.keys.join(", ")}. Use one of ${LIMIT_NAMES.join(", ")}`;
  const of = field === "limits" && name !== undefined ? ` ${name}` : /^\d+$/.test(name ?? "") ? ` (number ${Number(name) + 1})` : "";
  return option in ASK_OPTIONS ? `--${option}${of} ${issue.message}` : `${issue.path.join(".")} ${issue.message}`;
}

function readOutput(format: string | undefined, out: string | undefined, json: boolean): Pick<AskArguments, "format" | "outFile"> {
  const known = REPORT_FORMATS.find((one) => one === format);
  if (format !== undefined && known === undefined) throw misuse(`--format takes one of ${REPORT_FORMATS.join(", ")}, not ${format}.`);
  if (out !== undefined) return { outFile: out, format: outputFormat(out, known) };
  if (known === undefined) return {};
  if (json) throw misuse("--json prints the run, so --format needs --out.");
  if (BINARY_FORMATS.includes(known)) throw misuse(`--format ${known} needs --out FILE.`);
  return { format: known };
}

function outputFormat(out: string, format: ReportFormat | undefined): ReportFormat {
  const named = formatOfFile(out);
  if (named === null && format === undefined && extname(out) !== "")
    throw misuse(`--out ${out} ends in no known format. Use ${REPORT_FORMATS.map((one) => `.${one}`).join(", ")}.`);
  if (format !== undefined && named !== null && named !== format)
    throw misuse(`--out ${out} names the format ${named}, but --format says ${format}. Leave one of them out.`);
  return format ?? named ?? "md";
}

/** An option that takes one value is given once. */
function checkRepeats(args: string[]): void {
  const { tokens } = parse({ args, options: ASK_OPTIONS, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const single = names.filter((name) => !("multiple" in ASK_OPTIONS[name as keyof typeof ASK_OPTIONS]));
  const twice = single.find((name, at) => single.indexOf(name) !== at);
  if (twice !== undefined) throw misuse(`--${twice} is given twice. Give it once.`);
}

function checkDistinct(files: Readonly<Record<string, string | undefined>>): void {
  const named = Object.entries(files).flatMap(([option, file]) => (file === undefined ? [] : [{ option, file }]));
  for (const [at, { option, file }] of named.entries()) {
    const other = named.slice(0, at).find((one) => resolve(one.file) === resolve(file));
    if (other !== undefined) throw misuse(`--${other.option} and --${option} name the same file ${file}.`);
  }
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads `downloads=20`. The schema of requests checks names and values. */
function readLimits(limits: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    limits.map((limit) => {
      const [, name, value] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(limit) ?? [];
      if (name === undefined) throw misuse(`--limit takes NAME=N, such as downloads=20, not ${limit}.`);
      return [name, Number(value)];
    }),
  );
}

/** Reads `sec_edgar_search {"query":"Tesla"}`. */
function readCall(call: string): unknown {
  const [, tool, args = ""] = /^(\S+)\s+(.+)$/s.exec(call.trim()) ?? [];
  try {
    return { tool, arguments: JSON.parse(args) };
  } catch (error) {
    throw misuse(`--call takes a tool and its arguments as JSON, such as 'sec_edgar_search {"query":"Tesla"}', not ${call}.`, error);
  }
}

/** `--team` implies the graph `team`, and `--depth deep` the graph `research`. Whether the team exists is checked later. */
function askedGraph({ graph, team }: { readonly graph?: string | undefined; readonly team?: string | undefined }, depth?: string) {
  if (team === undefined && graph === undefined && depth === "deep") return { graph: "research" };
  if (team === undefined) return graph === undefined ? {} : { graph };
  if (graph !== undefined && graph !== TEAM_GRAPH)
    throw misuse(`--team works with the graph ${TEAM_GRAPH} only, not with ${graph}. Leave --graph out.`);
  return { graph: TEAM_GRAPH, team: team.endsWith(".json") ? readTeam(team) : team };
}

/** Reads the arguments of a command that takes one file or folder and no options. @param what the file or folder, such as `a recording` */
export function readPathArgument(command: string, what: string, args: string[]): string {
  return onlyPath(command, what, parse({ args, options: {} }, command).positionals);
}

export interface VerifyArguments {
  /** The path of the bundle, or `-` for standard input. */
  readonly file: string;
  readonly digest?: string;
}

export function readVerifyArguments(args: string[]): VerifyArguments {
  const { values, positionals } = parse({ args, options: { digest: text } }, "verify");
  const file = onlyPath("verify", "the file of an evidence bundle", positionals);
  const digest = values.digest?.toLowerCase();
  if (digest === undefined) return { file };
  if (!/^[0-9a-f]{64}$/.test(digest)) throw misuse("--digest takes 64 hex digits.", undefined, "verify");
  return { file, digest };
}

export function readPromptsArguments(args: string[]): { readonly json: boolean } {
  const { values, positionals } = parse({ args, options: { json: { type: "boolean" } } }, "prompts");
  if (positionals.length > 0) throw misuse(`prompts takes no arguments, but got: ${positionals.join(" ")}.`, undefined, "prompts");
  return { json: values.json ?? false };
}

function onlyPath(command: string, what: string, [path, ...others]: readonly string[]): string {
  if (path === undefined) throw misuse(`${command} needs ${what}.`, undefined, command);
  if (others.length > 0) throw misuse(`${command} takes ${what}, but got also: ${others.join(" ")}.`, undefined, command);
  return path;
}

export function misuse(message: string, cause?: unknown, command = "ask"): DossierError {
  return new DossierError("invalid_request", `${message}\n${seeHelp(command)}`, { cause });
}

/** Parses options and words with Node's own parser. @throws DossierError `invalid_request` */
export function parse<Config extends ParseArgsConfig>(config: Config, command = "ask") {
  try {
    return parseArgs({ ...config, allowPositionals: true as const });
  } catch (error) {
    throw misuse(toDossierError(error).message, error, command);
  }
}

const MAX_TEAM_BYTES = 1_000_000;

function readTeam(file: string): Team {
  const { success, data, error } = TeamSchema.safeParse(readJson(file), { error: plainIssue });
  if (success) return data;
  throw misuse(`${file} is not a team: ${error.issues.map(({ path, message }) => `${path.join("/") || "it"}: ${message}`).join("; ")}.`);
}

function readJson(file: string): unknown {
  try {
    const { size } = statSync(file);
    if (size > MAX_TEAM_BYTES) throw misuse(`${file} is not a team: it has ${size} bytes; at most ${MAX_TEAM_BYTES} are allowed.`);
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw misuse(`${file} cannot be read: ${toDossierError(error).message}.`, error);
  }
}
