import { expect, it } from "vitest";
import { ask, HELLO, TOOL } from "./model-server/ask.ts";
import * as say from "./model-server/behaviors.ts";
import { roleScript } from "./model-server/role-script.ts";
import { startModelServer } from "./model-server.ts";

const formOf = (name: string) => ({ response_format: { type: "json_schema", json_schema: { name, schema: { type: "object" } } } });

it("answers each role by the name of the schema, entry by entry, the last one repeatedly", async () => {
  const server = await startModelServer(
    roleScript({
      "planner-response": [say.component("planner-response", { todos: [] }), say.text("二")],
      "verifier-response": ({ said, count }) => say.text(`${count} ${said.includes("你好")}`),
      tools: [say.text("tools")],
      text: [say.text("text")],
    }),
  );
  const answer = async (more: object): Promise<string> => {
    const body = (await (await ask(server, { stream: false, ...more })).json()) as { choices: { message: { content: string } }[] };
    return body.choices[0]?.message.content ?? "";
  };
  expect(await answer(formOf("planner-response"))).toBe('{"type":"component","component":"planner-response","props":{"todos":[]}}');
  expect(await answer(formOf("verifier-response"))).toBe("0 true");
  expect(await answer(formOf("planner-response"))).toBe("二");
  expect(await answer(formOf("planner-response"))).toBe("二");
  expect(await answer(formOf("verifier-response"))).toBe("1 true");
  expect(await answer({ tools: [TOOL] })).toBe("tools");
  expect(await answer({})).toBe("text");
  const told = [{ role: "system", content: 'Answer with {"component": "planner-response"}.' }, ...HELLO];
  expect(await answer({ messages: told })).toBe("二");
});
