import { expect, it } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import type { Analyst } from "../../src/domain/ports/analyst.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { QUOTED } from "../helpers/claims.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";

const RELEASE =
  "Tolmere Granite said on Monday that it will close its oldest quarry at the end of the year. About 140 people work there, and half of them have been offered places in the two other quarries of the company. The town council called the decision a shock and asked for talks before the winter. The quarry was opened in 1874, and the stones of the harbour wall of Aldermoor came from it.";
const CORPUS = {
  "agency.txt": `${RELEASE}\n`,
  "gazette.txt": `Gazette of the coast. Weather, tides and sport on page 4, letters on page 7.\n\n${RELEASE.replace("a shock", "a surprise")}\n`,
  "witness.txt":
    "A reporter has seen the letter of the quarry at Tolmere: there will be no work for them after December. Two men have worked in the quarry since they were boys, and their fathers before them. Nobody at the company answered the telephone on Tuesday.\n",
  "灯塔.txt":
    "托尔米尔采石场的工人收到了信：十二月之后不再有工作。Tolmere quarry 的两名工人从少年时代起就在那里干活，他们的父亲也是如此。\n",
};

/** Writes one sentence and cites the beginning of every text. */
const citesAll: Analyst = {
  name: "cites-all",
  decide: async () => ({ calls: [], reason: "nothing to call" }),
  async write({ readings }) {
    const citations = readings.map(({ hit, document: { contentHash, text } }, index) => {
      return { id: index + 1, sourceId: hit.id, contentHash, start: 0, end: 20, quote: text.slice(0, 20) };
    });
    const claim = {
      text: "The quarry at Tolmere will be closed.",
      citations: citations.map(({ id }) => id),
      ...QUOTED,
      section: "",
    };
    return { claims: [claim], citations, reason: null };
  },
};

it("counts two copies of one press release once, and its bundle verifies", async () => {
  const dossier = await openDossier({ parts: { analyst: citesAll }, corpus: CORPUS });
  const { id } = await dossier.start({ question: "Will the quarry at Tolmere be closed?" });
  const { report } = await dossier.finish(id);
  expect(report?.sources.map(({ status }) => status)).toEqual(["read", "read", "read", "read"]);
  expect(report?.citations.length).toBe(4);
  expect(report?.claims.map(({ origins }) => origins)).toEqual([3]);
  const originOf = new Map(report?.sources.map(({ url, origin }) => [url.split("/").at(-1), origin]));
  expect(originOf.get("corpus:gazette.txt")).toBe(originOf.get("corpus:agency.txt"));
  const bundle = (await Array.fromAsync(dossier.runs.bundle(TENANT, id))).join("");
  expect(verifyBundle(Buffer.from(bundle), PROGRAM).faults).toEqual([]);
});
