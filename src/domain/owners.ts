/** One tenant, or all but these. */
export type Tenants = { readonly only: Tenant } | { readonly except: readonly Tenant[] };
export const ALL_TENANTS: Tenants = { except: [] };

export type Tenant = string;

/** Who asks. `owner` is the name of the key, so that a new key of this name replaces a lost one; null without a key. */
export interface Caller {
  readonly tenant: Tenant;
  readonly owner: string | null;
}

export interface ThreadState {
  readonly threadId: string;
  /** Null: everybody in the tenant may use the thread. */
  readonly owner: string | null;
  /** Whether everybody in the tenant may read the thread. */
  readonly shared: boolean;
}

/** Says who may use conversation threads, and so the runs and the material in them. */
export interface ThreadOwners {
  /**
   * Returns whether the caller sees it only because somebody shares it. @throws DossierError `not_found` if the caller may not see the thread,
   * `not_owner` if he would change one that he may only read
   */
  check(caller: Caller, what: { readonly threadId: string } | { readonly runId: string }, isReading: boolean): Promise<boolean>;
  /** Returns the state of a thread, also of one that nobody has used yet. @throws DossierError `not_found` */
  get(caller: Caller, threadId: string): Promise<ThreadState>;
  /** Lets everybody in the tenant read a thread, or only its owner. @throws DossierError `not_found`, `not_owner` */
  share(caller: Caller, threadId: string, shared: boolean): Promise<ThreadState>;
}
