import { type Allowance, UNLIMITED } from "../domain/quota.ts";
import type { SignIn } from "../domain/sign-in.ts";
import type { Tenancy } from "../domain/tenancy.ts";
import type { CheckSetting } from "../domain/tenant-settings.ts";
import type { Database } from "./database.ts";
import { createKeyStore } from "./key-store.ts";
import { SecretBox } from "./secret-box.ts";
import { createShareLinks } from "./share-links.ts";
import { createQuotas } from "./spending.ts";
import { createTenantRecords } from "./tenant-records.ts";
import { createTenantSettings } from "./tenant-settings.ts";
import { createThreadOwners } from "./thread-owners.ts";
import { createWebhooks } from "./webhook-store.ts";

interface TenancyOptions {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
  /** What each tenant may spend in a day. */
  readonly ofTenant?: Allowance;
  /** The keys of SECRET_KEY_FILE, the current one first. */
  readonly secretKeys?: readonly Buffer[];
  readonly signIn?: SignIn | null;
  /** Default: settings are stored as they are. */
  readonly checkSetting?: CheckSetting;
}

export function openTenancy(database: Database, options: TenancyOptions) {
  const { clock, ofTenant = UNLIMITED, secretKeys = [], signIn = null, checkSetting = (_kind, _name, value) => value } = options;
  const box = new SecretBox(secretKeys);
  const webhooks = createWebhooks(database, clock, box);
  return {
    keys: createKeyStore(database, clock, signIn !== null),
    owners: createThreadOwners(database),
    quotas: createQuotas(database, clock, ofTenant),
    shareLinks: createShareLinks(database, clock),
    records: createTenantRecords(database, clock),
    settings: createTenantSettings(database, clock, box, checkSetting),
    webhooks,
    signIn,
  } satisfies Tenancy;
}
