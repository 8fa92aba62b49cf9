import { FONTS } from "../fonts.ts";
import type { Note, QuotedPassage, ReportForm, Sentence, SourceLine } from "../form/report-form.ts";
import { withTextFragment } from "../text.ts";
import {
  ALARM,
  type Content,
  createTypesetter,
  type LaidOut,
  LINE_HEIGHT,
  LINK,
  pdfmake,
  REPLACEMENT,
  type Setting,
  SOFT,
  settingFor,
  type Text,
} from "./typesetter.ts";

const MARGIN = 56;
/** Below this share of a page there is no room for a heading and its text. */
const LAST_HEADING = 0.87;

/**
 * A PDF with its fonts, cut to the letters in use. `date` (ISO 8601) is its creation date; the same form gives the same bytes. Characters
 * without a glyph become boxes, which the last lines mention.
 */
export async function formAsPdf(form: ReportForm, date: string): Promise<Uint8Array> {
  const typesetter = createTypesetter();
  const set = settingFor(typesetter);
  const content: Content[] = [...body(form, set), ...appendix(form, set)];
  // Complete once everything else is set.
  const { count, characters } = typesetter.replaced();
  if (count > 0)
    content.push(set.paragraph(form.labels.replaced(REPLACEMENT, count, characters), { margin: [0, 16, 0, 0], fontSize: 8.5 }));
  // pdfmake may read the fonts and nothing else.
  pdfmake.setFonts({ latin: { ...FONTS.latin.files }, chinese: { ...FONTS.chinese.files } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => Object.values(FONTS).some(({ files }) => Object.values(files).includes(path)));
  return pdfmake.createPdf(definition(form, set, content, new Date(date))).getBuffer();
}

function definition(form: ReportForm, set: Setting, content: Content[], date: Date): Readonly<Record<string, unknown>> {
  const program = form.receipt?.rows.at(-1)?.[1] ?? "";
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 8],
    version: "1.7",
    language: form.language === "zh" ? "zh-CN" : "en",
    displayTitle: true,
    info: {
      title: form.title,
      subject: form.verified ?? form.noAnswer[0] ?? "",
      author: program,
      creator: program,
      producer: "pdfmake",
      creationDate: date,
      modDate: date,
    },
    defaultStyle: { font: "latin", fontSize: 10, lineHeight: LINE_HEIGHT, color: "#1c1e21" },
    footer: (page: number, pages: number) =>
      set.paragraph(form.labels.page(page, pages), { alignment: "center", fontSize: 8, color: "#5b626b", margin: [0, 16, 0, 0] }),
    pageBreakBefore: ({ headlineLevel, startPosition }: LaidOut) =>
      headlineLevel !== undefined && startPosition.verticalRatio > LAST_HEADING,
    content,
  };
}

/** Sources, ledger and receipt. */
function appendix(form: ReportForm, set: Setting): Content[] {
  const parts = [...sources(form, set), ...ledger(form, set), ...receipt(form, set)];
  return parts.length === 0 ? [] : [set.heading(form.labels.appendix, 1), ...parts];
}

