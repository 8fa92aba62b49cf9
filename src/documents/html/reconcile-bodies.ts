import type { HtmlBlock } from "./html-blocks.ts";

/** So much of the running text that was found must stand in a body for the two to be of the same article. */
const AGREEMENT = 0.9;
/** A body with so many times the running text shows that most of the article was not found. */
const MUCH_MORE = 1.5;
const MIN_TEXT_LENGTH = 40;
const MIN_LEAD_LENGTH = 80;
/** Blocks that are searched for within others, in one body: each costs a pass over its text. */
const MAX_SEARCHES = 50;

/**
 * Settles what was found by how the page looks (`found`) with what it names as the body of an article. Where both agree,
 * what is found outside of the smallest such body is left out, except paragraphs that lead up to it; where a body holds
 * what was found and much more, it is the article.
 */
export function reconcileBodies(found: readonly HtmlBlock[], bodies: readonly (readonly HtmlBlock[])[]): readonly HtmlBlock[] {
  const prose = proseOf(found);
  let best = found;
  let body: readonly HtmlBlock[] | null = null;
  for (const candidate of bodies) {
    const shared = sharedWith(candidate, found);
    if (proseOf(shared) < prose * AGREEMENT) continue;
    const kept = [...leadOf(found, shared), ...shared];
    if (kept.length < best.length) best = kept;
    if (!body || proseOf(candidate) < proseOf(body)) body = candidate;
  }
  return body && proseOf(body) > prose * MUCH_MORE ? body : best;
}

function sharedWith(body: readonly HtmlBlock[], found: readonly HtmlBlock[]): HtmlBlock[] {
  const keys = new Set(body.map(keyOf));
  const whole = [...keys].join("");
  let searches = 0;
  return found.filter((block) => {
    const key = keyOf(block);
    if (keys.has(key)) return true;
    // Paragraphs may have been cut or joined differently.
    return block.text.length >= MIN_TEXT_LENGTH && searches++ < MAX_SEARCHES && whole.includes(key);
  });
}

/** Paragraphs before the first that is shared. */
function leadOf(found: readonly HtmlBlock[], shared: readonly HtmlBlock[]): HtmlBlock[] {
  const first = shared.find(isText);
  const before = first ? found.slice(0, found.indexOf(first)) : [];
  return before.filter((block) => isText(block) && block.text.length >= MIN_LEAD_LENGTH && !shared.includes(block));
}

function proseOf(blocks: readonly HtmlBlock[]): number {
  return blocks.reduce((sum, block) => sum + (isText(block) ? block.text.length : 0), 0);
}

function isText({ kind, text, linked }: HtmlBlock): boolean {
  return kind !== "heading" && text.length >= MIN_TEXT_LENGTH && linked < 0.5;
}

/** The letters and digits of a block: marks and spaces around links and images are set differently each time. */
function keyOf({ text }: HtmlBlock): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}
