import { soundsChinese } from "../../../domain/companies/chinese-name.ts";

/** What a question says around a name when it wants to know all about it. */
const BEFORE = /^(?:请问|请|帮我|给我|麻烦)?(?:(?:简单)?(?:介[绍紹]|说说|谈谈|讲讲|了解|查询|分析|看看|告诉我)(?:一下|下)?)?(?:关于)?/;
const BEHIND =
  /(?:的?(?:公司)?(?:基本情[况況]|基本信息|概[况況]|[简簡]介|介[绍紹]|[资資]料|情况|怎么样)|是(?:一[家个])?(?:什么样的|怎样的|什么|啥)(?:公司|企业)|是做什么的)(?:是什么|如何|怎么样)?$/;
const NAME = /^\p{sc=Han}[\p{sc=Han}A-Za-z·*]{1,7}$/u;
const ASKS = /什么|怎么|怎样|如何|为何|哪|谁|何时|是否|是不是|多少|几|比较|对比|[吗呢的了是在和与]/;
/** Matters of science, and of school, by how their names end; 万华化学 and 舜宇光学 are companies. */
const TOPIC =
  /(?:(?<![光化])学|(?:^|有机|无机|物理|分析|量子|高分子)化学|(?:^|几何|物理|量子)光学|论|计算|计算机|技术|智能|算法|研究|概念|学习|模型|理论|定[律理]|原理|效应|作用|方[法程案]|函数|神经网络|互联网|区块链|语言|主义|制度|政策|经济|历史|进展|反应|工程|规则|协议|标准|流程|系统|程序|架构|数据库|接口|疾病|[病症癌炎]|疫苗|病毒|细[菌胞]|基因|蛋白|[率法史]|天气|新闻)$/;
/** What short questions about software and services ask for. */
const MATTER =
  /(?:设置|配置|次数|期限?|日期|时间|大小|限制|列表|密码|端口|文件|目录|命令|参数|选项|错误|失败|超时|版本|许可证?|日志|备份|安装|部署|升级|更新|下载|上传|搜索|检索|查询|结果|报告|页面|问题|答案|价格?|费用?|状态|功能|用法|方式|类型|格式)$/;
const CITIES =
  /^(?:Beijing|Chengdu|Chongqing|Dalian|Guangdong|Guangxi|Guangzhou|Guizhou|Hangzhou|Hunan|Jiangsu|Nanjing|Qingdao|Shandong|Shanghai|Shenyang|Shenzhen|Sichuan|Suzhou|Taiwan|Tianjin|Wuhan|Xiamen|Xinjiang|Yunnan|Zhejiang|Zhengzhou)$/i;
/** Places and what stands in them, people's works and times. */
const PLACE = /(?:灯?塔|[山河湖岛海江寺庙宫桥省市县区镇村国洲族]|大学|学院|中学|医院|图书馆|博物馆|公园|机构|政府|战争|革命|运动|条约|节)$/;
const GENERIC =
  /^(?:中国|美国|北京|上海|香港|深圳|广州|台湾|世界|全球|地球|太阳|月亮|宇宙|人类|生命|时间|你好|您好|谢谢|测试|帮助|股票|基金|债券|黄金|上市公司|公司|集团|企业|我们?|你们?|本公司|该公司)$/;
const ABOUT_LATIN =
  /^\W*(?:(?:company )?(?:overview|profile) of )?([A-Za-z][A-Za-z&.' -]{4,40}?)(?:'s)?(?: company)?(?: (?:overview|profile))?\W*$/;

/**
 * The name that a question is nothing but, or that it wants to know all about, where it may be a company's: 贵州茅台,
 * 介绍一下贵州茅台, Kweichow Moutai overview. Null for what is plainly something else. Whether it is a company's only the
 * search of the tool knows.
 */
export function loneName(question: string): string | null {
  const text = question.trim().replace(/[?？。.!！]+$/, "");
  const name = text.replace(BEHIND, "").replace(BEFORE, "");
  if (NAME.test(name)) return [ASKS, TOPIC, MATTER, PLACE, GENERIC].some((other) => other.test(name)) ? null : name;
  const latin = ABOUT_LATIN.exec(text)?.[1]?.trim();
  return latin !== undefined && latin.split(" ").length <= 3 && !CITIES.test(latin) && soundsChinese(latin) ? latin : null;
}
