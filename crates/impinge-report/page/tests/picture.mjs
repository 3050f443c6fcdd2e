// Makes the picture of the README: the report of a generated assembly with one of its clashes selected.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, open, press, settle } from "./browser.mjs";
import { folder, impinge } from "./command.mjs";

const { IMPINGE_PICTURE } = process.env;
if (!IMPINGE_PICTURE) throw new Error("IMPINGE_PICTURE must name the file to write");

await impinge("make assembly engine.glb");
await impinge("clash engine.glb --unit mm --clearance 1 --report assembly.html");
const browser = await launch();
try {
  // As on a graphics card, with smooth edges.
  const address = `${pathToFileURL(join(folder, "assembly.html")).href}?graphics=card`;
  const { page } = await open(browser, "assembly", { address, viewport: { width: 1280, height: 800 } });
  await press(page, "z");
  await page.locator('.row:has-text("overlapping"):has-text("gear 7")').first().click();
  await settle(page);
  // From a little farther away, so that its neighbours are seen as well.
  await page.mouse.move(820, 430);
  for (let step = 0; step < 4; step++) {
    await page.mouse.wheel(0, 400);
    await settle(page);
  }
  // What is drawn in haste while something moves is drawn properly afterwards.
  await page.waitForTimeout(400);
  await settle(page);
  writeFileSync(IMPINGE_PICTURE, await page.screenshot());
} finally {
  await browser.close();
}
