import { LINKING_WORDS, UNSPACED_STOP_WORDS } from "./stop-words.ts";

/** Family names of one character; those that are stop words themselves stand apart. */
const SURNAMES: ReadonlySet<string> = new Set(
  "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦昌马苗方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐傅卞齐康伍余顾孟平黄穆萧尹姚邵汪祁毛狄米臧戴宋庞熊纪舒屈项祝董梁杜阮蓝季贾路娄江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万柯管卢莫房解丁邓洪包石崔龚程邢裴陆荣翁荀甄曲储靳段焦侯宁仇甘厉祖武符刘景詹龙叶黎薄白蒲邰赖卓乔闻翟谭姬申冉雍桑桂牛燕温庄晏柴瞿阎慕茹习艾鱼容古易廖耿匡文寇欧沃聂冷简饶曾关闫涂佘商牟佟墨哈牧" +
    "趙錢孫吳鄭馮陳衛蔣韓楊許呂張嚴華魏謝鄒竇蘇範魯韋馬費賀湯羅畢鄔樂齊餘顧黃蕭祁龐熊紀項賈婁顏鐘鍾駱盧鄧陸榮儲劉葉賴喬聞譚溫莊閻",
);
const STOP_SURNAMES: ReadonlySet<string> = new Set("于何那应時时從从和都應");
const DOUBLE_SURNAMES: ReadonlySet<string> = new Set(
  "欧阳 歐陽 上官 司马 司馬 诸葛 諸葛 皇甫 尉迟 尉遲 慕容 令狐 夏侯 司徒 端木 独孤".split(" "),
);
/** The family name and half of the given one, as the dictionary has them (何时, 何为). */
const QUESTION_NAME = /^何[时時为為以]$/u;
/** These are as often the last character of another word, or a thing of which something is asked. */
const NOUNS: ReadonlySet<string> = new Set(
  "江金马馬钱錢金石林雷白黄黃高牛鱼魚田安常平项項柏柳桂桑龙叶葉焦温溫方康燕解易文古房包景童宋唐秦齐齊鲁魯商曲简管荣榮祝万米毕畢余餘顾顧华華路梅盛蓝夏容祖武冷乐樂关季周施许許时",
);
/** What no given name is written with. */
const NEVER_GIVEN = /[的地了著着過过吗嗎呢吧啊呀嘛么麼麽是谁誰哪几幾啥把被没沒不在什甚我你您他她它多个個些]/u;
/** Between two things as between two names. */
const PAIRING = /[和与與跟及]/u;
/** What leads from a name to what is said of it. */
const PREPOSITION = /[以从從向于於对對为為等由所因同自让讓给給到往去用也就又再还還都跟与與和及或但]/u;
/** What follows a name of two rather than ends it. */
const PREDICATE = /[有要会會能可将將应應该該后後中前里裡上下]/u;
/** The verb before these is of one character, and no piece of the name. */
const AFTER_VERBS = /^[了过過着著于於在自到给給]$/u;
/** Behind these a name follows. */
const PERSON = /[人家军軍师師员員手者帝授士官臣匠侠星演父母妻兄弟妹]$/u;
const MAX_GIVEN = 2;

/**
 * Segments of a run of ideographs, with each Chinese name joined in one that is written with stop words and would otherwise fall apart
 * into single characters, which nothing finds: 马应龙, 那英, 何时希. `names` tells which of the segments these are.
 */
export function joinNames(segments: readonly string[]): { readonly words: readonly string[]; readonly names: ReadonlySet<number> } {
  const words: string[] = [];
  const names = new Set<number>();
  for (let at = 0; at < segments.length; ) {
    const length = nameAt(segments, at);
    if (length > 1) names.add(words.length);
    words.push(segments.slice(at, at + Math.max(length, 1)).join(""));
    at += Math.max(length, 1);
  }
  return { words, names };
}

/** How many segments the name has that begins here; 0 where none does. */
function nameAt(segments: readonly string[], at: number): number {
  for (let length = 1 + MAX_GIVEN; length > 1; length--) {
    const name = segments.slice(at, at + length);
    if (name.length === length && isName(name) && beginsAt(segments, at, name) && endsAt(segments, at + length)) return length;
  }
  return 0;
}

/** Two characters that stand side by side are found as they are; so the stop word has to stand between or beside single ones. */
function isName([first = "", ...given]: readonly string[]): boolean {
  const [inner = "", last = inner] = given;
  if (given.some((part) => !/^\p{sc=Han}$/u.test(part) || NEVER_GIVEN.test(part))) return false;
  if (STOP_SURNAMES.has(first) || QUESTION_NAME.test(first)) return given.length === 1 && !isStop(inner);
  if (!SURNAMES.has(first) && !DOUBLE_SURNAMES.has(first)) return false;
  if (!isStop(inner) || PREPOSITION.test(last) || (NOUNS.has(first) && PAIRING.test(inner))) return false;
  return given.length === 1 ? !NOUNS.has(first) : !PREDICATE.test(last);
}

/** Behind a word that means no person only what cannot be its last character begins a name, and what ends in no stop word. */
function beginsAt(segments: readonly string[], at: number, name: readonly string[]): boolean {
  const before = segments[at - 1];
  if (before === undefined || UNSPACED_STOP_WORDS.has(before)) return true;
  const [first = ""] = name;
  if (isStop(first) || before.length === 1) return false;
  return PERSON.test(before) || (name.length > MAX_GIVEN && !NOUNS.has(first) && !isStop(name.at(-1) ?? ""));
}

/** A single character behind it would be a piece of it, or make a word with its last one. */
function endsAt(segments: readonly string[], at: number): boolean {
  const next = segments[at];
  if (next === undefined || next.length > 1 || isStop(next)) return true;
  return AFTER_VERBS.test(segments[at + 1] ?? "");
}

function isStop(segment: string): boolean {
  return UNSPACED_STOP_WORDS.has(segment) || LINKING_WORDS.has(segment);
}
