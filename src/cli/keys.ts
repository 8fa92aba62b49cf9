import { resolve } from "node:path";
import { readSettings } from "../compose/settings.ts";
import type { Key } from "../domain/keys.ts";
import { openKeys } from "../storage/open-keys.ts";
import { type KeysCommand, wrong } from "./keys-arguments.ts";
import { print, say, type Terminal, tableLines } from "./terminal.ts";

/** Performs a command on the keys of the configured database, also while the service runs. Returns the exit code. */
export async function keys(terminal: Terminal, command: KeysCommand): Promise<number> {
  const { DATA_DIR, DATABASE_URL } = await readSettings(terminal.env);
  await using opened = await openKeys(resolve(DATA_DIR), DATABASE_URL);
  if (command.action === "create") {
    const { key, secret } = await opened.keys.create(command.key);
    say(terminal, `Key ${key.name} (${key.id}) of tenant ${key.tenant}, scopes ${key.scopes.join(", ")}, ${expiryOf(key)}.`);
    say(terminal, "This is the only time that it is shown. From now on the service asks everybody for a key:");
    print(terminal, `${secret}\n`);
    return 0;
  }
  if (command.action === "list") {
    const listed = await opened.keys.list();
    const rows = listed.map((key) => [key.id, key.name, key.tenant, key.scopes.join(","), stateOf(key)]);
    print(terminal, `${tableLines([["ID", "NAME", "TENANT", "SCOPES", "STATE"], ...rows]).join("\n")}\n`);
    return 0;
  }
  const revoked = await opened.keys.revoke(command.name);
  if (revoked === null) throw wrong(`There is no valid key ${command.name}. npm run keys -- list shows all.`);
  say(terminal, `Revoked the key ${revoked.name} (${revoked.id}). Its requests are refused, and its streams end within a second.`);
  return 0;
}

function stateOf(key: Key): string {
  if (key.revokedAt !== null) return `revoked ${dayOf(key.revokedAt)}`;
  return key.expiresAt !== null && key.expiresAt <= Date.now() ? `expired ${dayOf(key.expiresAt)}` : expiryOf(key);
}

function expiryOf({ expiresAt }: Key): string {
  return expiresAt === null ? "valid" : `valid until ${dayOf(expiresAt)}`;
}

function dayOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
