/** The language of a tag without script and region: `zh` of `zh-Hant-TW`. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? "";
}

/** Whether a Chinese tag asks for traditional characters. */
export function isTraditionalChinese(tag: string): boolean {
  return /^zh\b.*-(?:hant|tw|hk|mo)\b/i.test(tag);
}
