import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { createIsolatedExtractor } from "../../src/documents/isolation/isolated-extractor.ts";
import { officeWith, relations } from "../helpers/made-files.ts";

const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const read = (bytes: Uint8Array) => createExtractor().extract({ bytes, mediaType: PPTX, url: "talk.pptx" });

const NAMESPACES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const text = (...lines: string[]) => lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
const shape = (type: string, ...lines: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === "" ? "" : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${text(...lines)}</p:txBody></p:sp>`;
const cell = (words: string, more = "") => `<a:tc ${more}><a:txBody>${text(words)}</a:txBody></a:tc>`;
const frame = (data: string) => `<p:graphicFrame><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></p:graphicFrame>`;
const part = (name: string, shapes: string, more = "") =>
  `<p:${name} ${NAMESPACES} ${more}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`;

/** The slides are stored in the reverse of their order. */
function presentation(slides: readonly string[], parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="slide${i}"/>`).join("");
  const nameOf = (i: number) => `slides/slide${slides.length - i}.xml`;
  return officeWith({
    "ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(Object.fromEntries(slides.map((_, i) => [`slide${i}`, nameOf(i)]))),
    ...Object.fromEntries(slides.map((slide, i) => [`ppt/${nameOf(i)}`, slide])),
    ...parts,
  });
}

async function blocksOf(bytes: Uint8Array): Promise<string[]> {
  const document = await read(bytes);
  return document.blocks.map(({ kind, start, end, place }) => `${JSON.stringify(place)} ${kind}: ${document.text.slice(start, end)}`);
}

describe("a presentation", () => {
  it("becomes its slides in their order: title, lists, grouped shapes and tables, with the slide as place", async () => {
    const group = `<p:grpSp><p:grpSpPr/><p:grpSp>${shape("", "押金为三个月租金。")}</p:grpSp></p:grpSp>`;
    const table = `<a:tbl><a:tr>${cell("Year")}${cell("Dues")}</a:tr><a:tr>${cell("2023", 'rowSpan="2"')}${cell("2.4")}</a:tr><a:tr>${cell("", 'vMerge="1"')}${cell("3.1")}</a:tr></a:tbl>`;
    const first = part("sld", shape("body", "第一点", "第二点") + shape("title", "港口费") + group);
    const second = part("sld", frame(table) + shape("sldNum", "2"));
    expect(await blocksOf(presentation([first, second]))).toEqual([
      '{"slide":1} heading: 港口费',
      '{"slide":1} list-item: 第一点',
      '{"slide":1} list-item: 第二点',
      '{"slide":1} paragraph: 押金为三个月租金。',
      '{"slide":2} heading: Slide 2',
      '{"slide":2} table-row: Year | Dues',
      '{"slide":2} table-row: 2023 | 2.4',
      '{"slide":2} table-row: 2023 | 3.1',
    ]);
    expect((await read(presentation([first]))).title).toBe("港口费");
  });

  it("has the speaker's notes, comments and diagrams of each slide", async () => {
    const diagram = '<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="diagramData"/>';
    const bytes = presentation([part("sld", shape("title", "A") + frame(diagram))], {
      "ppt/slides/_rels/slide1.xml.rels": relations({
        notesSlide: "../notesSlides/n.xml",
        comments: "../comments/c.xml",
        diagramData: "../d.xml",
      }),
      "ppt/notesSlides/n.xml": part("notes", shape("body", "备注：三个月。") + shape("sldNum", "1")),
      "ppt/comments/c.xml": `<p:cmLst ${NAMESPACES}><p:cm><p:text>Really?</p:text></p:cm></p:cmLst>`,
      "ppt/d.xml": `<d ${NAMESPACES}><pt>${text("Plan")}</pt><pt>${text("Build")}</pt></d>`,
    });
    expect(await blocksOf(bytes)).toEqual([
      '{"slide":1} heading: A',
      '{"slide":1} paragraph: Plan',
      '{"slide":1} paragraph: Build',
      '{"slide":1} paragraph: Comment: Really?',
      '{"slide":1,"notes":true} paragraph: 备注：三个月。',
    ]);
  });

  it("says what is left out: hidden and damaged slides, slides of pictures, charts", async () => {
    const chart = '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>';
    const slides = [part("sld", shape("", "x") + frame(chart)), part("sld", shape("", "secret"), 'show="0"'), part("sld", "<p:pic/>"), ""];
    expect(await read(presentation(slides))).toMatchObject({
      text: "Slide 1\n\nx",
      incomplete: "Left out: charts (1), hidden slides (1), slides that are pictures without text (1), damaged slides (1).",
    });
  });

  it("says how many pictures stand beside text, without previews of files and copies for old programs", async () => {
    const old = '<mc:AlternateContent xmlns:mc="m"><mc:Choice><p:sp/></mc:Choice><mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent>';
    const slide = part("sld", `${shape("", "x")}<p:pic/><p:grpSp><p:pic/></p:grpSp>${old}${frame("<p:oleObj><p:pic/></p:oleObj>")}`);
    expect((await read(presentation([slide]))).incomplete).toBe("Left out: embedded files (1), pictures (2).");
  });

  it("that is encrypted, too large or no presentation is refused by name, and nothing outside of it is read", async () => {
    await expect(read(Buffer.from("d0cf11e0a1b11ae10000", "hex"))).rejects.toMatchObject({ code: "blocked" });
    await expect(read(officeWith({ "ppt/presentation.xml": Buffer.alloc(60_000_000, " ") }))).rejects.toMatchObject({
      code: "document_too_large",
    });
    await expect(read(officeWith({ "ppt/presentation.xml": "<none/>" }))).rejects.toMatchObject({ code: "unreadable" });
    const outside = presentation([""], { "ppt/_rels/presentation.xml.rels": relations({ slide0: "file:///etc/passwd" }) });
    await expect(read(outside)).rejects.toMatchObject({ code: "empty" });
    const deep = presentation([part("sld", `${"<p:grpSp>".repeat(20_000)}${shape("", "deep")}${"</p:grpSp>".repeat(20_000)}`)]);
    const isolated = createIsolatedExtractor();
    const reading = await isolated
      .extract({ bytes: deep, mediaType: PPTX, url: "deep.pptx" })
      .catch(({ code }) => ({ text: code as string }));
    expect(["Slide 1\n\ndeep", "unreadable", "document_too_large", "timeout"]).toContain(reading.text);
    await isolated.close();
  });
});
