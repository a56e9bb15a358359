// SPDX-License-Identifier: Apache-2.0
// The page of waste, beside what the API says: the sums, a row for each finding, each with its evidence and its command.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, settled } from "./browser.mjs";
import { reading } from "./reader.mjs";
import { agrees } from "./shown.mjs";

const query = (page) => new URL(page.url()).searchParams;

/** What is wasted grows, and begins and ends while a test runs: the page is given the lake's first answer to a question again. */
async function answeredOnce(page) {
	const answers = new Map();
	await page.route("**/api/v1/waste?*", async (route) => {
		const url = route.request().url();
		if (!answers.has(url)) answers.set(url, route.fetch());
		await route.fulfill({ response: await answers.get(url) });
	});
}

/** Opens the page, and gives what the lake answered to it. */
async function answered(reader, browser, address) {
	const { page } = reader.now();
	reader.once ??= await answeredOnce(page).then(() => true);
	const answer = page.waitForResponse((one) => new URL(one.url()).pathname === "/api/v1/waste");
	await browser.visit(page, address);
	await page.waitForSelector("[data-page=waste][aria-busy=false]");
	return (await answer).json();
}

const isOpen = (row) => row.ended_at === null;
const byPrice = (a, b) => (b.usd_hour ?? -1) - (a.usd_hour ?? -1);

/** The sums; what is known of no finding is a dash. */
async function headShown(page, { waste, ...answer }) {
	const tile = (title) => page.locator(".tile", { hasText: title }).locator(".tile-value").innerText();
	const sum = (usd, rows, part) => (rows.length > 0 && rows.every((row) => row[part] === null) ? null : usd);
	const hour = sum(answer.usd_hour, waste.filter(isOpen), "usd_hour");
	const [now, wasted] = [await tile("Wasted now"), await tile("Wasted, last")];
	assert.ok(agrees(now, hour, "usd"), `${now} is ${hour}`);
	assert.ok(agrees(wasted, sum(answer.wasted_usd, waste, "wasted_usd"), "usd"), `${wasted} is ${answer.wasted_usd}`);
	assert.equal(await tile("Without a price"), String(answer.unpriced));
}

/** A row for each, the most expensive one first; an unknown price is a dash. */
async function rowsShown(page, rows) {
	if (rows.length === 0) return page.waitForSelector("text=/No waste found|Nothing ended in this time/");
	assert.equal(await rowsOf(page, "Waste"), rows.length);
	const prices = (await page.locator('table[data-table=Waste] td[data-column="usd_hour"]').allInnerTexts()).map((text) => text.replace(/[()]/g, ""));
	[...rows].sort(byPrice).forEach(({ usd_hour }, n) => assert.ok(agrees(prices[n], usd_hour, "usd"), `row ${n}: ${prices[n]} is ${usd_hour}`));
}

/** All that is known of a finding is below its row. */
async function detailShown(page, row) {
	const detail = page.locator("[data-detail]");
	await detail.waitFor();
	const words = await detail.innerText();
	assert.ok(words.includes(row.summary.replaceAll("`", "").split("\n")[0]), row.summary);
	if (row.advice) assert.match(words, /What to do/);
	assert.equal(await detail.locator("[data-command]").count(), row.command ? 1 : 0);
	if (row.command) {
		assert.match(words, /Tracer never runs it/);
		assert.equal(await detail.locator("[data-command] pre").innerText(), row.command);
	}
	await detail.locator("summary").click();
	assert.match(await detail.locator("[data-silence] pre").innerText(), new RegExp(`exempt:\\n  - kind: ${row.kind}`));
}

export function waste(browser, world) {
	reading(browser, world, "waste", (reader) => {
		test("the sums and the findings are those of the API", async () => {
			const { page } = reader.now();
			const answer = await answered(reader, browser, "/waste");
			await headShown(page, answer);
			await rowsShown(page, answer.waste.filter(isOpen));
			await reader.served("waste");
			await page.getByRole("button", { name: "Ended" }).click();
			await rowsShown(page, answer.waste.filter((row) => !isOpen(row)));
			assert.equal(query(page).get("state"), "ended");
		});

		test("a finding opens to its evidence and its command, which a link shows, too", async () => {
			const { page } = reader.now();
			const open = (await answered(reader, browser, "/waste?days=30")).waste.filter(isOpen);
			if (open.length === 0) return;
			const [row] = open.sort(byPrice);
			await page.locator("[data-finding]").first().click();
			await detailShown(page, row);
			await reader.served("waste-finding");
			assert.equal(query(page).get("finding"), `${row.kind}:${row.id}`);
			await page.reload();
			await settled(page);
			await page.waitForSelector(`[data-detail=${row.kind}]`);
			await page.locator("[data-finding][aria-expanded=true]").click();
			await reader.shows(() => page.locator("[data-detail]").count(), 0, "closed again");
		});

		test("findings are chosen by kind and user", async () => {
			const { page } = reader.now();
			const { waste: all } = await answered(reader, browser, "/waste?state=all");
			for (const kind of new Set(all.map((row) => row.kind))) {
				await page.getByLabel("Kind").selectOption(kind);
				await rowsShown(page, all.filter((row) => row.kind === kind));
				assert.equal(query(page).get("kind"), kind);
			}
			await answered(reader, browser, "/waste?kind=no_such_kind&user=no_such_user&host=no_such_host");
			await page.waitForSelector("text=No such finding");
			await page.getByRole("button", { name: "Show all findings" }).click();
			await reader.shows(() => query(page).get("kind"), null, "without a filter");
		});
	});
}
