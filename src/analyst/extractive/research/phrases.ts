import type { AnswerKind } from "../answer-kind.ts";

/** What the rules say of a plan and its todos, in the user's language. */
export interface ResearchPhrases {
  readonly planned: (todos: number) => string;
  readonly asWhole: string;
  readonly reworded: (todos: number) => string;
  readonly nothingToPlan: string;
  /** How it is told that a todo is done. */
  readonly speaksOf: (names: string) => string;
  readonly speaksOfAndNames: (names: string, kind: string) => string;
  readonly found: (passages: number) => string;
  readonly nothingFound: string;
  /** Of what the passages leave open. */
  readonly notNamed: (names: string) => string;
  readonly withoutKind: (kind: string) => string;
  readonly holds: (passages: number) => string;
  readonly allHold: string;
  readonly someFail: (failed: number, all: number) => string;
  readonly notAnswered: (question: string) => string;
  readonly kinds: Readonly<Record<AnswerKind, string>>;
  readonly list: (items: readonly string[]) => string;
}

const quoted = (items: readonly string[], separator: string): string => items.map((item) => `“${item}”`).join(separator);

const en: ResearchPhrases = {
  planned: (todos) => `The question falls into ${todos} questions.`,
  asWhole: "The question is looked into as it was asked.",
  reworded: (todos) => `${todos === 1 ? "One question is" : `${todos} questions are`} asked once more in fewer words.`,
  nothingToPlan: "Nothing is left to be asked in other words.",
  speaksOf: (names) => `A passage tells what is asked of ${names}.`,
  speaksOfAndNames: (names, kind) => `A passage speaks of ${names} and names a ${kind}.`,
  found: (passages) => `${passages} ${passages === 1 ? "passage bears" : "passages bear"} on it.`,
  nothingFound: "No passage answers it.",
  notNamed: (names) => `No quoted passage names ${names}.`,
  withoutKind: (kind) => `The quoted passages name no ${kind}.`,
  holds: (passages) => `Borne out by ${passages} ${passages === 1 ? "passage" : "passages"}.`,
  allHold: "Every question is answered by passages that name what it asks for.",
  someFail: (failed, all) => `${failed} of ${all} questions ${failed === 1 ? "is" : "are"} not answered.`,
  notAnswered: (question) => `Not answered: ${question}`,
  kinds: { money: "price", age: "age", duration: "duration", date: "date", quantity: "figure", person: "person" },
  list: (items) => quoted(items, ", "),
};

const zh: ResearchPhrases = {
  planned: (todos) => `这个问题分为${todos}个小问题。`,
  asWhole: "按原样研究这个问题。",
  reworded: (todos) => `有${todos}个问题改用更少的词再问一次。`,
  nothingToPlan: "没有可以换个说法再问的内容。",
  speaksOf: (names) => `有段落说明了所问的${names}。`,
  speaksOfAndNames: (names, kind) => `有段落谈到${names}并给出${kind}。`,
  found: (passages) => `有${passages}个段落与此有关。`,
  nothingFound: "没有段落回答这个问题。",
  notNamed: (names) => `引用的段落没有提到${names}。`,
  withoutKind: (kind) => `引用的段落没有给出${kind}。`,
  holds: (passages) => `有${passages}个段落可以证明。`,
  allHold: "每个问题都有段落回答。",
  someFail: (failed, all) => `${all}个问题中有${failed}个没有得到回答。`,
  notAnswered: (question) => `未能回答：${question}`,
  kinds: { money: "价格", age: "年龄", duration: "时长", date: "日期", quantity: "数字", person: "人名" },
  list: (items) => quoted(items, "、"),
};

/** @param language a BCP 47 tag; English where it is not spoken here */
export function researchPhrases(language: string): ResearchPhrases {
  return language.toLowerCase().split("-")[0] === "zh" ? zh : en;
}
