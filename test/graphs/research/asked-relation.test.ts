import { expect, it } from "vitest";
import { research, statuses } from "./ask-research.ts";

const CORPUS = {
  "mill.md":
    "# Heron Mill\n\nHeron Mill stands on the river Kest and was finished in 1822. The wheel is 7 metres wide. It belongs to the parish of Tolmere.\n",
  "mast.md":
    "# Veldt Mast\n\nThe Veldt Mast was erected in 1931 by Hedda Lowe. Its lamp is visible for 30 kilometres. The steel column is 88 metres tall.\n",
  "zh/塔.md": "# 云门塔\n\n云门塔位于雾川市北门，始建于1702年，塔高68米。云门塔属于雾川文物局。\n",
  "zh/水库.md": "# 白石水库\n\n白石水库在雾川市西郊，大坝1958年竣工，长420米。水库最深处31米，蓄水面积9平方公里。\n",
};

it.each([
  ["Which is older, Heron Mill or the Veldt Mast?", "T1 completed, T2 completed", ["finished in 1822", "erected in 1931"]],
  ["How tall is the Veldt Mast, and how far can its lamp be seen?", "T1 completed, T2 completed", ["88 metres tall", "30 kilometres"]],
  ["Who owns Heron Mill, and who owns the Veldt Mast?", "T1 completed, T2 failed", ["the parish of Tolmere"]],
  ["How heavy is the Veldt Mast, and when was it erected?", "T1 failed, T2 completed", ["erected in 1931"]],
  ["白石水库的深度和面积分别是多少？", "T1 completed, T2 completed", ["最深处31米"]],
  ["云门塔有多高，有多重？", "T1 completed, T2 failed", ["塔高68米"]],
])("a todo is answered by what it asks and by nothing else of its subject: %s", async (question, ended, quoted) => {
  const { run } = await research({ question }, { corpus: CORPUS });
  const quotes = run.report?.citations.map(({ quote }) => quote) ?? [];
  expect([statuses(run.todos), quotes.length]).toEqual([ended, quoted.length]);
  for (const [i, words] of quoted.entries()) expect(quotes[i]).toContain(words);
});
