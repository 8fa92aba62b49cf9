import { describe, expect, test } from "vitest";
import { answer, reading, write } from "../writing/readings.ts";
import { guide, manual, shouce } from "./manuals.ts";

describe("what is quoted", () => {
  test("the closest passage comes first, verbatim and without a heading", async () => {
    const { claims } = await write("What happens to the ferry in a storm?", [manual, guide]);
    expect(claims[0]?.text).toBe(
      "In a storm the ferry stays at its pier, and passengers wait in the hall. The hall has a stove and a small kitchen.",
    );
    expect(new Set(claims.map(({ section }) => section))).toEqual(new Set([""]));
  });

  test("a table row comes with the header row and the line above the table, which names the unit", async () => {
    const table = reading("table", "Quarterly figures", [
      ["paragraph", "In millions of euros, unaudited"],
      ["table-row", "Item | 2023 | 2024"],
      ["table-row", "Ticket revenue | 11.5 | 12.7"],
      ["table-row", "Fuel cost | 4.1 | 4.4"],
    ]);
    const { claims, citations } = await write("What was the ticket revenue?", [table]);
    expect(claims[0]?.text).toBe("In millions of euros, unaudited\nItem | 2023 | 2024\nTicket revenue | 11.5 | 12.7");
    const cited = citations.filter(({ id }) => claims[0]?.citations.includes(id)).map(({ quote }) => quote);
    expect(cited).toEqual(["In millions of euros, unaudited", "Item | 2023 | 2024", "Ticket revenue | 11.5 | 12.7"]);
    expect(claims.map(({ text }) => text)).not.toContain("Item | 2023 | 2024");
  });

  test("a table below another one keeps its own header", async () => {
    const tables = reading("tables", "Quellon", [
      ["paragraph", "Revenue in million euros"],
      ["table-row1", "Region | 2021 | 2022"],
      ["table-row", "Norway | 10 | 12"],
      ["table-row1", "Country | Employees | Accidents"],
      ["table-row", "Quellon Norway | 120 | 3"],
    ]);
    expect((await answer("How many employees does Quellon Norway have?", [tables]))[0]).toBe(
      "Country | Employees | Accidents\nQuellon Norway | 120 | 3",
    );
  });

  test("the first row of a fact box is a fact, and a row is found by its header", async () => {
    const box = reading("box", "Dunmarra", [
      ["table-row1", "Founded | 1888"],
      ["table-row", "Area | 12 km2"],
    ]);
    expect((await answer("When was Dunmarra founded?", [box, manual]))[0]).toContain("Founded | 1888");
    const phones = reading("phones", "Phones", [
      ["table-row1", "Name | Battery (mAh) | Weight (g)"],
      ["table-row", "Arlo | 4100 | 170"],
    ]);
    expect((await answer("phone battery mAh", [phones]))[0]).toContain("Arlo | 4100 | 170");
  });

  test("a list is quoted with its introduction, however short its items are", async () => {
    const lake = reading("lake", "Lake Oron", [
      ["paragraph", "The following fish live in Lake Oron:"],
      ["list-item", "Pike"],
      ["list-item", "鲤鱼"],
    ]);
    expect((await answer("Which fish live in Lake Oron?", [lake]))[0]).toBe("The following fish live in Lake Oron:\n\nPike\n\n鲤鱼");
  });

  test("a comparison of many subjects is scored over all documents that it names", async () => {
    const names = ["龙潭古道", "青云水库", "Marvane", "Tolbrek", "Quisdon"];
    const words = [
      "老石板路穿过三个村庄。",
      "水库储水两亿立方米。",
      "It exports salted fish.",
      "Its mill burned in 1911.",
      "Bears live around it.",
    ];
    const pages = names.map((name, at) => reading(name, name, [["paragraph", `${name}: ${words[at]}`]]));
    for (const question of ["Compare Marvane, Tolbrek and Quisdon", "比较龙潭古道与青云水库"]) {
      const quotes = (await answer(question, [...pages, manual, guide])).join("\n");
      for (const name of names.filter((one) => question.includes(one))) expect(quotes).toContain(name);
    }
  });

  test("a question without content words asks about the subject of the one before it", async () => {
    const tower = reading("tower", "Tower", [
      ["paragraph", "The lighthouse of Aldermoor was built by Ines Calder. It stands 41 metres tall."],
    ]);
    const before = "Who built the lighthouse of Aldermoor?";
    const { claims } = await write("And how tall is it?", [tower, manual], "auto", before);
    expect(claims[0]?.text).toContain("41 metres");
  });

  test("the answer names the words of the question that no source has", async () => {
    const { claims, reason } = await write("Are dogs on the upper deck welcome to Rivenhall?", [manual, guide]);
    expect(claims.length).toBeGreaterThan(0);
    expect(reason).toBe("Not found in any source: “Rivenhall”.");
  });

  test.each([
    ...["Summarise what is known about dogs on the upper deck", "Tell me about dogs on the upper deck", "dogs upper deck"],
    ...["请问靠泊循环是怎么结束的？", "总结一下靠泊循环的结束", "介绍靠泊循环", "靠泊循环 结束", "靠泊循環是怎麼結束的？"],
  ])("%s is searched by its subject, and quoted verbatim", async (question) => {
    const quote = question.includes("dogs") ? "Dogs are welcome on the upper deck." : "靠泊循环就会结束，由船长手动靠泊。";
    expect((await answer(question, [shouce, manual, guide]))[0]).toContain(quote);
  });

  test("a comparison quotes both sides, the second side before more of the first", async () => {
    const ada = reading("ada", "Ada Holt", [
      ["paragraph", "Ada Holt was a harbour pilot born in 1931."],
      ["paragraph", "Ada Holt wrote three books on pilots and harbours."],
    ]);
    const ben = reading("ben", "Ben Reeve", [["paragraph", "Ben Reeve was a lighthouse keeper born in 1940."]]);
    const [first, second] = await answer("Compare Ada Holt and Ben Reeve", [guide, ada, ben]);
    expect([first, second].sort()).toEqual([expect.stringContaining("Ada Holt"), expect.stringContaining("Ben Reeve")]);
  });

  test("a title that a passage names leads to its document", async () => {
    const film = reading("film", "The Night Ferry", [["paragraph", "The Night Ferry is a film directed by Margarethe Lind."]]);
    const director = reading("lind", "Margarethe Lind", [["paragraph", "She was born in Turku and studied in Oslo."]]);
    const other = reading("other", "Pia Moe", [["paragraph", "She was born in Bergen and studied in Rome."]]);
    const quotes = await answer("Where was the director of The Night Ferry born?", [film, other, director]);
    expect(quotes.indexOf("She was born in Turku and studied in Oslo.")).toBeGreaterThanOrEqual(0);
    expect(quotes.indexOf("She was born in Bergen and studied in Rome.")).toBe(-1);
  });

  test("at most eight quotes are taken from any amount of text, and copies are quoted once", async () => {
    const pieces = Array.from(
      { length: 200 },
      (_, i) => ["paragraph", `Loop number ${i * 7919} ends near pier ${i * 104729}. ${"x".repeat(380)}`] as const,
    );
    expect(await answer("Where do loops end?", [reading("many", "Loops", pieces)])).toHaveLength(8);
    const text = [["paragraph", "The docking loop ends after twelve corrections or in a storm."]] as const;
    expect(await answer("When does the docking loop end?", [reading("a", "", text), reading("b", "", text)])).toHaveLength(1);
  });

  test("questions, headings and menus are not quoted", async () => {
    const page = reading("page", "Ferry", [
      ["paragraph", "Home › Ferry › Docking loop › Ends"],
      ["heading1", "How the docking loop ends"],
      ["paragraph", "How does the docking loop end?"],
      ["paragraph", "The docking loop ends after twelve corrections."],
    ]);
    expect(await answer("How does the docking loop end?", [page])).toEqual(["The docking loop ends after twelve corrections."]);
  });

  test.each([
    ["制御装置はいつ設置されましたか", "渡し船の制御装置は2019年に設置されました。犬も乗れます。"],
    ["متى تم تركيب جهاز التحكم؟", "تم تركيب جهاز التحكم في العبارة عام 2019."],
    ["contrôleur du bac installé", "Le contrôleur du bac fut installé en 2019."],
    ["How long does the warranty of the pump last?", "The war\u00adranty of the pump lasts four years."],
  ])("a text is found by its words, in any script, also with soft hyphens: %s", async (question, text) => {
    expect((await answer(question, [reading("page", "", [["paragraph", text]])]))[0]).toContain(text.slice(0, 20));
  });
});

