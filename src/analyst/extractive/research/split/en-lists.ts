import { isAttribute, isPlural, singularOf } from "./attributes.ts";
import { isName, readList, readNames } from "./en-names.ts";

/** What two things have in common or with each other is asked of both together. */
const TOGETHER =
  /(?<!\p{L})(?:between|relations?|relationships?|together|each other|both|common|joint|jointly|merge[dr]?|border|war|treaty|trade|distance|connect(?:s|ed|ion)?|correlation|link(?:s|ed)?|friends?|allies|enemies|partners|rivals|agreed?|meet|met|sign(?:ed)?|fight|fought|share[ds]?|separate|unite[ds]?|cooperate|marry|married|interact)(?!\p{L})/iu;
const ASKED_OF =
  /^((?:what|which)(?:\s+(?:is|are|was|were)|'s)|list|name|give(?: me)?|find|tell me(?: about)?|show(?: me)?|state)\s+(?:the\s+)?(.+)$/iu;
const POSSESSIVE = /^((?:what|which)\s+(?:is|are|was|were))\s+(.+?(?:'s|s'))\s+(.+)$/iu;
/** A time at the end holds for all of it. */
const TAIL =
  /\s+(?:in|during|for|as of|at the end of|since|before|after)\s+(?:the\s+)?(?:(?:fiscal\s+)?year\s+)?(?:\p{N}|(?:January|February|March|April|May|June|July|August|September|October|November|December) ).*$/u;
const AUXILIARY = /^((?:when|where|how|why|what|in which \p{L}+|how many)(?:\s.*?)?)\s+(were|are|did|do|have)\s+(?=\S)(.+)$/iu;
const ALLOWS =
  /^((?:does|do|did|can|may|will) .+? (?:allow|permit|admit|accept|support|offer|sell|serve|stock|provide|ban|forbid|cover|include|contain|carry|produce))\s+(\S.*?)(\s+(?:on|in|at|for|with|during|from|to|aboard|after|before)\s.*)?$/iu;
const SINGULAR: Readonly<Record<string, string>> = { were: "was", are: "is", do: "does", have: "has", did: "did" };
const WHO_DID = /^(who|which \p{Ll}+)\s+(\p{Ll}+ed|built|made|led|won|runs?|owns?|wrote|sang|drew|began|bought|sold)\s+(.+)$/iu;
/** Their objects may be one title of two names. */
const OF_WORKS = /^(?:wrote|directed|painted|composed|sang|recorded|published|produced|illustrated|translated|edited)$/i;

/** A question about several things at once as one question about each; null where it is about one, or where that is not certain. */
export function splitEnglishList(sentence: string): string[] | null {
  if (TOGETHER.test(sentence)) return null;
  const plain = sentence.replace(/[?.\s]+$/, "");
  const end = /^(?:who|what|which|when|where|how|why|in|do|can|may|will)/i.test(plain) ? "?" : ".";
  const questions = attributesOf(plain) ?? ownersOf(plain) ?? subjectsOf(plain) ?? objectsOf(plain) ?? placesOf(plain) ?? allowedOf(plain);
  return questions?.map((question) => `${question}${end}`) ?? null;
}

/** "the capital and population of France and Chad": each of each. */
function attributesOf(plain: string): string[] | null {
  const asked = ASKED_OF.exec(plain);
  if (!asked) return null;
  const [, frame = "", rest = ""] = asked;
  for (const at of rest.matchAll(/\s+of\s+/gu)) {
    const found = eachOfEach(frame, rest.slice(0, at.index), rest.slice(at.index + at[0].length));
    if (found) return found;
  }
  return null;
}

function eachOfEach(frame: string, attributeText: string, ofWhat: string): string[] | null {
  const tail = TAIL.exec(ofWhat)?.[0] ?? "";
  const owners = ofWhat.slice(0, ofWhat.length - tail.length);
  const list = readList(attributeText)?.map(withoutArticle);
  const attributes = list?.every(isAttribute) ? list : list || / and |,/.test(attributeText) ? null : [attributeText];
  const names = readList(owners);
  const subjects = names?.every(isName) ? names : names && owners.includes(",") ? null : [owners];
  if (attributes === null || subjects === null || attributes.length * subjects.length < 2) return null;
  return subjects.flatMap((subject) =>
    attributes.map((attribute) => {
      const one = subjects.length > 1 ? (singularOf(attribute) ?? attribute) : attribute;
      return `${agreeing(frame, one)} the ${one} of ${subject}${tail}`;
    }),
  );
}

function withoutArticle(item: string): string {
  return item.replace(/^the\s+/i, "");
}

function agreeing(frame: string, attribute: string): string {
  if (isPlural(attribute)) return frame.replace(/is$/, "are").replace(/was$/, "were");
  return frame.replace(/are$/, "is").replace(/were$/, "was");
}

/** "Chad's capital and population". */
function ownersOf(plain: string): string[] | null {
  const [, frame, owner, attributeText = ""] = POSSESSIVE.exec(plain) ?? [];
  const attributes = readList(attributeText);
  if (frame === undefined || owner === undefined || !attributes?.every(isAttribute)) return null;
  return attributes.map((attribute) => `${agreeing(frame, attribute)} ${owner} ${attribute}`);
}

/** "When were A, B and C founded?": the plural of the verb says that they are several. */
function subjectsOf(plain: string): string[] | null {
  const [, asked, auxiliary = "", rest = ""] = AUXILIARY.exec(plain) ?? [];
  const list = readNames(rest);
  if (asked === undefined || !list || list.names.length < 2) return null;
  const several = auxiliary.toLowerCase() !== "did" || list.names.length > 2 || !/ of | the /i.test(rest);
  return several ? list.names.map((name) => `${asked} ${SINGULAR[auxiliary.toLowerCase()] ?? auxiliary} ${name}${list.rest}`) : null;
}

/** "Who founded A and B?" */
function objectsOf(plain: string): string[] | null {
  const [, who, verb = "", rest = ""] = WHO_DID.exec(plain) ?? [];
  const list = readNames(rest);
  if (who === undefined || !list || list.rest.trim() !== "" || (OF_WORKS.test(verb) && list.names.length < 3)) return null;
  return list.names.map((name) => `${who} ${verb} ${name}`);
}

/** "Does A allow dogs, cats and bicycles on board?": of each it may be another answer. */
function allowedOf(plain: string): string[] | null {
  const [, asked, listed = "", tail = ""] = ALLOWS.exec(plain) ?? [];
  const items = asked === undefined ? null : readList(listed);
  // "food and drink costs" share their last word.
  if (items?.length === 2 && items[0]?.split(" ").length !== items[1]?.split(" ").length) return null;
  return items?.every((item) => /^\p{L}[\p{L}\p{N}-]*(?: \p{L}[\p{L}\p{N}-]*){0,2}$/u.test(item))
    ? items.map((item) => `${asked} ${item}${tail}`)
    : null;
}

/** "How many people live in A and B?" */
function placesOf(plain: string): string[] | null {
  const [, asked, rest = ""] =
    /^(how many \p{Ll}[\p{Ll}\s]*? (?:live|lived|work|worked|are|were|there are) in)\s+(.+)$/iu.exec(plain) ?? [];
  const list = readNames(rest);
  return asked === undefined || !list || /^\s*,/.test(list.rest) ? null : list.names.map((name) => `${asked} ${name}${list.rest}`);
}
