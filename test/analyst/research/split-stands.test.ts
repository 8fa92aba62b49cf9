import { expect, test } from "vitest";
import { splitQuestion } from "../../../src/analyst/extractive/research/split/split-question.ts";

/** Each part can be asked alone; a clause that cannot stays with the one that it leans on. */
const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  [
    "How many rooms does the Halden Hotel have and how many guests can the ferry carry, and who painted the Orin Bridge?",
    ["How many rooms does the Halden Hotel have and how many guests can the ferry carry?", "Who painted the Orin Bridge?"],
  ],
  [
    "How many students attend Vess College, and how many teachers does Kest School employ?",
    ["How many students attend Vess College?", "How many teachers does Kest School employ?"],
  ],
  [
    "How many boats and how many crews does the Tolmere rowing club have?",
    ["How many boats does the Tolmere rowing club have?", "How many crews does the Tolmere rowing club have?"],
  ],
  [
    "Compare the price of the Kest ferry and of the Orin railway.",
    ["What is the price of the Kest ferry?", "What is the price of the Orin railway?"],
  ],
  [
    "Compare the height of the Vess tower and of the Harrow mast.",
    ["What is the height of the Vess tower?", "What is the height of the Harrow mast?"],
  ],
  [
    "When was the Orin Bridge opened, who designed it, and why was it closed in 1977?",
    ["When was the Orin Bridge opened?", "Who designed the Orin Bridge?", "Why was the Orin Bridge closed in 1977?"],
  ],
  [
    "How long is the Kest Line, how many stations does it have and which of them are underground?",
    ["How long is the Kest Line?", "How many stations does the Kest Line have and which of them are underground?"],
  ],
  ["What is the depth of Lake Ardle and what fish live in it?", ["What is the depth of Lake Ardle?", "What fish live in Lake Ardle?"]],
  [
    "Where does the Orin start, through which towns does it flow, and where does it end?",
    ["Where does the Orin start?", "Through which towns does the Orin flow?", "Where does the Orin end?"],
  ],
  [
    "How much did the lighthouse cost to build, and how much does it cost to run?",
    ["How much did the lighthouse cost to build?", "How much does the lighthouse cost to run?"],
  ],
  ["When was Johan Vire born and when did Mara Lind die?", ["When was Johan Vire born?", "When did Mara Lind die?"]],
  [
    "How many people live in Vess and how many tourists visit it each year?",
    ["How many people live in Vess?", "How many tourists visit Vess each year?"],
  ],
  [
    "How old is the oak in Kest, how tall is it, and who planted it?",
    ["How old is the oak in Kest?", "How tall is the oak in Kest?", "Who planted the oak in Kest?"],
  ],
  [
    "Who discovered the cave, when, and how?",
    ["Who discovered the cave?", "When was the cave discovered?", "How was the cave discovered?"],
  ],
  [
    "In which year was the tram line closed, and when was it reopened and by whom?",
    ["In which year was the tram line closed?", "When was the tram line reopened?", "Who reopened the tram line?"],
  ],
  [
    "When did the comet appear, who saw it first, and when will it come back?",
    ["When did the comet appear?", "Who saw the comet first?", "When will the comet come back?"],
  ],
  ["What was the Dorel strike about and how did it end?", ["What was the Dorel strike about?", "How did the Dorel strike end?"]],
  ["Who runs the Pell bakery, and when does the bakery open?", ["Who runs the Pell bakery?", "When does the Pell bakery open?"]],
  ["比较竹溪河与石门河的长度，哪条更长？", ["竹溪河的长度是多少？", "石门河的长度是多少？"]],
  ["玉峰寺的住持是谁，他什么时候出家的？", ["玉峰寺的住持是谁？", "玉峰寺的住持什么时候出家的？"]],
  ["青岭大桥什么时候建成、全长多少米、总工程师是谁？", ["青岭大桥什么时候建成？", "青岭大桥的全长多少米？", "青岭大桥的总工程师是谁？"]],
  ["雾川茶厂什么时候成立、有多少工人、年产量是多少？", ["雾川茶厂什么时候成立？", "雾川茶厂有多少工人？", "雾川茶厂的年产量是多少？"]],
  ["北岭铁路为什么停运，什么时候恢复，由谁出资？", ["北岭铁路为什么停运？", "北岭铁路什么时候恢复？", "北岭铁路由谁出资？"]],
  ["林澈和苏眠分别出生于哪一年，他们什么时候结婚？", ["林澈出生于哪一年？", "苏眠出生于哪一年？", "林澈和苏眠什么时候结婚？"]],
  ["沙洲渡口在哪里，怎么去，多少钱一张票？", ["沙洲渡口在哪里？", "沙洲渡口怎么去？", "沙洲渡口多少钱一张票？"]],
  ["银湾市的市花是什么，为什么选它？", ["银湾市的市花是什么？", "为什么选银湾市的市花？"]],
  ["雾川古城墙长多少，高多少，有几座城门？", ["雾川古城墙长多少？", "雾川古城墙高多少？", "雾川古城墙有几座城门？"]],
  ["云岭寺哪年被毁，哪年重建，重建花了多少钱？", ["云岭寺哪年被毁？", "云岭寺哪年重建，重建花了多少钱？"]],
  [
    "How much does the Halden 40 cost, how long is its guarantee, and does it run on diesel?",
    ["How much does the Halden 40 cost?", "How long is the Halden 40's guarantee?", "Does the Halden 40 run on diesel?"],
  ],
  [
    "Who led the Dorel strike, what became of her, and how many workers were arrested?",
    ["Who led the Dorel strike, what became of her?", "How many workers were arrested in the Dorel strike?"],
  ],
  [
    "How much may a driver earn, when must the fee be paid, and what happens if the driver is late?",
    ["How much may a driver earn?", "When must the fee be paid?", "What happens if the driver is late?"],
  ],
  [
    "What are the bridges of Tolmere, who built them, and which is closed to cars?",
    ["What are the bridges of Tolmere?", "Who built the bridges of Tolmere?", "Which of the bridges of Tolmere is closed to cars?"],
  ],
  [
    "Does the Vess railway carry prams, skis and parcels in summer?",
    [
      "Does the Vess railway carry prams in summer?",
      "Does the Vess railway carry skis in summer?",
      "Does the Vess railway carry parcels in summer?",
    ],
  ],
  [
    "Compare Kest School and Orin Academy: when were they opened, and how many pupils do they have?",
    [
      "When was Kest School opened?",
      "How many pupils does Kest School have?",
      "When was Orin Academy opened?",
      "How many pupils does Orin Academy have?",
    ],
  ],
  [
    "Compare Halden 40 vs Halden 50: price, range",
    [
      "What is the price of Halden 40?",
      "What is the range of Halden 40?",
      "What is the price of Halden 50?",
      "What is the range of Halden 50?",
    ],
  ],
  ["Pros and cons of wooden versus steel bridges", ["Pros and cons of wooden bridges", "Pros and cons of steel bridges"]],
  [
    "What is the difference between oak and pine in price and in how they burn?",
    ["What is the price of oak?", "How do oak burn?", "What is the price of pine?", "How do pine burn?"],
  ],
  ["雾川纺织的总部在哪里？海外工厂在哪些国家？", ["雾川纺织的总部在哪里？", "雾川纺织的海外工厂在哪些国家？"]],
  ["北岭药业成立于哪年？员工有多少？收入是多少？", ["北岭药业成立于哪年？", "北岭药业的员工有多少？", "北岭药业的收入是多少？"]],
  ["晨星V2多少钱？屏幕多大？", ["晨星V2多少钱？", "晨星V2的屏幕多大？"]],
  ["玉峰山海拔多少？门票多少钱？停车场在哪里？", ["玉峰山海拔多少？", "玉峰山的门票多少钱？", "玉峰山的停车场在哪里？"]],
  ["银湾县有多少人口，面积多大？", ["银湾县有多少人口？", "银湾县的面积多大？"]],
  ["雾川酒厂的总部在哪里？谁创办的？", ["雾川酒厂的总部在哪里？", "雾川酒厂是谁创办的？"]],
  ["云岭的首府在哪里？地球多大？", ["云岭的首府在哪里？", "地球多大？"]],
  ["沙洲岛上有哪些灯塔，哪座最高，冬天能去吗？", ["沙洲岛上有哪些灯塔，哪座最高？", "沙洲岛冬天能去吗？"]],
  ["雾川学院的院长是谁？学生怎么申请补助？", ["雾川学院的院长是谁？", "学生怎么申请补助？"]],
  ["雾川高铁票价多少，首班车几点？", ["雾川高铁票价多少？", "雾川高铁的首班车几点？"]],
  ["石门之战的起因、经过和结果是什么？", ["石门之战的起因是什么？", "石门之战的经过是什么？", "石门之战的结果是什么？"]],
  ["沙洲县的人口和特色小吃分别是什么？", ["沙洲县的人口是多少？", "沙洲县的特色小吃是什么？"]],
  ["晨星V2和晨星V3的重量、价格对比", ["晨星V2的重量是多少？", "晨星V2的价格是多少？", "晨星V3的重量是多少？", "晨星V3的价格是多少？"]],
];

