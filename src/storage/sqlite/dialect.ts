import type BetterSqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { LRUCache } from "lru-cache";

const MAX_STATEMENTS = 500;

/**
 * Kysely's dialect for SQLite prepares a statement each time that it is used, and lets others use the connection within a transaction. This
 * one keeps prepared statements and gives the connection to one after the other.
 */
export function sqliteDialect(raw: BetterSqlite.Database): Dialect {
  return {
    createDriver: () => new OneConnection(raw),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** A migration of SQLite is one transaction too, so that a process that dies in the middle of one leaves nothing of it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class OneConnection implements Driver {
  readonly #connection: DatabaseConnection;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(raw: BetterSqlite.Database) {
    const statements = new LRUCache<string, BetterSqlite.Statement>({ max: MAX_STATEMENTS });
    const prepare = (text: string): BetterSqlite.Statement => {
      const statement = statements.get(text) ?? raw.prepare(text);
      statements.set(text, statement);
      return statement;
    };
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const statement = prepare(sql);
        if (statement.reader) return { rows: statement.all(parameters) as Row[] };
        return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
      },
      streamQuery() {
        throw new Error("Nothing is streamed from SQLite.");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  async beginTransaction(): Promise<void> {
    await this.#run("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    await this.#run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    await this.#run("rollback");
  }

  async destroy(): Promise<void> {}

  #run(text: string): Promise<unknown> {
    return this.#connection.executeQuery(CompiledQuery.raw(text));
  }
}
