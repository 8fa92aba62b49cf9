import { describe, expect, it } from "vitest";
import { failureCodeOf } from "../../src/domain/failures.ts";
import { type Hit, HitSchema, sourceIdOf } from "../../src/domain/hit.ts";
import type { CallContext, SearchQuery } from "../../src/domain/ports/sources.ts";
import type { FailureCode } from "../../src/domain/report.ts";
import { DossierError } from "../../src/errors.ts";
import type { SourceEntry } from "../../src/tools/shared/entry.ts";
import { closedPort } from "./closed-port.ts";
import type { SeenRequest } from "./recorded-request.ts";
import { type Answers, API_KEY, type ServiceUnderTest, serviceUnderTest, sourceAt } from "./service-under-test.ts";

/** Example answers of one service, and the expected results. */
export interface SearchSourceContract {
  /** Content type of its answers. */
  readonly type: string;
  /** An answer with `total` items, or with as many as the service returns per request. */
  readonly found: (total: number) => Answers;
  /** Fields of the first hit of `found(3)`. */
  readonly first: Partial<Hit>;
  /** The most hits per search, if fewer than 20. */
  readonly most?: number;
  readonly nothing: Answers;
  /** Three items, the second of which is unreadable. */
  readonly oneBroken: Answers;
  /** Well-formed, without any known field. */
  readonly otherShape: Answers;
  /** The first half of an answer, as after a lost connection. */
  readonly cut: Answers;
  /** Returns the query of a request. */
  readonly queryOf: (request: SeenRequest) => string | null;
  /** Whether the service receives the whole question instead of keywords. */
  readonly asksInFull?: boolean;
  /** The documented place of the key: a header with its value, or a field of the query or body. */
  readonly key?: { readonly header: string; readonly value: string } | { readonly field: string };
  /** Failure codes that differ from `STATUSES`, by status. */
  readonly statuses?: Readonly<Record<number, FailureCode>>;
  /** Answers that only this service gives. */
  readonly odd?: Readonly<Record<string, { readonly answers: Answers } & OddOutcome>>;
}
type OddOutcome = { readonly failure: FailureCode; readonly says?: RegExp } | { readonly titles: readonly string[] };

const STATUSES: Readonly<Record<number, FailureCode>> = {
  401: "blocked",
  403: "blocked",
  404: "not_found",
  429: "rate_limited",
  500: "unreachable",
};
const ENGLISH: SearchQuery = { text: "How do lighthouses work?", language: "en", limit: 20 };
const CHINESE: SearchQuery = { text: "鲸油灯塔的历史是什么？", language: "zh", limit: 20 };
const MARKUP = /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+|#x[\da-f]+);/i;
const TOO_MANY_BYTES = 21_000_000;
/** Repeated, these make careless patterns and parsers take quadratic time. */
const HOSTILE = ["<", "<form ", "<title>", '<form action="', "&", '{"a":', "[", "<a><b>", "<!--"];
const HOSTILE_LENGTH = 400_000;

/** A source under test, and functions that script its service. */
interface Bench {
  readonly entry: SourceEntry;
  readonly contract: SearchSourceContract;
  readonly open: (answers: Answers) => Promise<ServiceUnderTest>;
  readonly context: (signal?: AbortSignal) => CallContext;
  readonly search: (answers: Answers, query?: SearchQuery) => Promise<readonly Hit[]>;
}

/** The contract that every source on the network fulfills. */
export function describeSearchSource(entry: SourceEntry, contract: SearchSourceContract): void {
  const { type } = contract;
  const open: Bench["open"] = (answers) => serviceUnderTest(entry, type, answers);
  const context: Bench["context"] = (signal = new AbortController().signal) => ({ signal, scope: [entry.endpoint.owner] });
  const search: Bench["search"] = async (answers, query = ENGLISH) => (await (await open(answers)).source.search(query, context())).hits;
  const bench = { entry, contract, open, context, search };
  describe(`source ${entry.endpoint.id}`, () => {
    describeFindings(bench);
    describeRequests(bench);
    describeFailures(bench);
    describeOddAnswers(bench);
  });
}

