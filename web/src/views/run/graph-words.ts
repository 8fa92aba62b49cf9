import { defineWords } from "../../i18n/words.ts";

export const graphWords = defineWords(
  {
    start: "Start",
    end: "End",
    label: "Diagram of the method {graph}. Steps that ran: {nodes}",
    legend: "Solid lines: the path of this run. Each step says how often it ran and for how long.",
  },
  {
    start: "开始",
    end: "结束",
    label: "工作方式“{graph}”的流程图。运行过的步骤：{nodes}",
    legend: "实线是这次研究走过的路径；每个步骤注明次数和用时。",
  },
);
