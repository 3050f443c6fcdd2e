// Opens sample reports in a browser, uses them as a reader would, and looks at what is shown. Nothing may be logged, and nothing
// may be asked for from the network.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AMBER, BLUE, launch, open, PHONE, press, RED, reports, screenshots, settle, share } from "./browser.mjs";

let browser;
/// The report with all kinds of clashes: most tests use it, and opening it takes most of their time.
let kinds;
before(async () => {
  browser = await launch();
  kinds = await open(browser, "all-kinds");
});
after(() => browser.close());

const alone = [];

/// A test with a report of its own; they are opened side by side, after all others. Whatever the page logs fails it.
function opened(title, name, use, options) {
  alone.push([title, name, use, options]);
}

/// A test with the report of all kinds, as if it were just opened.
function withKinds(title, use) {
  test(title, async () => {
    const { page, problems } = kinds;
    await page.evaluate(() => document.activeElement?.blur());
    for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
    await settle(page);
    await use(kinds);
    assert.deepEqual(problems, []);
  });
}

const listed = (page) => page.locator(".row").evaluateAll((rows) => rows.length);

withKinds("a click on a clash highlights its two parts", async ({ page, state, shot }) => {
  assert.equal((await state()).listed, 8);
  await shot("all-kinds");
  await page.click('.row:has-text("flange left")');
  await settle(page);
  const shown = await state();
  assert.deepEqual(shown.highlighted, [1, 2]);
  assert.equal(shown.ghosting, true);
  assert.equal(shown.curvePoints, 48);
  assert.ok(shown.contactTriangles.every((count) => count > 20));
  assert.equal(await page.locator('.row[aria-selected="true"] .name').first().textContent(), "flange left");
  assert.match(await page.textContent(".detail"), /at most 0\.432738 mm/);
  await shot("overlapping");
  for (const [color, least] of [
    [BLUE, 0.05],
    [AMBER, 0.05],
    [RED, 0.005],
  ])
    assert.ok((await share(page, color)) > least, `${color}`);
});

withKinds("every kind of clash is drawn with what belongs to it", async ({ page, state, shot }) => {
  const cases = [
    ["bracket copy", "duplicate", [3, 4], [12, 12]],
    ["second in first", "inside", [3, 5], [0, 0]],
    ["shim", "touching", [0, 6], [2, 2]],
    ["gap 0.3", "near", [6, 7], [0, 0]],
  ];
  for (const [text, verdict, parts, triangles] of cases) {
    await page.locator(`.row:has-text("${verdict}"):has-text("${text}")`).first().click();
    await settle(page);
    const shown = await state();
    assert.deepEqual(shown.highlighted, parts, verdict);
    assert.deepEqual(shown.contactTriangles, triangles, verdict);
    await shot(verdict);
  }
  // The contained part is seen through what contains it.
  await page.locator('.row:has-text("inside")').first().click();
  await settle(page);
  assert.ok((await share(page, [170, 145, 80], 45)) > 0.02);
});