/** Returns the failure of a search; a successful search fails the test. */
async function failure(searching: Promise<unknown>): Promise<{ code: FailureCode; message: string }> {
  const error = await searching.then(
    (found) => expect.fail(`it found ${JSON.stringify(found)?.slice(0, 300)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DossierError)) throw error;
  return { code: failureCodeOf(error, "paywalled"), message: error.message };
}

function describeFindings({ entry, contract, search }: Bench): void {
  it("returns what the service found as valid hits, best first", async () => {
    const hits = await search(contract.found(3));
    expect(hits).toHaveLength(3);
    expect(hits[0]).toMatchObject(contract.first);
    expect(new Set(hits.map((hit) => hit.id)).size).toBe(3);
    for (const hit of hits) {
      expect(HitSchema.parse(hit)).toEqual(hit);
      expect(hit).toMatchObject({ id: sourceIdOf(hit.url), foundBy: entry.endpoint.id, contentHash: null });
      expect(hit.url).toMatch(/^https?:\/\/[^/]/);
    }
  });

  it("returns texts that are well-formed and without markup", async () => {
    for (const { title, snippet, publication } of await search(contract.found(3))) {
      const texts = [title, snippet, publication?.venue ?? "", ...(publication?.authors ?? [])];
      for (const text of texts) {
        expect(text).not.toMatch(MARKUP);
        expect(text).toBe(text.toWellFormed().trim());
        expect(text).not.toMatch(/\s{2}|\0/);
      }
    }
  });

  it("returns an empty list if the service found nothing", async () => {
    expect(await search(contract.nothing)).toEqual([]);
  });

  it("returns no more hits than requested", async () => {
    const hits = await search(contract.found(30), { ...ENGLISH, limit: 2 });
    expect(hits).toHaveLength(2);
    expect(hits[0]?.url).toBe((await search(contract.found(30)))[0]?.url);
  });

  it("returns as many hits as requested if there are enough, without duplicates", async () => {
    const hits = await search(contract.found(30));
    expect(hits).toHaveLength(Math.min(20, contract.most ?? 20));
    expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length);
  });

  it("keeps the good items of an answer if one of them cannot be read", async () => {
    expect(await search(contract.oneBroken)).toHaveLength(2);
  });
}

function describeRequests({ contract, open, context }: Bench): void {
  it("sends a Chinese question intact and percent-encoded", async () => {
    const { source, requests } = await open(contract.found(3));
    await source.search(CHINESE, context());
    const [request] = requests;
    expect(request && contract.queryOf(request)).toMatch(/鲸油.*灯塔.*历史/);
    if (contract.asksInFull !== true) expect(request && contract.queryOf(request)).not.toMatch(/什么|？/);
    expect(request?.target).toMatch(/^[\x21-\x7e]+$/);
  });

  it("says of each of two searches at the same time what it sent and what it missed", async () => {
    const { source } = await open(contract.found(3));
    const [chinese, english] = await Promise.all([source.search(CHINESE, context()), source.search(ENGLISH, context())]);
    expect([chinese.sent, english.sent]).toEqual([CHINESE, ENGLISH].map((query) => source.wordsOf?.(query) ?? query.text));
    expect(chinese.sent).toMatch(/鲸油.*灯塔.*历史/);
    expect(english.sent).toContain("lighthouses");
    expect([chinese.gaps, english.gaps]).toEqual([null, null]);
  });

  it("sends the service its User-Agent", async () => {
    const { source, requests } = await open(contract.found(3));
    await source.search(ENGLISH, context());
    expect(requests[0]?.headers["user-agent"]).toMatch(/^dossier\/\S+/);
  });

  it("fails with out_of_scope, and sends nothing, if the run may not use the source", async () => {
    const { source, requests } = await open(contract.found(3));
    const searching = source.search(ENGLISH, { signal: new AbortController().signal, scope: ["corpus"] });
    const { code, message } = await failure(searching);
    expect(code).toBe("out_of_scope");
    expect(message).not.toContain(API_KEY);
    expect(requests).toEqual([]);
  });

  it("sends the key where the documentation requires it and nowhere else", async () => {
    const { source, requests } = await open(contract.found(3));
    await source.search(ENGLISH, context());
    for (const request of requests) expect(placesOfKey(request)).toEqual(contract.key === undefined ? [] : [placeOf(contract.key)]);
  });

  it.skipIf(contract.key === undefined)("never shows the key in an error, even if the service repeats it", async () => {
    for (const status of [400, 401, 500]) {
      const echoing = await open(({ target }) => ({ status, text: JSON.stringify({ message: `${API_KEY} is no key`, target }) }));
      expect((await failure(echoing.source.search(ENGLISH, context()))).message).not.toContain(API_KEY);
    }
    const lost = await open(() => ({ status: 307, headers: { location: "http://[" }, text: "" }));
    expect((await failure(lost.source.search(ENGLISH, context()))).message).not.toContain(API_KEY);
  });
}

function describeFailures({ entry, contract, open, context, search }: Bench): void {
  for (const [status, code] of Object.entries({ ...STATUSES, ...contract.statuses })) {
    it(`fails with ${code} when the service answers ${status}`, async () => {
      const text = contract.type.includes("json") ? '{"error":"no"}' : "no";
      expect(await failure(search(() => ({ status: Number(status), text })))).toMatchObject({ code });
    });
  }

  it.each<[string, Answers]>([
    ["sends a page of something else", () => ({ headers: { "content-type": "text/html" }, text: "<html><body>Welcome!</body></html>" })],
    ["sends half an answer", contract.cut],
    ["sends an answer of another shape", contract.otherShape],
    ["sends nothing", () => ""],
  ])("fails with unreadable when the service %s", async (_, answers) => {
    expect(await failure(search(answers))).toMatchObject({ code: "unreadable" });
  });

  it("fails with too_large if the answer does not end", async () => {
    expect(await failure(search(() => " ".repeat(TOO_MANY_BYTES)))).toMatchObject({ code: "too_large" });
  });

  it.each(HOSTILE)("reads an answer that repeats %j in linear time", async (piece) => {
    const text = piece.repeat(HOSTILE_LENGTH / piece.length);
    expect(await failure(search(() => ({ status: 500, text })))).toMatchObject({ code: "unreachable" });
    expect(await failure(search(() => text))).toMatchObject({ code: "unreadable" });
    expect(await failure(search(() => `${text}</html>`))).toMatchObject({ code: "unreadable" });
  });

  it("fails with unreachable if nothing listens", async () => {
    const source = sourceAt(entry, `http://127.0.0.1:${await closedPort()}`);
    expect(await failure(source.search(ENGLISH, context()))).toMatchObject({ code: "unreachable" });
  });

  it("rejects with the reason of its signal, before the request and while the service never answers", async () => {
    const { source, requests } = await open(() => null);
    await expect(source.search(ENGLISH, context(AbortSignal.abort(new Error("too late"))))).rejects.toThrow("too late");
    expect(requests).toEqual([]);
    const controller = new AbortController();
    const searching = source.search(ENGLISH, context(controller.signal));
    const ended = expect(searching).rejects.toThrow("no more patience");
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    controller.abort(new Error("no more patience"));
    await ended;
  });
}

function describeOddAnswers({ contract, search }: Bench): void {
  for (const [name, { answers, ...outcome }] of Object.entries(contract.odd ?? {})) {
    it(`${name}`, async () => {
      if ("titles" in outcome) return expect((await search(answers)).map(({ title }) => title)).toEqual(outcome.titles);
      const { code, message } = await failure(search(answers));
      expect(code).toBe(outcome.failure);
      expect(message).toMatch(outcome.says ?? /./);
    });
  }
}

function placesOfKey({ headers, url, body }: SeenRequest): string[] {
  const inHeaders = Object.entries(headers).filter(([, value]) => value.includes(API_KEY));
  const inQuery = [...url.searchParams].filter(([, value]) => value.includes(API_KEY));
  const inBody = body.includes(API_KEY) ? ["body"] : [];
  return [...inHeaders.map(([name, value]) => `${name}: ${value}`), ...inQuery.map(([name]) => name), ...inBody];
}

function placeOf(key: NonNullable<SearchSourceContract["key"]>): string {
  return "header" in key ? `${key.header}: ${key.value}` : key.field;
}
