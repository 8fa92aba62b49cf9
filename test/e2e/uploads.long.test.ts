import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import type { Run } from "../../src/domain/run.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { encryptedWith } from "../documents/pdf/encrypt-pdf.ts";
import { column, makePdf } from "../documents/pdf/make-pdf.ts";
import { docxOf, docxWith, pdfOf } from "../helpers/made-files.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { askWith, formOf, type GivenFile } from "../helpers/uploading.ts";

const LAMP = pdfOf(["The lamp of the lighthouse of Tolmere burns colza oil and was first lit in 1874."]);
const WALL = pdfOf(["The harbour wall of Tolmere was finished in 1881 and is four hundred metres long."]);
const KEEPER = pdfOf(["托尔米尔灯塔的守塔人名叫李明，他每天傍晚爬二百一十二级台阶。"], "chinese");
const THREE: readonly GivenFile[] = [
  ["lamp.pdf", LAMP, "application/pdf"],
  ["wall.pdf", WALL, "application/pdf"],
  ["守塔人.pdf", KEEPER, "application/pdf"],
];

const quotesOf = ({ report }: Run) => (report?.citations ?? []).map(({ quote }) => quote);
const post = (url: string, body: FormData | string, headers: Record<string, string> = {}) => fetch(url, { method: "POST", body, headers });
const json = (body: unknown) => [JSON.stringify(body), { "content-type": "application/json" }] as const;
const materialOf = async ({ url }: TestService, thread: string) =>
  (await (await fetch(`${url}/threads/${thread}/documents`)).json()) as never;

async function problemOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { code, errors, detail } = (await response.json()) as { code: string; errors?: { path: string }[]; detail: string };
  return { status: response.status, code, paths: (errors ?? []).map(({ path }) => path), detail };
}

it("without a model a question over three uploaded PDFs is answered with quotes in them, before what else is found", async () => {
  const service = await startService({});
  const lamp = await askWith(service, { question: "When was the lamp of Tolmere first lit?" }, THREE);
  expect(lamp.status).toBe("succeeded");
  expect(quotesOf(lamp)[0]).toBe("The lamp of the lighthouse of Tolmere burns colza oil and was first lit in 1874.");
  const [first] = lamp.report?.sources ?? [];
  expect(first).toMatchObject({ kind: "upload", foundBy: "documents", status: "read" });
  expect(lamp.report?.ledger[0]).toMatchObject({ what: "search", source: "documents", outcome: "found" });
  const keeper = await askWith(service, { question: "托尔米尔灯塔的守塔人叫什么名字？" }, THREE);
  expect(quotesOf(keeper).join()).toContain("守塔人名叫李明");
  const [citation] = lamp.report?.citations ?? [];
  const text = await (await fetch(`${service.url}/research/${lamp.id}/documents/${citation?.contentHash}`)).text();
  expect(text.slice(citation?.start, citation?.end)).toBe(citation?.quote);
});

it("a follow-up in the thread uses its documents, a question in another thread does not", async () => {
  const service = await startService({});
  const { threadId } = await askWith(service, { question: "When was the lamp of Tolmere first lit?" }, THREE);
  const next = await service.finish((await service.start({ question: "How long is the harbour wall of Tolmere?", threadId })).id);
  expect(quotesOf(next)[0]).toContain("four hundred metres long");
  const other = await service.finish((await service.start({ question: "How long is the harbour wall of Tolmere?" })).id);
  expect(quotesOf(other).join()).not.toContain("four hundred metres");
  expect(other.report?.ledger.map(({ source }) => source)).not.toContain("documents");
});

it("reads each type, and the scope may be the documents alone", async () => {
  const service = await startService({});
  const files: readonly GivenFile[] = [
    ["notes.docx", await docxOf("Notes", ["The bell of Tolmere weighs nine hundred kilograms."])],
    ["page.html", "<html><body><script>alert(1)</script><p>The ferry of Tolmere sails at seven in the morning.</p></body></html>"],
    ["list.md", "# List\n\nThe mayor of Tolmere is called Ines Moor.\n"],
    ["plain.txt", "The bakery of Tolmere opens at five in the morning.\n"],
    ["人口.csv", "年份,托尔米尔人口\n1900,三千二百人\n1950,五千一百人\n"],
  ];
  const first = await askWith(service, { question: "How much does the bell of Tolmere weigh?", sources: ["documents"] }, files);
  expect(quotesOf(first)).toEqual(["The bell of Tolmere weighs nine hundred kilograms."]);
  expect(first.report?.ledger.filter(({ what }) => what === "search").map(({ source }) => source)).toEqual(["documents"]);
  const ask = async (question: string) => quotesOf(await askWith(service, { question, sources: ["documents"] }, files))[0];
  expect(await ask("When does the ferry of Tolmere sail?")).toBe("The ferry of Tolmere sails at seven in the morning.");
  expect(await ask("Who is the mayor of Tolmere?")).toBe("The mayor of Tolmere is called Ines Moor.");
  expect(await ask("When does the bakery of Tolmere open?")).toBe("The bakery of Tolmere opens at five in the morning.");
  expect(await ask("1950年托尔米尔人口是多少？")).toBe("年份: 1950 | 托尔米尔人口: 五千一百人");
});

