import { describe, expect, test } from "vitest";
import { guide, manual, shouce } from "./manuals.ts";
import { answer, reading, write } from "./readings.ts";

describe("answering", () => {
  test("an item of a list comes with the sentence that introduces it, in the order of the document", async () => {
    expect(await answer("How does the docking loop end?", [guide, manual])).toEqual([
      "While the ferry is near a pier, the docking loop corrects its course.",
      "The docking loop ends with:",
      "moored, when both ropes are tight",
      "cap, after twelve corrections",
      "storm, when the wind exceeds 14.5 m/s",
    ]);
  });

  test("a row of a table is cited together with its header", async () => {
    const draft = await write("What is the default beacon port?", [guide, manual]);
    expect(draft.claims[0]).toEqual({
      text: "BEACON_PORT | 4455 | the port where beacons report",
      citations: [1, 2],
      supported: true,
      section: "Settings",
    });
    expect(draft.citations[1]?.quote).toBe("name | default | meaning");
    expect(draft.claims.map(({ text }) => text)).not.toContain("name | default | meaning");
  });

  test("other inflections of the question's words are understood", async () => {
    expect(await answer("What happens to acknowledged commands after powers failed?", [guide, manual])).toContain(
      "No command that was acknowledged is lost after a power failure.",
    );
  });

  test("one word that occurs nowhere does not spoil the answer", async () => {
    expect(await answer("How does the zorbified docking loop end?", [guide, manual])).toContain("The docking loop ends with:");
  });

  test("a Chinese question is answered in the words of a Chinese document", async () => {
    expect((await answer("请问靠泊循环是怎么结束的？", [shouce]))[0]).toBe("渡轮接近码头时，靠泊循环会修正航向。");
    expect(await answer("靠泊循环在什么情况下结束？", [shouce])).toContain("修正十二次之后，靠泊循环就会结束，由船长手动靠泊。");
    expect(await answer("断电以后控制器会怎样？", [manual, shouce, guide])).toContain("断电以后，控制器从最近的检查点重新启动。");
  });

  test("Japanese, Arabic and French work passably", async () => {
    const ja = reading("ja", "渡し船", [["paragraph", "渡し船の制御装置は2019年に設置されました。犬も乗れます。"]]);
    expect(await answer("制御装置はいつ設置されましたか", [ja])).toContain("渡し船の制御装置は2019年に設置されました。");
    const ar = reading("ar", "العبارة", [["paragraph", "تم تركيب جهاز التحكم في العبارة عام 2019. يسمح للكلاب بالصعود."]]);
    expect(await answer("متى تم تركيب جهاز التحكم؟", [ar])).toContain("تم تركيب جهاز التحكم في العبارة عام 2019.");
    const fr = reading("fr", "Le bac", [["paragraph", "Le contrôleur du bac fut installé en 2019. Les chiens sont admis sur le pont."]]);
    expect(await answer("Quand le contrôleur du bac a-t-il été installé ?", [fr])).toContain("Le contrôleur du bac fut installé en 2019.");
  });

  test("what the best sentence names leads to a sentence that the question does not name", async () => {
    const fleet = reading("fleet", "Fleet list", [
      ["paragraph", "The night ferry to Holm is the Margarethe Lind."],
      ["paragraph", "Bicycles are taken to all islands without a fee."],
      ["paragraph", "The Margarethe Lind was built in Turku by the Aker yard."],
      ["paragraph", "The kitchen opens an hour before departure every day."],
    ]);
    expect(await answer("Where was the night ferry to Holm built?", [fleet])).toEqual([
      "The night ferry to Holm is the Margarethe Lind.",
      "The Margarethe Lind was built in Turku by the Aker yard.",
    ]);
  });

  test("a question whose two names are told in two documents is answered from both", async () => {
    const one = reading("one", "Ada Holt", [["paragraph", "Ada Holt (born 2 May 1931) was a harbour pilot."]]);
    const two = reading("two", "Ben Reeve", [["paragraph", "Ben Reeve (born 9 July 1940) was a lighthouse keeper."]]);
    const claims = await answer("Who was born earlier, Ada Holt or Ben Reeve?", [guide, one, two]);
    expect([...claims].sort()).toEqual([
      "Ada Holt (born 2 May 1931) was a harbour pilot.",
      "Ben Reeve (born 9 July 1940) was a lighthouse keeper.",
    ]);
  });

  test("claims are grouped by heading, the best group first", async () => {
    const { claims } = await write("What happens to the ferry in a storm?", [manual, guide]);
    expect(claims[0]).toEqual({
      text: "In a storm the ferry stays at its pier, and passengers wait in the hall.",
      citations: [1],
      supported: true,
      section: "Storms",
    });
    const sections = claims.map(({ section }) => section);
    expect(sections).toEqual([...new Set(sections)].flatMap((section) => sections.filter((other) => other === section)));
  });

  test("neither copies of a sentence, nor questions, nor headings, nor scraps become claims", async () => {
    const copy = reading("copy", "Copied manual", [
      ["paragraph", "Home › Ferry › Docking loop › Ends"],
      ["heading1", "How the docking loop ends"],
      ["paragraph", "How does the docking loop end?"],
      ["paragraph", "The docking loop ends after twelve corrections or in a storm. Loop ends."],
    ]);
    const same = reading("same", "Copied again", [
      ["paragraph", "Dogs swim. The docking loop ends after twelve corrections or in a storm."],
    ]);
    expect(await answer("How does the docking loop end?", [copy, same])).toEqual([
      "The docking loop ends after twelve corrections or in a storm.",
    ]);
  });

  test("no more than about eight claims are made of any amount of evidence", async () => {
    const rows = Array.from(
      { length: 200 },
      (_, i) => ["paragraph", `Loop number ${i * 7919} ends near pier ${i * 104729} at night.`] as const,
    );
    expect((await answer("How do loops end?", [reading("many", "Loops", rows)])).length).toBeLessThanOrEqual(8);
  });
});

