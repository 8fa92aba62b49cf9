import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSettings } from "../compose/settings.ts";
import type { Key } from "../domain/keys.ts";
import { openKeys } from "../storage/open-keys.ts";
import { type KeysCommand, wrong } from "./keys-arguments.ts";
import { print, say, type Terminal, tableLines } from "./terminal.ts";

/** Performs a command on the keys of the configured database, also while the service runs. Returns the exit code. */
export async function keys(terminal: Terminal, command: KeysCommand): Promise<number> {
  const { DATA_DIR, DATABASE_URL } = await readSettings(terminal.env);
  if (command.action !== "create" && DATABASE_URL === undefined && !existsSync(join(DATA_DIR, "dossier.sqlite")))
    throw wrong(`There is no database in ${resolve(DATA_DIR)}, and so there are no keys. Set DATA_DIR as the service has it.`);
  await using opened = await openKeys(resolve(DATA_DIR), DATABASE_URL);
  if (command.action === "create") {
    const { key, secret } = await opened.keys.create(command.key);
    say(
      terminal,
      `Key ${key.name} (${key.id}) of tenant ${key.tenant}, scopes ${key.scopes.join(", ")}, ${expiryOf(key)}, ${allowanceOf(key)}.`,
    );
    audit(terminal, "createKey", key);
    say(terminal, `It is stored in ${DATABASE_URL === undefined ? resolve(DATA_DIR) : "the database of DATABASE_URL"}.`);
    say(terminal, "This is the only time that it is shown. From now on the service asks everybody for a key:");
    print(terminal, `${secret}\n`);
    return 0;
  }
  if (command.action === "list") {
    const listed = await opened.keys.list();
    const rows = listed.map((key) => [key.id, key.name, key.tenant, key.scopes.join(","), allowanceOf(key), stateOf(key)]);
    print(terminal, `${tableLines([["ID", "NAME", "TENANT", "SCOPES", "PER DAY", "STATE"], ...rows]).join("\n")}\n`);
    return 0;
  }
  const revoked = await opened.keys.revoke(command.name);
  if (revoked === null) throw wrong(`There is no valid key ${command.name}. npm run keys -- list shows all.`);
  say(terminal, `Revoked the key ${revoked.name} (${revoked.id}). Its requests are refused, and its streams end within a second.`);
  audit(terminal, "revokeKey", revoked);
  return 0;
}

/** Prints a change of the keys as the service prints lines of its audit log. */
function audit(terminal: Terminal, operationId: string, { name, id, tenant, scopes }: Key): void {
  const by = { uid: process.getuid?.(), key: name, keyId: id, tenant, scopes };
  say(terminal, JSON.stringify({ level: 30, time: Date.now(), audit: true, operationId, ...by, msg: "keys changed" }));
}

function stateOf(key: Key): string {
  if (key.revokedAt !== null) return `revoked ${dayOf(key.revokedAt)}`;
  return key.expiresAt !== null && key.expiresAt <= Date.now() ? `expired ${dayOf(key.expiresAt)}` : expiryOf(key);
}

function allowanceOf({ allowance: { tokens, costUsd } }: Key): string {
  const parts = [...(tokens === null ? [] : [`${tokens} tokens`]), ...(costUsd === null ? [] : [`${costUsd} USD`])];
  return parts.length === 0 ? "no daily limit" : parts.join(", ");
}

function expiryOf({ expiresAt }: Key): string {
  return expiresAt === null ? "valid" : `valid until ${dayOf(expiresAt)}`;
}

function dayOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