it("estimates a request with files, and keeps none of them", async () => {
  const service = await startService({});
  const request = { question: "When was the lamp of Tolmere first lit?", sources: ["documents"], threadId: "not-yet" };
  const estimate = await post(`${service.url}/research/estimate`, formOf(request, THREE));
  expect([estimate.status, ((await estimate.json()) as { documents: object }).documents]).toEqual([200, { from: 0, to: 15 }]);
  expect(await materialOf(service, "not-yet")).toEqual({ documents: [], urls: [] });
});

it.each([
  ["fake.docx", LAMP, "its content is a PDF"],
  ["假的.txt", LAMP, "its content is a PDF"],
  ["fake.md", "PK\x03\x04", "its content is a DOCX, XLSX or PPTX file or another archive"],
  ["fake.pdf", "This is a text.", "its content is not a PDF"],
  ["假的.docx", "This is a text.", "its content is not a DOCX, XLSX or PPTX file or another archive"],
])("refuses %s, whose content is of another type than its name", async (name, content, reason) => {
  const service = await startService({});
  const response = await post(`${service.url}/threads/t/documents`, formOf(null, [[name, content, ""]]));
  expect(await problemOf(response)).toMatchObject({ status: 415, code: "unsupported_document", detail: expect.stringContaining(reason) });
});

it.each([
  ["http://user:pw@example.org/", "must not have a user name or password"],
  ["http://169.254.169.254/latest/", "its address is in a private network"],
  ["http://[::1]/", "its address is in a private network"],
  ["http://printer.local/状态", "its address is in a private network"],
  ["https://example.org:22/", "port 22 is not a web port"],
])("refuses the address %s before anything is kept", async (address, reason) => {
  const service = await startService({});
  const paths = [
    ["/threads/t/documents", { urls: [address] }],
    ["/research", { question: "灯塔？", urls: [address] }],
    ["/research/estimate", { question: "灯塔？", urls: [address] }],
  ] as const;
  for (const [path, body] of paths) {
    const problem = await problemOf(await post(`${service.url}${path}`, ...json(body)));
    expect(problem).toMatchObject({ status: 400, code: "invalid_request", paths: ["/urls/0"], detail: expect.stringContaining(reason) });
    expect(problem.detail).not.toContain("pw");
  }
  expect(await materialOf(service, "t")).toEqual({ documents: [], urls: [] });
});

it("documents are a source only of a thread that has some", async () => {
  const service = await startService({});
  const refused = await post(`${service.url}/research`, ...json({ question: "What?", sources: ["documents"] }));
  expect(await problemOf(refused)).toMatchObject({ status: 400, code: "unknown_source", paths: ["/sources/0"] });
});

it("a recording of a run with uploads holds their texts and replays, and its bundle verifies, also after they were deleted", async () => {
  const service = await startService({});
  const run = await askWith(service, { question: "When was the lamp of Tolmere first lit?" }, THREE);
  const { documents } = (await materialOf(service, run.threadId)) as { documents: { contentHash: string }[] };
  for (const { contentHash } of documents) {
    const deleted = await fetch(`${service.url}/threads/${run.threadId}/documents/${contentHash}`, { method: "DELETE" });
    expect(deleted.status).toBe(204);
  }
  const recording = await readRecording(await service.recordingLines(run.id));
  expect(recording.documents.map(({ url }) => url)).toContainEqual(expect.stringMatching(/^upload:[0-9a-f]{64}\/lamp\.pdf$/));
  expect((await replay(recording)).difference).toBeNull();
  const bundle = Buffer.from(await (await fetch(`${service.url}/research/${run.id}/bundle`)).arrayBuffer());
  expect(verifyBundle(bundle, "dossier").faults).toEqual([]);
});

