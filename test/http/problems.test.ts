import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { DossierError } from "../../src/errors.ts";
import { exchange, get, postJson, startApp } from "./app-under-test.ts";

const nested = (depth: number) => `${'{"question":"q","metadata":{"deep":'}${"[".repeat(depth)}${"]".repeat(depth)}}}`;

describe("an invalid request", () => {
  it("is answered with a problem document (RFC 9457)", async () => {
    const { url } = await startApp();
    const response = await postJson(`${url}/research`, { question: " ", limits: { stepz: 1, steps: 0 }, "a/b~c": 1 });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const problem = (await response.json()) as { detail: string; errors: object[] };
    expect(problem).toMatchObject({
      type: "/docs/errors#invalid_request",
      title: "The request is not valid",
      status: 400,
      code: "invalid_request",
    });
    expect(problem.detail).toBe("In the body: /question must not be empty (and 3 more).");
    expect(problem.errors).toEqual([
      { path: "/question", message: "must not be empty" },
      { path: "/limits/steps", message: "must be at least 1" },
      { path: "/limits/stepz", message: "is not a known field" },
      { path: "/a~1b~0c", message: "is not a known field" },
    ]);
  });

  it.each([
    [
      [{ role: "system", content: "你是律师" }],
      "/messages/0/role",
      "must be user, assistant or tool; what a system message says belongs into systemContext",
    ],
    [
      [
        { role: "user", content: "a" },
        { role: "tool", tool_call_id: "call_1", content: "b" },
      ],
      "/messages/1/tool_call_id",
      "is not the id of a call before it",
    ],
    [[{ role: "user", content: [{ type: "text", text: "a" }] }], "/messages/0/content", "must be a string"],
    [[{ role: "user", content: "a", name: "b" }], "/messages/0/name", "is not a known field"],
    [Array.from({ length: 101 }, () => ({ role: "user", content: "问" })), "/messages", "must have at most 100 items"],
    [[{ role: "user", content: "问".repeat(20_001) }], "/messages/0/content", "must have at most 20000 characters"],
    [
      Array.from({ length: 11 }, () => ({ role: "user", content: "a".repeat(19_000) })),
      "/messages",
      "must not have more than 200000 characters together",
    ],
  ])("is refused for messages that are not a conversation (%#)", async (messages, path, message) => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q", messages });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path, message }] }]);
    expect(runs.calls).toEqual([]);
  });

  it.each([
    ["broken JSON", '{"question": ', "invalid_json"],
    ["a trailing comma", '{"question": "q",}', "invalid_json"],
    ["bytes that are no UTF-8", Uint8Array.from([0x22, 0xb9, 0xfe, 0x22]), "invalid_json"],
    ["no body at all", "", "invalid_request"],
    ["an array", "[]", "invalid_request"],
    ["a string", '"x"', "invalid_request"],
    ["null", "null", "invalid_request"],
    ["a number", "1", "invalid_request"],
    ["no question", "{}", "invalid_request"],
    ["a question of another type", '{"question": 7}', "invalid_request"],
    ["a question that is too long", JSON.stringify({ question: "x".repeat(8_001) }), "invalid_request"],
    ["__proto__", '{"question": "q", "__proto__": {"polluted": true}}', "invalid_request"],
    ["__proto__ spelled with an escape", '{"question": "q", "\\u005f_proto__": {"polluted": true}}', "invalid_request"],
    ["__proto__ deep inside", '{"question": "q", "metadata": {"a": [{"__proto__": 1}]}}', "invalid_request"],
    ["constructor.prototype", '{"question": "q", "metadata": {"constructor": {"prototype": {}}}}', "invalid_request"],
    ["half a surrogate pair", '{"question": "\\ud800"}', "invalid_request"],
    ["a NUL", '{"question": "a\\u0000b"}', "invalid_request"],
    ["arrays nested a hundred deep", nested(100), "invalid_request"],
    ["arrays nested a hundred thousand deep", nested(100_000), "invalid_request"],
    ["sixty thousand strangers", `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(",")}}`, "invalid_request"],
    ["a long array", `[${"0,".repeat(400_000)}0]`, "invalid_request"],
    ["three hundred thousand texts", `{"question": "q", "metadata": {"a": [${'"",'.repeat(300_000)}""]}}`, "invalid_request"],
  ])("is refused for %s", async (_what, body, code) => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, body);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect([response.status, await response.json()]).toMatchObject([400, { status: 400, code }]);
    expect(runs.calls).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("gets a limited number of errors", async () => {
    const { url } = await startApp();
    const strangers = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]));
    const problem = (await (await postJson(`${url}/research`, { question: "q", ...strangers })).json()) as {
      detail: string;
      errors: object[];
    };
    expect(problem.errors).toHaveLength(50);
    expect(problem.detail).toBe("In the body: /k0 is not a known field (and 4999 more).");
  });

  it("names the place of a forbidden field", async () => {
    const { url } = await startApp();
    const response = await postJson(`${url}/research`, '{"question": "q", "metadata": {"a": [{"__proto__": 1}]}}');
    expect(await response.json()).toMatchObject({
      errors: [{ path: "/metadata/a/0/__proto__", message: "is not allowed as a field name" }],
    });
  });

  it("is told that the body must be JSON if it has another content type", async () => {
    const { url } = await startApp();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]) {
      const response = await fetch(`${url}/research`, { method: "POST", body: '{"question":"q"}', headers: { "content-type": type } });
      expect([response.status, await response.json()]).toMatchObject([415, { code: "unsupported_media_type" }]);
    }
  });

  it.each([
    [{ "content-encoding": "gzip" }, "without compression"],
    [{ "content-encoding": "identity, br" }, "without compression"],
    [{ "content-encoding": "zstd", "content-type": "text/plain" }, "without compression"],
    [{ "content-type": "application/json; charset=utf-16" }, "charset"],
    [{ "content-type": 'application/json;Charset = "GB18030"' }, "charset"],
    [{ "content-type": "application/json; charset=" }, "charset"],
  ])("is refused for its content type or encoding: %j", async (headers, words) => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "灯塔是谁设计的？" }, headers);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect([response.status, await response.json()]).toMatchObject([
      415,
      { code: "unsupported_media_type", detail: expect.stringContaining(words) },
    ]);
    expect(response.headers.get("accept-encoding")).toBe(words === "charset" ? null : "identity");
    expect(runs.calls).toEqual([]);
  });

  it.each([
    { "content-encoding": "identity" },
    { "content-type": "application/json; charset=UTF-8" },
    { "content-type": 'application/json; charset="utf-8"' },
  ])("is accepted with %j", async (headers) => {
    const { url } = await startApp();
    expect((await postJson(`${url}/research`, { question: "灯塔是谁设计的？" }, headers)).status).toBe(202);
  });

  it.each(["!!", "en_US", "english language", "e", "", "zh-", "en-x-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaa", 7])(
    "is refused for the language %j",
    async (language) => {
      const { url, runs } = await startApp();
      const response = await postJson(`${url}/research`, { question: "q", language });
      expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/language" }] }]);
      expect(runs.calls).toEqual([]);
    },
  );

  it.each(["Berlin", "+02:00", "", 7])("is refused for the time zone %j", async (timeZone) => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q", timeZone });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/timeZone" }] }]);
    expect(runs.calls).toEqual([]);
  });

  it("is accepted with auto and every well-formed language", async () => {
    const { url } = await startApp();
    for (const language of ["auto", "en", "zh-Hans", "ZH-tw", "sr-Latn-RS", "de-DE-u-co-phonebk"]) {
      expect((await postJson(`${url}/research`, { question: "q", language })).status).toBe(202);
    }
  });

  it("is refused if its body is too large, declared or not", async () => {
    const { url, port } = await startApp({ bodyLimitBytes: 1_000 });
    const told = await postJson(`${url}/research`, { question: "x".repeat(1_000) });
    const detail = "The body is larger than the 1000 bytes that this server accepts.";
    expect([told.status, await told.json()]).toMatchObject([413, { code: "too_large", detail }]);
    const chunk = `400\r\n${" ".repeat(1_024)}\r\n`;
    const head =
      "POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    const untold = await exchange(port, `${head}${chunk}${chunk}0\r\n\r\n`);
    expect([untold.status, JSON.parse(untold.body)]).toMatchObject([413, { code: "too_large" }]);
  });

  it("that is too large is taken to its end, so that its client reads the answer", async () => {
    const { port } = await startApp({ bodyLimitBytes: 1_000 });
    // More than the buffers of a connection hold.
    const length = 64 * 2 ** 20;
    const socket = connect(port, "127.0.0.1").pause();
    const head = `POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    socket.write(head);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.write(Buffer.alloc(length, " "), (error) => (error ? reject(error) : resolve()));
    });
    const [answer] = (await once(socket.resume(), "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe("a path", () => {
  it("without a route is not found, whatever the body", async () => {
    const { url } = await startApp();
    const answers = [await fetch(`${url}/nothing?x=1`), await fetch(`${url}/research/`), await postJson(`${url}/nothing`, "{")];
    for (const answer of answers) expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  it("with other methods lists them", async () => {
    const { url } = await startApp();
    const allow = async (method: string, path: string) => {
      const response = await fetch(url + path, { method });
      expect([response.status, await response.json()]).toMatchObject([405, { code: "method_not_allowed" }]);
      return response.headers.get("allow");
    };
    expect(await allow("PUT", "/research")).toBe("GET, HEAD, POST, OPTIONS");
    expect(await allow("PUT", "/research/run-1?x=1")).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
    expect(await allow("GET", "/research/run-1/cancel")).toBe("POST, OPTIONS");
    expect(await allow("POST", "/docs")).toBe("GET, HEAD, OPTIONS");
  });

  it("answers OPTIONS with its methods", async () => {
    const { url, port } = await startApp();
    const response = await fetch(`${url}/research`, { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
    expect((await fetch(`${url}/nothing`, { method: "OPTIONS" })).status).toBe(404);
    const server = await exchange(port, get("*", { Host: "localhost" }, "OPTIONS"));
    expect([server.status, server.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]);
  });

  it.each(["%00", "%2e%2e%2f", "a%20b", "%E6%B3%95", "'--", "x".repeat(300), "x".repeat(3_000)])(
    "with the run id %j is not found without a database query",
    async (id) => {
      const { url, runs } = await startApp();
      for (const path of ["", "/events", "/report", "/recording", "/documents/abc"]) {
        const response = await fetch(`${url}/research/${id}${path}`);
        expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
      }
      expect(runs.calls).toEqual([]);
    },
  );

  it("that is not valid percent-encoding is refused", async () => {
    const { port } = await startApp();
    for (const path of ["/research/%", "/research/%zz", "/research/%ff%fe"]) {
      const { status, headers, body } = await exchange(port, get(path, { Host: "localhost" }));
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect([status, JSON.parse(body)]).toMatchObject([400, { code: "invalid_request" }]);
    }
  });
});

describe("a failure inside the server", () => {
  it("is logged in full, and the answer shows none of it", async () => {
    const { url, runs, logLines } = await startApp();
    runs.failNext("get", new Error("SQLITE_CORRUPT at /var/lib/secret.db"));
    const response = await fetch(`${url}/research/run-1`);
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ type: "/docs/errors#internal", code: "internal", status: 500 });
    expect(body).not.toContain("SQLITE");
    const line = logLines.find(({ msg }) => msg === "request failed");
    expect(line).toMatchObject({ level: 50, err: { message: "SQLITE_CORRUPT at /var/lib/secret.db", stack: expect.any(String) } });
    expect(body).toContain(String(line?.["reqId"]));
  });

  it("stays hidden if it is one of our own errors or no Error at all", async () => {
    const { url, runs } = await startApp();
    for (const failure of [new DossierError("internal", "secret"), new DossierError("data_dir_in_use", "secret"), "secret", undefined]) {
      runs.failNext("get", failure);
      const response = await fetch(`${url}/research/run-1`);
      expect([response.status, await response.json()]).toMatchObject([500, { code: "internal", status: 500 }]);
    }
  });

  it("is internal if an answer violates its own schema", async () => {
    const { url, runs } = await startApp();
    runs.add({ status: "half-done" as "running" });
    const response = await fetch(`${url}/research/run-1`);
    expect([response.status, await response.json()]).toMatchObject([500, { code: "internal" }]);
  });

  it("that is temporary has a Retry-After", async () => {
    const { url, runs } = await startApp();
    runs.failNext("start", new DossierError("queue_full", "1,000 runs are queued; this one was not."));
    const response = await postJson(`${url}/research`, { question: "q" });
    expect(response.headers.get("retry-after")).toBe("5");
    expect([response.status, await response.json()]).toMatchObject([
      429,
      { code: "queue_full", detail: "1,000 runs are queued; this one was not." },
    ]);
  });

  it.each(["unknown_graph", "unknown_source", "limit_too_high"] as const)(
    "of the kind %s reaches the client with its details",
    async (code) => {
      const { url, runs } = await startApp();
      const faults = [{ path: "/graph", message: "is not one of: executor" }];
      runs.failNext("start", new DossierError(code, "No.", { faults }));
      const response = await postJson(`${url}/research`, { question: "q" });
      expect(await response.json()).toMatchObject({ code, status: 400, errors: [{ path: "/graph", message: "is not one of: executor" }] });
    },
  );
});
