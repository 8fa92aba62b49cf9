import { LRUCache } from "lru-cache";
import type { ChatRequest } from "../domain/chat.ts";
import { changes, type Form, STEPS } from "./forms.ts";
import type { CountedPrompt } from "./sizes.ts";

const MAX_MODELS = 200;

interface Known {
  readonly form: Form;
  /** Set after a refusal that no form mended, until a call succeeds. */
  readonly hopeless: boolean;
  /** The latest prompts with the server's count of their tokens. */
  readonly prompts: readonly CountedPrompt[];
  /** The size of the context, if the server's counts or refusals told it. */
  readonly contextTokens: number | null;
}

const UNKNOWN: Known = { form: [], hopeless: false, prompts: [], contextTokens: null };

/** What this process learnt of models, by server and model. */
export class KnownModels {
  readonly #models = new LRUCache<string, Known>({ max: MAX_MODELS });

  of(model: string): Known {
    return this.#models.get(model) ?? UNKNOWN;
  }

  learn(model: string, known: Partial<Known>): void {
    this.#models.set(model, { ...this.of(model), ...known });
  }
}

/** Statuses that never mean a form: the key, the money, the address, the rate. */
const NEVER: readonly number[] = [401, 402, 403, 404, 408, 409, 413, 425, 429];

/**
 * Whether a refusal with this status may be one of the request's form. 0 stands for an error that names no status. One that may be
 * passing, as a 500 or an error within an answer, has to come twice.
 */
export function mayRefuseForm(status: number, { failed, mayPass }: { readonly failed: number; readonly mayPass: boolean }): boolean {
  if (status === 500 || (status === 0 && mayPass)) return failed > 0;
  return status === 0 || status === 501 || (status >= 400 && status < 500 && !NEVER.includes(status));
}

/** The simpler forms of a request, each once: first every step alone, then one after the other together. */
export function simplerForms(request: ChatRequest, known: Form): Form[] {
  const open = STEPS.filter((step) => !known.includes(step) && changes(request, step));
  const together = open.slice(1).map((_, at) => open.slice(0, at + 2));
  return [...open.map((step) => [step]), ...together].map((steps) => [...known, ...steps]);
}
