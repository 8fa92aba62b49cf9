import { z } from "zod";
import type { Tenant } from "./owners.ts";
import type { Allowance } from "./quota.ts";

/** The tenant of keys that name no other one, of requests without a key, and of the command line. */
export const DEFAULT_TENANT: Tenant = "default";

/** `ask` starts, changes and reads runs, `read` only reads them, `admin` reads what concerns all tenants. */
export const SCOPES = ["ask", "read", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export const KeyNameSchema = z
  .string()
  .trim()
  .normalize()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@-]{0,99}$/u, "must be 1 to 100 letters, digits, spaces or . _ @ -");
export const TenantSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must be 1 to 63 lower-case letters, digits or hyphens");

/** A key without its secret: who has it, and what it allows. Times are milliseconds since 1970. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly tenant: Tenant;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Whether it is the sign-in of a browser, which ends with the key that it belongs to. */
  readonly isSession: boolean;
  readonly allowance: Allowance;
}

export type NewKey = Pick<Key, "name" | "tenant" | "scopes" | "expiresAt"> & Partial<Pick<Key, "allowance">>;

export interface KeyStore {
  /** Whether people sign in, or a key was ever created. From then on nobody is served without one, also if all are revoked. */
  areNeeded(): Promise<boolean>;
  /** Returns the secret, which is stored as a hash only. @throws DossierError `invalid_request` if a valid key has the name */
  create(key: NewKey): Promise<{ key: Key; secret: string }>;
  /**
   * Returns the key of somebody who signs in at a provider, whose secret nobody gets. Its name has a colon, so that no other key has it. With
   * another tenant or other scopes than before it is a new one, and the sessions of the earlier one end.
   */
  ofPerson(person: NewKey): Promise<Key>;
  /** The keys, also revoked and expired ones, but no sessions. */
  list(): Promise<Key[]>;
  /** Revokes the key of this id or name and its sessions, or the session of this id. Returns it; null if no valid one has it. */
  revoke(idOrName: string): Promise<Key | null>;
  /** Returns the valid key or session that has this secret. */
  find(secret: string): Promise<Key | null>;
  /** Creates a session of a key, for `lifetimeMs` at most. Returns its secret; null if the key is not valid any more. */
  openSession(key: Key, lifetimeMs: number): Promise<{ secret: string; session: Key } | null>;
  /** Returns those of these ids that are valid. */
  validAmong(ids: readonly string[]): Promise<Set<string>>;
}
