// Colors of the overview, section, measuring, hiding, printing, and reports with very many clashes.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { press, reports, screenshots, settle, share, testsOf } from "./browser.mjs";

const withGroups = testsOf("groups");

/// Everything but the background, in parts of the picture; what lies over it does not count.
async function filled(page) {
  const show = (visibility) =>
    page.evaluate((visibility) => (document.querySelector(".bars").style.visibility = visibility), visibility);
  await show("hidden");
  const background = await share(page, [243, 245, 247], 6);
  await show("");
  return 1 - background;
}

withGroups("the overview has calm colors, one for each kind of part", async ({ page, shot }) => {
  await shot("overview");
  const hues = await page.evaluate(async () => {
    const image = new Image();
    image.src = await new Promise((done) => {
      addEventListener("beforeprint", () => setTimeout(() => done(document.querySelector(".sheet img").src)), { once: true });
      dispatchEvent(new Event("beforeprint"));
    });
    dispatchEvent(new Event("afterprint"));
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const found = new Array(12).fill(0);
    let strong = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = data.subarray(i, i + 3);
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      const range = most - least;
      if (range < 14) continue;
      if (range > 150) strong++;
      const sector = most === red ? ((green - blue) / range + 6) % 6 : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
      found[Math.floor(2 * sector) % 12]++;
    }
    const area = data.length / 4;
    return { kinds: found.filter((count) => count > 0.002 * area).length, strong: strong / area };
  });
  assert.ok(hues.kinds >= 4, `${hues.kinds} hues for plate, pipe, bolts, joists and sheets`);
  assert.ok(hues.strong < 0.01, `only marks are strong: ${hues.strong}`);
});

withGroups("a section cuts part of the scene away", async ({ page, shot }) => {
  const whole = await filled(page);
  await press(page, "c");
  const half = await filled(page);
  assert.ok(half < 0.75 * whole && half > 0.1 * whole, `${half} of ${whole}`);
  await shot("section");
  await page.click(".section-bar button:has-text('Flip')");
  await settle(page);
  const other = await filled(page);
  assert.ok(other < 0.9 * whole && other > 0.1 * whole, `${other} of ${whole}`);
  const slider = page.locator(".section-bar input");
  await slider.fill("0");
  await settle(page);
  assert.ok(Math.abs((await filled(page)) - whole) < 0.02, "all of it is on this side");
  await slider.fill("1000");
  await settle(page);
  assert.ok((await filled(page)) < 0.35 * whole, "and nothing on the other");
  await page.click(".section-bar button:has-text('y')");
  await slider.fill("500");
  await settle(page);
  const upper = await filled(page);
  assert.ok(upper > 0.02 && upper < whole);
  await press(page, "c");
  assert.ok(Math.abs((await filled(page)) - whole) < 0.02, "closed, it cuts nothing");
});

withGroups(
  "two clicks measure a distance",
  async ({ page, shot }) => {
    await press(page, "Escape", "m");
    assert.equal(await page.textContent(".measured"), "Click two points");
    const box = await page.locator("canvas").boundingBox();
    // The two balls are 2.2 and some across together; these points are of two of their sides.
    await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.6 * box.height);
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.4 * box.height);
    await settle(page);
    const distance = Number((await page.textContent(".measured")).replace(" mm", ""));
    assert.ok(distance > 0.5 && distance < 2.6, `${distance}`);
    assert.equal(await page.locator(".part-filter").isVisible(), false, "the clicks choose nothing");
    await shot("measure");
    // A third click begins anew, and the background is no point.
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.4 * box.height);
    assert.equal(await page.textContent(".measured"), "Click two points");
    await page.mouse.click(box.x + box.width - 5, box.y + box.height - 5);
    assert.equal(await page.textContent(".measured"), "Click two points");
    // The same point twice is no distance, and the distance does not depend on what the view looks at.
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.4 * box.height);
    assert.equal(await page.textContent(".measured"), "0 mm");
    await press(page, "Escape");
    assert.equal(await page.locator(".measured").isVisible(), false);
  },
  { report: "check" },
);

withGroups("parts are found in a tree, hidden and isolated", async ({ page, state, shot }) => {
  const all = (await state()).crowdTriangles;
  await press(page, "p");
  // Twenty parts below one file and one engine.
  assert.equal(await page.locator(".tree-row").count(), 22);
  assert.match(await page.textContent(".tree-said"), /20 of 20 shown/);
  await page.locator('[aria-label="Show bolt_3"]').uncheck();
  await settle(page);
  const withoutBolt = (await state()).crowdTriangles;
  assert.ok(withoutBolt < all);
  await page.fill(".tree .search", "BOLT");
  assert.equal(await page.locator(".tree-row").count(), 12);
  await page.click('.tree-row:has-text("bolt_5") button:has-text("only")');
  await settle(page);
  assert.match(await page.textContent(".tree-said"), /1 of 20 shown/);
  assert.equal((await state()).crowdTriangles, all - withoutBolt, "a bolt alone");
  await shot("tree");
  await page.click('.tree button:has-text("Show all")');
  await settle(page);
  assert.equal((await state()).crowdTriangles, all);
  // A folder holds all of its parts.
  await page.fill(".tree .search", "");
  await page.locator('[aria-label="Show engine"]').uncheck();
  await settle(page);
  assert.equal((await state()).crowdTriangles, 0);
  await page.locator('[aria-label="Show engine"]').check();
  await page.click('.tree-name:has-text("plate")');
  assert.match(await page.textContent(".part-filter"), /plate/);
  assert.equal((await state()).listed, 12);
});

withGroups("a printer gets the picture and a table of all clashes", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".sheet tbody tr").count(), 17);
  assert.match(await page.locator(".sheet tbody").textContent(), /sheet a.*Closed 1 comment/s);
  assert.ok(await page.locator(".sheet table").isVisible());
  assert.equal(await page.locator(".panel").isVisible(), false);
  const drawn = await page.locator(".sheet img").evaluate(async (image) => (await image.decode(), image.naturalWidth));
  assert.ok(drawn > 100);
  await page.screenshot({ path: join(screenshots, "print.png"), fullPage: true });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".sheet").count(), 0);
  await page.emulateMedia({ media: "screen" });
});

/// The report of groups, compressed.
function writePacked() {
  const page = readFileSync(join(reports, "groups.html"), "utf8");
  const start = '<script type="application/json" id="report">';
  const [head, rest] = page.split(start);
  const at = rest.indexOf("</script>");
  const packed = deflateSync(rest.slice(0, at)).toString("base64");
  const tag = '<script type="text/plain" id="report" data-packed="deflate">';
  writeFileSync(join(reports, "packed.html"), head + tag + packed + rest.slice(at));
}

withGroups(
  "compressed data are unpacked",
  async ({ state }) => {
    assert.equal((await state()).listed, 17);
  },
  { report: "packed", before: writePacked },
);
