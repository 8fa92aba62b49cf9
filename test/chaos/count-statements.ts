import Database from "better-sqlite3";

/** Calls `listener` after each statement that this process has executed on any database, with its SQL. */
export function onStatement(listener: (sql: string) => void): void {
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
