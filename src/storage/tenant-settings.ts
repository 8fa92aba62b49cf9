import { sql } from "kysely";
import type { CheckSetting, OpenSetting, SettingKind, SettingValue, TenantSetting, TenantSettings } from "../domain/tenant-settings.ts";
import { DossierError } from "../errors.ts";
import { allRows, CLIENT, change, type Database } from "./database.ts";
import type { SecretBox } from "./secret-box.ts";

interface SettingRow {
  readonly tenant: string;
  readonly kind: SettingKind;
  readonly name: string;
  /** The value without secrets, as JSON. */
  readonly shown: string;
  /** The whole value, encrypted; null if it has no secrets. */
  readonly sealed: string | null;
  readonly updated_at: number;
}

const MAX_SETTINGS = 50;

/** `clock` returns milliseconds since 1970. */
export function createTenantSettings(database: Database, clock: () => number, box: SecretBox, check: CheckSetting): TenantSettings {
  const read = (source: Pick<Database, "db">, tenant: string) =>
    allRows(source, sql<SettingRow>`select * from tenant_settings where tenant = ${tenant} order by kind, name`);
  return {
    list: async (tenant) => (await read(database, tenant)).map(toSetting),
    open: async (tenant) => (await read(database, tenant)).map((row) => openSetting(row, box)),
    put: (tenant, kind, name, value) =>
      database.write(async (tx) => {
        const others = (await read(tx, tenant)).map(toSetting).filter((one) => one.kind !== kind || one.name !== name);
        if (others.length >= MAX_SETTINGS)
          throw new DossierError(
            "invalid_request",
            `Your tenant has ${MAX_SETTINGS} settings already. Nothing was changed; delete one first.`,
          );
        const shown = JSON.stringify(check(kind, name, value, others));
        const whole = JSON.stringify(value);
        const sealed = shown === whole ? null : box.seal(whole, aboutOf({ tenant, kind, name }));
        const row = { tenant, kind, name, shown, sealed, updated_at: clock() };
        await change(
          tx,
          sql`insert into tenant_settings (tenant, kind, name, shown, sealed, updated_at) values (${sql.join(Object.values(row))})
            on conflict (tenant, kind, name) do update set shown = excluded.shown, sealed = excluded.sealed, updated_at = excluded.updated_at`,
        );
        return toSetting(row);
      }, CLIENT),
    async delete(tenant, kind, name) {
      const statement = sql`delete from tenant_settings where tenant = ${tenant} and kind = ${kind} and name = ${name}`;
      return (await database.write((tx) => change(tx, statement), CLIENT)) > 0;
    },
    async clean() {
      for (const row of await allRows(database, sql<SettingRow>`select * from tenant_settings where sealed is not null`)) {
        const plain = row.sealed === null || box.isCurrent(row.sealed) ? null : box.tryOpen(row.sealed, aboutOf(row));
        if (plain === null) continue;
        const which = sql`tenant = ${row.tenant} and kind = ${row.kind} and name = ${row.name} and sealed = ${row.sealed}`;
        const sealed = box.seal(plain, aboutOf(row));
        await database.write((tx) => change(tx, sql`update tenant_settings set sealed = ${sealed} where ${which}`));
      }
    },
  };
}

/** A sealed value opens in its own place only. */
function aboutOf({ tenant, kind, name }: Pick<SettingRow, "tenant" | "kind" | "name">): string {
  return `${tenant}/${kind}/${name}`;
}

function toSetting({ kind, name, shown, updated_at: at }: SettingRow): TenantSetting {
  return { kind, name, value: JSON.parse(shown), updatedAt: new Date(Number(at)).toISOString() };
}

function openSetting(row: SettingRow, box: SecretBox): OpenSetting {
  const { value: shown, ...setting } = toSetting(row);
  const whole = row.sealed === null ? row.shown : box.tryOpen(row.sealed, aboutOf(row));
  return { ...setting, shown, value: whole === null ? null : (JSON.parse(whole) as SettingValue) };
}
