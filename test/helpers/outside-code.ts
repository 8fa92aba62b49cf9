/** Removes code spans of Markdown and of HTML: no renderer links or loads an address that stands in one. */
export const outsideCode = (text: string): string => text.replace(/`[^`]*`/g, "").replace(/<code\b[^>]*>.*?<\/code>/gs, "");
