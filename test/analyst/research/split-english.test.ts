import { expect, test } from "vitest";
import { splitQuestion } from "../../../src/analyst/extractive/research/split/split-question.ts";

const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  ["How do I set up an IMAP account, and who invented the stapler?", ["How do I set up an IMAP account?", "Who invented the stapler?"]],
  ["Compare the population of Paris and London.", ["What is the population of Paris?", "What is the population of London?"]],
  [
    "Compare the population and area of France and Germany.",
    [
      "What is the population of France?",
      "What is the area of France?",
      "What is the population of Germany?",
      "What is the area of Germany?",
    ],
  ],
  ["What is the difference between Rust and Go?", ["What is Rust?", "What is Go?"]],
  [
    "What is the difference between alligators and crocodiles in size?",
    ["What is the size of alligators?", "What is the size of crocodiles?"],
  ],
  ["Which is larger, Lake Orin or Lake Vess?", ["How large is Lake Orin?", "How large is Lake Vess?"]],
  [
    "Which city has more inhabitants, Tolmere or Aldermoor?",
    ["How many inhabitants does Tolmere have?", "How many inhabitants does Aldermoor have?"],
  ],
  ["Rust vs Go", ["What is Rust?", "What is Go?"]],
  ["Is the Orin Bridge longer than the Vess Bridge?", ["How long is the Orin Bridge?", "How long is the Vess Bridge?"]],
  ["Which of Tolmere and Aldermoor is older?", ["How old is Tolmere?", "How old is Aldermoor?"]],
  ["Who was born first, Ada Penrose or Karl Brandt?", ["When was Ada Penrose born?", "When was Karl Brandt born?"]],
  ["Which railway opened first, the Orin Line or the Vess Line?", ["When did the Orin Line open?", "When did the Vess Line open?"]],
  ["What is the capital and population of France?", ["What is the capital of France?", "What is the population of France?"]],
  ["What are the capitals of France and Germany?", ["What is the capital of France?", "What is the capital of Germany?"]],
  [
    "What are the capital and currency of Chad and Niger?",
    ["What is the capital of Chad?", "What is the currency of Chad?", "What is the capital of Niger?", "What is the currency of Niger?"],
  ],
  ["When was the Orin Bridge built and by whom?", ["When was the Orin Bridge built?", "Who built the Orin Bridge?"]],
  ["Who founded Tolmere Shipyards and when?", ["Who founded Tolmere Shipyards?", "When was Tolmere Shipyards founded?"]],
  [
    "When was Tolmere Shipyards founded? How many people does it employ?",
    ["When was Tolmere Shipyards founded?", "How many people does Tolmere Shipyards employ?"],
  ],
  ["Who designed the Orin Bridge and how long is it?", ["Who designed the Orin Bridge?", "How long is the Orin Bridge?"]],
  ["When and where was Ada Penrose born?", ["When was Ada Penrose born?", "Where was Ada Penrose born?"]],
  ["What is the Vess Observatory and how does it work?", ["What is the Vess Observatory?", "How does the Vess Observatory work?"]],
  [
    "When were Oxford, Cambridge and Durham founded?",
    ["When was Oxford founded?", "When was Cambridge founded?", "When was Durham founded?"],
  ],
  ["How tall are Mount Kest and Mount Ardle?", ["How tall is Mount Kest?", "How tall is Mount Ardle?"]],
  [
    "How many bridges and how many stations does the Orin Line have?",
    ["How many bridges does the Orin Line have?", "How many stations does the Orin Line have?"],
  ],
  [
    "What was the revenue of Tolmere Shipyards in 2021 and 2022?",
    ["What was the revenue of Tolmere Shipyards in 2021?", "What was the revenue of Tolmere Shipyards in 2022?"],
  ],
  [
    "What was the revenue of Apple and Microsoft in 2021?",
    ["What was the revenue of Apple in 2021?", "What was the revenue of Microsoft in 2021?"],
  ],
  ["Who founded Microsoft and Apple?", ["Who founded Microsoft?", "Who founded Apple?"]],
  ["What are France's capital and population?", ["What is France's capital?", "What is France's population?"]],
  ["When did the museum open and why?", ["When did the museum open?", "Why did the museum open?"]],
  ["Compare solar and wind power.", ["What is solar power?", "What is wind power?"]],
  ["How does Orin tea differ from Vess tea in taste?", ["What is the taste of Orin tea?", "What is the taste of Vess tea?"]],
  [
    "I am planning a trip to Aldermoor. When does the ferry run? What does the ticket cost?",
    ["When does the ferry run (Aldermoor)?", "What does the ticket cost (Aldermoor)?"],
  ],
  ["What is the price and the weight of the Kest lamp?", ["What is the price of the Kest lamp?", "What is the weight of the Kest lamp?"]],
  ["List the founders of Tolmere Shipyards and Orin Rail.", ["List the founders of Tolmere Shipyards.", "List the founders of Orin Rail."]],
  ["Is Aldermoor older than Merrow?", ["How old is Aldermoor?", "How old is Merrow?"]],
  [
    "What are the symptoms, causes and treatments of scurvy?",
    ["What are the symptoms of scurvy?", "What are the causes of scurvy?", "What are the treatments of scurvy?"],
  ],
  ["Give me the population and the mayor of Tolmere.", ["Give me the population of Tolmere.", "Give me the mayor of Tolmere."]],
  [
    "How large are Lake Kest, Lake Ardle and the Sound of Merrow?",
    ["How large is Lake Kest?", "How large is Lake Ardle?", "How large is the Sound of Merrow?"],
  ],
  ["Which lake has a larger area, Lake Kest or Lake Ardle?", ["What is the area of Lake Kest?", "What is the area of Lake Ardle?"]],
  ["Which ferry is cheaper, the Heron or the Plover?", ["How much does the Heron cost?", "How much does the Plover cost?"]],
  [
    "Compare Tolmere and Aldermoor in terms of population and area.",
    [
      "What is the population of Tolmere?",
      "What is the area of Tolmere?",
      "What is the population of Aldermoor?",
      "What is the area of Aldermoor?",
    ],
  ],
  ["Compare the Kest Line with the Coast Line.", ["What is the Kest Line?", "What is the Coast Line?"]],
  ["How do the Kest Line and the Coast Line differ?", ["What is the Kest Line?", "What is the Coast Line?"]],
  [
    "Kest Line vs Coast Line: number of stations",
    ["What is the number of stations of Kest Line?", "What is the number of stations of Coast Line?"],
  ],
  [
    "Who is Lena Hald? When did she become mayor? What did she do before?",
    ["Who is Lena Hald?", "When did Lena Hald become mayor?", "What did Lena Hald do before?"],
  ],
  [
    "What is the length of the Orin Bridge, who designed it and when did it open?",
    ["What is the length of the Orin Bridge?", "Who designed the Orin Bridge?", "When did the Orin Bridge open?"],
  ],
  ["When was the Orin Bridge opened, and why was it needed?", ["When was the Orin Bridge opened?", "Why was the Orin Bridge needed?"]],
  ["1. Who founded Tolmere? 2. When was Aldermoor founded?", ["Who founded Tolmere?", "When was Aldermoor founded?"]],
  [
    "What was the population of Tolmere in 2000, 2010 and 2020?",
    [
      "What was the population of Tolmere in 2000?",
      "What was the population of Tolmere in 2010?",
      "What was the population of Tolmere in 2020?",
    ],
  ],
  ["Who wrote the Art of War and when?", ["Who wrote the Art of War?", "When was the Art of War written?"]],
  ["What is the GDP per capita of Norway and Sweden?", ["What is the GDP per capita of Norway?", "What is the GDP per capita of Sweden?"]],
  [
    "Which country has the larger population, Norway or Sweden?",
    ["What is the population of Norway?", "What is the population of Sweden?"],
  ],
  ["What are the main differences between TCP and UDP?", ["What is TCP?", "What is UDP?"]],
  ["How does photosynthesis work and why is it important?", ["How does photosynthesis work?", "Why is photosynthesis important?"]],
  ["Who are the founders of Google and when was the company founded?", ["Who are the founders of Google?", "When was Google founded?"]],
  ["What is the height of Mount Everest and K2?", ["What is the height of Mount Everest?", "What is the height of K2?"]],
  ["Tell me about the history of Rome and Athens.", ["Tell me about the history of Rome.", "Tell me about the history of Athens."]],
  [
    "What is the difference in price between the Heron and the Plover?",
    ["What is the price of the Heron?", "What is the price of the Plover?"],
  ],
  [
    "Compare Python, Java and Go with respect to speed and safety.",
    [
      "What is the speed of Python?",
      "What is the safety of Python?",
      "What is the speed of Java?",
      "What is the safety of Java?",
      "What is the speed of Go?",
      "What is the safety of Go?",
    ],
  ],
  [
    "What year was the Treaty of Utrecht signed and which countries signed it?",
    ["What year was the Treaty of Utrecht signed?", "Which countries signed the Treaty of Utrecht?"],
  ],
  [
    "What is machine learning? Where is it used? What are its limits?",
    ["What is machine learning?", "Where is machine learning used?", "What are machine learning's limits?"],
  ],
  [
    "How many people live in Oslo, and what is the average income?",
    ["How many people live in Oslo?", "What is the average income of Oslo?"],
  ],
  ["Please compare iPhone 15 and iPhone 16.", ["What is iPhone 15?", "What is iPhone 16?"]],
  [
    "List the presidents of France and Germany in 2020.",
    ["List the president of France in 2020.", "List the president of Germany in 2020."],
  ],
  ["How much did Apple and Microsoft earn in 2022?", ["How much did Apple earn in 2022?", "How much did Microsoft earn in 2022?"]],
  ["What did Tolmere export in 2021 and what did it import?", ["What did Tolmere export in 2021?", "What did Tolmere import?"]],
  ["Who won the World Cup in 2014 and 2018?", ["Who won the World Cup in 2014?", "Who won the World Cup in 2018?"]],
  ["Orin Bridge vs. Harrow Bridge: which is longer?", ["How long is Orin Bridge?", "How long is Harrow Bridge?"]],
  ["Who wrote War and Peace and who wrote Pride and Prejudice?", ["Who wrote War and Peace?", "Who wrote Pride and Prejudice?"]],
  [
    "How long are the Orin Bridge and the Harrow Bridge and who designed them, and how many people live in Tolmere and Aldermoor?",
    [
      "How long is the Orin Bridge?",
      "How long is the Harrow Bridge?",
      "Who designed the Orin Bridge?",
      "Who designed the Harrow Bridge?",
      "How many people live in Tolmere?",
      "How many people live in Aldermoor?",
    ],
  ],
  [
    "Compare the population of Tolmere with the population of Aldermoor and tell me who was president of Mars.",
    ["What is the population of Tolmere?", "What is the population of Aldermoor?", "Who was president of Mars?"],
  ],
  [
    "Compare the population of Tolmere with that of Aldermoor.",
    ["What is the population of Tolmere?", "What is the population of Aldermoor?"],
  ],
  ["What is the population and what is the area of Tolmere?", ["What is the population of Tolmere?", "What is the area of Tolmere?"]],
];

