import type pg from "pg";
import { z } from "zod";
import type { Peers } from "../processes.ts";
import { Session } from "./session.ts";

const CHANNEL = "dossier";
/** Changes are told together: PostgreSQL performs the commits of transactions with notices one after the other. */
const TOGETHER_MS = 20;
/** A notice has at most 8,000 bytes, and the id of a run 36. */
const MAX_RUNS = 150;

const NoticeSchema = z.object({ from: z.string(), queued: z.boolean(), runs: z.array(z.string()) });
type Heard = Parameters<Parameters<Peers["listen"]>[0]>[0];

/**
 * Tells the other processes which runs have changed (LISTEN, NOTIFY). What is told may be lost: the tables are the truth, and everybody looks
 * there from time to time.
 */
export class Notices implements Peers {
  readonly session: Session;
  readonly #worker: string;
  readonly #listeners = new Set<(heard: Heard) => void>();
  readonly #changed = new Set<string>();
  #isQueued = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(settings: pg.ClientConfig, worker: string) {
    this.#worker = worker;
    this.session = new Session(settings, async (client) => {
      client.on("notification", ({ payload = "" }) => this.#hear(payload));
      await client.query(`listen ${CHANNEL}`);
    });
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
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.session.close();
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tellNow();
    }, TOGETHER_MS).unref();
  }

  #tellNow(): void {
    const notice: z.infer<typeof NoticeSchema> = { from: this.#worker, queued: this.#isQueued, runs: [...this.#changed] };
    this.#changed.clear();
    this.#isQueued = false;
    this.session.client?.query("select pg_notify($1, $2)", [CHANNEL, JSON.stringify(notice)]).catch(() => undefined);
  }

  #hear(payload: string): void {
    const { from, ...heard } = NoticeSchema.parse(JSON.parse(payload));
    if (from !== this.#worker) for (const listener of this.#listeners) listener(heard);
  }
}
