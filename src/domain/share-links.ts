import { z } from "zod";
import type { Caller, Tenant } from "./owners.ts";

/** Whoever has the address of a link may read the report of a run, without a key. */
export const ShareLinkSchema = z.object({
  id: z.string(),
  runId: z.string(),
  createdAt: z.string(),
  createdBy: z.string().nullable().describe("The name of the key."),
  expiresAt: z.string(),
});
export type ShareLink = z.infer<typeof ShareLinkSchema>;

export interface ShareLinks {
  /** Returns the secret of the link, which is stored as a hash only. @throws DossierError `invalid_request` if the run has too many links */
  create(caller: Caller, runId: string, lifetimeMs: number): Promise<{ link: ShareLink; secret: string }>;
  /** The links of a run that are valid. */
  list(tenant: Tenant, runId: string): Promise<ShareLink[]>;
  /** Returns false if the run has no such link. */
  revoke(tenant: Tenant, runId: string, id: string): Promise<boolean>;
  /** Returns the run that the link shows; null if it is not valid. */
  find(secret: string): Promise<{ tenant: Tenant; runId: string } | null>;
}
