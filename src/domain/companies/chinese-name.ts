const INITIAL = "(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])";
const FINAL = "(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|ui|uo|ue|a|e|i|o|u)";
/** Words of two and more syllables in Pinyin; all but the first begin with a consonant, or are `er`. */
const PINYIN = new RegExp(`^${INITIAL}?${FINAL}(?:${INITIAL}${FINAL}|er)+$`);
/** What hardly any other language writes so; Humana and Canada could be syllables, too. */
const TELLING = /zh|^[xq]|iao|uan|(?:ang|eng|ong)(?!e)|ou(?!s)|[b-df-hj-np-tv-z]ai|ei/;
const SHORTEST = 5;

/** Whether a name in Latin letters holds a word that is Chinese by its syllables: Moutai, Huawei, Meituan. */
export function soundsChinese(name: string): boolean {
  const words = name.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some((word) => word.length >= SHORTEST && TELLING.test(word) && PINYIN.test(word));
}
