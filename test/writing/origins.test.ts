import { describe, expect, it } from "vitest";
import type { Reading } from "../../src/domain/ports/analyst.ts";
import type { Citation } from "../../src/domain/report.ts";
import { countOrigins, originsOfRead } from "../../src/writing/origins.ts";
import { QUOTED, UNVERIFIED } from "../helpers/claims.ts";
import { readingOf } from "./readings.ts";

const RELEASE = `Tolmere Granite said on Monday that it will close its oldest quarry at the end of the year. About 140 people work there, and half of them have been offered places in the two other quarries of the company. The town council called the decision a shock and asked for talks before the winter. The quarry was opened in 1874, and the stones of the harbour wall of Aldermoor came from it.`;
const RELEASE_ZH = `托尔米尔花岗岩公司周一宣布，将在年底关闭其最古老的采石场。那里约有一百四十名员工，其中一半已获得公司另外两个采石场的职位。镇议会称这一决定令人震惊，并要求在冬季之前进行会谈。该采石场于一八七四年开业，奥尔德穆尔港堤的石料就来自那里。`;
const OWN = `A reporter of the Aldermoor Gazette has seen the letter: 140 men and women of the quarry at Tolmere were told that there will be no work for them after December. Two of them have worked in the quarry since they were boys, and their fathers before them. Nobody answered the telephone of the company when we called it on Tuesday and on Wednesday.`;
const OWN_ZH = `本报记者看到了这封信：托尔米尔采石场的一百四十名工人被告知，十二月之后不再有工作。其中两人从少年时代起就在采石场干活，他们的父亲也是如此。我们在周二和周三致电公司，均无人接听。`;

const read = (id: string, text: string, { origin = id, title = "" } = {}): Reading => {
  const { hit, document } = readingOf(id, title, text);
  return { hit: { ...hit, origin }, document };
};

const citationsOf = (...readings: Reading[]) =>
  readings.map(({ hit, document }, index): Citation => {
    const quote = document.text.slice(0, 10);
    return { id: index + 1, sourceId: hit.id, contentHash: document.contentHash, start: 0, end: 10, quote };
  });
const claim = (citations: readonly Citation[]) => ({
  text: "140 people lose their work.",
  citations: citations.map(({ id }) => id),
  ...QUOTED,
  section: "",
});

/** Returns the number of origins of a claim that cites the beginning of each of these texts. */
function originsOf(...readings: Reading[]): number {
  const citations = citationsOf(...readings);
  const [counted] = countOrigins([claim(citations)], citations, originsOfRead(citations, readings));
  return counted?.origins ?? -1;
}

describe("the origins of a claim", () => {
  it("are one if two sites print one press release, with menus and a changed word", () => {
    expect(originsOf(read("a", RELEASE), read("b", `Home News Sport\n\n${RELEASE.replace("a shock", "a surprise")}\n\nRead more`))).toBe(1);
    expect(originsOf(read("a", RELEASE_ZH), read("b", `首页 新闻\n${RELEASE_ZH}\n责任编辑：王五`))).toBe(1);
  });

  it("are two if two texts report one fact in their own words", () => {
    expect(originsOf(read("a", RELEASE), read("b", OWN))).toBe(2);
    expect(originsOf(read("a", RELEASE_ZH), read("b", OWN_ZH))).toBe(2);
    expect(originsOf(read("a", RELEASE), read("b", OWN), read("c", `${RELEASE} (agency)`))).toBe(2);
  });

  it("are one for a preprint and its journal version, whose texts differ only slightly", () => {
    const journal = `Received 3 March. ${RELEASE.replace("About 140", "Some 140")} Published under a licence.`;
    expect(originsOf(read("arxiv", RELEASE, { title: "On quarries" }), read("doi", journal, { title: "On Quarries" }))).toBe(1);
  });

  it("are one if the ranking recognized two works as one before they were read", () => {
    expect(originsOf(read("a", RELEASE), read("b", OWN, { origin: "a" }))).toBe(1);
  });

  it("are one however often one source is cited, and none if nothing is", () => {
    const one = read("a", RELEASE);
    const citations = citationsOf(one, one);
    const claims = [claim(citations), { text: "无", citations: [], ...UNVERIFIED, section: "" }];
    expect(countOrigins(claims, citations, originsOfRead(citations, [one])).map(({ origins }) => origins)).toEqual([1, 0]);
  });

  it("of uncited sources are those of the texts they are copies of", () => {
    const cited = read("b", RELEASE_ZH);
    const readings = [read("a", `首页\n${RELEASE_ZH}`), cited, read("c", OWN), read("d", `${OWN} (agency)`)];
    expect(Object.fromEntries(originsOfRead(citationsOf(cited), readings))).toEqual({ a: "b", b: "b", c: "c", d: "c" });
    expect(Object.fromEntries(originsOfRead([], readings))).toEqual({ a: "a", b: "a", c: "c", d: "c" });
  });

  it("do not depend on uncited texts", () => {
    const bridge = read("c", `${RELEASE}\n\n${OWN}`);
    const two = [read("a", RELEASE), read("b", OWN)];
    const origins = originsOfRead(citationsOf(...two), [...two, bridge]);
    expect(["a", "b"].map((id) => origins.get(id))).toEqual(["a", "b"]);
  });
});
