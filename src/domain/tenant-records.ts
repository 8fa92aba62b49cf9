import type { JsonValue } from "./json.ts";
import type { Tenant } from "./owners.ts";

/** One line of an export. */
export interface TenantRecord {
  readonly type: string;
  readonly [field: string]: JsonValue;
}

/** Reads and deletes the data of a tenant, except for its runs. */
export interface TenantRecords {
  /** The threads that were given something. */
  threads(tenant: Tenant): Promise<string[]>;
  /** Yields addresses and documents of threads with their files in base64, then owners, links, webhooks, keys and spending, without secrets. */
  read(tenant: Tenant): AsyncIterable<TenantRecord>;
  /** Revokes all keys but this one. */
  lock(tenant: Tenant, keyId: string | null): Promise<void>;
  /** Revokes all keys and takes their names away; deletes the owners of threads, links, webhooks and spending. */
  erase(tenant: Tenant): Promise<void>;
}
