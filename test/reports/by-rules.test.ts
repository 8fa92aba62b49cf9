import { expect, it } from "vitest";
import { asTodoEntry, modelFailureEntry } from "../../src/domain/failures.ts";
import type { LedgerEntry } from "../../src/domain/report.ts";
import { labelsFor } from "../../src/reports/labels.ts";
import { rulesNotices } from "../../src/reports/view/ledger-rows.ts";

const missed = (target: Parameters<typeof modelFailureEntry>[0]["target"]): LedgerEntry =>
  modelFailureEntry({ model: "gpt-灯", target, error: { code: "model_output", message: "It is empty." }, ms: 3 });
const told = (ledger: LedgerEntry[], language: string) => rulesNotices(ledger, labelsFor(language).labels);

it("says what rules did, and that they wrote the report only if they did", () => {
  const ledger = [missed("plan"), missed("assessment"), missed("assessment"), missed("verdict"), asTodoEntry(missed("report"))];
  expect(told(ledger, "en")).toEqual([
    "The model gpt-灯 gave no answer that could be used; rules planned.",
    "The model gpt-灯 gave no answer that could be used; rules judged a todo.",
    "The model gpt-灯 gave no answer that could be used; rules verified the todos.",
    "The model gpt-灯 gave no answer that could be used; rules wrote what a todo found.",
  ]);
  expect(told(ledger, "zh").join("")).not.toContain("本报告由规则撰写");
  expect(told([missed("report")], "en")).toEqual(["The model gpt-灯 gave no answer that could be used; rules wrote this report."]);
  expect(told([missed("report")], "zh")).toEqual(["模型 gpt-灯 没有给出可用的答复；本报告由规则撰写。"]);
  expect(told([missed("verdict"), missed("decision")], "zh")).toEqual([
    "模型 gpt-灯 没有给出可用的答复；各项任务由规则核实。",
    "模型 gpt-灯 没有给出可用的答复；没有选择可选工具。",
  ]);
});

it("keeps the rest of a todo's ledger unchanged", () => {
  expect(asTodoEntry(missed("report"))).toMatchObject({
    target: "findings",
    detail: "Rules wrote what a todo found instead. It is empty.",
  });
  const search: LedgerEntry = { ...missed("report"), what: "search" };
  expect([asTodoEntry(missed("decision")), asTodoEntry(search)]).toEqual([missed("decision"), search]);
});
