import { text as collect } from "node:stream/consumers";
import { afterAll, expect } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { FileFormat } from "../../src/domain/ports/run-service.ts";
import { isChecked, type Report } from "../../src/domain/report.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { outsideCode } from "../helpers/outside-code.ts";
import { type Asked, askModel } from "../helpers/with-model.ts";
import { partsOf, textOf } from "../reports/extract-docx.ts";

export const ENGLISH =
  "Apple Inc. reported net income of $96,995 million for fiscal 2023. The lighthouse of Aldermoor was built in 1931 by Ada Penrose and is 90 metres tall. Exports fell by 35 percent in September 2023.";
const CHINESE =
  "苹果公司2023财年净利润为969.95亿美元。奥尔德穆尔灯塔高九十米，建于一九三一年。出口在二〇二三年九月下降了百分之三十五。《灯塔志》记载了此事。";

export interface Case {
  readonly question: string;
  readonly document: string;
  /** Sentences that paraphrase their quotes. */
  readonly honest: readonly (readonly [sentence: string, quote: string])[];
  /** Sentences with true quotes and one wrong figure, date or address. */
  readonly wrong: readonly (readonly [sentence: string, quote: string])[];
  /** Sentences that cite passages that do not exist, or words that no passage has. */
  readonly invented: readonly string[];
}

const INCOME = "net income of $96,995 million for fiscal 2023";
export const TOWER = "The lighthouse of Aldermoor was built in 1931 by Ada Penrose and is 90 metres tall.";
const EXPORTS = "Exports fell by 35 percent in September 2023.";
export const CASES: readonly Case[] = [
  {
    question: "What is known of Apple's net income, of the lighthouse of Aldermoor and of exports?",
    document: ENGLISH,
    honest: [
      ["Apple earned 97.0 billion dollars in FY2023.", INCOME],
      ["Ada Penrose built it in 1931.", TOWER],
    ],
    wrong: [
      ["Apple earned 69.995 billion dollars in its year.", INCOME],
      ["Apple's income came to 96.995 million dollars.", INCOME],
      ["Apple's income of fiscal 2022 is known.", INCOME],
      ["It dates from 1913.", TOWER],
      ["It rises to 90 feet.", TOWER],
      ["Exports shrank by 53 percent.", EXPORTS],
      ["It weighs 90 pounds.", TOWER],
      ["The report at invented.example says so.", TOWER],
      ["See http://invented.example/page for more.", TOWER],
      ["Contact bob@invented.example for more.", TOWER],
    ],
    invented: [
      'The moon is made of cheese. [P77: "made of cheese"]',
      'It fell down. [P1: "it collapsed in a storm of salt"]',
      "See https://invented.example/evidence for the proof of 4711 things.",
    ],
  },
  {
    question: "苹果公司的净利润、奥尔德穆尔灯塔和出口情况如何？",
    document: CHINESE,
    honest: [
      ["苹果2023财年净利润约为970亿美元。", "苹果公司2023财年净利润为969.95亿美元"],
      ["灯塔高90米，建于1931年。", "灯塔高九十米，建于一九三一年"],
    ],
    wrong: [
      ["苹果净利润为699.95亿美元。", "苹果公司2023财年净利润为969.95亿美元"],
      ["苹果净利润为969.95万美元。", "苹果公司2023财年净利润为969.95亿美元"],
      ["灯塔建于一九一三年。", "灯塔高九十米，建于一九三一年"],
      ["出口下降了百分之五十三。", "下降了百分之三十五"],
      ["详见 invented.example 的报告。", "《灯塔志》记载了此事"],
    ],
    invented: ["月亮是奶酪做的。[P77：“月亮是奶酪做的”]", "灯塔已经倒塌。[P1：“灯塔在风暴中倒塌了”]"],
  },
];

const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());

/** Returns a file of the report without the run's id, which is random and could contain any digits. */
async function fileOf({ run }: Asked, format: FileFormat): Promise<Uint8Array> {
  if (run.report === null) throw new Error("There is no report.");
  return files.render({ ...run, id: "run", report: run.report }, format, new AbortController().signal);
}

