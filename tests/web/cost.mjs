// SPDX-License-Identifier: Apache-2.0
// The page of costs, beside what the API says: the sum and its parts, the rows by each key, from a pipeline down to one task.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUntil, rowsOf, settled } from "./browser.mjs";
import { accessible, reading } from "./reader.mjs";
import { agrees } from "./shown.mjs";

const KEYS = ["run", "task", "step", "tool", "sample", "user", "host", "instance", "container", "pod", "day", "cost_centre", "label:team"];
const PARTS = [["used", "used_usd"], ["reserved but unused", "unused_usd"], ["idle beside tasks", "idle_usd"], ["hosts without tasks", "unallocated_usd"]];
const NANO = 1e9;

/** What a reader adds up, in billionths. What is less than the last digit counts as none. */
const added = (texts) => texts.reduce((sum, text) => sum + (text.startsWith("<") ? 0 : Math.round(Number(text.replace(/[$,]/g, "")) * NANO)), 0);

/** What the page was answered, by what it asked: costs grow while something runs. */
function listen(page) {
	const answers = new Map();
	page.on("response", (one) => {
		const { pathname, search } = new URL(one.url());
		if (pathname === "/api/v1/cost") answers.set(`/cost${search}`, one.json().catch(() => null));
	});
	return answers;
}

const pathShown = (page) => page.evaluate(() => document.querySelector("[data-page=cost]")?.dataset.asked ?? "");

/** Opens another state of the page, and gives what the lake answered to it. */
async function asked(reader, open) {
	const { page } = reader.now();
	reader.answers ??= listen(page);
	const before = await pathShown(page);
	await open();
	const path = await readUntil(page, () => pathShown(page), (shown) => shown !== "" && shown !== before);
	await settled(page);
	return reader.answers.get(path);
}

/** The sum and its parts are the API's, and add up as they are shown. */
async function headShown(page, answer) {
	const sum = answer.whole_usd ?? answer.cost_usd;
	const whole = await page.innerText(".cost-whole b");
	assert.ok(agrees(whole, sum, "usd"), `${whole} is ${sum}`);
	if (sum === null) return;
	const legend = page.locator(".cost-head .parts-legend li");
	const texts = [];
	for (const [name, part] of PARTS) {
		if (answer[part] === null) continue;
		const text = await legend.filter({ hasText: new RegExp(`^\\s*${name}\\s*[<$]`) }).locator("b").innerText();
		if (!text.startsWith("<")) assert.ok(agrees(text, answer[part], "usd"), `${name} ${text} is ${answer[part]}`);
		texts.push(text);
	}
	assert.equal(added(texts), added([whole]), `${texts.join(" + ")} = ${whole}`);
	assert.equal(PARTS.reduce((all, [, part]) => all + Math.round((answer[part] ?? 0) * NANO), 0), Math.round(sum * NANO), "the API's parts are its sum");
}

/** A row of the table for each of the API's, with its amounts. */
async function rowsShown(page, answer) {
	if (answer.rows.length === 0) return page.waitForSelector("text=Nothing was seen in this time");
	assert.equal(await rowsOf(page, "Costs"), answer.rows.length, `rows by ${answer.by}`);
	const texts = (name) => page.locator(`table[data-table=Costs] td[data-column="${name}"]`).allInnerTexts();
	const [costs, used, unused, idle] = await Promise.all(["cost_usd", "used_usd", "unused_usd", "idle_usd"].map(texts));
	// In the order of the answer, but what is not known last; days are sorted by themselves.
	const known = answer.rows.map((row) => row.cost_usd).filter((usd) => usd !== null || answer.by === "day");
	costs.slice(0, known.length).forEach((text, n) => {
		assert.ok(agrees(text, known[n], "usd"), `row ${n} by ${answer.by}: ${text} is ${known[n]}`);
		assert.equal(added([used[n], unused[n], idle[n]]), added([text]), `${used[n]} + ${unused[n]} + ${idle[n]} = ${text}`);
	});
	if (costs.length === answer.rows.length) assert.equal(costs.filter((text) => text === "–").length, answer.rows.filter((row) => row.cost_usd === null).length, "what is not known is no 0");
}

