import { expect, test } from "vitest";
import { canonicalUrl, siteOf } from "../../src/ranking/canonical-url.ts";
import { groupBySharedKeys } from "../../src/ranking/group-by-shared-keys.ts";
import { workKeys } from "../../src/ranking/merge-works.ts";

/** All addresses in a group belong to one work. */
const ONE_WORK: Readonly<Record<string, readonly string[]>> = {
  "scheme, host and port": [
    "https://example.com/a",
    "http://example.com/a",
    "https://www.example.com/a/",
    "http://EXAMPLE.com:80/a",
    "https://example.com:443/a",
    "https://example.com./a",
    "https://user:secret@example.com/a",
    "https://m.example.com/a",
    "https://mobile.example.com/a",
    "https://amp.example.com/a?amp=1",
    "//example.com/a",
    "  https://example.com/a  ",
    "https://example.com//a",
    "https://example.com/b/../a",
    "https://www.google.com/amp/s/example.com/a",
    "https://example-com.cdn.ampproject.org/c/s/example.com/a",
  ],
  "tracking and sessions": [
    "https://news.example/story?id=7",
    "https://news.example/story?utm_source=x&utm_medium=y&id=7",
    "https://news.example/story?id=7&fbclid=IwAR0&gclid=abc&msclkid=1",
    "https://news.example/story?id=7&ref=homepage&spm=a2c.1.2",
    "https://news.example/story?id=7#comments",
    "https://news.example/story?id=7#:~:text=some%20words",
    "https://news.example/story;jsessionid=0A1B2C?id=7",
    "https://news.example/story?id=7&PHPSESSID=u8e2k1",
    "https://news.example/story?id=7&sid=5f2a9c0e7b1d4a6688aa",
    "https://news.example/story?id=7&from=timeline&isappinstalled=0",
  ],
  "default pages": ["https://example.org", "https://example.org/", "https://example.org/index.html", "https://example.org/default.aspx"],
  "the order of parameters": ["https://example.org/s?a=1&b=2", "https://example.org/s?b=2&a=1", "https://example.org/s?b=2&a=1&"],
  "escapes of Chinese": [
    "https://例子.测试/指南/第一章",
    "https://xn--fsqu00a.xn--0zwm56d/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%B8%80%E7%AB%A0",
    "https://xn--fsqu00a.xn--0zwm56d/%e6%8c%87%e5%8d%97/%e7%ac%ac%e4%b8%80%e7%ab%a0/",
  ],
  "escapes of Latin": ["https://example.com/~caf%C3%A9", "https://example.com/%7Ecaf%c3%a9", "https://example.com/~cafe\u0301"],
  "the slim copy of an article": ["https://example.com/2024/big-storm-hits-coast", "https://example.com/2024/big-storm-hits-coast/amp/"],
  "a route of an application": [
    "https://app.example.com/#!/users/1",
    "https://app.example.com/#!/users/1/",
    "http://app.example.com/#!/users/1",
  ],
  "a shared Chinese article": [
    "https://mp.weixin.qq.com/s?__biz=MzA=&mid=1&idx=1&sn=abc",
    "http://mp.weixin.qq.com/s?__biz=MzA=&mid=1&idx=1&sn=abc&chksm=8f&scene=27#wechat_redirect",
  ],
  "a DOI": [
    "https://doi.org/10.1002/ABC.123",
    "http://dx.doi.org/10.1002/abc.123",
    "https://www.doi.org/10.1002%2Fabc.123",
    "doi:10.1002/abc.123",
    "DOI 10.1002/abc.123.",
    "info:doi/10.1002/abc.123",
    "https://onlinelibrary.wiley.com/doi/10.1002/abc.123",
    "https://onlinelibrary.wiley.com/doi/abs/10.1002/abc.123",
    "https://onlinelibrary.wiley.com/doi/full/10.1002/abc.123?af=R",
    "https://onlinelibrary.wiley.com/doi/10.1002/abc.123/pdf",
    "https://api.crossref.org/works/10.1002/ABC.123",
  ],
  "a DOI at Springer": [
    "https://link.springer.com/article/10.1007/s00134-020-05991-x",
    "https://link.springer.com/content/pdf/10.1007/s00134-020-05991-x.pdf",
    "https://link.springer.com/article/10.1007/s00134-020-05991-x/figures/2",
    "https://doi.org/10.1007/S00134-020-05991-X",
  ],
  "a DOI at ACM": ["https://dl.acm.org/doi/10.1145/3292500.3330701", "https://dl.acm.org/doi/pdf/10.1145/3292500.3330701"],
  "a DOI with brackets": [
    "https://doi.org/10.1016/S0140-6736(20)30183-5",
    "https://doi.org/10.1016/s0140-6736%2820%2930183-5",
    "https://example.org/works/10.1016/S0140-6736(20)30183-5",
  ],
  "a DOI that the address only hints at": [
    "https://www.nature.com/articles/s41586-020-2649-2",
    "https://www.nature.com/articles/s41586-020-2649-2.pdf",
    "https://doi.org/10.1038/s41586-020-2649-2",
  ],
  "a DOI in a parameter": [
    "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0230405",
    "https://journals.plos.org/plosone/article/file?id=10.1371/journal.pone.0230405&type=printable",
    "https://doi.org/10.1371/journal.pone.0230405",
  ],
  "a preprint of bioRxiv": [
    "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v1",
    "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v2.full.pdf",
    "https://doi.org/10.1101/2020.01.30.927871",
  ],
  "an article of Oxford": ["https://academic.oup.com/nar/article/doi/10.1093/nar/gkaa1100/6029182", "https://doi.org/10.1093/nar/gkaa1100"],
  "a record of Zenodo": [
    "https://zenodo.org/record/3509134",
    "https://zenodo.org/records/3509134",
    "https://doi.org/10.5281/zenodo.3509134",
  ],
  "a paper of arXiv": [
    "https://arxiv.org/abs/1706.03762",
    "https://arxiv.org/abs/1706.03762v5",
    "http://arxiv.org/pdf/1706.03762v7.pdf",
    "https://export.arxiv.org/abs/1706.03762",
    "https://arxiv.org/html/1706.03762v7/",
    "https://ar5iv.labs.arxiv.org/html/1706.03762",
    "https://ar5iv.org/abs/1706.03762",
    "https://doi.org/10.48550/arXiv.1706.03762",
    "arXiv:1706.03762v2",
  ],
  "an old paper of arXiv": [
    "https://arxiv.org/abs/astro-ph/0601001",
    "https://arxiv.org/pdf/astro-ph/0601001v2",
    "https://doi.org/10.48550/arXiv.astro-ph/0601001",
  ],
  "an old paper with its class": ["https://arxiv.org/abs/math.GT/0309136", "https://arxiv.org/abs/math/0309136v1"],
  "an abstract of PubMed": [
    "https://pubmed.ncbi.nlm.nih.gov/32015507/",
    "https://www.ncbi.nlm.nih.gov/pubmed/32015507",
    "https://europepmc.org/article/MED/32015507",
    "https://europepmc.org/abstract/med/32015507",
  ],
  "a text of PubMed Central": [
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7095418/",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC7095418/pdf/main.pdf",
    "https://europepmc.org/article/PMC/PMC7095418",
    "https://europepmc.org/articles/pmc7095418?pdf=render",
  ],
  "an article of Wikipedia": [
    "https://zh.wikipedia.org/wiki/人工智能",
    "https://zh.wikipedia.org/wiki/%E4%BA%BA%E5%B7%A5%E6%99%BA%E8%83%BD",
    "https://zh.wikipedia.org/zh-cn/人工智能",
    "https://zh.wikipedia.org/zh-hant/人工智能",
    "https://zh.m.wikipedia.org/wiki/人工智能#历史",
    "https://zh.wikipedia.org/w/index.php?title=人工智能&variant=zh-tw",
  ],
  "an article with spaces": [
    "https://en.wikipedia.org/wiki/Attention_(machine_learning)",
    "https://en.m.wikipedia.org/wiki/attention_%28machine%20learning%29",
  ],
  "a file of the corpus": ["corpus:docs/指南.md", "corpus:docs/指南.md#part"],
};

