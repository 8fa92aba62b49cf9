import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  createIsolatedExtractor,
  type IsolatedExtractor,
  type IsolationOptions,
} from "../../../src/documents/isolation/isolated-extractor.ts";
import { startGated } from "../../fakes/gated-server.ts";
import { isAlive } from "../../helpers/processes.ts";
import { onePage } from "../pdf/make-pdf.ts";

const MEGABYTE = 2 ** 20;
const opened: IsolatedExtractor[] = [];

function open(options: IsolationOptions = {}): IsolatedExtractor {
  const extractor = createIsolatedExtractor(options);
  opened.push(extractor);
  return extractor;
}

const misbehaving = (options: IsolationOptions = {}) => open({ entry: new URL("./misbehaving-process.ts", import.meta.url), ...options });
const made = (extractor: IsolatedExtractor, deed: string, signal?: AbortSignal, url = "x") =>
  extractor.extract({ bytes: new Uint8Array(), mediaType: deed, url }, signal);
const pidOf = async (extractor: IsolatedExtractor) => Number((await made(extractor, "say who it is")).text.split(" ")[1]);

const expectEnd = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((extractor) => extractor.close()));
});

describe("a document read in its own process", () => {
  const extractor = createIsolatedExtractor({ size: 1 });
  afterAll(() => extractor.close());

  it.each([
    ["text/html", Buffer.from("<p>A page.</p>"), "A page."],
    ["application/pdf", onePage({ x: 72, y: 700, text: "A PDF." }), "A PDF."],
    ["text/plain", Buffer.from("正文。"), "正文。"],
  ])("is the same as if it were read in this process: %s", async (mediaType, bytes, text) => {
    const document = await extractor.extract({ bytes, mediaType, url: "https://example.org/a" });
    expect(document).toMatchObject({ text, title: "a", blocks: [{ kind: "paragraph", start: 0, end: text.length, level: 0 }] });
  });

  it("is read completely on request", async () => {
    const article = `<article><p>${"The cell of the ledger is filled every year. ".repeat(20)}</p></article>`;
    const bytes = Buffer.from(`<body>${article}<footer>Filed by the registrant.</footer></body>`);
    const document = await extractor.extract({ bytes, mediaType: "text/html", url: "https://example.org/a", whole: true });
    expect(document.text).toContain("Filed by the registrant.");
  });

  it("may be a filing of many megabytes, most of them markup", async () => {
    const style = `style="font-family:'Helvetica',sans-serif;${"padding:2px 1pt;".repeat(40)}"`;
    const fact = `<span ${style}><ix:nonFraction name="us-gaap:Revenue" contextRef="c-1">1,234</ix:nonFraction></span>`;
    const row = `<tr ${style}><td ${style}>营业收入</td><td ${style}>${fact}</td></tr>`;
    const page = `<html><body><table>${row.repeat(6_000)}</table></body></html>`;
    const bytes = Buffer.from(page);
    expect(bytes.byteLength).toBeGreaterThan(15_000_000);
    const extractor = open({ timeoutMs: 300_000 });
    const document = await extractor.extract({ bytes, mediaType: "text/html", url: "https://example.org/10-k.htm", whole: true });
    expect(document.blocks).toHaveLength(6_000);
    expect(document.text.startsWith("营业收入 | 1,234\n营业收入 | 1,234\n")).toBe(true);
  });

  it("fails with the same error as in this process", async () => {
    const promise = extractor.extract({ bytes: Buffer.from("%PDF-1.4 nothing"), mediaType: "", url: "a" });
    await expect(promise).rejects.toMatchObject({
      name: "DossierError",
      code: "unreadable",
      message: "The PDF is damaged: its structure cannot be read.",
    });
  });

  it.each([
    ["loop for ever", "timeout", "Reading the document was stopped, because it took longer than 1 s."],
    [
      "fill the memory beside the heap",
      "document_too_large",
      "Reading the document was stopped, because it took more than 200 MB of memory.",
    ],
    ["call itself", "unreadable", "Maximum call stack size exceeded"],
    ["exit", "unreadable", "The document crashed the process that read it (exit code 3)."],
    ["crash", "unreadable", "The document crashed the process that read it (SIGSEGV)."],
    ["answer nonsense", "unreadable", "The document was not read: the process that read it sent an invalid answer."],
    ["throw our error", "empty", "Nothing there."],
  ])("may %s: only that document fails, and the next one is read", async (deed, code, message) => {
    const timeoutMs = code === "timeout" ? 1_000 : 300_000;
    const extractor = misbehaving({ size: 1, timeoutMs, maxResidentBytes: 200 * MEGABYTE });
    const [bad, good] = await Promise.allSettled([made(extractor, deed), made(extractor, "say who it is")]);
    expect(bad).toMatchObject({ status: "rejected", reason: { name: "DossierError", code, message } });
    expect(good).toMatchObject({ status: "fulfilled" });
  });

  it("may fill the heap: its process is stopped soon after the memory limit", async () => {
    const promise = made(misbehaving({ timeoutMs: 300_000, maxResidentBytes: 200 * MEGABYTE }), "fill the heap");
    await expect(promise).rejects.toMatchObject({ code: "document_too_large" });
  });

  it("cannot write a file", async () => {
    const file = join(tmpdir(), `dossier-${process.pid}-written`);
    await expect(made(misbehaving(), "write a file", undefined, file)).rejects.toMatchObject({ code: "unreadable" });
    expect(existsSync(file)).toBe(false);
  });

  it("does not block this process", async () => {
    const extractor = misbehaving({ size: 1, timeoutMs: 1_000 });
    let turns = 0;
    let hasEnded = false;
    const reading = made(extractor, "loop for ever").finally(() => {
      hasEnded = true;
    });
    reading.catch(() => undefined);
    for (; !hasEnded; turns += 1) await nextTurn();
    await expect(reading).rejects.toMatchObject({ code: "timeout" });
    expect(turns).toBeGreaterThan(20);
  });

  it.runIf(process.platform === "linux")("may wait for a processor: only its work counts", async () => {
    const server = await startGated();
    const waiting = made(misbehaving({ timeoutMs: 1_800 }), "ask, and say who it is", undefined, server.url);
    await server.asked(1);
    // Without any work, a process has four times as long: here 2 s, so that the other has waited for longer than its 1.8 s.
    await expect(made(misbehaving({ timeoutMs: 500 }), "never answer")).rejects.toMatchObject({ code: "timeout" });
    server.open();
    await expect(waiting).resolves.toMatchObject({ title: "x" });
  });

  it("may not wait for ever", async () => {
    const promise = made(misbehaving({ timeoutMs: 100 }), "never answer");
    await expect(promise).rejects.toMatchObject({ code: "timeout" });
  });

  it("is abandoned when its signal is aborted, with the reason of the signal", async () => {
    const extractor = misbehaving({ size: 1 });
    const controller = new AbortController();
    const server = await startGated();
    const running = made(extractor, "ask, and say who it is", controller.signal, server.url);
    const waiting = made(extractor, "say who it is", controller.signal);
    for (const reading of [running, waiting]) reading.catch(() => undefined);
    await server.asked(1);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    const late = new AbortController();
    const unanswered = made(extractor, "ask, and say who it is", late.signal, server.url);
    unanswered.catch(() => undefined);
    await server.asked(2);
    late.abort(new DOMException("Too late.", "TimeoutError"));
    await expect(unanswered).rejects.toMatchObject({ code: "timeout" });
    await expect(pidOf(extractor)).resolves.toBeGreaterThan(0);
  });

  it("does not wait for a free process once its signal is aborted", async () => {
    const extractor = misbehaving({ size: 1 });
    const controller = new AbortController();
    const running = made(extractor, "never answer").catch(() => "running");
    const waiting = made(extractor, "say who it is", controller.signal).catch(() => "waiting");
    await nextTurn();
    controller.abort();
    expect(await Promise.race([running, waiting])).toBe("waiting");
  });
});

describe("the reader processes", () => {
  it("are reused while they are healthy", async () => {
    const extractor = misbehaving({ size: 1 });
    const first = await pidOf(extractor);
    await expect(made(extractor, "throw our error")).rejects.toMatchObject({ code: "empty" });
    expect(await pidOf(extractor)).toBe(first);
    await expect(made(extractor, "call itself")).rejects.toMatchObject({ code: "unreadable" });
    expect(await pidOf(extractor)).not.toBe(first);
    await expectEnd(first);
  });

  it("end when they have grown, when they are idle, and when the extractor is closed", async () => {
    const grown = misbehaving({ size: 1, maxIdleBytes: 1 });
    expect(await pidOf(grown)).not.toBe(await pidOf(grown));
    await expectEnd(await pidOf(misbehaving({ idleMs: 50 })));
    const closed = misbehaving();
    const pid = await pidOf(closed);
    const running = made(closed, "never answer");
    await closed.close();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expectEnd(pid);
    await expect(made(closed, "say who it is")).rejects.toMatchObject({ code: "cancelled" });
  });
});
