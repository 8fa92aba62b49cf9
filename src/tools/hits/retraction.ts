/** A title that publishers mark: `RETRACTED: …`, `[Retracted] …`, `Retraction Note to: …`, `… (Retracted article)`, `撤稿：…`. */
const RETRACTED_TITLE =
  /^\W*(?:(?:retracted|withdrawn)(?: (?:article|paper|chapter))?\s*[:：\])】—–]|(?:notice of )?retraction(?: (?:note|notice|statement))?(?: (?:to|for|of))?\s*[:：]|retraction not(?:e|ice)\b|notice of retraction\b)|^\W*(?:撤稿|撤回|已撤稿)(?:声明|公告)?\s*[:：\])】]|[([](?:this article was |has been )?retracted\b[^()[\]]*[)\]]\W*$/i;

/** What the indexes of the life sciences call it, as a type of publication or of a remark. */
const RETRACTED_TYPE = /^(?:retracted[ -](?:publication|article)|retraction(?: of publication| notice| in)?|withdrawn publication)$/i;

/**
 * Whether a title says that the work is retracted or withdrawn. The notice of a retraction counts as well: a search finds
 * it in place of the work, under the same title.
 */
export function isRetractedTitle(title: string): boolean {
  return RETRACTED_TITLE.test(title);
}

/** The same of a type of publication, such as `Retracted Publication`. */
export function isRetractedType(type: string): boolean {
  return RETRACTED_TYPE.test(type.trim());
}
