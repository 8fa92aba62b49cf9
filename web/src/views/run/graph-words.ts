import { defineWords } from "../../i18n/words.ts";

export const graphWords = defineWords(
  {
    label: "The graph {graph}. Visited nodes: {nodes}",
    legend: "Drawn strongly: the way that this run took, with how often a node ran and for how long.",
  },
  {
    label: "流程 {graph}。经过的节点：{nodes}",
    legend: "深色线条是这次研究走过的路径，并注明每个节点运行的次数和时间。",
  },
);
