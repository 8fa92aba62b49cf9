/** Makes requests from an OpenAPI document: valid ones, and ones in which some places are wrong. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly format?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface MadeRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const TEXTS = [
  ...["", " ", "a", "灯塔的灯里烧什么？", "What burns in the lamp?", "null", "-1", "1e400", "true", "[]", "{}"],
  ...[
    "\0",
    "\ud800",
    "\u202e",
    "é́́́",
    "'; drop table runs; --",
    "#{7*7}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00",
    "%",
    "\r\nx: y",
  ],
  ...[
    "__proto__",
    "constructor",
    "http://127.0.0.1:9/",
    "https://example.com/?q=灯",
    "file:///etc/passwd",
    "2026-01-01",
    "9999-12-31T23:59:59Z",
  ],
  ...["x".repeat(300), "灯".repeat(9_000), "(".repeat(2_000), "a@b.c", "zh-Hans", "Europe/Berlin", "0".repeat(64), "S0123456789ab"],
];
const NUMBERS = [0, 1, -1, 2, 0.5, 1e9, 2 ** 53, -(2 ** 31), 1e308, 20, 100];
/** Half of the requests are meant well: they are valid as far as their schema tells. */
const WRONG_SHARE = 0.12;
const FIELD_SHARES = { good: 0.04, bad: 0.25 };
const MAX_DEPTH = 6;

export class RequestMaker {
  readonly #api: ApiDocument;
  readonly #random: () => number;
  /** Ids that exist, by the name of a parameter. */
  readonly #known: Readonly<Record<string, readonly string[]>>;
  #isGood = true;
  readonly #operations: readonly { method: string; path: string; operation: Operation }[];

  constructor(api: ApiDocument, random: () => number, known: Readonly<Record<string, readonly string[]>>) {
    this.#api = api;
    this.#random = random;
    this.#known = known;
    this.#operations = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
  }

  next(): MadeRequest {
    this.#isGood = this.#random() < 0.5;
    const { method, path, operation } = this.#pick(this.#operations);
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    let address = path;
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      const known = this.#known[name];
      const value = known !== undefined && this.#random() < 0.7 ? this.#pick(known) : this.#value(schema, 0);
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()).slice(0, 2_000));
      else if (place === "query" && this.#random() < 0.5) query.append(name, text.toWellFormed().slice(0, 2_000));
      else if (place === "header" && this.#random() < 0.3) headers[name] = text.replace(/[^\x20-\x7e]/g, "?").slice(0, 500);
    }
    // Nobody waits for a run here.
    delete headers["prefer"];
    const search = query.size === 0 ? "" : `?${query}`;
    return { operationId: operation.operationId, method, path: address + search, ...this.#content(method, operation, headers) };
  }

  #content(method: string, { requestBody }: Operation, headers: Record<string, string>): Pick<MadeRequest, "headers" | "body"> {
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const strange = !this.#isGood && this.#random() < 0.1;
    if (content === undefined && !(strange && method !== "GET" && method !== "HEAD")) return { headers, body: null };
    const json = JSON.stringify(content === undefined ? { a: 1 } : this.#value(content.schema, 0));
    const body = strange
      ? this.#pick([json.slice(0, -1), "", "\0", `${json}x`, "[".repeat(5_000), '{"a":1,"a":2}', "NaN", '"\\ud800"'])
      : json;
    const contentType =
      strange && this.#random() < 0.3 ? this.#pick(["text/plain", "application/xml", "multipart/form-data; boundary=x", ""]) : type;
    return { headers: { ...headers, "content-type": contentType ?? "application/json" }, body };
  }

  #value(given: Schema, depth: number): Json {
    const schema = this.#resolve(given);
    if (!this.#isGood && this.#random() < WRONG_SHARE) return this.#anything(depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.#value(this.#pick(choices), depth);
    const types = [schema.type ?? (schema.properties === undefined ? "any" : "object")].flat();
    return this.#ofType(this.#pick(types), schema, depth);
  }

  #ofType(type: string, schema: Schema, depth: number): Json {
    if (type === "null") return null;
    if (type === "boolean") return this.#random() < 0.5;
    if (type === "string") return this.#pick(TEXTS);
    if (type === "integer" || type === "number") return this.#number(schema);
    if (depth > MAX_DEPTH) return null;
    if (type === "array") {
      const { items = {} } = schema;
      return Array.from({ length: Math.floor(this.#random() * 3) }, () => this.#value(items, depth + 1));
    }
    if (type !== "object") return this.#anything(depth);
    const { properties = {}, required = [] } = schema;
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || this.#random() < FIELD_SHARES[this.#isGood ? "good" : "bad"],
    );
    const fields = names.map((name): [string, Json] => [name, this.#value(properties[name] ?? {}, depth + 1)]);
    const more: [string, Json][] =
      !this.#isGood && this.#random() < WRONG_SHARE / 2 ? [[this.#pick(TEXTS), this.#anything(depth + 1)]] : [];
    return Object.fromEntries([...fields, ...more]);
  }

  #number({ minimum = -1, maximum = 1_000 }: Schema): number {
    return this.#random() < 0.7 ? Math.round(minimum + this.#random() * (Math.min(maximum, 1e6) - minimum)) : this.#pick(NUMBERS);
  }

  #anything(depth: number): Json {
    const simple: Json[] = [null, true, this.#pick(NUMBERS), this.#pick(TEXTS), this.#pick(TEXTS)];
    return depth > MAX_DEPTH ? null : this.#pick([...simple, [this.#pick(TEXTS)], { [this.#pick(TEXTS)]: this.#pick(NUMBERS) }]);
  }

  #resolve(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (this.#api.components.schemas[name] ?? {});
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}
