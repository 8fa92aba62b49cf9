import pg from "pg";

const RECONNECT_MS = 1_000;

/** A connection outside of the pool, for what belongs to a session: notices and locks. It is opened again when it ends. */
export class Session {
  readonly #settings: pg.ClientConfig;
  readonly #onOpen: (client: pg.Client) => Promise<unknown>;
  #client: pg.Client | null = null;
  #isClosed = false;

  constructor(settings: pg.ClientConfig, onOpen: (client: pg.Client) => Promise<unknown>) {
    this.#settings = settings;
    this.#onOpen = onOpen;
  }

  async open(): Promise<void> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => undefined);
    await client.connect();
    await this.#onOpen(client);
    client.once("end", () => this.#reopen());
    this.#client = client;
  }

  /** Null while there is no connection. */
  get client(): pg.Client | null {
    return this.#client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
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
