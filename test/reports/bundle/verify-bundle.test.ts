import { describe, expect, it } from "vitest";
import { contentHashOf } from "../../../src/domain/document.ts";
import { hashJson } from "../../../src/domain/json.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { QUOTED, UNVERIFIED } from "../../helpers/claims.ts";
import { bundleOf, documentOf, PROGRAM, reportOf } from "./random-bundle.ts";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document that is damaged on purpose
type Any = any;

const TOWER = documentOf("灯塔🦜建于1874年。The lamp burns oil.", "灯塔", "https://example.org/tower");
const WALL = documentOf("The wall is of granite. 花岗岩防波堤。", "Wall", "https://example.org/wall");
const LAMP = documentOf("2. 1874 and before\nThe lamp burns oil.", "The Lamp of the Wall", "https://example.org/lamp");
const UNCITED = documentOf("Nobody cites this.", "Other", "https://example.org/other");

const RECEIPT = { model: "m", calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0.0000015, estimated: 0 };

const cite = (id: number, sourceId: string, { contentHash, text }: typeof TOWER, quote: string) => {
  const start = text.indexOf(quote);
  return { id, sourceId, contentHash, start, end: start + quote.length, quote };
};
const claim = (text: string, ...citations: number[]) => ({
  text,
  citations,
  ...(citations.length > 0 ? QUOTED : UNVERIFIED),
  section: "",
});
const CLAIMS = [claim("It was built in 1874 and has a wall.", 1, 2), claim("防波堤是花岗岩的。", 3), claim("It is pretty.")];
const CITATIONS = [cite(1, "S0", TOWER, "建于1874年"), cite(2, "S1", WALL, "granite"), cite(3, "S1", WALL, "花岗岩")];

async function bundle(): Promise<Any> {
  return JSON.parse(await bundleOf(reportOf(CLAIMS, CITATIONS, [TOWER, WALL, UNCITED]), [TOWER, WALL, UNCITED]));
}

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const faultsOf = (value: unknown, program = PROGRAM): readonly string[] => verifyBundle(bytes(value), program).faults;

const set =
  (path: string, value: unknown) =>
  (whole: Any): void => {
    const keys = path.split(".");
    const holder = keys.slice(0, -1).reduce((inner, key) => inner[key], whole);
    holder[keys.at(-1) ?? ""] = value;
  };

/** Recomputes all sums, as a forger would. */
function forged(spoilt: Any): Any {
  const { digest: _, ...rest } = spoilt;
  const { report } = rest;
  const each = (items: Any[]) => items.map(hashJson);
  rest.sums = {
    ...{ documents: each(rest.documents), events: each(rest.events), program: hashJson(rest.program) },
    ...{ rendered: hashJson(rest.rendered), run: hashJson(rest.run) },
    report: {
      ...{ citations: each(report.citations), claims: each(report.claims), sources: each(report.sources) },
      ...{
        closest: each(report.closest),
        ledger: each(report.ledger),
        coverage: hashJson(report.coverage),
        markdown: hashJson(report.markdown),
        ...{ blocks: each(report.blocks), missing: each(report.missing), struck: each(report.struck) },
        ...{ answers: hashJson(report.answers), cutOff: hashJson(report.cutOff ?? null) },
      },
    },
  };
  return { ...rest, digest: hashJson(rest) };
}

