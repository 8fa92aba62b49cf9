// Asks questions about recorded pages in several languages and checks every quote: npm run check:documents -- DIR
// DIR must contain extraction/readability-selected.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Dossier } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { citationHolds } from "../src/domain/citations.ts";
import { ResearchRequestSchema } from "../src/domain/request.ts";
import type { Run } from "../src/domain/run.ts";

const TENANT = "default";
const TIMEOUT_MS = 60_000;

/** The answer is text that one of the quotes must contain. It is null if no page covers the question: the run must then refuse. */
const QUESTIONS: readonly (readonly [question: string, answer: string | null])[] = [
  ["What was the greatest frustration of Obama's presidency?", "gun safety laws"],
  ["Who are Hermitian matrices named after?", "Charles Hermite"],
  ["By how much did bsdiff reduce the size of app updates?", "47%"],
  ["What does code coverage record?", "which parts of your code"],
  ["谷歌什么时候收购了DeepMind？", "2014年"],
  ["DNC建立在什么概念之上？", "神经网络"],
  ["李博灏在哪里留学？", "英国剑桥大学"],
  ["美樹營地的楓紅期間入園費多少？", "$50元"],
  ["イヌの肉はどこに落ちましたか？", "川の中に落ちて"],
  ["水にうつった犬は誰の顔でしたか？", "自分の顔"],
  ["ما هو Lorem ipsum؟", "Lorem ipsum dolor sit amet"],
  ["Combien de députés ont voté contre le projet de loi sur le renseignement ?", "438 contre 86"],
  ["川に落ちたものは何ですか?", "川の中に落ちて"],
  ["AlphaGo打败了谁？", "围棋冠军"],
  ["Who won the 2022 World Cup?", null],
  ["How do I cook risotto?", null],
  ["比特币的价格是多少？", null],
];

/** The pages mention these subjects but do not answer the questions. Without a model a run may answer or refuse, so only quotes are checked. */
const UNANSWERED = [
  "Who founded Google?",
  "How old is Barack Obama?",
  "李博灏几岁了？",
  "谷歌以多少钱收购了DeepMind？",
  "Qui est le premier ministre de la Belgique ?",
  "法国的首都是哪里？",
];

async function check(dossier: Dossier, question: string, answer?: string | null): Promise<string[]> {
  const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse({ question }));
  const run = await dossier.runs.wait(TENANT, id, { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal });
  const citations = run.report?.citations ?? [];
  const faults: string[] = [];
  for (const citation of citations) {
    const { text } = await dossier.runs.document(TENANT, id, citation.contentHash);
    if (!citationHolds(citation, text)) faults.push(`the quote of citation ${citation.id} is not in its document`);
  }
  return [...faults, ...faultsOfAnswer(run, answer)];
}

function faultsOfAnswer({ status, termination, report }: Run, answer: string | null | undefined): string[] {
  if (status !== "succeeded") return [`the run is ${status}`];
  if (answer === undefined) return [];
  if (answer === null) return termination?.reason === "no_answer" ? [] : ["the run gave an answer, but the pages contain none"];
  return report?.citations.some(({ quote }) => quote.includes(answer)) ? [] : [`no quote contains "${answer}"`];
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: npm run check:documents -- DIR");
const dataDir = await mkdtemp(join(tmpdir(), "dossier-documents-"));
const dossier = await compose(
  readConfig({ DATA_DIR: dataDir, CORPUS_DIR: join(folder, "extraction", "readability-selected"), LOG_LEVEL: "silent", SOURCES: "corpus" }),
);
for (const [question, answer] of [...QUESTIONS, ...UNANSWERED.map((one) => [one] as const)]) {
  const faults = await check(dossier, question, answer);
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${question}${faults.map((fault) => ` (${fault})`).join("")}`);
  if (faults.length > 0) process.exitCode = 1;
}
await dossier.close(0);
await rm(dataDir, { recursive: true, force: true });