/** Clicks the row that leads to this filter. */
async function follow(page, name, value) {
	const links = page.locator('td[data-column="key"] a[href^="/cost?"]');
	const targets = await links.evaluateAll((all, key) => all.map((link) => new URL(link.href).searchParams.get(key)), name);
	await links.nth(targets.indexOf(value)).click();
}

/** The amounts that the panel of a task shows by tool, and by hour, are the cost of the task. */
async function partsShown(panel, cost_usd) {
	for (const name of ["tool", "hour"]) {
		const cells = panel.locator(`[data-parts=${name}] tbody tr td:last-child`);
		await cells.first().waitFor();
		const amounts = await cells.evaluateAll((all) => all.map((cell) => cell.title));
		if (cost_usd !== null) assert.equal(added(amounts), Math.round(cost_usd * NANO), `the cost of the task is that of each ${name}`);
	}
}

export function cost(browser, world) {
	reading(browser, world, "cost", (reader) => {
		test("the sum, its parts and its rows are those of the API", async () => {
			const { page } = reader.now();
			const answer = await asked(reader, () => browser.visit(page, "/cost"));
			await headShown(page, answer);
			await rowsShown(page, answer);
			assert.equal(await page.locator("[data-unpriced]").count(), answer.unpriced_hosts > 0 ? 1 : 0);
			await page.waitForSelector("[data-chart=cost]");
			await reader.served("cost");
			const whole = await asked(reader, () => page.click("text=AWS split cost"));
			await headShown(page, whole);
			await rowsShown(page, whole);
			assert.match(page.url(), /split=aws/);
		});

		test("costs are divided by each key, and a time can be chosen", async () => {
			const { page } = reader.now();
			for (const by of KEYS) {
				const answer = await asked(reader, () => reader.turnTo(`/cost?${new URLSearchParams({ by, time: "7", chart: "key" })}`));
				await rowsShown(page, answer);
			}
			const answer = await asked(reader, () => page.click("text=This month"));
			assert.match(answer.since_at, /-01T00:00:00/);
			await accessible(page);
		});

		test("a pipeline leads down to one task's cents", async () => {
			const { page, report, tasks } = reader.now();
			const { run } = report;
			await asked(reader, () => reader.turnTo("/cost?time=7"));
			await rowsShown(page, await asked(reader, () => follow(page, "pipeline", run.pipeline)));
			assert.equal(new URL(page.url()).searchParams.get("pipeline"), run.pipeline);
			await rowsShown(page, await asked(reader, () => follow(page, "run", run.id)));
			const { step } = tasks[0];
			const answer = await asked(reader, () => follow(page, "step", step));
			await rowsShown(page, answer);
			const own = tasks.filter((task) => task.step === step).map((task) => task.id);
			assert.deepEqual(answer.rows.map((row) => row.id).filter((id) => !own.includes(id)), [], "only tasks of the step");
			const [first] = answer.rows;
			await page.locator('td[data-column="key"] button').first().click();
			const panel = page.locator("[data-task-cost]");
			await partsShown(panel, first.cost_usd);
			assert.equal(new URL(page.url()).searchParams.get("task"), await panel.getAttribute("data-task-cost"));
			const shown = await panel.locator("h2 span").innerText();
			assert.ok(agrees(shown, first.cost_usd, "usd"), `${shown} is ${first.cost_usd}`);
			if (first.cost_usd !== null) assert.equal(added(await panel.locator(".parts-legend b").allInnerTexts()), added([shown]), "the parts of the task");
			await reader.served("cost-task");
			await asked(reader, () => page.getByRole("link", { name: /Without the filter Step/ }).click());
			assert.equal(new URL(page.url()).searchParams.get("step"), null);
		});

		test("the rows are a file, too", async () => {
			const { page } = reader.now();
			const answer = await asked(reader, () => reader.turnTo("/cost?by=user&time=7"));
			const link = page.getByRole("link", { name: "Download as CSV" });
			const file = await browser.session.request.get(browser.origin + (await link.getAttribute("href")));
			const [head, ...lines] = (await file.text()).trim().split(/\r?\n/);
			assert.match(file.headers()["content-type"], /text\/csv/);
			assert.match(head, /^key,.*cost_usd/);
			assert.equal(lines.length, answer.row_count);
		});
	});
}
