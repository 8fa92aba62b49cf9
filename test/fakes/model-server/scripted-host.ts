import type { IncomingMessage, ServerResponse } from "node:http";
import { type Abilities, abilityRefusal, keyRefusal } from "./abilities.ts";
import { readBody, readJson, refuse, sendJson } from "./plain-answers.ts";
import { play } from "./play.ts";
import { invalid, type Refusal } from "./refusal.ts";
import { behaviorFor, type Script } from "./script.ts";
import type { SeenBody, SeenRequest } from "./seen-request.ts";
import { requestFault } from "./strict-request.ts";

export interface ScriptedHostOptions extends Abilities {
  /** Called when a completion request is over, however it ended. */
  readonly onOver?: ((request: SeenRequest, index: number) => void) | undefined;
  /** Returns the time of what happens now. By default counts what happens at this server, so that times tell the order and nothing else. */
  readonly now?: (() => number) | undefined;
}

type Recorded = { -readonly [Key in keyof SeenRequest]: SeenRequest[Key] };

const NO_BODY: SeenBody = { model: "", messages: [] };

/** Checks, records and answers requests; the HTTP server passes them in. */
export class ScriptedHost {
  readonly requests: Recorded[] = [];
  readonly refused: string[] = [];
  readonly unexpected: string[] = [];
  closing = false;
  #answered = 0;
  #happened = 0;
  readonly #script: Script;
  readonly #options: ScriptedHostOptions;

  constructor(script: Script, options: ScriptedHostOptions) {
    this.#script = script;
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${request.method} ${request.url}`;
    if (path === "GET /v1/models") return this.#listModels(request, response);
    if (path !== "POST /v1/chat/completions") {
      this.unexpected.push(`There is nothing at ${path}.`);
      request.resume();
      return refuse(response, { ...invalid(`Invalid URL (${path})`), status: 404 });
    }
    const read = await readBody(request);
    if (read !== undefined) await this.#complete(readJson(read), request, response);
  }

  #listModels(request: IncomingMessage, response: ServerResponse): void {
    const refusal = keyRefusal(this.#options, request.headers.authorization);
    if (refusal) return refuse(response, refusal);
    const models = this.#options.models ?? ["scripted"];
    const data = models.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "scripted" }));
    sendJson(response, 200, { object: "list", data });
  }

  async #complete(body: SeenBody | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = this.#record(body ?? NO_BODY, request, response);
    const refusal = keyRefusal(this.#options, request.headers.authorization) ?? this.#fault(body);
    if (refusal) {
      seen.refusal = refusal.error.message;
      return refuse(response, refusal);
    }
    const serial = this.#answered++;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const onReset = () => this.#end(seen, response);
    try {
      const behavior = await behaviorFor(this.#script, seen, serial);
      if (behavior) await play(behavior, { body: seen.body, serial }, { response, gone: gone.signal, onReset });
      else this.#fail(`The script has nothing for request ${serial + 1}.`, response);
    } catch (error) {
      if (!gone.signal.aborted) this.#fail(`The script failed at request ${serial + 1}: ${String(error)}`, response);
    }
  }

  #fault(body: SeenBody | undefined): Refusal | undefined {
    const fault = body ? requestFault(body) : invalid("The body is not a JSON object.");
    if (fault) this.refused.push(fault.error.message);
    return fault ?? (body && abilityRefusal(this.#options, body));
  }

  #record(body: SeenBody, request: IncomingMessage, response: ServerResponse): Recorded {
    const seen: Recorded = {
      body,
      headers: request.headers,
      at: this.#now(),
      abortedAt: null,
      endedAt: null,
      status: null,
      refusal: null,
    };
    const index = this.requests.push(seen) - 1;
    response.once("finish", () => this.#end(seen, response));
    response.once("close", () => {
      seen.status ??= response.headersSent ? response.statusCode : null;
      if (seen.endedAt === null && !this.closing) seen.abortedAt = this.#now();
      this.#options.onOver?.(seen, index);
    });
    return seen;
  }

  #now(): number {
    return this.#options.now?.() ?? ++this.#happened;
  }

  #end(seen: Recorded, response: ServerResponse): void {
    seen.endedAt = this.#now();
    seen.status = response.headersSent ? response.statusCode : null;
  }

  #fail(message: string, response: ServerResponse): void {
    this.unexpected.push(message);
    if (response.headersSent) response.socket?.destroy();
    else sendJson(response, 500, { error: { message, type: "server_error", param: null, code: "script" } });
  }
}
