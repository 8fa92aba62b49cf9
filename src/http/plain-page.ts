import { createHash } from "node:crypto";
import { escapeHtml } from "../util/escape-html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-inline-size: 60rem; margin: 0 auto; padding: 1rem; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The policy of `htmlPage`: its own style and nothing else. */
export const PAGE_POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${STYLE_HASH}'`;

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
