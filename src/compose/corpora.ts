import { existsSync } from "node:fs";
import { join } from "node:path";
import { CORPUS_SOURCE } from "../domain/hit.ts";
import type { Tenant } from "../domain/owners.ts";
import type { CallContext, DocumentReader, SearchSource } from "../domain/ports/sources.ts";
import type { Policy } from "../runs/policy.ts";
import type { Corpus } from "../tools/corpus/corpus.ts";

interface CorporaOptions {
  /** The corpus of the deployment, which may be empty. */
  readonly shared: Corpus;
  readonly hasShared: boolean;
  /** The folder whose subfolders have the names of tenants; null if no tenant has a corpus of its own. */
  readonly folder: string | null;
  readonly open: (folder: string, tenant: Tenant) => Corpus;
  readonly tenantOf: (runId: string | undefined) => Tenant | undefined;
}

/** A tenant whose name a subfolder has searches and reads that folder alone, and every other one the corpus of the deployment. */
export class Corpora {
  readonly #options: CorporaOptions;
  readonly #open = new Map<Tenant, Corpus>();

  constructor(options: CorporaOptions) {
    this.#options = options;
  }

  /** @throws DossierError `unreachable` if its index cannot be opened */
  of(tenant: Tenant | undefined): Corpus {
    const folder = tenant === undefined ? null : this.#folderOf(tenant);
    if (tenant === undefined || folder === null) return this.#options.shared;
    const corpus = this.#open.get(tenant) ?? this.#options.open(folder, tenant);
    this.#open.set(tenant, corpus);
    return corpus;
  }

  /** The source of runs: each searches and reads the corpus of its tenant. */
  source(): SearchSource & DocumentReader {
    const { shared, tenantOf } = this.#options;
    const own = ({ runId }: CallContext): Corpus => this.of(tenantOf(runId));
    return {
      ...{ id: shared.id, kind: shared.kind, title: shared.title, languages: () => shared.languages?.() ?? [] },
      search: async (query, context) => own(context).search(query, context),
      read: async (hit, context) => own(context).read(hit, context),
    };
  }

  /** `ofOwn`: what its own corpus is to a tenant's runs. */
  policyOf(policy: Policy, tenant: Tenant, ofOwn: NonNullable<Policy["corpus"]>): Policy {
    const { factsOf = () => ({}) } = policy;
    if (this.#folderOf(tenant) === null)
      return this.#options.hasShared ? policy : { ...policy, sources: policy.sources.filter((id) => id !== CORPUS_SOURCE) };
    const own = { [CORPUS_SOURCE]: { kind: "corpus" as const } };
    return { ...policy, corpus: ofOwn, factsOf: (wanted) => ({ ...factsOf(wanted), ...(wanted.includes(CORPUS_SOURCE) && own) }) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((corpus) => corpus.close()));
  }

  #folderOf(tenant: Tenant): string | null {
    const { folder } = this.#options;
    return folder !== null && existsSync(join(folder, tenant)) ? join(folder, tenant) : null;
  }
}