it("documents and addresses are given to a thread before a question, listed, read and deleted", async () => {
  const service = await startService({});
  const at = `${service.url}/threads/T-1/documents`;
  expect(await materialOf(service, "T-1")).toEqual({ documents: [], urls: [] });
  const added = await post(at, formOf({ urls: ["https://example.org/a"] }, THREE));
  expect(added.status).toBe(201);
  const listed = (await materialOf(service, "T-1")) as { documents: Record<string, unknown>[]; urls: Record<string, unknown>[] };
  expect(await added.json()).toEqual(listed);
  expect(listed.documents.map(({ name }) => name)).toEqual(["lamp.pdf", "wall.pdf", "守塔人.pdf"]);
  expect(listed.documents[2]).toMatchObject({ language: "zh", bytes: KEEPER.length, incomplete: null });
  expect(listed.urls).toMatchObject([{ url: "https://example.org/a" }]);
  const hash = String(listed.documents[0]?.["contentHash"]);
  expect(await (await fetch(`${at}/${hash}`)).text()).toContain("burns colza oil");
  expect((await fetch(`${service.url}/threads/T-2/documents/${hash}`)).status).toBe(404);
  const run = await service.finish((await service.start({ question: "When was the lamp of Tolmere first lit?", threadId: "T-1" })).id);
  expect(quotesOf(run)[0]).toContain("1874");
  expect((await fetch(`${at}/${hash}`, { method: "DELETE" })).status).toBe(204);
  expect((await fetch(`${at}/${hash}`, { method: "DELETE" })).status).toBe(404);
  expect((await fetch(`${service.url}/research/${run.id}/documents/${hash}`)).status).toBe(200);
  const address = String(listed.urls[0]?.["sourceId"]);
  expect((await fetch(`${service.url}/threads/T-1/urls/${address}`, { method: "DELETE" })).status).toBe(204);
  const left = (await materialOf(service, "T-1")) as { documents: unknown[]; urls: unknown[] };
  expect([left.documents.length, left.urls]).toEqual([2, []]);
  const later = await service.finish((await service.start({ question: "When was the lamp of Tolmere first lit?", threadId: "T-1" })).id);
  expect(quotesOf(later).join()).not.toContain("colza");
});

it("what a thread was given goes with its last run, and a text that another thread has stays there", async () => {
  const service = await startService({});
  const first = await askWith(service, { question: "When was the lamp of Tolmere first lit?", threadId: "A" }, THREE.slice(0, 1));
  await askWith(service, { question: "When was the lamp of Tolmere first lit?", threadId: "B" }, THREE.slice(0, 1));
  const { documents } = (await materialOf(service, "A")) as { documents: { contentHash: string }[] };
  expect((await fetch(`${service.url}/research/${first.id}`, { method: "DELETE" })).status).toBe(204);
  expect(await materialOf(service, "A")).toEqual({ documents: [], urls: [] });
  expect((await fetch(`${service.url}/threads/B/documents/${documents[0]?.contentHash}`)).status).toBe(200);
});

const refusals: readonly (readonly [string, readonly GivenFile[], { status: number; code: string; paths?: string[] }])[] = [
  [
    "a picture",
    [["photo.png", Buffer.from("89504e470d0a1a0a", "hex")]],
    { status: 415, code: "unsupported_document", paths: ["/documents/0"] },
  ],
  ["a program named as a text", [["run.txt", Buffer.from("7f454c460201010000000000ff00fe00", "hex")]], { status: 422, code: "unreadable" }],
  ["a page named as a PDF", [["paper.pdf", "<html><body>not a PDF</body></html>"]], { status: 415, code: "unsupported_document" }],
  ["an archive named as a DOCX", [["a.docx", "no archive"]], { status: 415, code: "unsupported_document" }],
  ["a spreadsheet of another format", [["a.ods", docxWith("")]], { status: 415, code: "unsupported_document" }],
  ["an empty file", [["empty.md", ""]], { status: 422, code: "empty", paths: ["/documents/0"] }],
  ["a PDF without text", [["scan.pdf", makePdf([{ texts: [], options: { picture: true } }])]], { status: 422, code: "empty" }],
  [
    "a PDF with a password",
    [["secret.pdf", makePdf([{ texts: column(72, 700, ["Secret."]) }], encryptedWith("open sesame"))]],
    { status: 422, code: "encrypted_document" },
  ],
  [
    "a Word document with a password",
    [["secret.docx", Buffer.from("d0cf11e0a1b11ae100000000", "hex")]],
    { status: 422, code: "encrypted_document" },
  ],
  ["a damaged PDF", [["cut.pdf", "%PDF-1.4\nnothing more"]], { status: 422, code: "unreadable" }],
  [
    "a zip bomb",
    [["bomb.docx", docxWith("", { "word/styles.xml": Buffer.alloc(60_000_000, " ") })]],
    { status: 413, code: "document_too_large" },
  ],
  ["a file above the limit", [["big.txt", Buffer.alloc(20_000_001, "a ")]], { status: 413, code: "document_too_large" }],
  [
    "more files than are taken",
    Array.from({ length: 21 }, (_, i): GivenFile => [`${i}.txt`, `Text ${i}.`]),
    { status: 413, code: "too_many_documents" },
  ],
];

