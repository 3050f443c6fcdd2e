// What the tests share: a browser, pages that fail on any error they log, and where reports and screenshots are.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { IMPINGE_REPORTS, IMPINGE_SCREENSHOTS, CHROMIUM = "/usr/bin/chromium" } = process.env;
if (!IMPINGE_REPORTS) throw new Error("IMPINGE_REPORTS must name the folder that sample_reports wrote to");
export const reports = resolve(IMPINGE_REPORTS);
export const screenshots = resolve(IMPINGE_SCREENSHOTS ?? join(reports, "screenshots"));
mkdirSync(screenshots, { recursive: true });

/// Without a graphics card every pixel takes its time.
const SMALL = { width: 1040, height: 600 };
export const PHONE = { width: 390, height: 780 };

export function launch() {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/// Opens a report, of a file or of an address, and waits until it is drawn.
export async function open(browser, name, options = {}) {
  const { viewport = SMALL, colorScheme = "light", address, script, ...rest } = options;
  // Flights would only make the tests slow; one test looks at them.
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", ...rest });
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // The software renderer remarks on its own speed.
    const isRemark = /GPU stall|GL Driver Message|swiftshader/i.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRemark) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  const own = address ?? pathToFileURL(join(reports, `${name}.html`)).href;
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(own.replace(/[?#].*/, "")) && !url.startsWith("data:")) problems.push(`asked for ${url}`);
  });
  await page.goto(own);
  await page.waitForFunction(() => window.impinge !== undefined);
  await settle(page);
  return {
    page,
    problems,
    state: () => page.evaluate(() => window.impinge.state()),
    shot: (file = name) => page.screenshot({ path: join(screenshots, `${file}.png`) }),
    close: () => context.close(),
  };
}

/// Tests with reports in one browser, which stays open for the file: whatever a page logs fails its test. Gives a function that
/// defines a test with one report, of `name` unless its options say otherwise.
export function testsOf(name) {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser.close());
  return (title, use, options = {}) =>
    test(title, async () => {
      const { before: prepare, report: own = name, ...rest } = options;
      await prepare?.();
      const report = await open(browser, own, rest);
      await use(report);
      assert.deepEqual(report.problems, []);
      await report.close();
    });
}

/// Two frames later everything that was asked for is drawn.
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/// Presses keys one after the other, and waits until what they do is drawn.
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settle(page);
}

/// How many pixels of the picture are about of a colour, in parts of all.
export async function share(page, [red, green, blue], tolerance = 40) {
  const clip = await page.locator("canvas").boundingBox();
  const png = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(
    async ([png, red, green, blue, tolerance]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (Math.hypot(data[i] - red, data[i + 1] - green, data[i + 2] - blue) < tolerance) count++;
      return count / (data.length / 4);
    },
    [png, red, green, blue, tolerance],
  );
}

export const BLUE = [60, 125, 215];
export const AMBER = [215, 160, 45];
export const RED = [215, 30, 72];
