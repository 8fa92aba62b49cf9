import type { AnswerKind } from "./answer-kind.ts";

interface Phrases {
  readonly nothingRead: string;
  readonly nothingQuotable: string;
  readonly noTerms: string;
  readonly missing: (terms: string) => string;
  readonly scattered: (terms: string) => string;
  /** Of a single thing, which cannot be scattered. */
  readonly untold: (term: string) => string;
  readonly without: (terms: string, kind: string) => string;
  /** The name of a property as the object of `without`. */
  readonly property: (name: string) => string;
  readonly kinds: Readonly<Record<AnswerKind, string>>;
  readonly separator: string;
}

const en: Phrases = {
  nothingRead: "Nothing was found that could be read, so there is nothing to answer from.",
  nothingQuotable: "The sources that were read hold no sentence that could be quoted.",
  noTerms: "The question names nothing that could be looked for.",
  missing: (terms) => `The sources do not answer the question: they never mention ${terms}.`,
  scattered: (terms) => `The sources do not answer the question: no passage speaks of ${terms} together.`,
  untold: (term) => `The sources do not answer the question: they mention ${term}, but no passage tells what is asked of it.`,
  without: (terms, kind) => `The sources speak of ${terms}, but name no ${kind}.`,
  property: (name) => name,
  kinds: { money: "price", age: "age", duration: "duration", date: "date", quantity: "figure", person: "person" },
  separator: ", ",
};

const BY_LANGUAGE: Readonly<Record<string, Phrases>> = {
  en,
  zh: {
    nothingRead: "没有找到可以读取的资料，因此无从回答。",
    nothingQuotable: "已读取的来源中没有可以引用的句子。",
    noTerms: "问题中没有可供查找的内容。",
    missing: (terms) => `来源没有回答这个问题：其中找不到${terms}。`,
    scattered: (terms) => `来源没有回答这个问题：没有一个段落同时谈到${terms}。`,
    untold: (term) => `来源没有回答这个问题：提到了${term}，但没有一个段落说明所问的内容。`,
    without: (terms, kind) => `来源谈到了${terms}，但没有给出${kind}。`,
    property: (name) => name,
    kinds: { money: "价格", age: "年龄", duration: "时长", date: "日期", quantity: "数字", person: "人名" },
    separator: "、",
  },
  ja: {
    nothingRead: "読み取れる資料が見つからなかったため、回答できません。",
    nothingQuotable: "読み取った情報源に引用できる文がありません。",
    noTerms: "質問に検索できる語がありません。",
    missing: (terms) => `情報源はこの質問に答えていません。${terms}はどこにも現れません。`,
    scattered: (terms) => `情報源はこの質問に答えていません。${terms}を一緒に扱う箇所がありません。`,
    untold: (term) => `情報源はこの質問に答えていません。${term}には触れていますが、問われたことを述べる箇所がありません。`,
    without: (terms, kind) => `情報源は${terms}に触れていますが、${kind}は示していません。`,
    property: (name) => name,
    kinds: { money: "金額", age: "年齢", duration: "期間", date: "日付", quantity: "数値", person: "人名" },
    separator: "、",
  },
  fr: {
    nothingRead: "Rien de lisible n'a été trouvé ; il n'y a donc rien à répondre.",
    nothingQuotable: "Les sources lues ne contiennent aucune phrase que l'on puisse citer.",
    noTerms: "La question ne nomme rien que l'on puisse chercher.",
    missing: (terms) => `Les sources ne répondent pas à la question : on n'y trouve nulle part ${terms}.`,
    scattered: (terms) => `Les sources ne répondent pas à la question : aucun passage ne traite à la fois de ${terms}.`,
    untold: (term) =>
      `Les sources ne répondent pas à la question : elles mentionnent ${term}, mais aucun passage n'en dit ce qui est demandé.`,
    without: (terms, kind) => `Les sources parlent de ${terms}, mais n'indiquent ${kind}.`,
    property: (name) => `pas ${name}`,
    kinds: {
      money: "aucun prix",
      age: "aucun âge",
      duration: "aucune durée",
      date: "aucune date",
      quantity: "aucun chiffre",
      person: "aucun nom",
    },
    separator: ", ",
  },
  ar: {
    nothingRead: "لم يُعثر على ما يمكن قراءته، فلا يوجد ما يُجاب منه.",
    nothingQuotable: "لا تحتوي المصادر المقروءة على جملة يمكن الاستشهاد بها.",
    noTerms: "لا يذكر السؤال شيئًا يمكن البحث عنه.",
    missing: (terms) => `المصادر لا تجيب عن السؤال: لا يرد فيها ${terms}.`,
    scattered: (terms) => `المصادر لا تجيب عن السؤال: لا توجد فقرة تتناول ${terms} معًا.`,
    untold: (term) => `المصادر لا تجيب عن السؤال: يرد فيها ${term}، لكن لا توجد فقرة تذكر ما سُئل عنه.`,
    without: (terms, kind) => `تتحدث المصادر عن ${terms}، لكنها لا تذكر ${kind}.`,
    property: (name) => name,
    kinds: { money: "سعرًا", age: "عمرًا", duration: "مدة", date: "تاريخًا", quantity: "رقمًا", person: "اسمًا" },
    separator: "، ",
  },
};

