// Groups, the tolerance, notes and names, as somebody uses them who works through a list.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { press, reports, settle, testsOf } from "./browser.mjs";

const withGroups = testsOf("groups");

const textOf = (page) => page.locator(".row").allTextContents();

withGroups("a group is one row, and opens to its members", async ({ page, state, shot }) => {
  // Seventeen clashes: two sheets, twelve bolts, a pipe with four joists.
  let shown = await state();
  assert.deepEqual([shown.listed, shown.rows], [17, 3]);
  assert.match(await page.textContent(".count"), /17 listed in 3 rows/);
  const rows = await textOf(page);
  const [bolts, joists] = [rows.find((row) => row.startsWith("12 ×")), rows.find((row) => row.startsWith("4 ×"))];
  assert.match(bolts, /plate×bolt_\d+overlappingdepth 0\.02 mrepeated/);
  assert.match(joists, /joist 3overlappingdepth 0\.2 mone part/, "the numbers of the gravest member");
  await page.click('.row:has-text("12 ×")');
  await settle(page);
  assert.match(await page.textContent(".detail"), /12 times the same two shapes in the same way; the gravest/);
  assert.equal((await state()).highlighted[0], 0);
  await press(page, "ArrowRight");
  shown = await state();
  assert.equal(shown.rows, 15);
  assert.equal(await page.locator(".row.group[aria-expanded=true]").count(), 1);
  // Keys go on into the group.
  const group = shown.selected;
  await press(page, "j", "j");
  const member = await page.locator('.row[aria-selected="true"]');
  assert.match(await member.getAttribute("class"), /member/);
  assert.match(await page.textContent(".detail"), /one of 12/);
  await shot("groups");
  await press(page, "ArrowLeft");
  shown = await state();
  assert.deepEqual([shown.rows, shown.selected], [3, group]);
  await page.click(".row:has-text('4 ×') .opener");
  assert.deepEqual([(await state()).rows, (await state()).selected], [7, group], "it opens, and is not chosen");
});

withGroups("the facts of a row stand on one line, within the row", async ({ page }) => {
  const rows = await page.locator(".row").evaluateAll((rows) =>
    rows.map((row) => {
      const box = row.getBoundingClientRect();
      const facts = [...row.querySelectorAll(".facts > span")].map((fact) => fact.getBoundingClientRect());
      const name = row.querySelector(".pair").getBoundingClientRect();
      return {
        tops: new Set(facts.map((fact) => Math.round(fact.top))).size,
        isInside: facts.every((fact) => fact.bottom <= box.bottom + 1 && fact.right <= box.right + 1),
        isBelow: facts.every((fact) => fact.top >= name.bottom - 1),
        count: facts.length,
      };
    }),
  );
  assert.ok(rows.length > 0 && rows.every((row) => row.count > 1));
  for (const row of rows) assert.deepEqual([row.tops, row.isInside, row.isBelow], [1, true, true]);
});

withGroups("filters look at members", async ({ page, state }) => {
  await page.fill(".search", "bolt_7");
  assert.deepEqual([(await state()).listed, (await state()).rows], [1, 1]);
  assert.match(await page.textContent(".row"), /^1 of 12 ×/);
  await page.fill(".search", "");
  await page.click(".grouper");
  assert.deepEqual([(await state()).listed, (await state()).rows], [17, 17]);
  await page.click(".grouper");
  assert.equal((await state()).rows, 3);
});

withGroups("the tolerance hides what is no deeper, but not what thickness limits", async ({ page, state, shot }) => {
  const slider = page.locator(".tolerance input");
  const listedAt = async (step) => {
    await slider.fill(String(step));
    return (await state()).listed;
  };
  assert.equal(await listedAt(0), 17);
  assert.match(await page.textContent(".tolerance-said"), /^0$/);
  assert.equal(await listedAt(100), 1, "the sheets stay");
  assert.match(await page.textContent(".row"), /sheet/);
  assert.match(await page.textContent(".tolerance-said"), /^1 m, hides 16$/);
  const counts = [];
  for (let step = 0; step <= 100; step += 4) counts.push(await listedAt(step));
  assert.deepEqual(counts, [...counts].sort((one, other) => other - one), "a greater one hides more");
  assert.ok(counts.includes(5), "bolts alone");
  // By keyboard: to the left end, and on from there. The list's keys do not take part.
  await slider.focus();
  await press(page, "Home");
  assert.equal((await state()).listed, 17);
  await press(page, "End", "ArrowLeft");
  assert.equal(await slider.inputValue(), "99");
  assert.equal((await state()).selected, null);
  await slider.fill("50");
  await shot("tolerance");
  await slider.evaluate((input) => input.blur());
  await press(page, "Escape");
  assert.deepEqual([(await state()).listed, await slider.inputValue()], [17, "0"]);
});