describe("not answering", () => {
  test.each([
    "What is the capital of France?",
    "How do I cook risotto?",
    "Who won the 2022 World Cup?",
    "what is the price of bitcoin in the report",
    "asdf qwer",
    "Who is the president of the United States?",
    "How tall is Mount Everest?",
  ])("%s is not answered by a manual for ferries", async (question) => {
    expect((await write(question, [manual, guide, shouce])).claims).toEqual([]);
  });

  test.each(["法国的首都是哪里？", "谁是中国的总理？", "世界上最高的山是什么？", "比特币的价格是多少？"])(
    "%s is not answered either",
    async (question) => {
      const draft = await write(question, [manual, guide, shouce]);
      expect(draft.claims).toEqual([]);
      expect(draft.reason).toMatch(/^来源没有回答这个问题/);
    },
  );

  test("words of the question that are scattered over the documents are no answer", async () => {
    const draft = await write("Which children are hurt by the stove of the captain?", [manual, guide]);
    expect(draft.claims).toEqual([]);
    expect(draft.reason).toBe(
      "The sources do not answer the question: no passage speaks of “children”, “hurt”, “stove”, “captain” together.",
    );
  });

  test("the reason names what occurs nowhere, in the language of the question or the one asked for", async () => {
    const reason = async (question: string, language?: string) => (await write(question, [manual], language)).reason;
    expect(await reason("What is the capital of France?")).toBe(
      "The sources do not answer the question: they never mention “capital”, “France”.",
    );
    expect(await reason("法国的首都是哪里？")).toBe("来源没有回答这个问题：其中找不到“法国”、“首都”。");
    expect(await reason("Quelle est la capitale ?", "fr-FR")).toMatch(/^Les sources ne répondent pas à la question/);
    expect(await reason("フランスの首都はどこですか")).toMatch(/^情報源はこの質問に答えていません/);
    expect(await reason("Ποια είναι η πρωτεύουσα;")).toMatch(/^The sources do not answer/);
  });

  test("no readings, readings without a sentence and a question without words each have their own reason", async () => {
    expect((await write("Why?", [])).reason).toBe("Nothing was found that could be read, so there is nothing to answer from.");
    expect((await write("为什么？", [])).reason).toBe("没有找到可以读取的资料，因此无从回答。");
    expect((await write("Why?", [reading("e", "", [["paragraph", ""]])])).reason).toBe(
      "The sources that were read hold no sentence that could be quoted.",
    );
    expect((await write("?!😀", [manual])).reason).toBe("The question names nothing that could be looked for.");
  });

  test("an example request that only contains the question's words is no answer", async () => {
    const api = reading("api", "API", [
      ["paragraph", "Questions are posted as JSON documents to the service."],
      ["code", `curl -d '{"question": "What is the capital of France?"}' localhost`],
    ]);
    expect((await write("What is the capital of France?", [api])).claims).toEqual([]);
  });
});
