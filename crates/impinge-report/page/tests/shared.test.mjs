// What two parts share, and the edges of parts in the overview.

import assert from "node:assert/strict";
import { press, RED, settle, share, testsOf } from "./browser.mjs";

const withGroups = testsOf("groups");

/// Chooses a clash by its short names.
async function choose(page, row) {
  await page.click(`.row:has-text("${row}")`);
  await settle(page);
}

withGroups("what two parts share is a solid, seen through both", async ({ page, state, shot }) => {
  await choose(page, "4 ×");
  let shown = await state();
  assert.deepEqual([shown.sharedTriangles, shown.sharedBox], [12, false]);
  const red = await share(page, RED, 70);
  assert.ok(red > 0.002, `a strong color: ${red}`);
  assert.doesNotMatch(await page.textContent(".detail"), /the box around/);
  // In the middle of what the facts do not cover.
  const [picture, facts] = [await page.locator("canvas").boundingBox(), await page.locator(".detail").boundingBox()];
  const free = (facts.x - picture.x) / picture.width;
  assert.ok(Math.abs((shown.middle + 1) / 2 - free / 2) < 0.03, `${shown.middle} of ${free}`);
  await shot("shared");
  const button = page.locator('.toggle:has-text("Overlap")');
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await press(page, "v");
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  shown = await state();
  assert.equal(shown.sharedTriangles, 0);
  const without = await share(page, RED, 70);
  assert.ok(without < 0.5 * red, `${without} of ${red}`);
  await button.click();
  await settle(page);
  assert.equal((await state()).sharedTriangles, 12);
  await press(page, "Escape");
  assert.ok(Math.abs((await state()).middle) < 0.01);
});

withGroups("where a solid is left out, a box is drawn, and that is said", async ({ page, state, shot }) => {
  assert.match(await page.textContent(".panel"), /12 overlaps are drawn as a box/);
  await choose(page, "12 ×");
  const shown = await state();
  assert.deepEqual([shown.sharedTriangles, shown.sharedBox], [0, true]);
  assert.match(await page.textContent(".detail"), /Drawnthe box around what both share/);
  assert.ok((await share(page, RED, 70)) > 0.0005);
  await shot("shared-box");
  // Two sheets that share nothing have neither.
  await choose(page, "sheet a");
  assert.deepEqual([(await state()).sharedTriangles, (await state()).sharedBox], [0, false]);
});

withGroups("a printer gets the solid, too", async ({ page }) => {
  await choose(page, "4 ×");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const red = await page.locator(".sheet img").evaluate(async (image, [red, green, blue]) => {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (Math.hypot(data[i] - red, data[i + 1] - green, data[i + 2] - blue) < 70) count++;
    return count / (data.length / 4);
  }, RED);
  assert.ok(red > 0.002, `${red}`);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
});

withGroups("the overview has the edges of parts", async ({ page, state, shot }) => {
  await page.waitForFunction(() => window.impinge.state().edges > 0);
  await settle(page);
  // Eight boxes of twelve edges each; balls are round.
  assert.equal((await state()).edges, 96);
  // Dark, which nothing else is but for text.
  assert.ok((await share(page, [70, 80, 90], 60)) > 0.001);
  await shot("edges");
  await choose(page, "sheet a");
  assert.equal((await state()).edges, 0, "the two parts have their own");
  await press(page, "Escape", "p");
  await page.fill(".tree .search", "plate");
  await page.click('.tree-row:has-text("plate") button:has-text("only")');
  await page.waitForFunction(() => window.impinge.state().edges === 12, undefined, { timeout: 5000 });
});
