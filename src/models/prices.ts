import { z } from "zod";
import type { TokenUsage } from "../domain/chat.ts";
import { type Price, PriceSchema } from "../domain/request.ts";
import { DossierError } from "../errors.ts";

const price = (inputPerMillion: number, outputPerMillion: number): Price => ({ inputPerMillion, outputPerMillion });

/** US dollars for a million tokens, by the public lists of September 2025; prices change, and MODEL_PRICES overrides them. */
export const KNOWN_PRICES: Readonly<Record<string, Price>> = {
  "gpt-4.1": price(2, 8),
  "gpt-4.1-mini": price(0.4, 1.6),
  "gpt-4.1-nano": price(0.1, 0.4),
  "gpt-4o": price(2.5, 10),
  "gpt-4o-mini": price(0.15, 0.6),
  "gpt-5": price(1.25, 10),
  "gpt-5-mini": price(0.25, 2),
  "gpt-5-nano": price(0.05, 0.4),
  "deepseek-chat": price(0.56, 1.68),
  "deepseek-reasoner": price(0.56, 1.68),
  "qwen-turbo": price(0.05, 0.2),
  "qwen-plus": price(0.4, 1.2),
  "qwen-max": price(1.6, 6.4),
};

/** Of every model that is not named. */
const ANY = "*";
/** Dates and other marks of a version, at the end of a name. */
const VERSION = /[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|latest)$/;

/**
 * Prices by the names of models, from a JSON text such as `{"gpt-4.1": {"inputPerMillion": 2, "outputPerMillion": 8}}`.
 * @throws DossierError `config_invalid` that names the place
 */
export function readPrices(text: string): Record<string, Price> {
  const parsed = z.record(z.string(), PriceSchema).safeParse(parsePrices(text));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ path: ["MODEL_PRICES", ...path].join("."), message }));
  const told = faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new DossierError("config_invalid", `Settings are wrong: ${told}. Nothing was started; set them right and start again.`, { faults });
}

function parsePrices(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = { path: "MODEL_PRICES", message: "is not JSON" };
    throw new DossierError("config_invalid", "Settings are wrong: MODEL_PRICES is not JSON. Nothing was started.", {
      cause,
      faults: [fault],
    });
  }
}

/** The price of a model: by its name, by its name without a date, or that of any model; null where it is not known. */
export function priceOf(prices: Readonly<Record<string, Price>>, model: string): Price | null {
  const plain = model.replace(VERSION, "");
  return (
    [model, plain, ANY].map((name) => (Object.hasOwn(prices, name) ? prices[name] : undefined)).find((one) => one !== undefined) ?? null
  );
}

/** US dollars; none where the price is not known. */
export function costOf(price: Price | null, { inputTokens, outputTokens }: Pick<TokenUsage, "inputTokens" | "outputTokens">): number {
  if (price === null) return 0;
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000;
}