describe("results of company tools", () => {
  const rows = (id: string, company: string, lines: readonly string[]) => {
    const brought = reading(
      id,
      company,
      lines.map((line) => ["list-item", `${company}, ${line}`] as const),
    );
    return { ...brought, hit: { ...brought.hit, kind: "market" as const } };
  };
  const tesla = rows("tesla", "Tesla", [
    "revenue, fiscal year 2023: 96,773 million USD",
    "net income, fiscal year 2023: 14,997 million USD",
  ]);
  const byd = rows("byd", "比亚迪", ["营业收入，2023年：6023.15亿元", "净利润，2023年：300.41亿元"]);

  test("are always quoted, alternating between the companies", async () => {
    const quotes = await answer("Tesla 和比亚迪的对比分析", [tesla, byd]);
    expect(quotes.slice(0, 2).some((quote) => quote.startsWith("Tesla"))).toBe(true);
    expect(quotes.slice(0, 2).some((quote) => quote.startsWith("比亚迪"))).toBe(true);
    expect(quotes).toHaveLength(2);
    for (const figure of ["96,773", "14,997", "6023.15", "300.41"]) expect(quotes.join("\n")).toContain(figure);
  });

  test("are quoted with the requested figure first", async () => {
    expect((await answer("What was the net income of Tesla in 2023?", [tesla]))[0]).toContain("net income");
    expect((await answer("比亚迪2023年净利润是多少？", [byd]))[0]).toContain("净利润");
  });
});

