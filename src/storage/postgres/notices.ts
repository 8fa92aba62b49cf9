import pg from "pg";
import { z } from "zod";
import type { Peers } from "../processes.ts";

const CHANNEL = "dossier";
const RECONNECT_MS = 1_000;
/** Changes are told together: PostgreSQL performs the commits of transactions with notices one after the other. */
const TOGETHER_MS = 20;
/** A notice has at most 8,000 bytes, and the id of a run 36. */
const MAX_RUNS = 150;

const NoticeSchema = z.object({ from: z.string(), queued: z.boolean(), runs: z.array(z.string()) });
type Heard = Parameters<Parameters<Peers["listen"]>[0]>[0];

/**
 * Tells the other processes which runs have changed (LISTEN, NOTIFY), over a connection outside of the pool. What is told may be lost: the
 * tables are the truth, and everybody looks there from time to time.
 */
export class Notices implements Peers {
  readonly #settings: pg.ClientConfig;
  readonly #worker: string;
  readonly #listeners = new Set<(heard: Heard) => void>();
  readonly #changed = new Set<string>();
  #isQueued = false;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(settings: pg.ClientConfig, worker: string) {
    this.#settings = settings;
    this.#worker = worker;
  }

  async open(): Promise<void> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => undefined);
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    client.once("end", () => this.#reopen());
    this.#client = client;
  }

  tell(runId: string): void {
    if (this.#changed.size < MAX_RUNS) this.#changed.add(runId);
    this.#tellSoon();
  }

  tellQueued(): void {
    this.#isQueued = true;
    this.#tellSoon();
  }

  listen(onHeard: (heard: Heard) => void): void {
    this.#listeners.add(onHeard);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tellNow();
    }, TOGETHER_MS).unref();
  }

  #tellNow(): void {
    const notice = JSON.stringify({ from: this.#worker, queued: this.#isQueued, runs: [...this.#changed] } satisfies z.infer<
      typeof NoticeSchema
    >);
    this.#changed.clear();
    this.#isQueued = false;
    this.#client?.query("select pg_notify($1, $2)", [CHANNEL, notice]).catch(() => undefined);
  }

  #hear(payload: string): void {
    const { from, ...heard } = NoticeSchema.parse(JSON.parse(payload));
    if (from !== this.#worker) for (const listener of this.#listeners) listener(heard);
  }

  #reopen(): void {
    this.#client = null;
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed) this.open().catch(() => this.#reopen());
    }, RECONNECT_MS).unref();
  }
}
