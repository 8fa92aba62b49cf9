import type { CompanyMention } from "../../domain/companies/known-companies.ts";
import { chineseCompanies } from "./chinese-names.ts";
import { companiesIn } from "./company-names.ts";

/** What companies do and have, behind a name that is an ordinary word as well: Apple lost, 苹果亏损. */
const BUSINESS =
  /^(?:'s)?,?(?: \p{Ll}+ly| has| had)?(?: (?:lost|loses|earns|earned|reports|reported|posts|posted|made|announced|hired|employs|acquired|net|revenue|profits?|sales|shares|stock|CEO)\b)|^(?:公司|集团)?(?:的|在)?[^，。；,]{0,8}(?:亏损|净利|营收|收入|利润|盈利|宣布|股价|市值|裁员|收购)|^\s?(?:Inc|Corp|公司|集团)/u;
const ENGLISH =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}&-]+(?: \p{Lu}[\p{L}&-]+){0,3}),? (?:Inc|Corp|Corporation|Ltd|LLC|plc|GmbH|AG|Holdings|Company)\b/gu;
/** A subject stands near the beginning. */
const SUBJECT_WITHIN = 24;

/**
 * Companies, in any language, that the quotes do not name although they name another one, whatever the question names; or that are
 * named nowhere at all. Those whose names are ordinary words count as named only where they do what companies do, or where quotes
 * speak of companies. Quotes may also name a company that no list has: then none of the list is the subject.
 */
export function missingCompanies(claim: string, quoted: string, besides: string): string[] {
  const there = new Set(companiesIn(quoted).map(({ ticker }) => ticker));
  const known = new Set(companiesIn(besides).map(({ ticker }) => ticker));
  const others = companiesByForm(quoted).filter((name) => !claim.includes(name));
  const isMissing = ({ ticker, ordinary, surface, index }: CompanyMention): boolean => {
    if (there.has(ticker)) return false;
    if (there.size > 0 || (others.length > 0 && index < SUBJECT_WITHIN)) return true;
    if (known.has(ticker)) return false;
    return !ordinary || (BUSINESS.test(claim.slice(index + surface.length)) && !quoted.toLowerCase().includes(surface.toLowerCase()));
  };
  return companiesIn(claim)
    .filter(isMissing)
    .map(({ surface }) => surface);
}

/** Names with the form of a company behind them: Zorbium Inc, 佐比公司. */
function companiesByForm(text: string): string[] {
  return [
    ...Array.from(text.matchAll(ENGLISH), ({ 1: name = "" }) => name.replace(/^The /, "")).filter((name) => name !== "The"),
    ...chineseCompanies(text),
  ];
}