const WHOLE: readonly string[] = [
  "When was the Orin Bridge built, and who designed the cables?",
  "When was Johnson & Johnson founded?",
  "What is the research and development budget of Tolmere Shipyards?",
  "What does the Food and Drug Administration regulate?",
  'Who wrote "Pride and Prejudice"?',
  "Who wrote War and Peace?",
  "When was Simon and Garfunkel formed?",
  "What is the distance between Paris and London?",
  "What is the relationship between inflation and unemployment?",
  "If it rains and the ferry is cancelled, what happens to my ticket?",
  "What happens when a run is cancelled and resumed?",
  "How did revenue change between 2021 and 2022?",
  "What is the capital of Trinidad and Tobago?",
  "Who is the Secretary of Health and Human Services?",
  "How do birds and insects navigate together?",
  "What are the causes of inflation and unemployment?",
  "When was the Department of Housing and Urban Development created?",
  "Who did Tolmere Shipyards merge with?",
  "What are the advantages and disadvantages of nuclear power?",
  "How tall is the lighthouse of Aldermoor?",
  "Why do cats and dogs fight?",
  "What treaty did France and Spain sign?",
  "Who founded Tolmere Shipyards and when was he born?",
  "Who is the mayor of Tolmere and when was she born?",
  "Who is Tolmere's mayor and when was she born?",
  "Which company built the Orin Bridge and when was it founded?",
  "How do supply and demand set prices?",
  "What are the terms and conditions of the Heron ferry?",
  "Who directed Romeo and Juliet?",
  "What is the role of the Securities and Exchange Commission?",
  "How does trial and error lead to learning?",
  "What is the capital of Bosnia and Herzegovina?",
  "When did Marks and Spencer open its first shop?",
  "Who plays Bonnie and Clyde in the film?",
  "Where do salt and fresh water meet?",
  "How did France and Germany become friends?",
  "What did Ada Penrose and Karl Brandt build together?",
  "What is the distance from Tolmere to Aldermoor and back?",
  "What happened before and after the storm of 1911?",
  "How many crabs and herrings are landed?",
  "What do the red and blue flags mean?",
  "Why is the sky blue and the sunset red?",
  "What is the name of the person who designed the bridge and lived in a wooden house?",
  "How do I install and configure the ferry app?",
  "Describe the history and culture of Aldermoor.",
  "Ada Penrose was born in 1878. Where did she study?",
  "What is the best way to learn French and Spanish?",
  "When did World War I begin and end?",
  "Is coffee or tea healthier?",
  "What is the impact of climate change on agriculture and fisheries?",
  "Did Edison or Swan invent the light bulb first?",
];

