import { z } from "zod";

type Entry = Readonly<Record<string, unknown>>;

const wishes = z.union([z.boolean(), z.array(z.string())]).optional();

/** What other clients write into the entry of a server, beside what is read here. */
export const ForeignSchema = z.looseObject({
  /** Whether it is used at all, as three kinds of clients have it. */
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  isActive: z.boolean().optional(),
  /** For whoever reads the file. */
  name: z.string().optional(),
  description: z.string().optional(),
  /** How it is spoken with, which its command or its url says as well. */
  type: z.string().optional(),
  transport: z.string().optional(),
  /** Tools, or all of them, that need no confirmation there. */
  autoApprove: wishes,
  alwaysAllow: wishes,
  trust: wishes,
  /** In seconds for some, in milliseconds for others. */
  timeout: z.number().optional(),
});

/** Whether a server is used. */
export function isEnabled({ enabled, disabled, isActive }: Entry): boolean {
  return enabled !== false && disabled !== true && isActive !== false;
}

/** The entry without what other clients write. */
export function withoutForeign(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !Object.hasOwn(ForeignSchema.shape, key)));
}

/** What an entry asks for and does not get, and what to write instead, sentence by sentence. */
export function notFollowed(entry: Entry): string[] {
  const approved = ["autoApprove", "alwaysAllow", "trust"].filter((key) => isWish(entry[key]));
  return [
    ...approved.map(
      (key) => `${key} is not followed: what changes something waits for the user. To let the server do it unasked, write allowMutations.`,
    ),
    ...(entry["timeout"] === undefined
      ? []
      : ["timeout is not followed, as clients differ in its unit. Write timeoutMs, in milliseconds."]),
  ];
}

function isWish(value: unknown): boolean {
  return value === true || (Array.isArray(value) && value.length > 0);
}

export interface WrongWay {
  readonly key: string;
  readonly message: string;
}

/** What is wrong with the way that an entry names, where it names one. */
export function wrongWay(entry: Entry): WrongWay | null {
  const faults = ["type", "transport"].flatMap((key) => {
    const named = entry[key];
    const message = typeof named === "string" ? faultOf(named, entry) : null;
    return message === null ? [] : [{ key, message }];
  });
  return faults[0] ?? null;
}

function faultOf(named: string, { command }: Entry): string | null {
  const way = named.toLowerCase().replaceAll(/[-_ ]/g, "");
  if (way === "sse")
    return "sse is an older transport, which is not spoken here; write http, and the address at which the server speaks streamable HTTP";
  if (way !== "stdio" && way !== "http" && way !== "streamablehttp") return `${named} is none of stdio, http and streamable-http`;
  if ((way === "stdio") === (command !== undefined)) return null;
  return `${named} does not go with ${command === undefined ? "a url" : "a command"}; leave it out`;
}