/** A later clause of these leans on the answer to an earlier one, or nobody but a reader can tell what it is about. */
const WHOLE: readonly string[] = [
  "Who were Ada Brant and Nils Orre, and which of them was born first?",
  "What is the population of Tolmere? If it is below 5000, how many of them work in fishing?",
  "Explain how the clock, the bell and the organ of Kest Church were repaired.",
  "Who wrote The Salt Road and when did she die?",
  "Who designed the Orin Bridge and where was he born?",
  "What does the Vess museum show, how much is a ticket, and is it open on Mondays?",
  "When did the Harrow mill burn down, and what stands there now?",
  "How many islands belong to Vess, and how many of them are inhabited?",
  "Which is longer, the Orin Bridge or the Harrow Bridge, and by how much?",
  "Who owns the Vess ferry, and does it run in winter?",
  "What is the best way to cook rice, and should the lid be closed?",
  "What are the merits of wind power and how do they compare with solar?",
  "Does the pass cover food and drink costs?",
  "What do the terms flood plain and salt marsh mean, and how do they differ?",
  "What are the opening hours of the museum and the library in Tolmere?",
  "Why did the mine close, and what happened to the miners and their families?",
  "What is the name of the ship that sank in 1908 and how many passengers were on it?",
  "Did the Orin Bridge open before the Harrow Bridge, and which of the two is longer?",
  "Tell me who founded Tolmere Shipyards and how many ships it has built.",
  "What crops grow in the Vess valley, and what do the farmers do when it rains too much?",
  "How far is Kest from Tolmere and how long does the train take?",
  "What was the cost of the dam and of the canal?",
  "Compare the length of the Sull and the Wend, and say which flows faster.",
  "How many lifeboats did the Sorrel carry, and how many people were rescued by them?",
  "When did the Tarr family buy the farm and how much did they pay for it?",
  "Which rivers flow into Lake Onn, and where do they rise?",
  "When was Ada Brant born, when was Nils Orre born, and which of them lived longer?",
  "When was the Orin Bridge opened? When did he paint it?",
  "雾川有哪些湖？它们的面积各是多少？",
  "白鹿书院与松溪书院各有多少藏书，谁的更古老？",
  "雾川隧道由谁设计，她毕业于哪所大学？",
  "银湾水库是谁主持修建的，他后来去了哪里？",
  "雾川有哪些博物馆，它们的门票各是多少？",
  "北岭有哪些古塔，它们各建于哪一年？",
  "为什么银湾港冬天不结冰，主要出口什么货物？",
  "沙洲岛的面积是多少？如果超过一百平方公里，其中多少是农田？",
  "青岭号渡轮每天开几班，票价多少，冬天停航吗？",
  "云岭山有多高，谁第一个登上山顶？",
  "雾川书院是谁创办的，学生最多时有多少人？",
  "银湾灯塔和沙洲灯塔哪个更高，各是什么时候建成的？",
  "对比雾川茶与银湾茶的价格和产量，并说明哪个更受欢迎。",
  "雾川湖有多少种鱼，其中几种是保护动物？",
  "青岭水电站装了几台机组，每台多大功率，一年发多少电？",
  "介绍一下青岭茶的产地、制作工艺以及它的历史。",
  "北岭天文台的望远镜口径多大，能看到什么，晚上开放吗？",
  "谁发现了沙洲古墓，里面有什么文物？",
  "雾川与银湾之间的铁路有多长，中间有几个车站？",
  "银湾博物馆最早的藏品是什么，谁捐的，什么时候捐的？",
  "雾川面和银湾面的做法有什么区别，哪个更辣？",
  "北岭县有几个镇，最大的镇是哪个，人口多少？",
  "沙洲岛上有没有淡水，居民怎么喝水？",
  "青岭隧道开工时有多少工人，完工时又有多少？",
  "雾川花灯节每年几月举行，持续几天，有多少游客参加？",
  "雾川号邮轮载客多少人，船长叫什么名字，他当了几年船长？",
];

test.each(SPLIT)("“%s” falls into questions that stand for themselves", (question, parts) => {
  expect(splitQuestion(question)).toEqual(parts);
});

test.each(WHOLE)("“%s” stays whole", (question) => {
  expect(splitQuestion(question)).toEqual([question]);
});

test("“which of them” in a conversation about one after the other names both, and stays as it is where there is only one", () => {
  expect(splitQuestion("Which of them is longer?", ["When was the Orin Bridge built?", "Who built the Vess Bridge?"])).toEqual([
    "How long is the Orin Bridge?",
    "How long is the Vess Bridge?",
  ]);
  expect(splitQuestion("Which of them is longer?", ["When was the Orin Bridge built?"])).toEqual(["Which of them is longer?"]);
  expect(splitQuestion("两所大学哪所学生更多？", ["雾川大学建于哪年？", "银湾大学的校长是谁？"])).toEqual([
    "雾川大学有多少学生？",
    "银湾大学有多少学生？",
  ]);
  expect(splitQuestion("两所大学哪所学生更多？", ["雾川大学建于哪年？"])).toEqual(["两所大学哪所学生更多？"]);
});