withKinds("keys go through the list and back", async ({ page, state }) => {
  const ids = await page.locator(".row").evaluateAll((rows) => rows.map((row) => row.dataset.id));
  await press(page, "j", "j");
  assert.equal((await state()).selected, ids[1]);
  assert.equal(new URL(page.url()).hash, `#${ids[1]}`);
  await press(page, "ArrowDown", "k", "k");
  assert.equal((await state()).selected, ids[0]);
  await press(page, "End");
  assert.equal((await state()).selected, ids[7]);
  // It is resolved, but its parts are still there.
  assert.deepEqual((await state()).highlighted, [7, 8]);
  await press(page, "Escape");
  assert.equal((await state()).selected, null);
  assert.equal((await state()).ghosting, false);
  await press(page, "Enter");
  assert.equal((await state()).selected, ids[0]);
  await press(page, "x");
  assert.equal((await state()).xray, true);
  await press(page, "g");
  assert.equal((await state()).ghosting, false);
  await press(page, "z", "f");
  await press(page, "?");
  assert.ok(await page.locator("dialog.help").isVisible());
  await press(page, "Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
  assert.equal((await state()).selected, ids[0]);
  await press(page, "x", "g", "z");
});

withKinds("search and filters", async ({ page, state }) => {
  await press(page, "/");
  await page.keyboard.type("BOLT bracket");
  assert.equal((await state()).listed, 2);
  await press(page, "ArrowDown");
  assert.deepEqual((await state()).highlighted, [3, 5]);
  await page.fill(".search", "nothing like it");
  assert.equal((await state()).listed, 0);
  await page.click("text=Show all");
  assert.equal((await state()).listed, 8);
  await page.click('[data-filter="touching"]');
  await page.click('[data-filter="near"]');
  assert.equal((await state()).listed, 3);
  await page.click('[data-filter="touching"]');
  await page.click('[data-filter="near"]');
  await page.click('[data-filter="new"]');
  assert.equal((await state()).listed, 1);
  await page.click('[data-filter="new"]');
  await page.selectOption(".sorter", "name");
  assert.equal(await page.locator(".row .name").first().textContent(), "base plate");
  // The clashes of one part.
  await page.locator('.row:has-text("shim")').first().click();
  await page.locator("button.part").first().click();
  assert.equal((await state()).listed, 2);
  assert.match(await page.textContent(".part-filter"), /base plate/);
});

opened("a click on a part lists its clashes, and an address with a clash opens it", "check", async ({ page, state }) => {
  const id = (await state()).selected;
  await press(page, "Escape");
  assert.equal((await state()).selected, null);
  await page.evaluate((hash) => (location.hash = hash), id);
  await settle(page);
  assert.equal((await state()).selected, id);
  await press(page, "Escape");
  const box = await page.locator("canvas").boundingBox();
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.6 * box.height);
  assert.match(await page.textContent(".part-filter"), /left\.stl/);
  assert.equal((await state()).selected, null);
});

opened(
  "dark as the system says, and as the button says",
  "all-kinds",
  async ({ page, state, shot }) => {
    assert.equal((await state()).theme, "dark");
    await press(page, "j", "j");
    await shot("dark");
    assert.ok((await share(page, [18, 22, 27], 20)) > 0.1);
    await page.click('[aria-label="Light or dark"]');
    await settle(page);
    assert.equal((await state()).theme, "light");
    assert.ok((await share(page, [243, 245, 247], 12)) > 0.1);
  },
  { colorScheme: "dark" },
);

opened(
  "on a phone the list is a drawer",
  "all-kinds",
  async ({ page, state, shot }) => {
    assert.equal(await page.locator(".panel").evaluate((panel) => panel.inert), true);
    await page.tap('[aria-label="Show or hide the list"]');
    await page.waitForTimeout(250);
    await shot("phone-list");
    await page.locator(".row").nth(1).tap();
    await page.waitForTimeout(250);
    assert.deepEqual((await state()).highlighted, [1, 2]);
    assert.equal(await page.locator(".panel").evaluate((panel) => panel.inert), true);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
    await shot("phone");
  },
  { viewport: PHONE, hasTouch: true, isMobile: true },
);

opened("nothing is drawn while nothing changes", "parts-1000", async ({ page, state, shot }) => {
  await page.waitForTimeout(400);
  const { frames } = await state();
  await page.waitForTimeout(300);
  assert.equal((await state()).frames, frames);
  // Of 200 clashes only the rows in sight exist.
  assert.ok((await listed(page)) < 40);
  await press(page, "End");
  assert.ok(await page.locator('.row[aria-selected="true"]').isVisible());
  assert.equal(await page.locator('.row[aria-selected="true"]').getAttribute("aria-posinset"), "200");
  await shot("parts-1000");
});

