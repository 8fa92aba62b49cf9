import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import { behaviorFor, type Script } from "../fakes/model-server/script.ts";
import type { ModelServer } from "../fakes/model-server/serve.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plan, ROLES, WALL } from "../fakes/scripted-roles.ts";
import type { OpenOptions } from "../helpers/open-dossier.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { seriousFaults } from "./in-page.ts";

export const QUESTION = "Who built the lighthouse of Aldermoor?";

/** The whole service with a model that answers by a script. */
export async function startModelService(script: Script, options: OpenOptions = {}): Promise<TestService & { readonly model: ModelServer }> {
  const model = await startModelServer(script);
  const environment = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk-test",
    OPENAI_MODEL: "scripted",
    MODEL_PRICES: "",
    ...options.environment,
  };
  return { ...(await startService({ ...options, environment })), model };
}

/** Roles that work together on a plan of two todos. */
export const researchRoles = (): Script =>
  roleScript({
    ...ROLES,
    "planner-response": [
      plan([
        { id: "T1", description: QUESTION },
        { id: "二", description: "港墙用什么石料？", dependsOn: ["T1"] },
      ]),
      plan([{ id: "T9", description: WALL }]),
    ],
  });

export interface Gate {
  readonly script: Script;
  open(): void;
}

/** Holds every answer of a script back until the gate is opened. */
export function gated(script: Script): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Script = async (request, index): Promise<Behavior | undefined> => {
    await promise;
    return behaviorFor(script, request, index);
  };
  return { script: held, open: resolve };
}

/** An agent that answers at once, in English. */
export const answers = (text: string): Script => [say.repeat(say.text(text))];

/** Asks in the page and waits until the run is shown; returns its id. */
export async function askInPage(page: Page, question: string): Promise<string> {
  await page.getByRole("textbox", { name: "Your question" }).fill(question);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await page.getByRole("heading", { level: 1, name: question }).waitFor();
  return decodeURIComponent(new URL(page.url()).pathname.split("/")[2] ?? "");
}

/** The state that the page shows, such as `Done`. */
export async function waitForState(page: Page, state: string): Promise<void> {
  await page.locator(".run-header").getByText(state, { exact: true }).waitFor();
}

/** Fails if axe finds something serious in what the page shows now. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousFaults(page)).toEqual([]);
}
