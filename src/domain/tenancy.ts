import type { KeyStore } from "./keys.ts";
import type { ThreadOwners } from "./owners.ts";
import type { Quotas } from "./quota.ts";
import type { ShareLinks } from "./share-links.ts";
import type { SignIn } from "./sign-in.ts";
import type { TenantRecords } from "./tenant-records.ts";
import type { TenantSettings } from "./tenant-settings.ts";
import type { Webhooks } from "./webhooks.ts";

/** Who may use the service, and what is whose. */
export interface Tenancy {
  readonly keys: KeyStore;
  readonly owners: ThreadOwners;
  readonly quotas: Quotas;
  readonly shareLinks: ShareLinks;
  /** Null: people have keys. */
  readonly signIn: SignIn | null;
  readonly webhooks: Webhooks;
  readonly records: TenantRecords;
  readonly settings: TenantSettings;
}