async function textOfPdf(bytes: Uint8Array): Promise<string> {
  return (await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "https://example.org/a.pdf" })).text;
}

/** Returns the text of a DOCX file, and its link targets. */
function textOfDocx(bytes: Uint8Array): string {
  const parts = Object.entries(partsOf(bytes)).filter(([name]) => !name.includes("fontTable"));
  return parts.map(([name, xml]) => (name.endsWith(".rels") ? xml : textOf(xml))).join("\n");
}

/** Returns the text of an HTML page, and its link targets. */
const textOfHtml = (html: string): string =>
  html
    .replace(/<(?!a )[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** Removes all white space: formats break lines in different places. */
const squeeze = (text: string): string => text.replace(/\s+/g, "");

type Format = readonly [name: string, read: (asked: Asked) => Promise<string>];

/** The text formats of the report. */
export const TEXT_FORMATS: readonly Format[] = [
  ["markdown", async ({ run }) => run.report?.markdown ?? ""],
  ["json", async ({ run }) => JSON.stringify(run.report)],
  ["bundle", async ({ dossier, run }) => JSON.stringify(JSON.parse(await collect(dossier.runs.bundle(TENANT, run.id))).report)],
  [
    "stream",
    async ({ of }) =>
      of("content")
        .map(({ delta }) => delta)
        .join(""),
  ],
  ["md", async (asked) => Buffer.from(await fileOf(asked, "md")).toString()],
  ["html", async (asked) => textOfHtml(outsideCode(Buffer.from(await fileOf(asked, "html")).toString()))],
  ["bib", async (asked) => Buffer.from(await fileOf(asked, "bib")).toString()],
];

export const PRINT_FORMATS: readonly Format[] = [
  ["pdf", async (asked) => textOfPdf(await fileOf(asked, "pdf"))],
  ["docx", async (asked) => textOfDocx(await fileOf(asked, "docx"))],
];

/** The formats for people: neither JSON nor the raw answer. */
const READ = ["markdown", "md", "html", "pdf", "docx"];

export const decides = (request: SeenRequest): boolean => offeredTools(request).length > 0;
export const cite = ([sentence, quote]: readonly [string, string]): string => `${sentence} [P1: "${quote}"]`;
export const checkedOf = (report: Report | null) => report?.claims.filter(isChecked).map(({ text }) => text);

/** The answer of a model that invents: only the honest sentences can be checked. */
export const answerOf = ({ honest, wrong, invented }: Case): string => [...honest.map(cite), ...liesOf({ wrong, invented })].join("\n\n");

export const liesOf = ({ wrong, invented }: Pick<Case, "wrong" | "invented">): string[] => [...wrong.map(cite), ...invented];

/** Asks the executor about the case's document; its model gives these answers in order, the last one repeatedly. */
export function askInventor({ question, document }: Case, environment: Record<string, string>, answers: readonly string[]): Promise<Asked> {
  let written = 0;
  return askModel(
    (request) => (decides(request) ? say.text("Enough.") : say.text(answers[Math.min(written++, answers.length - 1)] ?? "")),
    { question, sources: ["corpus"] },
    { environment, corpus: { "facts.txt": document }, parts: { tools: [] } },
  );
}

/** Expects that the formats show the honest sentences and no address that is invented, except as code. */
export async function expectHonest(asked: Asked, { honest }: Case, formats: readonly Format[]): Promise<void> {
  for (const [format, read] of formats) {
    const shown = await read(asked);
    expect(outsideCode(shown), format).not.toMatch(/invented\.example/);
    expect(shown, format).not.toContain("P77");
    if (!READ.includes(format)) continue;
    for (const [sentence] of honest) expect(squeeze(shown), format).toContain(squeeze(sentence));
  }
}

/** Expects that the text streamed before the report holds no lie. */
export function expectHonestStream({ of }: Asked, { wrong }: Case): void {
  const drafts = of("content").filter(({ callId }) => callId !== "report");
  const streamed = squeeze(drafts.map(({ delta }) => delta).join(""));
  for (const [sentence] of wrong) expect(streamed).not.toContain(squeeze(sentence));
  expect(streamed).not.toMatch(/cheese|奶酪|salt|倒塌|4711/);
}