/** No two addresses in a group belong to one work. */
const OTHER_WORKS: Readonly<Record<string, readonly string[]>> = {
  "parameters that matter": [
    "https://example.com/view?id=1",
    "https://example.com/view?id=2",
    "https://example.com/view",
    "https://example.com/?p=12",
    "https://example.com/?p=13",
    "https://example.com/view?sid=12",
    "https://example.com/view?sid=13",
    "https://example.com/view?ref=20481",
    "https://example.com/view?ref=20482",
    "https://example.com/view?session_id=1",
    "https://example.com/view?session_id=2",
  ],
  "branches of a repository": ["https://github.com/a/b/blob/x.md?ref=main", "https://github.com/a/b/blob/x.md?ref=next"],
  paths: [
    "https://example.com/a",
    "https://example.com/A",
    "https://example.com/a/b",
    "https://example.com/a%2Fb",
    "https://example.com/a.html",
    "https://example.com/shop/vox/amp",
    "https://example.com/shop/vox",
  ],
  "hosts and ports": [
    "https://a.example.com/",
    "https://b.example.com/",
    "https://example.com/",
    "https://example.com:8080/",
    "https://m.de/",
    "https://de/",
  ],
  "routes of an application": [
    "https://app.example.com/#!/users/1",
    "https://app.example.com/#!/users/2",
    "https://app.example.com/#/users/1",
    "https://app.example.com/",
  ],
  "language editions and pages beside an article": [
    "https://en.wikipedia.org/wiki/Loop",
    "https://de.wikipedia.org/wiki/Loop",
    "https://en.wikipedia.org/wiki/Talk:Loop",
    "https://en.wikipedia.org/w/index.php?title=Loop&oldid=123",
    "https://en.wikipedia.org/w/index.php?title=Special:Search&search=loop",
    "https://en.wikipedia.org/w/index.php?title=Special:Search&search=end",
    "https://en.wiktionary.org/wiki/loop",
    "https://en.wiktionary.org/wiki/Loop",
  ],
  DOIs: [
    "https://doi.org/10.1002/abc.123",
    "https://doi.org/10.1002/abc.1234",
    "https://doi.org/10.1003/abc.123",
    "https://doi.org/10.1371/journal.pone.0230405",
    "https://doi.org/10.1371/journal.pone.0230405.g001",
    "https://doi.org/10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
    "https://doi.org/10.1002/(sici)1097-0258(19980815/30)17:15/16<1713::aid-sim877>3.0.co;2-5",
    "https://onlinelibrary.wiley.com/toc/10.1111/15405907/2020/75/1",
    "https://onlinelibrary.wiley.com/toc/10.1111/15405907/2020/75/2",
    "https://example.org/search?q=10.1002/abc.123",
  ],
  papers: [
    "https://arxiv.org/abs/1706.03762",
    "https://arxiv.org/abs/1706.03763",
    "https://arxiv.org/abs/math/0309136",
    "https://arxiv.org/abs/astro-ph/0309136",
    "https://arxiv.org/list/cs.AI/recent",
    "https://arxiv.org/list/cs.CL/recent",
    "https://www.semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776",
    "https://openalex.org/W2741809807",
    "https://example.com/1706.03762",
  ],
  PubMed: [
    "https://pubmed.ncbi.nlm.nih.gov/32015507/",
    "https://pubmed.ncbi.nlm.nih.gov/32015508/",
    "https://pubmed.ncbi.nlm.nih.gov/?term=covid",
    "https://pubmed.ncbi.nlm.nih.gov/?term=flu",
    "https://www.ncbi.nlm.nih.gov/gene/32015507",
    "https://europepmc.org/article/PPR/PPR32015507",
    "https://europepmc.org/article/PMC/PMC32015507",
  ],
  "files of the corpus and what is no address": [
    "corpus:docs/指南.md",
    "corpus:docs/其他.md",
    "docs/指南.md",
    "not a url",
    "https://doi.org/%E0%A4%A",
  ],
};