describe("a bundle", () => {
  it("has the cited texts, names the others, and counts what verifies", async () => {
    const whole = await bundle();
    expect(whole.documents.map(({ text, characters }: Any) => [text, characters])).toEqual([
      ["灯塔🦜建于1874年。The lamp burns oil.", 31],
      ["The wall is of granite. 花岗岩防波堤。", 31],
      [null, 18],
    ]);
    expect(verifyBundle(bytes(whole), PROGRAM)).toEqual({
      faults: [],
      doubts: [],
      claims: 3,
      citations: 3,
      closest: 0,
      documents: 2,
      digest: whole.digest,
      renderedAgain: true,
    });
    expect(whole.report.claims.map(({ origins }: Any) => origins)).toEqual([2, 1, 0]);
  });

  it("is checked by a program of another version, which does not render the report again", async () => {
    expect(verifyBundle(bytes(await bundle()), "dossier 9.0.0")).toMatchObject({ faults: [], renderedAgain: false });
  });

  it("of another version gets warnings for claims that this version would not support, and verifies", async () => {
    const spoilt = await bundle();
    spoilt.report.claims[1].text = "花岗岩占 30%。";
    const { faults, doubts } = verifyBundle(bytes(forged(spoilt)), "dossier 9.0.0");
    expect([faults, doubts]).toEqual([[], ["claim 2: it says what none of its quotes says: 30%"]]);
  });

  it("may name in its claims what the question or a title names, and number headings as its documents do", async () => {
    const report = reportOf(
      [{ ...claim("The Lamp of the Wall 灯塔 burns oil.", 1), section: "2. 1874 and before" }],
      [cite(1, "S0", LAMP, "burns oil")],
      [LAMP],
    );
    expect(faultsOf(await bundleOf(report, [LAMP]))).toEqual([]);
  });

  it("may not take a year in what it sums up from the title of a source that it does not cite", async () => {
    const of1950 = documentOf("Nobody cites this.", "Walls in 1950 1950年的墙", "https://example.org/1950");
    const cited = claim("It has a wall of granite.", 1);
    const sums = ["The wall is of 1950.", "墙建于1950年。"].map((text) => ({ ...claim(text), support: "summary", reason: null }) as const);
    const blocks = [{ kind: "paragraph", sentences: [0, 1, 2] }] as const;
    const citations = [cite(1, "S0", WALL, "The wall is of granite")];
    const said = { blocks: blocks.map((block) => ({ ...block, sentences: [...block.sentences] })) };
    const report = reportOf([cited, ...sums], citations, [WALL, of1950], said);
    expect(faultsOf(await bundleOf(report, [WALL, of1950]))).toEqual([
      "claim 2: it says what no checked sentence says: 1950",
      "claim 3: it says what no checked sentence says: 1950年",
    ]);
    expect(faultsOf(await bundleOf(report, [WALL, of1950], { question: "What wall was built in 1950?" }))).toEqual([]);
  });

  it("whose quotes are too long to be compared says so", async () => {
    const long = documentOf("x ".repeat(130_000), "long", "https://example.org/long");
    const citations = [cite(1, "S0", WALL, WALL.text), cite(2, "S1", long, long.text)];
    const claims = [1, ...Array<number>(20).fill(2), 1].map((citation) => claim("It has a wall.", citation));
    const text = await bundleOf(reportOf(claims, citations, [WALL, long]), [WALL, long]);
    expect(faultsOf(text)).toEqual(["claim 21: its figures and those after it are not checked, the quotes are too long"]);
  });

  it("is checked by its checksum if the Markdown cannot be rendered from the content", async () => {
    const report = { ...reportOf(CLAIMS, CITATIONS, [TOWER, WALL]), markdown: "# 手写\n" };
    const text = await bundleOf(report, [TOWER, WALL]);
    expect(verifyBundle(bytes(text), PROGRAM)).toMatchObject({ faults: [], renderedAgain: false });
    expect(faultsOf(text.replaceAll("手写", "改写"))).toEqual([
      "markdown: it was changed, as its sum tells",
      "event 7: it was changed, as its sum tells",
      "digest: the bundle as a whole does not match it",
    ]);
  });

  it("of a run without an answer verifies too, with the reason in the Markdown", async () => {
    const empty = { ...reportOf([], [], []), sources: [] };
    expect(faultsOf(await bundleOf(empty, [], { termination: { reason: "no_answer", node: "summarize", detail: "没有资料" } }))).toEqual(
      [],
    );
  });
});

