import { SOURCES } from "../../src/tools/sources/sources.ts";
import { describeSearchSource, type SearchSourceContract } from "./search-source.ts";

// A source without example answers in sources/<id>.ts fails here.
for (const entry of SOURCES) {
  const file = entry.endpoint.id.replaceAll("_", "-");
  const { CONTRACT } = (await import(`./sources/${file}.ts`)) as { readonly CONTRACT: SearchSourceContract };
  describeSearchSource(entry, CONTRACT);
}
