import { z } from "zod";
import { DEFAULT_TENANT, KeyNameSchema, type NewKey, SCOPES, type Scope, TenantSchema } from "../domain/keys.ts";
import type { DossierError } from "../errors.ts";
import { misuse, parse } from "./arguments.ts";

const DEFAULT_SCOPES = "ask";
const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

const text = { type: "string" } as const;
const OPTIONS = { tenant: text, scopes: text, expires: text, "tokens-per-day": text, "usd-per-day": text } as const;

export type KeysCommand =
  | { readonly action: "create"; readonly key: NewKey }
  | { readonly action: "list" }
  | { readonly action: "revoke"; readonly name: string };

/** @throws DossierError `invalid_request` with the fault and how to get help */
export function readKeysArguments(args: string[], now = Date.now()): KeysCommand {
  const { values, positionals } = parse({ args, options: OPTIONS }, "keys");
  const [action, name, ...others] = positionals;
  if (others.length > 0)
    throw wrong(`keys ${action} takes one name, but got also: ${others.join(" ")}. Put a name of several words in quotes.`);
  if (action === "list" && name === undefined) return { action };
  if (action === "revoke" && name !== undefined) return { action, name: name.trim().normalize() };
  if (action !== "create" || name === undefined) throw wrong("keys takes create NAME, list, or revoke NAME.");
  const { tenant = DEFAULT_TENANT, scopes = DEFAULT_SCOPES, expires, "tokens-per-day": tokens, "usd-per-day": usd } = values;
  const key = {
    name: checked(KeyNameSchema, "The name", name),
    tenant: checked(TenantSchema, "--tenant", tenant),
    scopes: readScopes(scopes),
    allowance: {
      tokens: readAmount("--tokens-per-day", tokens, /^\d{1,15}$/),
      costUsd: readAmount("--usd-per-day", usd, /^\d{1,9}(\.\d{1,6})?$/),
    },
  };
  return { action, key: { ...key, expiresAt: expires === undefined ? null : readExpiry(expires, now) } };
}

function checked(schema: typeof KeyNameSchema, what: string, value: string): string {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw wrong(`${what} ${error.issues[0]?.message}, not ${JSON.stringify(value)}.`);
  return data;
}

function readScopes(list: string): Scope[] {
  const named = [...new Set(list.split(",").map((scope) => scope.trim()))];
  const known = SCOPES.filter((scope) => named.includes(scope));
  if (known.length < named.length || known.length === 0) throw wrong(`--scopes takes a list of ${SCOPES.join(", ")}, not ${list}.`);
  return known;
}

function readAmount(option: string, text: string | undefined, form: RegExp): number | null {
  if (text === undefined) return null;
  if (!form.test(text)) throw wrong(`${option} takes a number in decimal digits, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** Reads `90d`, or a day such as `2027-01-31`, at whose end in UTC the key expires. */
function readExpiry(text: string, now: number): number {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  if (days > 0 && days <= MAX_DAYS) return now + days * DAY_MS;
  const day = z.iso.date().safeParse(text);
  if (!day.success) throw wrong(`--expires takes a number of days such as 90d, or a day such as 2027-01-31, not ${JSON.stringify(text)}.`);
  const at = Date.parse(text) + DAY_MS;
  if (at <= now) throw wrong(`--expires ${text} is over already.`);
  return at;
}

export function wrong(message: string): DossierError {
  return misuse(message, undefined, "keys");
}
