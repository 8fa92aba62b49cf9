import pg from "pg";

const RECONNECT_MS = 1_000;
/** PostgreSQL ends a session that says nothing for this long, and its locks with it: its process is frozen. */
const MAX_QUIET_MS = 10_000;
const SPEAK_MS = 3_000;

/** A connection outside of the pool, for what belongs to a session: notices and locks. It is opened again when it ends. */
export class Session {
  readonly #settings: pg.ClientConfig;
  readonly #onOpen: (client: pg.Client) => Promise<unknown>;
  #client: pg.Client | null = null;
  #isClosed = false;
  #speaking: NodeJS.Timeout | undefined;

  constructor(settings: pg.ClientConfig, onOpen: (client: pg.Client) => Promise<unknown>) {
    this.#settings = settings;
    this.#onOpen = onOpen;
  }

  async open(): Promise<void> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => undefined);
    await client.connect();
    await client.query(`set idle_session_timeout = ${MAX_QUIET_MS}`);
    await this.#onOpen(client);
    client.once("end", () => this.#reopen());
    this.#client = client;
    this.#speaking ??= setInterval(() => void this.#client?.query("select 1").catch(() => undefined), SPEAK_MS).unref();
  }

  /** Null while there is no connection. */
  get client(): pg.Client | null {
    return this.#client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#speaking);
    await this.#client?.end().catch(() => undefined);
  }

  #reopen(): void {
    this.#client = null;
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed) this.open().catch(() => this.#reopen());
    }, RECONNECT_MS).unref();
  }
}
