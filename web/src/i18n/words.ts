// One Chinese word for one idea, in all files of words:
//
// | English      | 中文       | not                       |
// | ------------ | ---------- | ------------------------- |
// | run          | 研究       | 运行, except as a verb    |
// | run again    | 重新研究   | 再次运行                  |
// | method       | 工作方式   | 流程; 流程图 is its drawing |
// | Direct, Planned, Agent, Team | 直接回答, 先定计划, 智能体, 团队 | names of the code |
// | todo         | 任务       | 待办                      |
// | thread       | 对话       | 会话                      |
// | follow-up    | 追问       | 继续问                    |
// | answer (of the user) | 答复 | 回答, which is the report's |
// | done, failed, working, not started | 已完成, 失败, 进行中, 未开始 | 完成 |
// | search       | 检索       | 搜索, 查找; 搜索 in fields that filter what is shown |
// | search log, its rows | 查找记录, 查找 | as in the files of a report |
// | receipt      | 运行记录   | as in the files of a report |
// | note         | 注释       | 引用, which is the verb   |
// | quote        | 引文       |                           |
// | support      | 核对       | 验证                      |
// | recording    | 录制文件   | 运行录制                  |
// | token        | 词元       |                           |

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text with `{name}` places, or its forms by CLDR plural category, chosen by the value `count`. */
type Word = string | { readonly one: string; readonly other: string };

export type Words<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, Word>>>>;

/** Both languages must have the same keys. Each view has its own words, so a view that is loaded lazily brings them with it. */
export function defineWords<const English extends Readonly<Record<string, Word>>>(
  en: English,
  zh: Readonly<Record<keyof English & string, Word>>,
): Words<keyof English & string> {
  return { en, zh };
}

export type Values = Readonly<Record<string, string | number>>;

export function fill<Key extends string>(words: Words<Key>, language: Language, key: Key, values: Values = {}): string {
  const word = words[language][key];
  const text = typeof word === "string" ? word : formOf(word, language, Number(values["count"] ?? 0));
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

function formOf(word: Exclude<Word, string>, language: Language, count: number): string {
  return new Intl.PluralRules(language).select(count) === "one" ? word.one : word.other;
}

/** Chinese if the browser prefers it, otherwise English. */
export function preferredLanguage(preferences: readonly string[]): Language {
  const known = preferences.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh" : "en";
}
