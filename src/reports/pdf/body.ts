import type { Note, QuotedPassage, ReportForm, Sentence, SourceLine } from "../form/report-form.ts";
import { withTextFragment } from "../html/text-fragment.ts";
import type { Content, Text } from "./pdfmake.ts";
import { ALARM, LINK, type Setting, SOFT } from "./setting.ts";

const NUMBER_WIDTH = 26;

/** The report itself: title, what was verified, sentences with their numbers, and the quotes that these lead to. */
export function body(form: ReportForm, set: Setting): Content[] {
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
  // Lines with Chinese letters sit lower: a blank of their font puts the number on the same line.
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

/** Where a quote is from, and its place. */
function placeText({ quote, source, hash, offsets }: QuotedPassage, form: ReportForm, set: Setting): Text[] {
  return [...sourceText(source, form, set, quote), ...set.text(` (${hash} ${offsets})`, { color: SOFT, fontSize: 8 })];
}

/** Where something comes from; an address of the web is a link, to the very place of `quote` where it is given. */
export function sourceText(
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
