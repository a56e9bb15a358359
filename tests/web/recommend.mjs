// SPDX-License-Identifier: Apache-2.0
// What to rent instead, beside what the API says: a row and a point for each candidate of the front, limits in the address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUntil, rowsOf, settled } from "./browser.mjs";
import { reading } from "./reader.mjs";
import { agrees } from "./shown.mjs";

const query = (page) => new URL(page.url()).searchParams;
const LIMITS = ["run", "pipeline", "days", "by", "within", "below", "purchase", "arch", "providers", "regions", "types", "families"];

/** What the API says to what the address asks, once the page shows it. */
async function answered(reader, browser) {
	const { page } = reader.now();
	const asked = new URLSearchParams([...query(page)].filter(([name]) => LIMITS.includes(name)));
	asked.set("limit", "100");
	await page.waitForSelector("[data-page=recommend][aria-busy=false]");
	await readUntil(page, () => page.getAttribute("[data-page=recommend]", "data-asked"), (path) => path !== "" && [...asked].every(([name, value]) => new URLSearchParams(path.split("?")[1]).get(name) === value));
	return browser.api(`/recommend?${asked}`);
}

/** The figures of the front in the table, and its points in the plot. */
async function shown(page, { candidates, measured, refused }) {
	if (refused) return assert.ok((await page.innerText("[data-refused]")).includes(refused.replaceAll("`", "")), "the refusal in its own words");
	const listed = candidates.filter((one) => one.front || one.choice !== null);
	const rows = [...listed].sort((a, b) => a.cost_usd - b.cost_usd);
	assert.equal(await rowsOf(page, "Candidates"), rows.length + 1, "and what was measured");
	const [first, ...costs] = await page.locator('table[data-table=Candidates] td[data-column="cost_usd"]').allInnerTexts();
	assert.ok(agrees(first.trim(), measured.cost_usd, "usd"), `measured: ${first} is ${measured.cost_usd}`);
	costs.forEach((text, n) => assert.ok(agrees(text.match(/^(< )?\$[\d.,]+/)?.[0], rows[n].cost_usd, "usd"), `${text} is ${rows[n].cost_usd}`));
	assert.equal(await page.locator("a[data-point]").count(), rows.length, "a point for each of them");
}

export function recommend(browser, world) {
	reading(browser, world, "what to rent instead", (reader) => {
		test("a run leads to what to rent for it: as a table and as a plot", async () => {
			const { page, report } = reader.now();
			await browser.visit(page, reader.here());
			await page.getByRole("link", { name: "what to rent instead" }).click();
			await settled(page);
			assert.equal(query(page).get("run"), report.run.id);
			const answer = await answered(reader, browser);
			await shown(page, answer);
			const words = await page.innerText("[data-page=recommend]");
			for (const { text } of answer.assumptions) assert.ok(words.includes(text.replaceAll("`", "")), text);
			await reader.served("recommend");
			if (answer.candidates.length === 0) return;
			const points = page.locator("a[data-point]");
			await points.first().focus();
			await page.keyboard.press("End");
			await page.keyboard.press("Enter");
			const mark = await readUntil(page, () => query(page).get("mark"), (value) => value !== null);
			assert.equal(mark, await points.last().getAttribute("data-point"), "the keyboard marks the last point");
			await page.waitForSelector(`[data-detail="${mark}"]`);
			await page.getByRole("button", { name: "All", exact: true }).click();
			await reader.shows(() => rowsOf(page, "Candidates"), answer.candidates.length + 1, "all candidates");
		});

		test("what it has to keep to is in the address", async () => {
			const { page, path } = reader.now();
			const address = `/recommend?run=${path.split("/").at(-1)}`;
			await reader.turnTo(address);
			await page.getByRole("button", { name: "On demand" }).click();
			await page.getByLabel("Ends within").fill("300h");
			await reader.turnTo(`${address}&arch=x86_64`);
			assert.equal(await page.getByLabel("Ends within").inputValue(), "300h", "what is typed stays when the page is drawn again");
			await reader.turnTo(`${address}&purchase=on_demand`);
			await page.getByLabel("Ends within").press("Enter");
			await reader.shows(() => query(page).get("within"), String(300 * 3600), "in the address");
			assert.equal(query(page).get("purchase"), "on_demand");
			const answer = await answered(reader, browser);
			await shown(page, answer);
			assert.ok(answer.candidates.every((one) => one.purchase === "on_demand"), "no spot");
			await page.getByLabel("Ends within").fill("soon");
			await page.getByLabel("Ends within").press("Enter");
			await page.waitForSelector("text=Write it as 5h 30m");
			await page.getByRole("button", { name: "Without limits" }).click();
			await reader.shows(() => query(page).get("within"), null, "taken back");
			await shown(page, await answered(reader, browser));
		});

		test("all hosts, and limits that cannot be read", async () => {
			const { page } = reader.now();
			await reader.turnTo("/recommend");
			await shown(page, await answered(reader, browser));
			const wrong = await browser.page(browser.session, ["400"]);
			await browser.visit(wrong, "/recommend?below=much");
			await wrong.waitForSelector("text=below must be a number");
			await wrong.getByRole("button", { name: "Without limits" }).last().click();
			await wrong.waitForFunction(() => !document.querySelector("[role=alert]"), undefined, { polling: 100 });
			await wrong.close();
		});
	});
}
