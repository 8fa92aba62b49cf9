import { DossierError } from "../../errors.ts";

/** What is left of an allowance grows by `perSecond` up to `burst`. */
interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

const MESSAGES: Allowance = { burst: 2_000, perSecond: 500 };
const BYTES: Allowance = { burst: 64_000_000, perSecond: 8_000_000 };
/** To read fewer bytes costs as much. */
const LEAST_READ_BYTES = 1_000;

/** Counts what a server sends. Each function returns false once it was too much, which is told once. */
export interface Intake {
  message(): boolean;
  bytes(count: number): boolean;
}

/** Limits what is read of one connection to a server, so that no server holds the process. */
export function limitIntake(server: string, onFlood: (error: DossierError) => void, clock: () => number): Intake {
  let isOver = false;
  const count = (allowance: Allowance, unit: string) => {
    const take = createAllowance(allowance, clock);
    return (amount: number): boolean => {
      if (isOver || take(amount)) return !isOver;
      isOver = true;
      const most = `${allowance.perSecond} ${unit} a second`;
      onFlood(
        new DossierError("unreachable", `The MCP server ${server} sent more than ${most} for too long, so its connection was ended.`),
      );
      return false;
    };
  };
  const message = count(MESSAGES, "messages");
  const bytes = count(BYTES, "bytes");
  return { message: () => message(1), bytes: (read) => bytes(Math.max(read, LEAST_READ_BYTES)) };
}

function createAllowance({ burst, perSecond }: Allowance, clock: () => number): (amount: number) => boolean {
  let left = burst;
  let countedAt = clock();
  return (amount) => {
    const now = clock();
    left = Math.min(burst, left + (Math.max(0, now - countedAt) / 1_000) * perSecond) - amount;
    countedAt = now;
    return left >= 0;
  };
}