describe("a bundle of a report without an answer", () => {
  const { id: _, ...passage } = cite(1, "S1", WALL, "granite");
  const { id: __, ...chinese } = cite(2, "S0", TOWER, "灯塔🦜建于1874年");
  const ending = { termination: { reason: "no_answer", node: "summarize", detail: null } } as const;
  const withClosest = async (): Promise<Any> => {
    const documents = [TOWER, WALL, UNCITED];
    return JSON.parse(await bundleOf(reportOf([], [], documents, { closest: [passage, chinese] }), documents, ending));
  };

  it("has the texts of its closest passages, and verifies", async () => {
    const whole = await withClosest();
    expect(whole.report.markdown).toContain("## Closest passages (may not answer this)\n\n> “granite” — Wall, ");
    expect(whole.documents.map(({ title, text }: Any) => [title, text === null])).toEqual([
      ["Wall", false],
      ["灯塔", false],
      ["Other", true],
    ]);
    expect(verifyBundle(bytes(whole), PROGRAM)).toMatchObject({ faults: [], citations: 0, closest: 2, documents: 2, renderedAgain: true });
  });

  it.each<[string, (whole: Any) => void, string]>([
    ["a quote", set("report.closest.0.quote", "marble."), "closest passage 1: the quote does not stand at 15–22 of document"],
    ["an offset", set("report.closest.1.start", 1), "closest passage 2: the quote does not stand at 1–11 of document"],
    ["a source", set("report.closest.0.sourceId", "S9"), "closest passage 1: there is no source S9"],
    ["another source", set("report.closest.0.sourceId", "S0"), "closest passage 1: its source S0 was read as document"],
    ["a text left out", set("documents.0.text", null), "closest passage 1: the text of document"],
    ["a document left out", (whole) => void whole.documents.shift(), "closest passage 1: there is no document"],
    ["a number", set("report.closest.0.id", 1), "closest passage 1: id: a bundle has no such field"],
    ["a passage left out", ({ report }) => void report.closest.pop(), "markdown: it is not what the report's content renders to"],
  ])("does not verify with a changed passage even if all sums were recomputed: %s", async (_, spoil, named) => {
    const spoilt = await withClosest();
    spoil(spoilt);
    expect(faultsOf(forged(spoilt)).find((fault) => fault.startsWith(named))).toBeDefined();
  });

  it("names a changed passage by its checksum as well, and one that was removed", async () => {
    const spoilt = await withClosest();
    spoilt.report.closest[0].quote = "marble.";
    expect(faultsOf(spoilt, "another")).toEqual([
      `closest passage 1: the quote does not stand at 15–22 of document ${WALL.contentHash.slice(0, 12)}…`,
      "closest passage 1: it was changed, as its sum tells",
      "digest: the bundle as a whole does not match it",
    ]);
    const cut = await withClosest();
    delete cut.report.closest;
    expect(faultsOf(cut, "another")).toEqual([
      "closest: the sums tell of 2, there are 0",
      "digest: the bundle as a whole does not match it",
    ]);
  });

  it("is no bundle if its passages are not a list", async () => {
    const spoilt = await withClosest();
    spoilt.report.closest = {};
    expect(() => faultsOf(spoilt)).toThrow("it has no list report.closest");
  });
});

