import type { CallContext } from "../../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { MarketData } from "./market-data.ts";

/** What came out, who said it, and what went wrong before. */
export interface Answered<T> {
  readonly value: T;
  readonly by: string;
  /** Empty where the first one answered. */
  readonly notes: readonly string[];
}

/**
 * Asks one after the other until one answers. An answer of nothing is one, except where `isAnswer` says otherwise: then the
 * last one, who knows most, decides.
 * @throws DossierError with the code of the last one's error where that could not look, telling what became of all
 */
export async function firstAnswer<T>(
  services: readonly MarketData[],
  context: CallContext,
  ask: (service: MarketData) => Promise<T>,
  isAnswer: (value: T) => boolean = () => true,
): Promise<Answered<T>> {
  const notes: string[] = [];
  for (const [i, service] of services.entries()) {
    const isLast = i === services.length - 1;
    try {
      const value = await ask(service);
      if (isLast || isAnswer(value)) return { value, by: service.title, notes };
      notes.push(`${service.title} knows nothing of it.`);
    } catch (error) {
      context.signal.throwIfAborted();
      const { code, message } = toDossierError(error, "tool_failed");
      notes.push(`${service.title} could not say: ${message}`);
      if (isLast) throw new DossierError(code, notes.join(" "), { cause: error });
    }
  }
  throw new DossierError("internal", "There is no service of market data to ask.");
}
