import type { ReportedRun } from "../../src/domain/ports/run-service.ts";
import { UNVERIFIED } from "../helpers/claims.ts";
import { sampleRun } from "./sample-run.ts";

/** Texts that try to become something else than text. */
export const HOSTILE = [
  `<script>alert("1")</script><img src=x onerror='alert(2)'></title></style>`,
  "]]> <![CDATA[ &lt; &#0; <!-- --> <?php ?>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a text may contain
  "$& $1 $` \\1 {{systemContext}} %s ${process.env}",
  "`code` ~~~ | pipe | [x](javascript:alert(1)) ![i](https://evil.example/i.png) # * _ ^",
  "\\input{secret} % comment } { @article{x, title={y}} \\end{document}",
  "\u202etxt.exe\u202c \u2066left\u2069 \u200fright\u200e",
  "nul\u0000 bell\u0007 escape\u001b[31m delete\u007f next\u0085 nonchar\uffff",
  "lone \ud800 and \udc00 surrogates",
  "emoji 👩‍👩‍👧‍👦 🇨🇳 𠮷 e\u0301",
  "ไทย 한국어 עברית العربية",
];

export const PARAPHRASED = { support: "paraphrased", supported: false, reason: null, expression: null } as const;

const ADDRESSES = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  ' https://a.example/"><script>alert(1)</script>',
  "corpus:../../etc/passwd",
  "https://a.example/x y?q=`a`&b=(c)#d{e}",
  "file:///etc/passwd",
];

/** A run in which every text is one of these, with addresses that must not become links. */
export function hostileRun(texts: readonly string[]): ReportedRun {
  const run = sampleRun(texts.join(" ").slice(0, 4_000));
  const citations = texts.map((quote, index) => ({
    id: index + 1,
    sourceId: `S${index}`,
    contentHash: `${quote}`.padEnd(64, "0"),
    start: 0,
    end: quote.length,
    quote,
  }));
  const publication = {
    authors: [...texts],
    doi: `10.1/${texts[4]}`,
    arxivId: texts[0] ?? "",
    pmid: texts[2] ?? "",
    venue: texts[4] ?? "",
    licence: null,
    retracted: true,
    fullTextUrl: null,
  };
  const sources = texts.map((title, index) => ({
    id: `S${index}`,
    kind: "scholar" as const,
    title,
    url: ADDRESSES[index % ADDRESSES.length] ?? "",
    publishedAt: title,
    foundBy: title,
    score: null,
    contentHash: null,
    status: "read" as const,
    failure: null,
    ...(index % 2 === 0 && { publication }),
  }));
  const claims = texts.map((text, index) => ({
    text,
    citations: [index + 1, 99],
    ...(index % 2 === 0 ? PARAPHRASED : UNVERIFIED),
    section: text,
    origins: 1,
  }));
  const ledger = texts.map((text) => ({
    what: "search" as const,
    source: text,
    target: text,
    outcome: "failed" as const,
    results: 0,
    failure: text,
    detail: text,
    ms: 1,
  }));
  const termination = { reason: "completed" as const, node: null, detail: texts.join(" ") };
  return { ...run, termination, report: { ...run.report, claims, citations, sources, ledger } };
}
