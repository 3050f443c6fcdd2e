// Opens reports that the command itself writes, and a page that it serves. What the page does with all kinds of reports is tested in
// reports.test.mjs; here it is whether the command fills them so that they show something.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { AMBER, BLUE, launch, open, press, RED, settle, share } from "./browser.mjs";
import { command, folder, impinge, papers } from "./command.mjs";

/// A hammer that falls through a table within a tenth of a second, and goes up again: a glTF document with its numbers inside.
function hammer() {
  const corners = [...Array(8).keys()].flatMap((corner) => [0, 1, 2].map((axis) => ((corner >> axis) & 1) - 0.5));
  const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const indices = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const times = [0, 1, 1.05, 1.1, 2];
  const heights = [3, 3, -2, 3, 3];
  const lists = [corners, times, heights.flatMap((height) => [0, height, 0])].map((list) => Buffer.from(Float32Array.from(list).buffer));
  const buffer = Buffer.concat([...lists, Buffer.from(indices)]);
  const views = [...lists, indices].map((list, i, all) => ({
    buffer: 0,
    byteOffset: all.slice(0, i).reduce((sum, other) => sum + other.length, 0),
    byteLength: list.length,
  }));
  const floats = { componentType: 5126 };
  return JSON.stringify({
    asset: { version: "2.0" },
    nodes: [
      { name: "table", mesh: 0, scale: [4, 1, 4] },
      { name: "hammer", mesh: 0, translation: [0, 3, 0] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 3 }] }],
    animations: [
      { name: "strike", samplers: [{ input: 1, output: 2 }], channels: [{ sampler: 0, target: { node: 1, path: "translation" } }] },
    ],
    accessors: [
      { bufferView: 0, ...floats, count: 8, type: "VEC3" },
      { bufferView: 1, ...floats, count: 5, type: "SCALAR" },
      { bufferView: 2, ...floats, count: 5, type: "VEC3" },
      { bufferView: 3, componentType: 5121, count: 36, type: "SCALAR" },
    ],
    bufferViews: views,
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  });
}

let browser;
before(async () => {
  writeFileSync(join(folder, "hammer.gltf"), hammer());
  const models = [
    impinge("make assembly engine.glb"),
    impinge("make torus --triangles 1200 torus.obj"),
    impinge("make gear --triangles 1200 gear.obj"),
    impinge("make box --triangles 12 box.obj"),
  ];
  [browser] = await Promise.all([launch(), ...models]);
  await Promise.all([
    impinge("clash engine.glb --unit mm --clearance 1 --no-depth --report clash.html"),
    impinge("check gear.obj torus.obj --rotate-b 1,0,0,90 --translate-b 0.9,0,0 --unit mm --report check.html"),
    impinge("check gear.obj torus.obj --translate-b 3,0.4,0 --report clear.html"),
    impinge("sweep gear.obj box.obj --translate-a -4,0,0 --translate-b 2,0,0.4 --translate 8,0,0 --report sweep.html"),
    impinge("clash hammer.gltf --animation strike --report animation.html"),
    papers("arena --as-published --players 4 --objects 6 --seconds 2 --no-check --report arena.html"),
  ]);
});
after(() => browser?.close());

function written(title, name, use) {
  test(title, async () => {
    const report = await open(browser, `commands/${name}`);
    await use(report);
    await report.shot(`command-${name}`);
    assert.deepEqual(report.problems, []);
    await report.close();
  });
}

