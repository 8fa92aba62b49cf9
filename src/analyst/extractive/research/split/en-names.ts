const LINK = "(?:of|the|de|da|du|van|von|for|upon|on)";
const NAME_WORD = String.raw`(?:[\p{Lu}\uE000-\uF8FF][\p{L}\p{N}'’.&-]*|\p{N}[\p{L}\p{N}.-]*\p{Lu}[\p{L}\p{N}-]*)`;
const NAME = String.raw`(?:the\s+)?${NAME_WORD}(?:\s+(?:${LINK}\s+)*(?:${NAME_WORD}|\p{N}+))*`;
const WHOLE_NAME = new RegExp(`^(?:${NAME})$`, "u");
const NAMES = new RegExp(String.raw`(?<![\p{L}\p{N}])${NAME}`, "gu");
const NO_NAMES =
  /^(?:What|When|Where|Who|Whom|Whose|Which|Why|How|Is|Are|Was|Were|Did|Does|Do|Has|Have|Can|Could|Please|Compare|List|Name|Explain|Describe|Tell|Find|Give|Show|And|In|At|By|For|I|If|January|February|March|April|May|June|July|August|September|October|November|December|The)$/u;

/** Where a list of names is divided. */
const SEPARATOR = /\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/u;
/** Words that stand in no item of a list. */
const VERBS = /(?<!\p{L})(?:is|are|was|were|did|does|do|has|have|had|who|what|when|where|which|why|how|that|if|because|not)(?!\p{L})/iu;
const MAX_WORDS = 8;

/** The items of "A, B and C", two or more; null where this is no list. */
export function readList(text: string): string[] | null {
  const items = text.split(SEPARATOR).map((item) => item.trim().replace(/^both\s+/i, ""));
  const plain = items.every((item) => item !== "" && item.split(/\s+/).length <= MAX_WORDS && !VERBS.test(item));
  return items.length > 1 && plain && new Set(items).size === items.length ? items : null;
}

/** Whether all of it is one name: words with capitals, figures, and the small words between them. */
export function isName(text: string): boolean {
  return WHOLE_NAME.test(text) && !NO_NAMES.test(text);
}

/** The list of names at the beginning, and what follows it; null where there are not two names. */
export function readNames(text: string): { readonly names: string[]; readonly rest: string } | null {
  const list = new RegExp(String.raw`^(?:both\s+)?(${NAME}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)${NAME})+)(?=$|[\s?.,])`, "u").exec(text);
  const names = readList(list?.[1] ?? "");
  return list && names?.every(isName) ? { names, rest: text.slice(list[0].length) } : null;
}

/** The names in a sentence, each once, without its first word where that owes its capital to the sentence. */
export function namesIn(sentence: string): string[] {
  const found = Array.from(sentence.matchAll(NAMES), ([name]) => {
    const words = name.split(/\s+/);
    while (words.length > 0 && NO_NAMES.test(words[0] ?? "")) words.shift();
    return words.join(" ").replace(/['’]s$|[.'’&-]+$/u, "");
  });
  return [...new Set(found.filter((name) => name !== "" && !/^the$/i.test(name)))];
}
