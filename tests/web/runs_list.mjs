// SPDX-License-Identifier: Apache-2.0
// The list of runs, beside what the API says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUntil, rowsOf } from "./browser.mjs";
import { verdictInList, verdictsOf } from "./causes.mjs";
import { reading } from "./reader.mjs";

export function runsList(browser, world) {
	reading(browser, world, "the list of runs", (reader) => {
		test("runs are listed live, with a word and a shape for each status", async () => {
			const { page, runs } = reader.now();
			await browser.visit(page, "/");
			await page.waitForSelector(".link.is-live");
			await page.waitForSelector(`text=${JSON.stringify(runs[0].name || runs[0].id)}`);
			const listed = await readUntil(page, () => rowsOf(page, "Runs"), (rows) => rows >= runs.length);
			assert.ok(listed >= runs.length, "each run has its row; more may have begun since");
			const badges = page.locator("td .badge");
			assert.equal(await badges.count(), await page.locator("td .badge svg").count());
			for (const word of await badges.allInnerTexts()) {
				assert.match(word.trim(), /^(queued|running|succeeded|succeeded, [\d,]+ failed|failed|killed|stalled|lost)$/);
			}
			await verdictsOf(browser, page, runs);
			await reader.served("runs");
		});

		test("a running run's duration ticks", async () => {
			const { page, runs } = reader.now();
			const running = runs.find((run) => run.status === "running");
			assert.ok(running, "the lake must hold a run that is running");
			const cell = page.locator("tr", { has: page.locator(`a[href="/runs/${running.id}"]`) }).locator('[data-column="wall_s"]');
			const first = await cell.innerText();
			assert.notEqual(await readUntil(page, () => cell.innerText(), (now) => now !== first), first, "waited for the duration to change");
		});

		test("runs can be filtered, and the address keeps the filter", async () => {
			const { page, runs } = reader.now();
			await page.fill("input[type=search]", "no such run, surely");
			await page.waitForSelector("text=No run matches the filter.");
			assert.match(page.url(), /filter=/);
			await page.reload();
			await page.waitForSelector("text=No run matches the filter.");
			await page.fill("input[type=search]", "");
			const shown = await readUntil(page, () => rowsOf(page, "Runs"), (rows) => rows >= runs.length);
			assert.ok(shown >= runs.length, "without a filter all runs are listed");
		});

		test("a run's verdict is listed, and no plain success where tools failed", () => verdictInList(browser, world.runs));

		test("an unknown run and an unknown page say so", async () => {
			const lost = await browser.page(browser.session, ["404"]);
			await browser.visit(lost, "/runs/no-such-run");
			assert.match(await lost.innerText("[data-page=missing]"), /There is no run/);
			await browser.visit(lost, "/nowhere/at/all");
			assert.match(await lost.innerText("[data-page=missing]"), /There is no such page/);
			await lost.close();
		});
	});
}
