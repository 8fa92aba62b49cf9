import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const work = (n: number) => ({
  DOI: `10.5555/LIGHT.${n}`,
  title: [`Lighthouse <i>optics</i> ${n}`],
  abstract: "<jats:p>Lamps &amp; lenses,\n  measured.</jats:p>",
  author: [{ given: "Ada", family: "Penrose" }, { name: "Coast Office" }],
  "container-title": ["Journal of Lamps"],
  published: { "date-parts": [[2021, 3, 4]] },
});
const found = (total: number): Answers => json({ status: "ok", message: { "total-results": total, items: numbers(total).map(work) } });

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: { kind: "scholar", title: "Lighthouse optics 1", url: "https://doi.org/10.5555/light.1", publishedAt: "2021-03-04" },
  nothing: found(0),
  oneBroken: json({ message: { items: [work(1), { DOI: 7, title: "no list" }, work(3)] } }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("query.bibliographic"),
  odd: {
    "fails with the words of the validation when the request is refused": {
      answers: () => ({
        status: 400,
        text: '{"status":"failed","message-type":"validation-failure","message":[{"type":"parameter-not-allowed","value":"x","message":"No such select"}]}',
      }),
      failure: "unreadable",
      says: /No such select/,
    },
    "reads the plain text of status 404 as not found": {
      answers: () => ({ status: 404, headers: { "content-type": "text/plain" }, text: "Resource not found." }),
      failure: "not_found",
    },
  },
};