describe("Dossier's own documentation", () => {
  const own = { ...manual, hit: { ...manual.hit, isDocumentation: true as const } };
  const page = reading("page", "Docking", [["paragraph", "The docking loop of the ferry ends after twelve corrections near a pier."]]);

  test("is not quoted if another source answers at least as well", async () => {
    const { citations } = await write("How does the docking loop of the ferry end near a pier?", [own, page]);
    expect(new Set(citations.map(({ sourceId }) => sourceId))).toEqual(new Set(["page"]));
  });

  test("is quoted if nothing else answers", async () => {
    const { citations } = await write("How does the docking loop of the ferry end?", [own, guide]);
    expect(citations[0]?.sourceId).toBe("manual");
  });
});

describe("if no passage is close enough", () => {
  test.each([
    "What is the capital of France?",
    "How do I cook risotto?",
    "Who won the 2022 World Cup?",
    "asdf qwer",
    "How tall is Mount Everest?",
    "法国的首都是哪里？",
    "比特币的价格是多少？",
  ])("%s is not answered by a manual for ferries", async (question) => {
    const draft = await write(question, [manual, guide, shouce]);
    expect(draft.claims).toEqual([]);
    expect(draft.reason).toMatch(/^No passage matches enough|^没有段落与问题足够吻合/);
  });

  test("up to five closest passages are offered, verbatim, and the reason names the words that no source has", async () => {
    const { claims, closest = [], reason } = await write("Which captain repaired the telescope of the pier in Lisbon?", [manual, guide]);
    expect(claims).toEqual([]);
    expect(reason).toBe("No passage matches enough of the question. Not found in any source: “repaired”, “telescope”, “Lisbon”.");
    expect(closest.length).toBeGreaterThan(0);
    expect(closest.length).toBeLessThanOrEqual(5);
    for (const { contentHash, start, end, quote } of closest) {
      const { document } = [manual, guide].find((one) => one.document.contentHash === contentHash) ?? manual;
      expect(document.text.slice(start, end)).toBe(quote);
    }
  });

  test.each([
    ["Why ferries?", [], "Nothing was found that could be read."],
    ["为什么有渡轮？", [], "没有找到可以读取的资料。"],
    ["Why ferries?", [reading("e", "", [["paragraph", ""]])], "Nothing was found that could be read."],
    ["?!😀", [manual], "The question has no words to search for."],
    ["Quelle est la capitale ?", [manual], "No passage matches enough of the question. Not found in any source: ", "fr-FR"],
  ])("%s has a reason of its own: %#", async (question, readings, reason, language = "auto") => {
    expect((await write(question, readings, language)).reason?.slice(0, reason.length)).toBe(reason);
  });
});