test.each(SPLIT)("“%s” falls into questions that stand for themselves", (question, parts) => {
  expect(splitQuestion(question)).toEqual(parts);
});

test.each(WHOLE)("“%s” stays in its own words", (question) => {
  expect(splitQuestion(question)).toEqual([question]);
});

test("a question that leans on the conversation is asked with what the last question was about", () => {
  expect(splitQuestion("When was it opened?", ["How long is the Orin Bridge?"])).toEqual(["When was the Orin Bridge opened?"]);
  expect(splitQuestion("When was it opened?", ["Did Ada Penrose know Karl Brandt?"])).toEqual(["When was it opened?"]);
  expect(splitQuestion("When was the bridge opened?", ["How long is the Orin Bridge?"])).toEqual(["When was the Orin Bridge opened?"]);
  expect(splitQuestion("How tall is the lighthouse?", ["Where is Aldermoor?"])).toEqual(["How tall is the lighthouse?"]);
  expect(splitQuestion("How tall is the lighthouse?", ["How long is the Orin Bridge?"])).toEqual(["How tall is the lighthouse?"]);
});

test("what would fall into more than twelve questions stays whole", () => {
  const question = "What are the population, area, mayor and height of Aa, Bb, Cc and Dd?";
  expect(splitQuestion(question)).toEqual([question]);
});