withKinds("a flight ends where it should", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.equal(await page.evaluate(() => matchMedia("(prefers-reduced-motion: reduce)").matches), false);
  await press(page, "j");
  await page.waitForFunction(() => !window.impinge.state().flying);
  await settle(page);
  assert.ok((await share(page, [235, 85, 80], 60)) > 0.02);
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("10,000 parts open in under 2 seconds", async () => {
  const { page, problems, state, shot, close } = await open(browser, "parts-10000");
  await page.waitForFunction(() => window.impinge.state().firstPicture !== null);
  const ready = await page.evaluate(() => window.impinge.openedIn);
  const { firstPicture } = await state();
  console.log(`10,000 parts: ready after ${ready.toFixed(0)} ms, drawn after ${firstPicture.toFixed(0)} ms`);
  // Where others use the machine as well, it takes as much longer as they take.
  const crowding = Math.max(1, loadavg()[0] / availableParallelism());
  assert.ok(firstPicture < 2000 * crowding, `${firstPicture} ms, load ${crowding.toFixed(1)} a core`);
  assert.ok((await state()).crowdTriangles <= 150_000);
  await press(page, "j");
  assert.deepEqual((await state()).highlighted, [5, 6]);
  await shot("parts-10000");
  assert.deepEqual(problems, []);
  await close();
});

test("instances and batches of a graphics card draw the same picture", async () => {
  for (const name of ["all-kinds", "parts-125"]) {
    const address = `file://${join(reports, `${name}.html`)}?graphics=card`;
    const { page, problems, state, shot, close } = await open(browser, name, { address });
    const all = await state();
    assert.equal(all.crowdTriangles, name === "parts-125" ? 66_000 : 2352);
    assert.ok(all.calls < 5);
    await press(page, "j", "j");
    assert.equal((await state()).highlighted.length, 2);
    assert.ok((await share(page, AMBER)) > 0.02);
    await shot(`${name}-card`);
    assert.deepEqual(problems, []);
    await close();
  }
});

opened("an animation plays, and a clash goes to its time", "animation", async ({ page, state, shot }) => {
  assert.equal((await state()).time, 0);
  await page.locator(".row").first().click();
  await settle(page);
  assert.equal((await state()).time, 1.4);
  await shot("animation");
  await page.locator(".timeline input").fill("7500");
  assert.equal((await state()).time, 3);
  // From the start, so that it does not end before it is stopped.
  await page.locator(".timeline input").fill("0");
  await page.locator(".stage").click({ position: { x: 300, y: 300 } });
  await press(page, " ");
  assert.equal((await state()).playing, true);
  await page.waitForFunction(() => window.impinge.state().time > 0.05);
  await press(page, " ");
  assert.equal((await state()).playing, false);
  assert.equal(await page.locator(".tick").count(), 2);
});

opened("a sweep shows its way, its stop and its contacts", "sweep", async ({ page, state, shot }) => {
  assert.equal((await state()).time, 0.42);
  assert.match(await page.textContent(".detail"), /hit.*42 % of its way/);
  await shot("sweep");
  assert.ok((await share(page, [216, 31, 74])) > 0.0001, "arrows");
  await page.locator(".timeline input").fill("0");
  await settle(page);
  assert.equal((await state()).time, 0);
});

opened("parts of an arena come and go", "arena", async ({ page, state, shot }) => {
  const before = (await state()).crowdTriangles;
  await page.locator(".timeline input").fill("5000");
  await page.waitForTimeout(250);
  await shot("arena");
  const { triangles, crowdTriangles } = await state();
  assert.equal(crowdTriangles - before, 528);
  assert.equal(triangles, crowdTriangles, "only films draw twice, for their shadows");
});

opened(
  "a film opens playing, with a caption and shadows",
  "film",
  async ({ page, state, shot }) => {
    await page.waitForFunction(() => window.impinge.state().time > 0.1);
    assert.equal((await state()).playing, true);
    await press(page, "Space");
    assert.equal(await page.textContent(".caption"), "Five balls, and a ground to bounce on.");
    assert.equal(await page.locator(".app.with-panel").count(), 0, "there is nothing to list");
    assert.equal(await page.locator("button.toggle").count(), 0);
    await page.locator(".timeline input").fill("5000");
    await page.waitForTimeout(250);
    await shot("film");
    const { triangles, crowdTriangles } = await state();
    assert.equal(triangles, 2 * crowdTriangles, "once by the lamp and once by the camera");
    const [ground, shadow] = [
      [190, 205, 172],
      [143, 155, 130],
    ];
    assert.ok((await share(page, ground, 6)) > 0.1, "the ground in the light");
    assert.ok((await share(page, shadow, 6)) > 0.01, "shadows on it");
  },
  { reducedMotion: "no-preference" },
);

opened("no parts, no clashes", "empty", async ({ page, shot }) => {
  assert.match(await page.textContent(".empty"), /No clashes\.\s*0 parts were looked at\./);
  await press(page, "j", "Enter", "Escape", "f", "x", "End");
  await shot("empty");
});

opened("two that do not meet", "clear", async ({ page, state }) => {
  assert.match(await page.textContent(".detail"), /clear.*the two do not meet/);
  assert.equal((await state()).listed, 0);
});

opened("a partial report says so", "partial", async ({ page, shot }) => {
  assert.match(await page.textContent(".notes"), /Partial: the search was interrupted.*123 of 456/);
  assert.ok(await page.locator(".badge").isVisible());
  await shot("partial");
});

opened("names stay names", "hostile", async ({ page, state, shot }) => {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator(".row .name").first().textContent(), "</script><script>window.hacked = 1</script>");
  for (let i = 0; i < 8; i++) {
    await press(page, "j");
    assert.ok((await state()).selected);
  }
  await press(page, "/");
  await page.keyboard.type("größe");
  assert.equal((await state()).listed, 2);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await shot("hostile");
});

