import { z } from "zod";

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MAX_RESULT_CHARACTERS = 50_000;
const MAX_NAME_LENGTH = 90;

const texts = z.record(z.string(), z.string());

/** Of every server, beside what other clients write. */
const common = {
  graphs: z.array(z.string().min(1)).min(1).nullable().default(null),
  allowMutations: z.boolean().default(false),
  connectTimeoutMs: z.int().min(100).max(15_000).default(CONNECT_TIMEOUT_MS),
  timeoutMs: z.int().min(100).max(60_000).default(TIMEOUT_MS),
  maxResultCharacters: z.int().min(100).max(1_000_000).default(MAX_RESULT_CHARACTERS),
};

const StdioSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().min(1).optional(),
  ...common,
});

const HttpSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.default({}),
  ...common,
});

/** The two ways to a server: a process of ours, or an address. */
export const WAYS = { stdio: StdioSchema, http: HttpSchema };

export const ServerNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(/^[^\s,]+$/, "must have no spaces and no commas");

/** What a run needs to know of a server that it may use. */
interface Common {
  readonly name: string;
  /** Names of the graphs that may use it; null for all. */
  readonly graphs: readonly string[] | null;
  /** Whether its tools may change something without the user's word. */
  readonly allowMutations: boolean;
  /** Milliseconds until it has to be ready for calls, and those that one call may take. */
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxResultCharacters: number;
  /** What its entry holds that nobody may read, in the forms in which it may be written. */
  readonly secrets: readonly string[];
}

export interface StdioServer extends Common {
  readonly way: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

export interface HttpServer extends Common {
  readonly way: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that is enabled, with all that its entry leaves open. */
export type ServerSettings = StdioServer | HttpServer;