withGroups("names are cut in the middle, and their titles are whole", async ({ page }) => {
  const name = page.locator('.row .name:has-text("pipe of the long way")').first();
  const [start, end] = [name.locator(".start"), name.locator(".end")];
  assert.ok(await start.evaluate((span) => span.scrollWidth > span.clientWidth), "the start is cut");
  assert.ok(await end.evaluate((span) => span.scrollWidth <= span.clientWidth && span.clientWidth > 10));
  assert.equal(await end.textContent(), "Qi1rE7a6".slice(-7));
  const inRow = await end.evaluate((span) => {
    const row = span.closest(".row").getBoundingClientRect();
    return span.getBoundingClientRect().right <= row.right;
  });
  assert.ok(inRow, "the end is in sight");
  assert.match(await name.getAttribute("title"), /^assembly\.glb\/engine\/pipe of.*\nIfcGuid 0DyViLJJ175RvWQi1rE7a6$/s);
});

withGroups("ids are links to clashes and groups", async ({ page, state }) => {
  await page.click('.row:has-text("4 ×")');
  const group = (await state()).selected;
  const short = await page.textContent("a.id");
  assert.ok(group.startsWith(short) && short.length < group.length);
  assert.equal(await page.getAttribute("a.id", "href"), `#${group}`);
  await press(page, "Escape");
  await page.evaluate((hash) => (location.hash = hash), short);
  await settle(page);
  assert.equal((await state()).selected, group);
  await press(page, "ArrowRight", "j");
  const member = (await state()).selected;
  await press(page, "ArrowLeft", "Escape");
  assert.equal((await state()).rows, 3);
  await page.evaluate((hash) => (location.hash = hash), member);
  await settle(page);
  assert.equal((await state()).selected, member);
  assert.equal(await page.locator('.row[aria-selected="true"]').getAttribute("data-id"), member, "its group opens");
  await page.click("a.id");
  assert.equal(new URL(page.url()).hash, `#${member}`);
  await page.evaluate(() => (location.hash = "%"));
  assert.equal((await state()).selected, member, "what is no id does nothing");
});

/// What a click saves.
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save notes")]);
  assert.equal(download.suggestedFilename(), "notes.json");
  return readFileSync(await download.path(), "utf8");
}

withGroups("notes are written, kept, saved and loaded", async ({ page, state, shot }) => {
  assert.match((await textOf(page)).find((row) => row.includes("sheet")), /Closed 1 comment/, "came with the report");
  await page.click('.row:has-text("12 ×")');
  const group = (await state()).selected;
  await page.selectOption(".note-status", "In Progress");
  await page.fill(".note-assignee", "Bob");
  await page.locator(".note-comment").pressSequentially("jump x / to <b>it</b>");
  assert.equal((await state()).selected, group, "letters are text here");
  await page.click(".note-add");
  await page.locator(".note-comment").fill("wrong");
  await page.click(".note-add");
  await page.locator('[aria-label="Take the comment back"]').last().click();
  assert.match((await textOf(page)).find((row) => row.startsWith("12 ×")), /In Progress \(Bob\) 1 comment/);
  await shot("notes");
  const text = await saved(page);
  const file = JSON.parse(text);
  assert.deepEqual(Object.keys(file), ["schema", "notes"]);
  const { status, assignee, comments } = file.notes[group];
  assert.deepEqual([file.schema, status, assignee, comments.length], [1, "In Progress", "Bob", 1]);
  assert.equal(comments[0].text, "jump x / to <b>it</b>");
  assert.match(comments[0].date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(Object.keys(file.notes).length, 2, "what came with the report is saved as well");
  // Found by what was said.
  await page.fill(".search", "jump");
  assert.equal((await state()).listed, 12);
  await page.fill(".search", "");
  // Kept in the browser.
  await page.reload();
  await page.waitForFunction(() => window.impinge !== undefined);
  assert.equal(await saved(page), text);
  // A status is taken back, and comes again with the file.
  await page.evaluate((hash) => (location.hash = hash), group);
  await page.selectOption(".note-status", "");
  assert.equal(JSON.parse(await saved(page)).notes[group].status, undefined);
  await page.setInputFiles('input[type="file"]', { name: "notes.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await page.waitForSelector(".note-said:has-text('2 loaded')");
  assert.equal(await saved(page), text);
  assert.equal(await page.inputValue(".note-status"), "In Progress", "what is open is written anew");
  for (const wrong of ["{", "[]", '{"schema":2,"notes":{}}', '{"schema":1,"notes":{"x":3}}']) {
    await page.evaluate(() => (document.querySelector(".note-said").textContent = ""));
    await page.setInputFiles('input[type="file"]', { name: "wrong.json", mimeType: "application/json", buffer: Buffer.from(wrong) });
    await page.waitForSelector(".note-said:has-text('wrong.json: ')");
  }
  assert.equal(await saved(page), text, "what cannot be read changes nothing");
});

/// The first row with a volume.
function writeVolume() {
  const page = readFileSync(join(reports, "groups.html"), "utf8");
  const [before, after] = ['"closest":null', '"volume":1.23e-6,"volume_error":2e-12,"closest":null'];
  assert.ok(page.includes(before));
  writeFileSync(join(reports, "volume.html"), page.replaceAll(before, after));
}

withGroups(
  "a volume is shown where it is known",
  async ({ page }) => {
    await press(page, "j");
    assert.match(await page.textContent(".detail"), /Volume1\.23e-6 m³ ± 2e-12/);
    assert.match(await page.textContent(".row"), /depth [^,]* m, 1\.23e-6 m³/, "the list has it, too");
  },
  { report: "volume", before: writeVolume },
);
