import { readSync, writeSync } from "node:fs";
import { onStatement } from "./count-statements.ts";

export const FAULT = "FAULT";

/** Stops this process after each of these statements, counted from now, until the test has caused a fault and writes to its standard input. */
export function waitForFaults(statements: readonly number[]): void {
  let counted = 0;
  onStatement(() => {
    counted += 1;
    if (!statements.includes(counted)) return;
    writeSync(1, `${FAULT}\n`);
    readSync(0, Buffer.alloc(1));
  });
}