describe("reports", { concurrency: 2 }, () => {
  written("clashes of an assembly", "clash", async ({ page, state, shot }) => {
    assert.equal((await state()).listed, 44);
    await page.locator('.row:has-text("overlapping"):has-text("gear")').first().click();
    await settle(page);
    const shown = await state();
    assert.equal(shown.highlighted.length, 2);
    assert.ok(shown.curvePoints > 20 && shown.contactTriangles.every((count) => count > 20), JSON.stringify(shown));
    // The details lie over part of the picture.
    await page.evaluate(() => (document.querySelector(".detail").style.visibility = "hidden"));
    await shot("command-clash-picture");
    // The shaft's faces that meet the gear; those of the gear are within.
    for (const color of [BLUE, AMBER, [235, 85, 80]]) assert.ok((await share(page, color)) > 0.001, `${color}`);
  });

  test("notes of a page are what --status reads", async () => {
    const first = await open(browser, "commands/clash");
    await press(first.page, "j");
    const { selected } = await first.state();
    await first.page.selectOption(".note-status", "Closed");
    await first.page.fill(".note-assignee", "Bob");
    await first.page.fill(".note-comment", "as drawn");
    await first.page.click(".note-add");
    const [download] = await Promise.all([first.page.waitForEvent("download"), first.page.click("text=Save notes")]);
    await download.saveAs(join(folder, "notes.json"));
    await first.close();
    await impinge("clash engine.glb --unit mm --clearance 1 --no-depth --status notes.json --report noted.html");
    // Another browser knows nothing of what was written before.
    const second = await open(browser, "commands/noted");
    const row = second.page.locator(`.row[data-id="${selected}"]`);
    assert.match(await row.textContent(), /Closed \(Bob\) 1 comment/);
    await row.click();
    assert.match(await second.page.textContent(".comments"), /as drawn/);
    assert.deepEqual([...first.problems, ...second.problems], []);
    await second.close();
  });

  written("a clash while an animation plays", "animation", async ({ page, state }) => {
    assert.equal((await state()).listed, 1);
    await page.locator(".row").first().click();
    await settle(page);
    const shown = await state();
    // It meets the table after 0.02 s of falling; the place is shown as it was while they overlap.
    assert.match(await page.textContent(".detail"), /overlapping.*table.*hammer.*Time.*1\.02 s, for 0\.0/);
    assert.ok(shown.time > 1.02 && shown.time < 1.04, `${shown.time}`);
    assert.ok(shown.curvePoints > 3 && shown.highlighted.length === 2, JSON.stringify(shown));
  });

  written("a check of two models that meet", "check", async ({ page, state }) => {
    let shown = await state();
    assert.deepEqual(shown.highlighted, [0, 1]);
    assert.ok(shown.curvePoints > 20 && shown.sharedTriangles > 100, JSON.stringify(shown));
    assert.ok((await share(page, RED, 70)) > 0.002, "what they share");
    // In place of the solid, the faces that meet.
    await press(page, "v");
    shown = await state();
    assert.ok(shown.sharedTriangles === 0 && shown.contactTriangles.every((count) => count > 20), JSON.stringify(shown));
    assert.match(await page.textContent(".detail"), /overlapping.*gear\.obj.*torus\.obj.*at most .* mm/);
    for (const color of [BLUE, AMBER, RED]) assert.ok((await share(page, color)) > 0.002, `${color}`);
    await press(page, "v");
  });

  written("a check of two models that are apart", "clear", async ({ page, state }) => {
    assert.deepEqual((await state()).highlighted, [0, 1]);
    assert.match(await page.textContent(".detail"), /clear.*do not meet.*Gap.*1\.\d+ units.*Closest at/);
  });

  written("a sweep up to a wall", "sweep", async ({ page, state }) => {
    const { time } = await state();
    assert.ok(time > 0.49 && time < 0.51, `${time}`);
    assert.match(await page.textContent(".detail"), /hit.*gear\.obj.*% of its way/);
    assert.ok((await share(page, [216, 31, 74])) > 0.0001, "arrows");
  });

  written("an arena, played back", "arena", async ({ page, state }) => {
    assert.equal((await state()).playing, false, "motion is not wanted here");
    assert.match(await page.textContent(".figures"), /grid.*bounding spheres/);
    await page.locator(".timeline input").fill("0");
    await settle(page);
    const before = await page.screenshot();
    await page.locator(".timeline input").fill("9000");
    await page.waitForTimeout(250);
    assert.ok(Math.abs((await state()).time - 1.8) < 1e-9);
    assert.notDeepEqual(await page.screenshot(), before);
  });
});

test("an arena opens playing, and the view follows a player", async () => {
  const { page, problems, state, shot, close } = await open(browser, "commands/arena", { reducedMotion: "no-preference" });
  await page.waitForFunction(() => window.impinge.state().time > 0);
  const first = await state();
  const names = await page.locator("select.follow option").allTextContents();
  assert.equal(names[0], "follow nobody");
  assert.equal(names.length, 5, names.join());
  assert.notEqual(first.follows, null);
  await page.waitForFunction((time) => window.impinge.state().time > time + 0.2, first.time);
  assert.notDeepEqual((await state()).target, first.target, "the eye goes along");
  await shot("command-arena-playing");
  await press(page, "f");
  assert.equal((await state()).follows, null);
  assert.equal(await page.locator("select.follow").inputValue(), "");
  await page.locator("select.follow").selectOption({ index: 2 });
  assert.notEqual((await state()).follows, first.follows);
  assert.deepEqual(problems, []);
  await close();
});

test("a model is dragged, and the engine answers", async () => {
  const options = ["view", "gear.obj", "torus.obj", "--translate-b", "3,0,0", "--no-open"];
  const server = spawn(command, options, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [address] = await new Promise((done) => {
      createInterface(server.stdout).once("line", (...line) => done(line));
    });
    const { page, problems, state, shot, close } = await open(browser, "view", { address });
    await page.waitForFunction(() => window.impinge.state().answers === 1);
    assert.match(await page.textContent(".detail"), /clear.*Gap/);
    const target = await page.evaluate(() => window.impinge.handle());
    await press(page, "o");
    const start = await page.evaluate(() => window.impinge.handle());
    await shot("command-view-clear");
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    const to = (share) => [start.x + share * (target.x - start.x), start.y + share * (target.y - start.y)];
    for (let step = 1; step <= 6; step++) await page.mouse.move(...to(step / 10));
    await page.waitForFunction(() => window.impinge.state().curvePoints > 3);
    const first = (await state()).curvePoints;
    assert.match(await page.textContent(".detail"), /overlapping.*Face pairs/);
    await page.mouse.move(...to(0.7));
    await page.mouse.up();
    await page.waitForFunction((first) => window.impinge.state().curvePoints !== first, first);
    // The models hide where they meet.
    await press(page, "x");
    const shown = await state();
    assert.ok(shown.contactTriangles.every((count) => count > 0), JSON.stringify(shown));
    await shot("command-view");
    assert.ok((await share(page, RED, 60)) > 0.0005);
    assert.deepEqual(problems, []);
    await close();
  } finally {
    server.kill("SIGINT");
  }
  const [status] = await new Promise((done) => server.once("close", (...ended) => done(ended)));
  assert.equal(status, 0);
});