function sources(form: ReportForm, set: Setting): Content[] {
  if (form.sources.length === 0) return [];
  const items = form.sources.map((source) => {
    const numbers = set.text(` ${source.notes.map((number) => `[${number}]`).join(" ")}`);
    return set.paragraph([...sourceText(source, form, set), ...numbers], { margin: [0, 0, 0, 3] });
  });
  return [set.heading(form.labels.sources, 2), { ul: items }];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm, set: Setting): Content[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [set.paragraph(labels.more(ledgerLeftOut))] : [];
  return [set.heading(labels.ledger, 2), set.table(labels.ledgerHead, cells, [52, 210, "*", 56], [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportForm, set: Setting): Content[] {
  if (given === null) return [];
  const models = given.models.length === 0 ? [] : [set.table(labels.modelsHead, given.models, ["*", 44, 58, 58, 66, 66], [1, 2, 3, 4, 5])];
  return [set.heading(labels.receipt, 2), set.table(null, given.rows, [130, "*"], []), ...models];
}

const NUMBER_WIDTH = 26;

function body(form: ReportForm, set: Setting): Content[] {
  return [
    set.paragraph(form.title, { fontSize: 20, bold: true, lineHeight: 1.2, margin: [0, 0, 0, 10], outline: true, outlineText: form.title }),
    ...[form.cutOff, form.verified, ...form.byRules]
      .filter((line) => line !== null)
      .map((line) => set.paragraph(line, { color: SOFT, margin: [0, 0, 0, 4] })),
    ...noAnswer(form, set),
    ...form.said.map((line) => set.paragraph(line, { margin: [0, 0, 0, 6] })),
    ...sections(form, set),
    ...unanswered(form, set),
    ...closest(form, set),
    ...notes(form, set),
  ];
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportForm, set: Setting): Content[] {
  const items = notReached.map((line) => set.paragraph(line));
  const why = lines.map((line) => set.paragraph(line, { margin: [0, 0, 0, 6] }));
  return items.length === 0 ? why : [...why, set.paragraph(labels.notReached, { margin: [0, 0, 0, 4] }), { ul: items }];
}

function sections(form: ReportForm, set: Setting): Content[] {
  const known = new Set(form.notes.map(({ number }) => number));
  return form.sections.flatMap(({ heading, sentences }): Content[] => [
    ...(heading === "" ? [] : [set.heading(heading, 1)]),
    { ul: sentences.map((sentence) => sentenceOf(sentence, known, form, set)), markerColor: SOFT },
  ]);
}

function unanswered({ unanswered: lines, labels }: ReportForm, set: Setting): Content[] {
  return lines.length === 0 ? [] : [set.heading(labels.unanswered, 1), { ul: lines.map((line) => set.paragraph(line)) }];
}

function sentenceOf({ text, supported, marks, origins }: Sentence, known: ReadonlySet<number>, { labels }: ReportForm, set: Setting): Text {
  const alarm = supported ? [] : set.text(`${labels.unsupported} `, { bold: true, color: ALARM });
  const numbers = marks.flatMap(({ number, retracted }) => [
    ...set.text(`[${number}]`, known.has(number) ? { color: LINK, linkToDestination: `q${number}` } : {}),
    ...(retracted ? set.text(` ${labels.retracted} `, { bold: true, color: ALARM }) : []),
  ]);
  const witnesses = origins === "" ? [] : set.text(` ${origins}`);
  return set.paragraph([...alarm, ...set.text(`${text} `), ...numbers, ...witnesses], { margin: [0, 0, 0, 4] });
}

function closest(form: ReportForm, set: Setting): Content[] {
  if (form.closest.length === 0) return [];
  const passages = form.closest.map((passage) => {
    return set.paragraph([...quoteText(passage, set), ...placeText(passage, form, set)], { margin: [12, 0, 0, 5] });
  });
  return [set.heading(form.labels.closest, 1), ...passages];
}

function notes(form: ReportForm, set: Setting): Content[] {
  if (form.notes.length === 0) return [];
  return [set.heading(form.labels.quotes, 1), ...form.notes.map((note) => noteOf(note, form, set))];
}

function noteOf(note: Note, form: ReportForm, set: Setting): Content {
  const { number } = note;
  const words = quoteText(note, set);
  // Lines with Chinese letters sit lower: a space in their font aligns the number.
  const level = words.some(({ font }) => font === "chinese") ? [{ text: " ", font: "chinese" }] : [];
  const text = [...words, ...placeText(note, form, set)];
  return {
    columns: [set.paragraph([...set.text(`${number}.`), ...level], { width: NUMBER_WIDTH, id: `q${number}` }), set.paragraph(text)],
    margin: [0, 0, 0, 5],
  };
}

function quoteText({ quote }: QuotedPassage, set: Setting): Text[] {
  return set.text(`“${quote}” — `);
}

function placeText({ quote, source, hash, offsets }: QuotedPassage, form: ReportForm, set: Setting): Text[] {
  return [...sourceText(source, form, set, quote), ...set.text(` (${hash} ${offsets})`, { color: SOFT, fontSize: 8 })];
}

/** Title and address; with `quote`, the link leads to the quote on the page. */
function sourceText(
  { title, retracted, details, address, href }: SourceLine,
  { labels }: ReportForm,
  set: Setting,
  quote?: string,
): Text[] {
  const alarm = retracted ? set.text(`${labels.retracted} `, { bold: true, color: ALARM }) : [];
  const known = [title, ...details].join(", ");
  const link = href === null ? {} : { color: LINK, link: quote === undefined ? href : withTextFragment(href, quote) };
  return [...alarm, ...set.text(address === "" ? known : `${known}, `), ...(address === "" ? [] : set.text(address, link))];
}
