import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, gated, QUESTION, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();
const CHINESE = "奥尔德穆尔灯塔是谁建的？";

/** Allows notifications, keeps what they say, and lets the page be hidden: a headless browser refuses all of that. */
const WATCH_NOTIFICATIONS = `{
  const shown = [];
  const Real = Notification;
  window.shownNotifications = shown;
  Object.defineProperty(Real, "permission", { get: () => "granted" });
  window.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      shown.push(title + ": " + options.body);
    }
  };
  let isHidden = false;
  Object.defineProperty(document, "visibilityState", { get: () => (isHidden ? "hidden" : "visible") });
  window.hidePage = () => { isHidden = true; };
}`;

it("notifies of the end of a run where that is allowed and nobody looks at the page", async () => {
  const gate = gated([say.repeat(say.text("Nothing. 没有。"))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url);
  await page.addInitScript(WATCH_NOTIFICATIONS);
  await page.reload();
  await askInPage(page, CHINESE);
  await page.getByText("Writing the report").first().waitFor();
  await page.evaluate("hidePage()");
  expect(await page.evaluate("shownNotifications")).toEqual([]);
  gate.open();
  await waitForState(page, "Done");
  expect(await page.evaluate("shownNotifications")).toEqual([`Done: ${CHINESE}`]);
  expect(await page.title()).toBe(`Done: ${CHINESE}`);
  // A run that had ended before the page was opened is no news.
  await page.reload();
  await waitForState(page, "Done");
  expect(await page.evaluate("shownNotifications")).toEqual([]);
});

it("asks for the permission to notify only after a press, and not again once it is decided", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url);
  // A headless browser has decided before anybody asks.
  await page.addInitScript(`{
    let permission = "default";
    window.requests = 0;
    Object.defineProperty(Notification, "permission", { get: () => permission });
    Notification.requestPermission = async () => { window.requests += 1; permission = "granted"; return permission; };
  }`);
  await page.reload();
  await askInPage(page, QUESTION);
  const button = page.getByRole("button", { name: "Tell me when it is done" });
  await button.waitFor();
  expect(await page.evaluate("requests")).toBe(0);
  await button.click();
  await button.waitFor({ state: "detached" });
  expect(await page.evaluate("requests")).toBe(1);
});

it("says that the browser is offline, and goes on at once when it is back", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url, { locale: "zh-CN", expected: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/ });
  await page.getByRole("textbox", { name: "你的问题" }).fill(CHINESE);
  await page.keyboard.press("Enter");
  await page.getByText("正在撰写报告").first().waitFor();
  await page.context().setOffline(true);
  const notice = page.getByText("浏览器已离线，显示的内容可能不是最新的。");
  await notice.waitFor();
  await page.getByRole("button", { name: "取消" }).click();
  await page.getByText("未能取消").waitFor();
  gate.open();
  await page.context().setOffline(false);
  await notice.waitFor({ state: "detached" });
  await waitForState(page, "已完成");
});