function groupsOf(urls: readonly string[]): number {
  return new Set(groupBySharedKeys(urls.map((url) => workKeys({ url })))).size;
}

test.each(Object.entries(ONE_WORK))("one work: %s", (_, urls) => {
  const [first = ""] = urls;
  expect(urls.filter((url) => groupsOf([first, url]) !== 1)).toEqual([]);
});

test.each(Object.entries(OTHER_WORKS))("different works: %s", (_, urls) => {
  expect(groupsOf(urls)).toBe(urls.length);
});

test("no two of all those works are treated as one", () => {
  expect(groupsOf(Object.values(ONE_WORK).flat())).toBe(Object.keys(ONE_WORK).length);
});

test("identifiers that came with a hit are keys beside its address, in any spelling", () => {
  expect(workKeys({ url: "https://openalex.org/W1", doi: "https://doi.org/10.48550/ARXIV.1706.03762", arxivId: null, pmid: null })).toEqual(
    ["arxiv:1706.03762", "url:openalex.org/W1"],
  );
  expect(
    workKeys({ url: "https://example.com/a", doi: "10.1002/ABC", arxivId: "arXiv:math.GT/0309136v2", pmid: "PMID: 032015507" }),
  ).toEqual(["doi:10.1002/abc", "arxiv:math/0309136", "pmid:32015507", "url:example.com/a"]);
  expect(workKeys({ url: "https://example.com/a", doi: "n/a", arxivId: "http://arxiv.org/abs/1706.03762v1", pmid: "" })).toEqual([
    "arxiv:1706.03762",
    "url:example.com/a",
  ]);
});

