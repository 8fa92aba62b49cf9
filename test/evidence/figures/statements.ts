/** A sentence, its quotes, and other sources of names: the question and the titles of the sources. */
export interface Statement {
  readonly says: string;
  readonly quotes: readonly string[];
  readonly known?: readonly string[];
}

const s = (says: string, quotes: string | readonly string[], ...known: string[]): Statement => ({
  says,
  quotes: typeof quotes === "string" ? [quotes] : quotes,
  known,
});

/** Sentences that say what their quotes say: in other words, rounded, with other units, date formats and languages. */
export const HONEST: readonly Statement[] = [
  s("Apple earned $97.0 billion in fiscal 2023.", "Net income was 96,995,000,000 USD for the fiscal year 2023", "Apple Inc. 10-K 2023"),
  s("Apple's revenue exceeded $383 billion.", "苹果公司全年营收为3832.85亿美元"),
  s("The agreement was signed on September 30, 2023.", "signed on 2023-09-30 in Geneva"),
  s("The deal closed in the third quarter of 2023.", "the transaction was completed on August 14, 2023"),
  s("It employs three engineers.", "a team of 3 engineers works there"),
  s("Exports fell by 5% in May 2024.", "2024年5月出口同比变化为-5%"),
  s("The SEC fined the bank $15 million.", "The Securities and Exchange Commission ordered it to pay 15,000,000 dollars"),
  s("GPT-4 was trained on 25,000 GPUs.", "GPT‑4 training used 25 000 GPUs"),
  s("U.S. inflation slowed to 3.2% in October 2023.", "美国2023年10月CPI同比上涨3.2%，涨幅回落"),
  s("Deaths fell by a fifth.", "deaths were reduced by 20%"),
  s("Patients over 65 were treated.", "patients aged 65 and older were treated"),
  s("The mass is 32,000 units.", "a mass of 3.2 × 10⁴ units"),
  s("About a million people came.", "1.02 million people came"),
  s("It gives 500 µg of it.", "a dose of 0.5 mg"),
  s("Sales rose to 30.", "sales climbed from 10 to 30"),
  s("It dates from the twentieth century.", "it was built in 1931"),
  // A change from one value to another is not a range.
  s("The rate is up to 12%.", "a rate of 10% to 12%"),
  s("Sales were 25 million in 2021.", "sales[3] of 25[4] million in 2021[5]"),
  s("It ran from 1990 to 1995.", "1990–1995"),
  s("Between 2010 and 2020 sales grew 30%.", "sales grew 30% in 2010–2020"),
  s("He was the first to cross it in 1911.", "In 1911 he became the first man to cross it"),
  s("World War II ended in 1945.", "the war ended in 1945", "World War II"),
  s("It can hold 2 decades of data.", "20 years of data"),
  s("The share fell to 0%.", "the share fell to zero percent"),
  s("II期试验有30人。", "Ⅱ期试验共入组30人"),
  s("Its second album sold a million copies.", "the second album sold 1,000,000 copies; the third album flopped"),
  s("The ship made 20 knots.", "20 nautical miles per hour"),
  s("The tyre holds 2 bar.", "200 kPa"),
];

/** Sentences with one figure that their quotes do not have, and that figure. */
export const WRONG: readonly (readonly [statement: Statement, missing: readonly string[]])[] = [
  [s("It worked for more than 5 years.", "it worked for 5 years"), ["5 years"]],
  [s("Apple earned 69.995 billion dollars.", "Apple earned $96.995 billion"), ["69.995 billion dollars"]],
  [s("The tower was built in 1913.", "The tower was built in 1931"), ["1913"]],
  [s("It was signed on 30 September 2023.", "signed on 30 September 2022; revised 2024"), ["30 September 2023"]],
  [s("灯塔建于一九一三年。", "灯塔建于一九三一年"), ["1913年"]],
  [s("Sales were 5 to 10 billion dollars.", "sales of $5–10 million"), ["5", "10 billion dollars"]],
  [s("It earned 4.2 billion kroner.", "it earned $4.2 billion"), ["4.2 billion kroner"]],
  [s("The lake holds 104 fish.", "the lake holds 10⁴ fish"), ["104"]],
  [s("It weighs 5 tons.", "it weighs 5 kg"), ["5 tons"]],
  [s("It costs $5 per kg.", "it costs $5 per day"), ["5"]],
  [s("It opened in winter 2020.", "it opened on 4 July 2020"), ["winter 2020"]],
  [s("It dates from the twentieth century.", "it was built in 2021"), ["20th century"]],
  [s("The price is 20 euros.", "the price is €20–30"), ["20 euros"]],
  [s("It takes 12 months.", "it takes 6 weeks to 12 months"), ["12 months"]],
];

/** Sentences that contradict their quote with almost the same words. */
export const TWISTED: readonly (readonly [says: string, quote: string])[] = [
  ["Take 5 mg.", "Take 5 µg."],
  ["It lasts 30 ms.", "It lasts 30 seconds."],
  ["It costs $2495.", "It costs $24^95."],
  ["The speed is 30 knots.", "The speed is 30 km/h."],
  ["It opened in mid-2021.", "It opened in 2021."],
  ["It produced 3 million barrels.", "output of 3 million barrels per day"],
  ["It paid $5 million a year.", "It paid $5 million last year"],
  ["The museum has at least 5,850 works.", "The museum has some 5,850 works"],
];
