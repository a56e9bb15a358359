// SPDX-License-Identifier: Apache-2.0
// The comparison of two runs, beside what the API says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, settled } from "./browser.mjs";
import { reading } from "./reader.mjs";

const S = 1e9;
const MIB = 2 ** 20;
const HOSTILE = "<img src=x onerror=alert(1)>\u202e";

/** The parts that the page draws lead from one wall time to the other. */
async function partsAddUp(page, diff) {
	const parts = await page.locator("tr.is-step[data-part]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.ns)));
	assert.equal(parts.reduce((sum, ns) => sum + ns, 0), diff.difference_ns);
	const ends = await page.locator("tr.is-run[data-part]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.ns)));
	assert.deepEqual(ends, [diff.from.wall_ns, diff.to.wall_ns]);
}

/** Of every kind: slower, new, gone, renamed, on one side alone, with names that are no markup. */
function everyChange(from, to) {
	const run = (one, wall_ns) => ({
		id: one.id, name: one.name, pipeline: one.pipeline, engine: "snakemake", status: one.status, started_at: one.started_at, ended_at: one.ended_at, wall_ns, tasks: 12, cpus: 8, slots: 6,
	});
	const step = (name, before, now, own) => ({
		name, from_name: name, is_rest: false, state: "both", from_tasks: 4, to_tasks: 4, from_failed: 0, to_failed: 0, from_path_tasks: 1, to_path_tasks: 1, from_running_ns: before * S,
		to_running_ns: now * S, from_waiting_ns: 0, to_waiting_ns: 0, difference_ns: (now - before) * S, change: "same", change_confidence: "low", reason_kind: null, reason_factor: null, reason: null,
		reason_confidence: null, ...own,
	});
	const part = (name, factor, words, seconds) => ({ step: name, factor, words, difference_ns: seconds * S });
	const figure = (name, key, before, now, change) => ({
		step: name, figure: key, from_median: before, to_median: now, from_sum: before, to_sum: now, from_most: before, to_most: now, change, confidence: change === null ? null : "high",
	});
	return {
		from: run(from, 100 * S), to: run(to, 150 * S), summary: `50.0 s slower (50 %): ${HOSTILE} +45.0 s (probably bwa 0.7.19 instead of bwa 0.7.17)`, difference_ns: 50 * S,
		notes: [{ run_id: from.id, text: "it did not succeed: what it did not do is missing on its side" }, { run_id: null, text: "they are runs of different pipelines" }],
		engine: { from_ns: 10 * S, to_ns: 8 * S, difference_ns: -2 * S },
		parts: [
			part(HOSTILE, "parallel", "computing on several CPUs", 40), part(HOSTILE, "disk", "reading or writing disk", 8), part(HOSTILE, "lock", "waiting for a lock", -3),
			part("call", "tasks", "the number of tasks one after the other", 10), part("qc", "new", "a step that was not there before", 12), part("trim", "removed", "a step that is no longer there", -15),
			part(null, "serial", "computing on one CPU", -2),
		],
		steps: [
			step(HOSTILE, 40, 85, { change: "slower", change_confidence: "high", reason_kind: "fact", reason_factor: "parallel", reason: "probably bwa 0.7.19 instead of bwa 0.7.17", reason_confidence: "medium" }),
			step("trim", 15, 0, { state: "removed", to_tasks: 0, change: null }), step("qc", 0, 12, { state: "new", from_tasks: 0, change: null }),
			step("call", 35, 45, { state: "renamed", from_name: "variants" }), step("index", 0, 0, {}),
		],
		figures: [
			figure(HOSTILE, "wall_ns", 40 * S, 85 * S, "more"), figure(HOSTILE, "memory_peak_bytes", 900 * MIB, 400 * MIB, "less"), figure("qc", "wall_ns", null, 12 * S, null),
			figure("index", "wall_ns", S, S, "same"),
		],
		differs: [
			{ step: HOSTILE, fact: "tools", words: "bwa 0.7.19 instead of bwa 0.7.17", is_reason: true },
			{ step: HOSTILE, fact: "host_type", words: `host: ${HOSTILE} instead of c6i.large`, is_reason: false },
		],
	};
}

async function everyChangeShown(page) {
	const row = (name) => page.locator('table[data-table="Steps"] tbody tr', { hasText: name });
	assert.match(await row("img src").innerText(), /<img src=x onerror=alert\(1\)>⟨U\+202E⟩[\s\S]*40\.0 s → 1m 25s ▲[\s\S]*900 MiB → 400 MiB ▼[\s\S]*probably bwa[\s\S]*instead of c6i\.large/);
	assert.match(await row("trim").innerText(), /gone[\s\S]*−15\.0 s/);
	assert.match(await row("qc").innerText(), /new[\s\S]*\+12\.0 s[\s\S]*– → 12\.0 s/);
	assert.match(await row("call").innerText(), /renamed/);
	assert.match(await page.innerText(".compare-notes"), /The earlier run: it did not succeed[\s\S]*different pipelines/);
	const fold = page.locator(".waterfall button.fold").first();
	assert.equal(await page.locator("tr.is-factor").count(), 0);
	await fold.focus();
	await page.keyboard.press("Enter");
	await page.waitForSelector("tr.is-factor");
	const factors = await page.locator("tr.is-factor").evaluateAll((rows) => rows.map((one) => Number(one.dataset.ns)));
	assert.deepEqual(factors, [40 * S, 8 * S, -3 * S], "the factors of a step, the largest first");
	assert.equal(await fold.getAttribute("aria-expanded"), "true");
}

export function compare(browser, world) {
	reading(browser, world, "two runs beside each other", (reader) => {
		test("a run's page leads to what changed since the run before, as the API says", async () => {
			const { page, path, report } = reader.now();
			const diff = await browser.api(`${path}/diff`);
			await browser.visit(page, reader.here());
			await page.getByRole("link", { name: "compare with the run before" }).click();
			await page.waitForSelector("[data-compared]");
			await settled(page);
			const shown = await page.locator("[data-compared]").evaluateAll((all) => all.map((one) => one.dataset.compared));
			assert.deepEqual(shown, [diff.from.id, report.run.id]);
			await partsAddUp(page, diff);
			assert.equal(await rowsOf(page, "Steps"), diff.steps.length);
			assert.ok((await page.innerText("[data-summary]")).includes(diff.summary));
			await reader.served("compare-same");
		});

		test("another run is chosen, and both change places", async () => {
			const { page, report, runs } = reader.now();
			const other = runs.filter((run) => run.pipeline === report.run.pipeline && run.id !== report.run.id).at(-1);
			await page.selectOption(".pick select", other.id);
			await page.waitForSelector(`[data-compared="${other.id}"]`);
			await page.getByRole("link", { name: "Swap them" }).click();
			await reader.shows(() => page.locator("[data-compared]").first().getAttribute("data-compared"), report.run.id, "the earlier run after they changed places");
		});

		test("every kind of change is said, and opens to what it consists of", async () => {
			const { page, report, runs } = reader.now();
			const diff = everyChange(runs.find((run) => run.id !== report.run.id), { ...report.run });
			await page.route("**/api/v1/runs/*/diff*", (request) => request.fulfill({ json: diff }));
			await browser.visit(page, `/compare?run=${report.run.id}&with=${diff.from.id}`);
			await partsAddUp(page, diff);
			await everyChangeShown(page);
			await reader.served("compare");
			await page.unroute("**/api/v1/runs/*/diff*");
		});

		test("what cannot be compared is said", async () => {
			const { page, report } = reader.now();
			const lost = await browser.page(undefined, ["400", "404"]);
			await browser.visit(lost, `/compare?run=${report.run.id}&with=${report.run.id}`);
			assert.match(await lost.innerText("[role=alert]"), /a comparison needs two/);
			await browser.visit(lost, `/compare?run=${report.run.id}&with=never-seen`);
			assert.match(await lost.innerText("[role=alert]"), /never-seen/);
			await lost.close();
			await reader.turnTo("/compare");
			await page.waitForSelector("text=The address names no run");
		});
	});
}