for (const name of ["far", "huge"]) {
  opened(`the picture does not depend on size and place: ${name}`, name, async ({ page, shot }) => {
    await shot(name);
    for (const [color, least] of [
      [BLUE, 0.05],
      [AMBER, 0.05],
      [RED, 0.005],
    ])
      assert.ok((await share(page, color)) > least, `${color}`);
  });
}

test("without 3D graphics the list still works", async () => {
  const { page, state, shot, close } = await open(browser, "all-kinds", {
    script: () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
      };
    },
  });
  assert.match(await page.textContent(".no-3d"), /no 3D graphics/);
  await press(page, "j", "j", "x", "f");
  assert.ok((await state()).selected);
  assert.match(await page.textContent(".detail"), /at most 0\.432738 mm/);
  await shot("without-3d");
  await close();
});

test("tables without scripts", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${join(reports, "plain.html")}`);
  assert.equal(await page.locator("tbody tr").count(), 8);
  await page.screenshot({ path: join(screenshots, "plain.png") });
  await context.close();
});

test("a live page asks its server and draws the answer", async (t) => {
  const asked = [];
  const server = createServer((request, response) => {
    if (request.method === "GET") return response.end(readFileSync(join(reports, "live.html")));
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const question = JSON.parse(body);
      asked.push({ path: request.url, type: request.headers["content-type"], ...question });
      const x = question.world_from_model[3];
      if (x > 100) return response.writeHead(400).end("too far");
      const answer = {
        verdict: x > 3 ? "clear" : "overlapping",
        curve: [
          {
            points: [
              [0, 1, 0],
              [0, 0, 1],
              [0, -1, 0],
            ],
            closed: true,
          },
        ],
        faces_a: [0, 1, 2],
        faces_b: [7],
        face_pairs: 3,
        point: [0, 1, 0],
      };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  // Otherwise a failure would never end.
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const { page, problems, state, shot, close } = await open(browser, "live", { address });
  await page.waitForFunction(() => window.impinge.state().answers === 1);
  await settle(page);
  let shown = await state();
  assert.deepEqual(shown.highlighted, [0, 1]);
  assert.deepEqual(shown.contactTriangles, [3, 1]);
  assert.equal(shown.curvePoints, 3);
  assert.equal(asked[0].path, "/pose");
  assert.equal(asked[0].type, "application/json");
  assert.equal(asked[0].part, 1);
  assert.deepEqual(asked[0].world_from_model, [1, 0, 0, 0.6, 0, 1, 0, 0.3, 0, 0, 1, 0.2, 0, 0, 0, 1]);
  assert.deepEqual(asked[0].world_from_other, [1, 0, 0, -0.6, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  await shot("live");
  // Drags the handle of the second part, which is where its middle is seen.
  const at = await page.evaluate(() => window.impinge.handle());
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step++) await page.mouse.move(at.x + 8 * step, at.y - 3 * step);
  await page.mouse.up();
  await page.waitForFunction(() => window.impinge.state().answers >= 2);
  const last = asked.at(-1).world_from_model;
  assert.ok(Math.hypot(last[3] - 0.6, last[7] - 0.3, last[11] - 0.2) > 0.01, `${last}`);
  assert.deepEqual(last.slice(0, 3), [1, 0, 0]);
  shown = await state();
  assert.match(await page.textContent(".detail"), /overlapping/);
  await press(page, "o", "r");
  assert.deepEqual(problems, []);
  await close();
});

describe("reports of their own", { concurrency: 2 }, () => {
  for (const [title, name, use, options] of alone) {
    test(title, async () => {
      const report = await open(browser, name, options);
      await use(report);
      assert.deepEqual(report.problems, []);
      await report.close();
    });
  }
});
