import { expect, it } from "vitest";
import { openDossier } from "../helpers/open-dossier.ts";

const CORPUS = {
  "lighthouse.md":
    "# The lighthouse of Aldermoor\n\nThe lighthouse of Aldermoor was built by Ines Calder in 1874.\n\nIt stands 41 metres tall, and burns oil.\n",
  "harbour.md": "# The harbour of Rivenhall\n\nThe harbour holds forty boats. A pilot waits there in winter.\n",
};

it("a follow-up is about the subject that an earlier question of the thread named, even after questions without a name", async () => {
  const dossier = await openDossier({ corpus: CORPUS });
  for (const question of ["Who built the lighthouse of Aldermoor?", "And when?", "And how tall is it?"]) {
    const { id } = await dossier.start({ question, threadId: "thread" });
    const { report } = await dossier.finish(id);
    expect(report?.claims.map(({ text }) => text).join("\n"), question).toMatch(question.includes("tall") ? "41 metres" : "1874");
  }
});
