import { describe, expect, it } from "vitest";
import type { Block } from "../../src/domain/blocks.ts";
import type { DraftClaim } from "../../src/domain/report.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import { loadPrompts } from "../../src/models/prompts.ts";
import { checkSupport } from "../../src/writing/check-support.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { QUOTED } from "../helpers/claims.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { openModel } from "../models/model-under-test.ts";
import { LIMITS, MODELS, writingView } from "./model-under-test.ts";

const TEXT = "The keeper wrote that revenue fell to $3 million in 2024. The tower was lit in 1874.";
const QUOTE = "revenue fell to $3 million in 2024";
const EVIDENCE: Evidence = { id: "P1", sourceId: "S1", title: "Accounts", contentHash: "h", text: TEXT, start: 0, end: TEXT.length };
const START = TEXT.indexOf(QUOTE);
const CITATION = { id: 1, sourceId: "S1", contentHash: "h", start: START, end: START + QUOTE.length, quote: QUOTE };
const claim = (text: string, section: string, support: DraftClaim["support"] = "paraphrased"): DraftClaim => ({
  ...{ text, citations: [1], ...QUOTED, support, supported: support === "quoted", section },
});
const CLAIMS = [
  claim("Revenue rose to $3 million in 2024.", ""),
  claim("revenue fell to $3 million in 2024", "", "quoted"),
  claim("2024年收入降至300万美元。", ""),
  claim("Revenue was down at $3 million in 2024.", "Outlook"),
];

async function check(
  script: Script,
  options: { models?: object; limits?: object; supportCheck?: "code" | "model"; claims?: DraftClaim[]; blocks?: Block[] } = {},
) {
  const server = await startModelServer(script);
  const { supportCheck = "model", claims = CLAIMS, blocks = [] } = options;
  const models = { ...MODELS, ...options.models };
  const view = writingView("How did revenue do?", [], { supportCheck, models, limits: { ...LIMITS, ...options.limits } });
  const effects = plainEffects();
  const { render: prompts } = await loadPrompts();
  const evidence = new Map([["P1", EVIDENCE]]);
  const context = { evidence, known: [], names: [], question: "How did revenue do?", language: "en", showsUnverified: true };
  const checking = { view, models, model: openModel(server), prompts, since: effects.now(), context };
  const checked = await checkSupport({ claims, citations: [CITATION], blocks }, checking, effects);
  return { ...checked, server, effects };
}

const kinds = (claims: readonly DraftClaim[]) => claims.map(({ support, supported, reason }) => [support, supported, reason]);

describe("with SUPPORT_CHECK=model", () => {
  it("a model confirms or denies paraphrased sentences, in one call per section", async () => {
    const { claims, ledger, server, effects } = await check([say.text("1: no\n2: yes\n"), say.text("- **1.** Yes")]);
    expect(kinds(claims)).toEqual([
      ["unverified", false, "model_disagrees"],
      ["quoted", true, null],
      ["paraphrased", true, null],
      ["paraphrased", true, null],
    ]);
    expect(ledger).toEqual([]);
    expect(server.requests).toHaveLength(2);
    const [told = "", later = ""] = server.requests.map((request) => contentsOf(request, "user").join());
    expect(told).toMatch(/1\.\n<data sentence-1 \w+>\nRevenue rose to \$3 million in 2024\.\n<\/data/);
    expect(told).toContain(`Title: Accounts\nQuote: ${QUOTE}\nAround it: The keeper wrote that revenue fell`);
    expect(told).toContain("2024年收入降至300万美元。");
    expect(told).not.toContain("was down at");
    expect(later).toContain("was down at");
    expect(effects.events.filter(({ type }) => type === "content" || type === "component")).toEqual([]);
  });

  it("asks the model of the role support", async () => {
    const { server } = await check(() => say.text("1: yes"), { models: { roles: { support: "judge" } } });
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["judge", "judge"]);
  });

  it.each([
    ["names no sentence", [say.text("I think that all of them are fine: 1, 2."), say.text("7: no\n1 maybe")], null],
    ["fails", [say.repeat(say.status(400))], "blocked"],
    ["refuses the key", [say.repeat(say.status(401))], "blocked"],
  ] as const)("a model that %s changes nothing, and the ledger tells a failure", async (_, script, failure) => {
    const { claims, ledger } = await check(script);
    expect(claims).toEqual(CLAIMS);
    const row = { what: "model", target: "support", outcome: "failed", failure };
    expect(ledger).toMatchObject(failure === null ? [] : [row, row]);
    if (failure !== null) expect(ledger[0]?.detail).toMatch(/^No model checked the wording of a section\. /);
  });

  it("what only sums up denied sentences is unverified too", async () => {
    const sum: DraftClaim = { ...claim("In all it was $3 million.", "", "summary"), citations: [] };
    const claims = [sum, claim("Revenue rose to $3 million in 2024.", ""), { ...sum, text: "So much for that." }];
    const heading = { kind: "heading", level: 2, text: "Revenue of $3 million", support: "summary", reason: null } as const;
    const other: DraftClaim = { ...claim("The tower was lit in 1874.", "", "quoted"), citations: [] };
    const paragraph: Block = { kind: "paragraph", sentences: [0, 1, 2, 3] };
    const denied = await check([say.text("1: no")], { claims: [...claims, other], blocks: [heading, paragraph] });
    expect(kinds(denied.claims)).toEqual([
      ["unverified", false, "amount_not_in_sentences: 3 million"],
      ["unverified", false, "model_disagrees"],
      ["summary", false, null],
      ["quoted", true, null],
    ]);
    expect(denied.blocks).toMatchObject([{ support: "unverified", reason: expect.stringMatching(/^amount_not_in_sentences/) }, paragraph]);
    const confirmed = await check([say.text("1: yes")], { claims, blocks: [heading] });
    expect(confirmed.claims[0]).toEqual(sum);
    expect(confirmed.blocks).toEqual([heading]);
  });

  it("asks no further if the limits allow no call", async () => {
    const { claims, ledger, server } = await check([say.text("1: yes\n2: yes")], { limits: { modelCalls: 1 } });
    expect(kinds(claims).map(([, supported]) => supported)).toEqual([true, true, true, false]);
    expect(ledger).toMatchObject([{ target: "support", failure: "model_call_cap" }]);
    expect(server.requests).toHaveLength(1);
  });
});

it("asks no model by default, nor about a text without paraphrased sentences", async () => {
  expect((await check([], { supportCheck: "code" })).server.requests).toEqual([]);
  expect((await check([], { claims: [claim("x", "", "quoted")] })).server.requests).toEqual([]);
});
