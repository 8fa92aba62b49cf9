import { below } from "./random-bundle.ts";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document that is damaged on purpose
type Any = any;
type Random = () => number;

/** Changes one thing of a parsed bundle; returns the prefix of the fault that names it. */
export type Change = (bundle: Any, random: Random) => string;

const hex = (text: string, random: Random): string => {
  const at = below(random, text.length);
  return text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
};

/** Returns the text with one of its characters replaced. */
export function spoil(text: string, random: Random): string {
  const characters = [...text];
  const at = below(random, characters.length);
  const other = ["x", "税", "🐙", " "].filter((character) => character !== characters[at]);
  characters[at] = other[below(random, other.length)] as string;
  return characters.join("");
}

const change = (list: string, one: string, spoilt: (item: Any, random: Random) => void): Change => {
  return (bundle, random) => {
    const items = bundle[list] ?? bundle.report[list];
    const index = below(random, items.length);
    spoilt(items[index], random);
    return `${one} ${index + 1}`;
  };
};
const ofText = (list: string, one: string, field: string): Change =>
  change(list, one, (item, random) => {
    item[field] = spoil(item[field], random);
  });
const aside = (random: Random): number => (random() < 0.5 ? 1 : -1);

export const CHANGES: Readonly<Record<string, Change>> = {
  quote: ofText("citations", "citation", "quote"),
  start: change("citations", "citation", (item, random) => {
    item.start = Math.max(0, item.start + aside(random)) || item.start + 1;
  }),
  end: change("citations", "citation", (item, random) => {
    item.end += aside(random);
  }),
  hash: change("citations", "citation", (item, random) => {
    item.contentHash = hex(item.contentHash, random);
  }),
  "source of a citation": ofText("citations", "citation", "sourceId"),
  claim: ofText("claims", "claim", "text"),
  "citations of a claim": change("claims", "claim", (item) => {
    item.citations.push(99);
  }),
  support: change("claims", "claim", (item) => {
    item.supported = !item.supported;
  }),
  "kind of support": change("claims", "claim", (item) => {
    item.support = item.support === "paraphrased" ? "quoted" : "paraphrased";
  }),
  reason: change("claims", "claim", (item) => {
    item.reason = item.reason === null ? "no_citation" : null;
  }),
  expression: change("claims", "claim", (item) => {
    item.expression = "1 + 1";
  }),
  "order of blocks": (bundle) => {
    const { blocks } = bundle.report;
    [blocks[0], blocks[1]] = [blocks[1], blocks[0]];
    return "block 1";
  },
  "kind of a block": (bundle) => {
    const index = bundle.report.blocks.findIndex(({ kind }: Any) => kind !== "heading");
    const sentences = bundle.report.blocks[index];
    bundle.report.blocks[index] = { kind: "paragraph", sentences: [0], ...(sentences.kind === "paragraph" && { sentences: [1] }) };
    return `block ${index + 1}`;
  },
  heading: (bundle, random) => {
    const index = bundle.report.blocks.findIndex(({ kind }: Any) => kind === "heading");
    bundle.report.blocks[index].text = spoil(bundle.report.blocks[index].text, random);
    return `block ${index + 1}`;
  },
  struck: ofText("struck", "struck sentence", "text"),
  "why struck": ofText("struck", "struck sentence", "reason"),
  missing: (bundle, random) => {
    bundle.report.missing[1] = spoil(bundle.report.missing[1], random);
    return "missing item 2";
  },
  answers: (bundle) => {
    bundle.report.answers = bundle.report.answers === "not" ? "fully" : "not";
    return "answers";
  },
  "cut off": (bundle) => {
    bundle.report.cutOff = true;
    return "cutOff";
  },
  origins: change("claims", "claim", (item) => {
    item.origins += 1;
  }),
  "document text": (bundle, random) => {
    const cited = bundle.documents.filter((document: Any) => document.text !== null);
    const document = cited[below(random, cited.length)];
    document.text = spoil(document.text, random);
    return `document ${bundle.documents.indexOf(document) + 1}`;
  },
  "document name": change("documents", "document", (item, random) => {
    item.contentHash = hex(item.contentHash, random);
  }),
  "document title": change("documents", "document", (item) => {
    item.title += "!";
  }),
  "source title": ofText("sources", "source", "title"),
  "source address": ofText("sources", "source", "url"),
  ledger: ofText("ledger", "ledger entry", "target"),
  event: change("events", "event", (item) => {
    item.at = item.at.replace("10:00:00", "10:00:01");
  }),
  markdown: (bundle, random) => {
    bundle.report.markdown = spoil(bundle.report.markdown, random);
    return "markdown";
  },
  coverage: (bundle, random) => {
    const counts = Object.keys(bundle.report.coverage).filter((name) => name !== "bySupport");
    bundle.report.coverage[counts[below(random, counts.length)] as string] += 1;
    return "coverage";
  },
  question: (bundle, random) => {
    bundle.run.question = spoil(bundle.run.question, random);
    return "run";
  },
  digest: (bundle, random) => {
    bundle.digest = hex(bundle.digest, random);
    return "digest";
  },
};

/** Writes the same bundle differently: keys in another order, indented, characters escaped. */
export function reformat(bundle: Any, random: Random): string {
  const text = JSON.stringify(shuffled(bundle, random), null, ["", " ", "\t", "    "][below(random, 4)]);
  if (random() < 0.5) return random() < 0.5 ? `\ufeff${text}\r\n` : text;
  return text.replace(/[^\x20-\x7e\n\t]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`);
}

function shuffled(value: Any, random: Random): Any {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [random(), key, shuffled(item, random)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => a - b).map(([, key, item]) => [key, item]));
}