const MAX_TERMS = 5;
/** Stands for the terms where only what is before them counts. */
const SPLIT = "\u0000";
const MIN_OPENING = 4;

/**
 * Why a draft is empty. `missing` occur nowhere; `asked` are all concepts of the question; `spokenOf` those of passages that
 * lack nothing but something of the `answerKind` or a value of the `property`; all as the question spells them.
 */
export interface Shortcoming {
  readonly readings: number;
  readonly sentences: number;
  readonly asked: readonly string[];
  readonly missing: readonly string[];
  readonly spokenOf: readonly string[];
  readonly answerKind: AnswerKind | null;
  readonly property: string | null;
}

/** One sentence in the language (a BCP 47 tag; English where it is not spoken here) that says what was missing. */
export function explainNoAnswer(language: string, shortcoming: Shortcoming): string {
  const phrases = BY_LANGUAGE[language.toLowerCase().split("-")[0] ?? ""] ?? en;
  const { readings, sentences, asked, missing, spokenOf, answerKind, property } = shortcoming;
  const list = (terms: readonly string[]): string =>
    terms
      .slice(0, MAX_TERMS)
      .map((term) => `“${term}”`)
      .join(phrases.separator);
  if (readings === 0) return phrases.nothingRead;
  if (sentences === 0) return phrases.nothingQuotable;
  if (asked.length === 0) return phrases.noTerms;
  if (property && spokenOf.length > 0) return phrases.without(list(spokenOf), phrases.property(list([property])));
  if (answerKind && spokenOf.length > 0) return phrases.without(list(spokenOf), phrases.kinds[answerKind]);
  if (missing.length > 0) return phrases.missing(list(missing));
  return asked.length === 1 ? phrases.untold(list(asked)) : phrases.scattered(list(asked));
}

/** Whether a text is one of these sentences, and so no answer. */
export function saysNoAnswer(text: string): boolean {
  return OPENINGS.some((opening) => text.trimStart().startsWith(opening));
}

/** What the sentences begin with before they name anything, in every language. */
const OPENINGS: readonly string[] = Object.values(BY_LANGUAGE).flatMap((phrases) => {
  const upToTerms = [phrases.missing, phrases.scattered, phrases.untold].map((say) => say(SPLIT));
  const sentences = [...upToTerms, phrases.without(SPLIT, SPLIT), phrases.nothingRead, phrases.nothingQuotable, phrases.noTerms];
  return sentences.map((sentence) => sentence.split(SPLIT)[0] ?? sentence).filter((opening) => opening.length >= MIN_OPENING);
});
