import type { IncomingMessage, ServerResponse } from "node:http";
import type { Behavior } from "../model-server/behavior.ts";
import { readBody, readJson, sendJson } from "../model-server/plain-answers.ts";
import { playWire } from "../model-server/play.ts";
import { answerFor, type NeutralRequest, type ProviderRequest, type ProviderScript, type ScriptedAnswer } from "./neutral.ts";
import type { Asking, Provider, ProviderRefusal } from "./provider.ts";

type Recorded = { -readonly [Key in keyof ProviderRequest]: ProviderRequest[Key] };

/** Checks, records and answers the requests to one provider. */
export class ProviderHost {
  readonly requests: Recorded[] = [];
  readonly refused: string[] = [];
  readonly unexpected: string[] = [];
  closing = false;
  #answered = 0;
  readonly #waiting = new Set<() => void>();
  readonly #ended = new WeakSet<Recorded>();
  readonly #provider: Provider;
  readonly #script: ProviderScript;

  constructor(provider: Provider, script: ProviderScript) {
    this.#provider = provider;
    this.#script = script;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://loopback");
    const read = await readBody(request);
    if (read === undefined) return;
    const body = readJson(read);
    if (request.method !== "POST" || !this.#provider.asksModel(pathname)) {
      const other = this.#provider.answer?.(`${request.method} ${pathname}`, body ?? {});
      return other === undefined ? this.#nothingAt(`${request.method} ${request.url}`, response) : sendJson(response, 200, other);
    }
    const asking: Asking = { path: pathname, query: searchParams, headers: request.headers, body: body ?? {} };
    await this.#ask(asking, body !== undefined, response);
  }

  /** Resolves when this condition holds; looked at whenever a request has arrived or is over. */
  when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async #ask(asking: Asking, isJson: boolean, response: ServerResponse): Promise<void> {
    const neutral = this.#provider.read(asking);
    const seen = this.#record(asking, neutral, response);
    const refusal = isJson ? this.#provider.refusalOf(asking, neutral) : this.#provider.refuse(400, "The body is not a JSON object.");
    if (refusal) return this.#refuse(refusal, seen, response);
    const serial = this.#answered++;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const answer = await answerFor(this.#script, neutral, serial);
      if (answer === undefined) return this.#fail(`The script has nothing for request ${serial + 1}.`, response);
      const behavior = this.#behaviorOf(answer);
      const wire = this.#provider.wire(behavior, { neutral, serial });
      await playWire(behavior, wire, { response, gone: gone.signal, onReset: () => this.#ended.add(seen) });
    } catch (error) {
      if (!gone.signal.aborted) this.#fail(`The script failed at request ${serial + 1}: ${String(error)}`, response);
    }
  }

  #behaviorOf(answer: ScriptedAnswer): Behavior {
    if (answer.kind !== "refusal") return answer;
    const { status, body } = this.#provider.refuse(answer.status, answer.message);
    return { kind: "status", status, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  }

  #refuse(refusal: ProviderRefusal, seen: Recorded, response: ServerResponse): void {
    this.refused.push(refusal.message);
    seen.refusal = refusal.message;
    if (refusal.frames === undefined && typeof refusal.body !== "string") return sendJson(response, refusal.status, refusal.body);
    if (refusal.frames === undefined) {
      response.writeHead(refusal.status, { "content-type": "text/plain; charset=utf-8" }).end(refusal.body);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).end(refusal.frames.join(""));
  }

  #record({ path, headers, body }: Asking, neutral: NeutralRequest, response: ServerResponse): Recorded {
    const seen: Recorded = { neutral, body, path, headers, status: null, refusal: null, left: false };
    this.requests.push(seen);
    response.once("finish", () => this.#ended.add(seen));
    response.once("close", () => {
      seen.left = !this.#ended.has(seen) && !this.closing;
      seen.status = response.headersSent ? response.statusCode : null;
      this.#look();
    });
    this.#look();
    return seen;
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }

  #nothingAt(route: string, response: ServerResponse): void {
    this.unexpected.push(`There is nothing at ${route}.`);
    const { status, body } = this.#provider.refuse(404, `Not found: ${route}`);
    sendJson(response, status, body);
  }

  #fail(message: string, response: ServerResponse): void {
    this.unexpected.push(message);
    if (response.headersSent) response.socket?.destroy();
    else sendJson(response, 500, this.#provider.refuse(500, message).body);
  }
}
