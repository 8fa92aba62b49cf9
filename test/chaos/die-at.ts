// Kills the process that loads it at a counted statement: node --import 'file:///.../die-at.ts?{"nth": 12, "turns": 0}' server.ts.
import { onStatement } from "./count-statements.ts";

/** Every result of an effect replaces the replies that were stored for it. */
const RESULT = /^delete from replies where run_id = \S+ and segment/;

/** Where a process is killed: after so many statements of its databases, and then so many turns of the event loop. */
export interface DiesAt {
  readonly nth: number;
  readonly turns: number;
  /** Only statements that contain this text count. */
  readonly of?: string;
  /** Statements count only after the first result of an effect is committed: a third death without one would end the run. */
  readonly afterResult?: boolean;
}

/** Returns the option of Node that lets a process die so. */
export function dying(death: DiesAt): string {
  return `--import=${new URL(`?${encodeURIComponent(JSON.stringify(death))}`, import.meta.url).href}`;
}

function dieAfter(turns: number): void {
  if (turns === 0) process.kill(process.pid, "SIGKILL");
  else setImmediate(() => dieAfter(turns - 1));
}

function watch({ nth, turns, of = "", afterResult = false }: DiesAt): void {
  let counted = 0;
  let results = 0;
  let counts = !afterResult;
  onStatement((sql) => {
    if (!counts) {
      if (RESULT.test(sql)) results += 1;
      counts = results > 0 && sql === "commit";
    } else if (sql.includes(of)) {
      counted += 1;
      if (counted === nth) dieAfter(turns);
    }
  });
}

const { search } = new URL(import.meta.url);
if (search !== "") watch(JSON.parse(decodeURIComponent(search.slice(1))));
