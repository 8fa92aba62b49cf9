import type { AnswerKind } from "./answer-kind.ts";

const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");

const FIGURE = any(
  String.raw`\p{N}|\b(?:zero|none|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|hundred|thousand|million|billion)\b`,
  String.raw`\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|half|twice|single|both|unlimited)\b`,
  String.raw`\b(?:aucune?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|trente|quarante|cinquante|cent|mille)\b`,
  "[二两兩三四五六七八九十百千万萬亿億半]|一(?![些般样樣直定起旦切致系])|ひと[つり]|ふた[つり]",
);
const CURRENCY = any(
  String.raw`\p{Sc}|\b(?:dollars?|euros?|cents?|pounds?|yen|yuan|rupees?|francs?|USD|EUR|GBP|CNY|RMB|JPY|centimes?)\b`,
  "[元块塊円]|人民[币幣]|港[币幣]|美金|英[镑鎊]|ドル|ユーロ",
);
const FREE = any(
  String.raw`\b(?:free|gratis|gratuite?s?|no (?:charge|fee|cost)s?|without (?:a )?(?:charge|fee))\b`,
  "免[费費]|[无無]料|タダ",
);
/** No "one" and no "no", which are seldom an age. */
const YEARS =
  /\p{N}|\b(?:ten|eleven|twelve|two|three|four|five|six|seven|eight|nine|\w{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b|[二三四五六七八九十百]/iu;
const AGE = any(
  String.raw`\b(?:ages?|aged|years?[- ]old|born|ans)\b|(?<!\p{L})(?:âgée?|née?)(?!\p{L})`,
  "[岁歲歳]|出生|生[于於]|生まれ|[诞誕]生",
);
/** What was built in 1902 is as old as that. */
const BEGINNING = any(
  String.raw`\b(?:built|rebuilt|completed|constructed|erected|finished|founded|established|opened|launched|inaugurated|planted|dat(?:es?|ing) (?:back )?(?:from|to))\b[^.;]*?(?<!\p{N})(?:1\d{3}|20\d{2}|\d{1,2}th century)(?![\p{N}%])`,
  String.raw`(?<!\p{N})(?:1\d{3}|20\d{2})(?![\p{N}%])[^。；]*?(?:[兴興始修]?建|落成|成立|[创創][立办辦建]|竣工|通[车車]|[开開][通业業放]|完工)`,
  String.raw`(?:[兴興始修]?建|落成|成立|[创創][立办辦建]|竣工|通[车車]|[开開][通业業放]|完工)[于於在][^。；]*?(?:1\d{3}|20\d{2}|世[纪紀]|[唐宋元明清隋汉漢]|[〇零一二三四五六七八九]{4})`,
);
const SPAN = any(
  String.raw`\b(?:m?s|milliseconds?|sec(?:onde?)?s?|min(?:ute)?s?|h(?:ours?)?|heures?|days?|jours?|nights?|weeks?|semaines?|months?|mois)\b`,
  String.raw`\b(?:years?|ann?[ée]es?|ans?|decades?|centur(?:y|ies)|seasons?|[ckm]?m|met(?:er|re)s?|m[èe]tres?|kilom[eèé]t(?:er|re)s?)\b`,
  String.raw`\b(?:miles?|feet|foot|ft|inch(?:es)?|yards?|pages?|words?|lines?|characters?|letters?|digits?|bytes?)\b|\p{N}(?:m?s|min|h|[ckm]?m)\b`,
  "[秒分时時天日周週月年夜米]|公里",
);
const WITHOUT_END = any(
  String.raw`\b(?:as long as|until|forever|always|never|permanently|indefinitely|since|jusqu|toujours)`,
  "永[远遠久]|一直|直到|まで|ずっと",
);
const DATE = any(
  String.raw`(?<!\p{N})(?:1\d{3}|20\d{2})(?![\p{N}%])|\bcentury\b|\bsiècle\b|\bB\.?C\b|\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b`,
  String.raw`\b(?:jan(?:uary)?|feb(?:ruary)?|march|apr(?:il)?|may \d|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`,
  String.raw`\b(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b`,
  String.raw`\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b`,
  String.raw`\b(?:yesterday|today|tomorrow|ago|hier|aujourd'hui|demain)\b`,
  String.raw`[\p{N}一二三四五六七八九十元〇零]\s?[年月日号號时時点點]|世[纪紀]|年代|[星期周週][一二三四五六日天]|[月火水木金土日]曜`,
  "昨[天日]|今[天日年]|明[天日]|去年|(?:[唐宋元明清隋汉漢晋秦周]|[战戰]国|春秋|民[国國]|江戸|明治|大正|昭和|平成)(?:朝|代|初|末|[时時]|年)|[时時][期代]",
);
/** A year is a date, and no quantity. */
const YEAR_ALONE =
  /(?<=\b(?:in|since|from|until|till|by|of|year|and|to|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|\d{1,2},)\s)(?:1\d{3}|20\d{2})(?![\p{N}%])(?!\s+\p{Ll}+s\b)(?![.,]\p{N})|(?<!\p{N})\p{N}{4}\s?年(?![间間])|(?<!\p{N})\p{N}{1,2}\s?[月日](?!\p{L}*[间間])/giu;
const WITHOUT_CAPITALS = /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u;
/** Names in a sentence: words with capitals, of which the first may owe its capital to the sentence; no abbreviations. */
const NAMES = /(?<![\p{L}-])\p{Lu}[\p{Ll}'’.-]+(?:\s+\p{Lu}[\p{L}'’.-]+)*/gu;

/**
 * Whether `text` holds something of the kind: a figure with a currency, a year, a name. `asked` is the question, whose own
 * names are no answer.
 */
export function holdsKind(kind: AnswerKind, text: string, asked: string): boolean {
  switch (kind) {
    case "money":
      return FREE.test(text) || (CURRENCY.test(text) && FIGURE.test(text));
    case "age":
      return (AGE.test(text) && YEARS.test(text)) || BEGINNING.test(text);
    case "duration":
      return WITHOUT_END.test(text) || (SPAN.test(text) && FIGURE.test(text));
    case "date":
      return DATE.test(text);
    case "quantity":
      return FIGURE.test(text.replaceAll(YEAR_ALONE, ""));
    case "person":
      return holdsAnotherName(text, asked);
  }
}

/** One capital at the beginning of a sentence is no sign of a name, and other scripts have no capitals to tell one by. */
function holdsAnotherName(text: string, asked: string): boolean {
  if (WITHOUT_CAPITALS.test(text)) return true;
  return Array.from(text.matchAll(NAMES)).some(({ 0: name, index }) => {
    const words = name.split(/\s+/).filter((word) => !asked.includes(word));
    return words.length >= (/^$|[.!?]["”']?\s+$/.test(text.slice(0, index)) ? 2 : 1);
  });
}
