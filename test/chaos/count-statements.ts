import Database from "better-sqlite3";
import pg from "pg";

/**
 * Calls `listener` with the SQL of each statement of this process: after SQLite has executed it, and when it has left for PostgreSQL, which
 * then executes it even if this process dies.
 */
export function onStatement(listener: (sql: string) => void): void {
  onStatementOfSqlite(listener);
  onStatementOfPostgres(listener);
}

function onStatementOfSqlite(listener: (sql: string) => void): void {
  const database = new Database(":memory:");
  const prototype = Object.getPrototypeOf(database.prepare("select 1"));
  database.close();
  for (const method of ["run", "get", "all"]) {
    const execute = prototype[method];
    prototype[method] = function (this: Database.Statement, ...values: unknown[]) {
      const result: unknown = execute.apply(this, values);
      listener(this.source);
      return result;
    };
  }
}

function onStatementOfPostgres(listener: (sql: string) => void): void {
  const { prototype } = pg.Client;
  const send = prototype.query as (...values: unknown[]) => unknown;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const result = send.apply(this, values);
    const [query] = values;
    listener(typeof query === "string" ? query : (query as pg.QueryConfig).text);
    return result;
  } as typeof prototype.query;
}
