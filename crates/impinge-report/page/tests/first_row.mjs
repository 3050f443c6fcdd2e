// How long reports take to open, in milliseconds: until the first row is there, and until the first picture is.
// IMPINGE_REPORTS=. node tests/first_row.mjs PAGE.html…

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const look = (_, observer) => {
      if (!document.querySelector(".row")) return;
      window.firstRow = performance.now();
      observer.disconnect();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  await page.goto(pathToFileURL(resolve(file)).href, { waitUntil: "commit" });
  await page.waitForFunction(() => window.impinge?.state().firstPicture > 0, undefined, { timeout: 120_000 });
  const [row, picture, listed] = await page.evaluate(() => {
    const { firstPicture, listed } = window.impinge.state();
    return [window.firstRow, firstPicture, listed];
  });
  console.log(`${file}: ${listed} clashes, first row after ${Math.round(row)}, first picture after ${Math.round(picture)}`);
  await page.close();
}
await browser.close();