describe("a changed bundle", () => {
  it("lists all its faults, in the order of the parts", async () => {
    const spoilt = await bundle();
    spoilt.report.citations[0].start = 2;
    spoilt.documents[1].text = spoilt.documents[1].text.replace("granite", "plaster");
    spoilt.report.claims[2].supported = true;
    const wall = `${WALL.contentHash.slice(0, 12)}…`;
    const plaster = `${contentHashOf(spoilt.documents[1].text).slice(0, 12)}…`;
    expect(faultsOf(spoilt)).toEqual([
      `document 2 (${wall}): its text has the hash ${plaster}`,
      `citation 1: the quote does not stand at 2–11 of document ${TOWER.contentHash.slice(0, 12)}…`,
      `citation 2: the quote does not stand at 15–22 of document ${wall}`,
      `citation 3: the text of document ${wall} is not the one it was cited from`,
      "claim 1: it is called quoted, and none of its citations holds",
      "claim 2: it is called quoted, and none of its citations holds",
      "claim 3: it is called unverified, and supported",
      "coverage: supported is 2, and the claims make 3",
      "coverage: unsupported is 1, and the claims make 0",
      "claim 3: it was changed, as its sum tells",
      "citation 1: it was changed, as its sum tells",
      "document 2: it was changed, as its sum tells",
      "digest: the bundle as a whole does not match it",
    ]);
  });

  it.each([
    ["sums.verdict", 'sums: Unrecognized key: "verdict"'],
    ["sums.report.verdict", 'sums: report: Unrecognized key: "verdict"'],
  ])("cannot contain %s, even with a matching digest", async (path, fault) => {
    const whole = await bundle();
    set(path, "真")(whole);
    const { digest: _, ...rest } = whole;
    expect(faultsOf({ ...rest, digest: hashJson(rest) })).toEqual([fault]);
  });

  it.each<[string, (whole: Any) => void, string]>([
    ["a quote", set("report.citations.1.quote", "marble."), "citation 2: the quote does not stand at 15–22 of document"],
    ["a citation's source", set("report.citations.1.sourceId", "S9"), "citation 2: there is no source S9"],
    ["another source", set("report.citations.1.sourceId", "S0"), "citation 2: its source S0 was read as document"],
    ["a citation's number", set("report.citations.1.id", 3), "citation 2: its id is 3, and ids count from 1 in order"],
    ["a citation of nothing", ({ report }) => void report.claims[1].citations.push(9), "claim 2: there is no citation 9"],
    ["a cited text left out", set("documents.0.text", null), "citation 1: the text of document"],
    ["a document left out", (whole) => void whole.documents.shift(), "citation 1: there is no document"],
    ["a document twice", (whole) => void whole.documents.push(whole.documents[0]), "document 4 ("],
    ["a source twice", ({ report }) => void report.sources.push(report.sources[0]), "source 4: there is another one with the id S0"],
    ["the length of a text", set("documents.0.characters", 30), "document 1 ("],
    ["a count of origins", set("report.claims.1.origins", 2), "claim 2: its origins are counted as 2, and its sources make 1"],
    ["an origin", set("report.sources.1.origin", "S0"), "claim 1: its origins are counted as 2, and its sources make 1"],
    ["coverage", set("report.coverage.sentences", 4), "coverage: sentences is 4, and the claims make 3"],
    ["the Markdown", set("report.markdown", "# 灯塔\n"), "markdown: it is not what the report's content renders to, from line"],
    ["a claim and not the Markdown", set("report.claims.0.text", "不"), "markdown: it is not what"],
    ["a figure of a claim", set("report.claims.0.text", "It was built in 1974."), "claim 1: it says what none of its quotes says: 1974"],
    ["一个数字", set("report.claims.0.text", "灯塔建于一八四七年。"), "claim 1: it says what none of its quotes says: 1847"],
    ["a share", set("report.claims.1.text", "花岗岩占 30%。"), "claim 2: it says what none of its quotes says: 30%"],
    ["a figure of a heading", set("report.claims.0.section", "Up by 30 %"), "claim 1: its heading says what none of its quotes says: 30 %"],
    ["an event left out", (whole) => void whole.events.splice(1, 1), "event 2: its seq is 3"],
    ["an event that there is not", set("events.1.type", "junk"), "event 2: there are no events of the type junk"],
    ["an unknown field of a claim", set("report.claims.0.verdict", "真"), "claim 1: verdict: a bundle has no such field"],
    ["an unknown field of the report", set("report.verdict", "真"), "verdict: a report has no such field"],
    ["an event of another run", set("events.0.runId", "x"), "event 1: it is of the run x"],
    ["how it ended", set("run.termination.reason", "cost_budget"), "events: the log does not end as the run"],
    [
      "a source that was never found",
      (whole) => void whole.events.splice(3, 1, { ...whole.events[0], seq: 4 }),
      "source 1: the log does not tell that S0",
    ],
    ["the address of a source", set("report.sources.2.url", "https://灯塔.example/"), "source 3: its address is not the one"],
    ["another report in the log", set("events.7.delta", "# 灯塔\n"), "markdown: it is not the report that the log shows"],
    ["the cost", set("run.usage.costUsd", 0.5), "usage: costUsd is 0.5, and the log makes 0.0000015"],
    ["the tokens", set("run.usage.inputTokens", 7), "usage: inputTokens is 7, and the log makes 0"],
    ["the receipt", set("run.usage.models", [{ ...RECEIPT, calls: 2 }]), "usage: modelCalls is 0, and its models make 2"],
    [
      "the tokens of the receipt",
      set("run.usage.models", [{ ...RECEIPT, outputTokens: 9 }]),
      "usage: outputTokens is 0, and its models make 9",
    ],
    ["a kind of support", set("report.claims.0.support", "summary"), "claim 1: it is called summary, and supported"],
    ["support without its flag", set("report.claims.0.supported", false), "claim 1: it is called quoted, and not supported"],
    ["an expression", set("report.claims.0.expression", "1 + 1"), "claim 1: it is called quoted, and has an expression"],
    ["a missing reason", set("report.claims.2.reason", null), "claim 3: it is called unverified, and has no reason"],
    ["counts of support", set("report.coverage.bySupport.quoted", 3), "coverage: quoted is 3, and the claims make 2"],
    ["a count of struck sentences", set("report.coverage.struck", 2), "coverage: struck is 2, and the claims make 0"],
    [
      "a struck sentence added",
      ({ report }) => void report.struck.push({ text: "x", reason: "no_quote" }),
      "coverage: struck is 0, and the",
    ],
    ["an answer", set("report.answers", "fully"), "markdown: it is not what"],
    ["what is missing", set("report.missing", ["灯"]), "markdown: it is not what"],
    ["blocks without a claim", set("report.blocks", [{ kind: "paragraph", sentences: [0, 1] }]), "claim 3: it stands in no block"],
    [
      "a claim shown twice",
      set("report.blocks", [{ kind: "paragraph", sentences: [0, 1, 2, 1] }]),
      "block 1: claim 2 stands in block 1 already",
    ],
    ["a claim that there is not", set("report.blocks", [{ kind: "paragraph", sentences: [0, 1, 2, 3] }]), "block 1: there is no claim 4"],
    [
      "a figure of a heading that sums up",
      set("report.blocks", [
        { kind: "heading", level: 2, text: "Up by 30 %", support: "summary", reason: null },
        { kind: "paragraph", sentences: [0, 1, 2] },
      ]),
      "block 1: it says what no checked sentence says: 30 %",
    ],
    [
      "a figure of a claim that sums up",
      set("report.claims.2", { ...claim("It has stood since 1801."), support: "summary", reason: null, origins: 0 }),
      "claim 3: it says what no checked sentence says: 1801",
    ],
    ["the last events left out", (whole) => void whole.events.pop(), "events: the log does not end as the run"],
  ])("does not verify even if all sums were recomputed: %s", async (_, spoil, named) => {
    const spoilt = await bundle();
    spoil(spoilt);
    expect(faultsOf(forged(spoilt)).find((fault) => fault.startsWith(named))).toBeDefined();
  });

  it("verifies if a text, its quotes and all sums were changed together: a digest is no signature", async () => {
    const spoilt = await bundle();
    const [document] = spoilt.documents.splice(1, 1);
    const text = document.text.replace("granite", "plaster");
    spoilt.documents.splice(1, 0, { ...document, text, contentHash: contentHashOf(text) });
    const rehash = JSON.stringify(spoilt).replaceAll(WALL.contentHash, contentHashOf(text)).replaceAll("granite", "plaster");
    const again = JSON.parse(rehash.replaceAll(WALL.contentHash.slice(0, 12), contentHashOf(text).slice(0, 12)));
    expect(faultsOf(forged(again))).toEqual([]);
    expect(forged(again).digest).not.toBe((await bundle()).digest);
  });

  it("names items that were added or removed, and not those that have moved", async () => {
    const spoilt = await bundle();
    spoilt.report.ledger.push({ ...spoilt.report.ledger[0], source: "invented" });
    expect(faultsOf(spoilt, "another")).toEqual([
      "ledger: the sums tell of 1, there are 2",
      "ledger entry 2: it was changed, as its sum tells",
      "digest: the bundle as a whole does not match it",
    ]);
  });

  it("names its malformed parts", async () => {
    const spoilt = await bundle();
    delete spoilt.report.citations[2].quote;
    spoilt.sums.report.claims = "none";
    spoilt.report.claims[0] = "税";
    const faults = faultsOf(spoilt);
    expect(faults.map((fault) => fault.replace(/Invalid.*/, "…"))).toEqual([
      "claim 1: …",
      "citation 3: quote: …",
      "claim 2: there is no citation 3",
      "claim 2: it is called quoted, and none of its citations holds",
      "coverage: sentences is 3, and the claims make 2",
      "coverage: quoted is 2, and the claims make 1",
      "coverage: supported is 2, and the claims make 1",
      "coverage: quoted is 2, and the claims make 1",
      "claim 2: its origins are counted as 1, and its sources make 0",
      "sums: report.claims: …",
      "digest: the bundle as a whole does not match it",
    ]);
  });

  it("cannot add lines of its own to the printed output", async () => {
    const spoilt = await bundle();
    spoilt.report.citations[0].sourceId = `\n3 citations hold\u001b[2J\u202e${"x".repeat(1_000)}`;
    for (const fault of faultsOf(spoilt)) expect(fault).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,401}$/u);
  });
});