it("refuses what is no document with a stable code, and keeps nothing of the request", async () => {
  const service = await startService({});
  for (const [what, files, expected] of refusals) {
    const { paths = [], ...problem } = expected;
    const answer = await problemOf(await post(`${service.url}/research`, formOf({ question: "What?", threadId: "refused" }, files)));
    expect({ what, status: answer.status, code: answer.code }).toEqual({ what, ...problem });
    if (paths.length > 0) expect(answer.paths).toEqual(paths);
  }
  expect(await materialOf(service, "refused")).toEqual({ documents: [], urls: [] });
  expect((await (await fetch(`${service.url}/research`)).json()) as object).toMatchObject({ runs: [] });
});

it("refuses a wrong request before it reads files, and parts that it does not know", async () => {
  const service = await startService({});
  const at = `${service.url}/research`;
  expect(await problemOf(await post(at, formOf({ question: "" }, THREE)))).toMatchObject({
    status: 400,
    code: "invalid_request",
    paths: ["/question"],
  });
  expect(await problemOf(await post(at, formOf({ question: "What?", graph: "none" }, THREE)))).toMatchObject({ code: "unknown_graph" });
  expect(await problemOf(await post(at, formOf(null, THREE)))).toMatchObject({ code: "invalid_request", paths: ["/question"] });
  const odd = formOf({ question: "What?" }, []);
  odd.append("files", new Blob(["text"]), "a.txt");
  expect(await problemOf(await post(at, odd))).toMatchObject({ code: "invalid_request", paths: ["/files"] });
  const broken = formOf(null, []);
  broken.append("request", "{");
  expect(await problemOf(await post(at, broken))).toMatchObject({ code: "invalid_json" });
  const cut = await post(at, '--x\r\nContent-Disposition: form-data; name="documents"; filename="a.txt"\r\n\r\nhalf', {
    "content-type": "multipart/form-data; boundary=x",
  });
  expect(await problemOf(cut)).toMatchObject({ status: 400, code: "invalid_request" });
  const elsewhere = await post(`${service.url}/research/none/answer`, formOf({ question: "What?" }, []));
  expect(await problemOf(elsewhere)).toMatchObject({ status: 415, code: "unsupported_media_type" });
  expect(await problemOf(await post(`${service.url}/threads/T/documents`, ...json({})))).toMatchObject({ code: "invalid_request" });
});

it("takes no folder from the name of a file, and shows markup in names and texts as text", async () => {
  const service = await startService({});
  const before = readdirSync(service.dir);
  const files: readonly GivenFile[] = [
    ["../../../tmp/evil\u202e.txt", "One."],
    ["..\\..\\evil.md", "Two."],
    ["<img src=x onerror=alert(1)>.html", "<p onclick=alert(1)>Three.<script>alert(2)</script></p>"],
    ["...", "Four."],
  ];
  const response = await post(`${service.url}/threads/T/documents`, formOf(null, files.slice(0, 3)));
  const { documents } = (await response.json()) as { documents: { name: string; contentHash: string }[] };
  expect(documents.map(({ name }) => name)).toEqual(["evil.txt", "evil.md", "<img src=x onerror=alert(1)>.html"]);
  expect(await (await fetch(`${service.url}/threads/T/documents/${documents[2]?.contentHash}`)).text()).toBe("Three.");
  expect(readdirSync(service.dir)).toEqual(before);
  const run = await service.finish((await service.start({ question: "Three?", threadId: "T" })).id);
  const html = await (await fetch(`${service.url}/research/${run.id}/report?format=html`)).text();
  expect(html).not.toContain("<img src=x");
});

it("receives four uploads at once, refuses a fifth, and frees the place of one whose client leaves", async () => {
  const service = await startService({});
  const { port } = new URL(service.url);
  const begun = '--x\r\nContent-Disposition: form-data; name="documents"; filename="a.txt"\r\n\r\nhalf';
  const head = `POST /research HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n`;
  const slow = Array.from({ length: 4 }, () => connect(Number(port), "127.0.0.1").on("error", () => undefined));
  for (const socket of slow) socket.write(head + begun);
  const send = () => post(`${service.url}/threads/T/documents`, formOf(null, [["a.txt", "One lamp."]]));
  await expect.poll(async () => (await send()).status).toBe(503);
  for (const socket of slow) socket.destroy();
  await expect.poll(async () => (await send()).status).toBe(201);
});

it("an Idempotency-Key covers the content of the files", async () => {
  const service = await startService({});
  const send = (content: string) =>
    post(`${service.url}/research`, formOf({ question: "What?" }, [["a.txt", content]]), { "idempotency-key": "k" });
  const [first, again] = [await (await send("One lamp.")).json(), await (await send("One lamp.")).json()] as { id: string }[];
  expect(again?.id).toBe(first?.id);
  expect(await problemOf(await send("Two lamps."))).toMatchObject({ status: 422, code: "idempotency_mismatch" });
});
