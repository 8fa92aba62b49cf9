import { createHash } from "node:crypto";
import { escapeHtml } from "../util/escape-html.ts";

// Colors with the contrast that WCAG asks for. Nothing scrolls by itself, so everything is reached by keyboard.
const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-inline-size: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-block-start: 2rem; }
summary { padding: 0.5rem 0; cursor: pointer; }
details { border-block-end: 1px solid GrayText; }
details > :not(summary) { margin-inline-start: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
`;

/** The policy of `htmlPage`: its own style and nothing else. */
export function pagePolicy(): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${hash}'`;
}

/** Returns a page in English without scripts. @param title plain text @param body HTML */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
