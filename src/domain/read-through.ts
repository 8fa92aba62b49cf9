import { DossierError } from "../errors.ts";
import { createLateTurns } from "../util/turns.ts";

const lateTurn = createLateTurns();

/**
 * Reads everything once, in turns of the event loop, and keeps nothing: what cannot be read is then known before the first piece is sent.
 * @throws what reading throws, and DossierError `storage_damaged` for stored JSON that is none
 */
export async function readThrough(pieces: AsyncIterable<unknown>): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    while ((await rest.next()).done !== true) await lateTurn();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `A part of the database is damaged (${error.message}), so the run cannot be read as a whole. The rest can be used. Restore a backup.`;
    throw new DossierError("storage_damaged", message, { cause: error });
  }
}