test("works that share no key are joined by a third that has keys of both", () => {
  const keys = [
    { url: "https://arxiv.org/abs/1706.03762v1" },
    { url: "https://doi.org/10.1002/abc" },
    { url: "https://example.com/other" },
    { url: "https://openalex.org/W1", doi: "10.1002/abc", arxivId: "1706.03762" },
  ].map(workKeys);
  expect(groupBySharedKeys(keys)).toEqual([0, 0, 2, 0]);
});

test("a canonical address has no scheme, and a text that is not an address stays unchanged", () => {
  expect(canonicalUrl("https://www.example.com/a/?y=2&x=1&utm_source=z#top")).toBe("example.com/a?x=1&y=2");
  expect(canonicalUrl(" not a url ")).toBe("not a url");
  expect(canonicalUrl("https://doi.org/%E0%A4%A")).toBe("doi.org/%E0%A4%A");
  expect(canonicalUrl("")).toBe("");
  // Names that every object has.
  expect(canonicalUrl("https://constructor/?constructor=1&__proto__=2")).toBe("constructor?__proto__=2&constructor=1");
});

test("a site is a host without prefixes such as www, or a scheme", () => {
  expect(siteOf("https://www.example.com:8080/a")).toBe("example.com");
  expect(siteOf("https://en.m.wikipedia.org/wiki/Loop")).toBe("en.wikipedia.org");
  expect(siteOf("corpus:a.md")).toBe("corpus:");
  expect(siteOf("nothing")).toBe("");
});
test("a non-web address means something to its own source only: a search result cannot stand for a local file", () => {
  const file = workKeys({ url: "corpus:zh/灯塔.md", foundBy: "corpus" });
  expect(workKeys({ url: "corpus:zh/灯塔.md", foundBy: "corpus" })).toEqual(file);
  expect(workKeys({ url: "corpus:zh/灯塔.md", foundBy: "searxng" }).filter((key) => file.includes(key))).toEqual([]);
  expect(workKeys({ url: "https://e.org/a", foundBy: "searxng" })).toEqual(workKeys({ url: "https://e.org/a", foundBy: "brave" }));
});