test("no text makes it throw", () => {
  const pieces = [
    "the",
    "and",
    "or",
    "vs",
    "of",
    "Which",
    "\uE000",
    "(",
    ")",
    '"',
    "《",
    "和",
    "的",
    "？",
    "?",
    ",",
    "、",
    "2021",
    "年",
    "\u0000",
    "🌊",
    "it",
    "它",
  ];
  for (let i = 0; i < 3_000; i++) {
    const text = Array.from({ length: 1 + (i % 9) }, (_, at) => pieces[(i * 7 + at * (i % 11) + at) % pieces.length]).join(
      i % 2 === 0 ? " " : "",
    );
    const parts = splitQuestion(text);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.length).toBeLessThanOrEqual(12);
  }
});

test.each(["A and ", "What is the a of b of ", "的", "A和B的", "比", "In ", "还是", "Compare a and b ", "? "])(
  "eight thousand characters of “%s” are read at once",
  (piece) => {
    const since = performance.now();
    for (const begin of ["", "Compare ", "Which is larger, ", "对比"]) splitQuestion(`${begin}${piece.repeat(7_900 / piece.length)}？`);
    expect(performance.now() - since).toBeLessThan(2_000);
  },
);

test("a request that names the aspects it wants covered has a part for each of them", () => {
  expect(
    splitQuestion("Summarize the projects of Tolmere Shipyards. Cover aspects such as research ships, apprentices, and methanol engines."),
  ).toEqual([
    "Summarize the projects of Tolmere Shipyards",
    "Summarize the projects of Tolmere Shipyards: research ships",
    "Summarize the projects of Tolmere Shipyards: apprentices",
    "Summarize the projects of Tolmere Shipyards: methanol engines",
  ]);
  const two = "Summarize the projects of Tolmere Shipyards. Cover research and development.";
  expect(splitQuestion(two)).toEqual([two]);
});
