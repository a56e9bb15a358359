// SPDX-License-Identifier: Apache-2.0
// What the history of a pipeline says, beside what the API says: the head of a run, its sizes, the page of a step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUntil, rowsOf, settled } from "./browser.mjs";
import { HEAD, reading } from "./reader.mjs";

const GIB = 2 ** 30;
const HOSTILE = "<img src=x onerror=alert(1)>\u202e";

/** The lake answers so, whatever it holds. */
const answering = (page, route, answer) => page.route(`**/api/v1/runs/*/${route}`, (request) => request.fulfill({ json: answer }));

const count = (all, of) => all.filter(of).length;

/** The line about the run says of each step what the API says. */
async function judged(reader, expected) {
	const { page } = reader.now();
	const line = page.locator("[data-usual]");
	const begun = count(expected.steps, (step) => step.usual !== "not begun");
	if (begun === 0) return assert.equal(await line.count(), 0);
	await line.waitFor();
	const [unusual, lacking] = ["not as usual", "not enough history"].map((usual) => count(expected.steps, (step) => step.usual === usual));
	const words = (await line.innerText()).replace(/\s+/g, " ");
	if (unusual > 0) assert.ok(words.includes(`${unusual} step${unusual === 1 ? "" : "s"} not as usual`), words);
	else assert.match(words, lacking === begun ? /Not enough history/ : /As usual/);
	assert.equal(await line.getAttribute("data-usual"), unusual > 0 ? "not as usual" : lacking === begun ? "not enough history" : "as usual");
}

/** A row for each step; what is advised is in it, and a step without enough history says so. */
async function sizesShown(reader, sizes) {
	const { page } = reader.now();
	if (sizes.steps.length === 0) return page.waitForSelector("text=there is nothing to advise");
	await reader.shows(() => rowsOf(page, "Sizes"), sizes.steps.length, "a row for each step");
	assert.equal(Number(await page.getAttribute("[data-size-runs]", "data-size-runs")), sizes.runs);
	const rests = await page.locator('td[data-column="basis"]').allInnerTexts();
	const lacking = count(sizes.steps, (step) => !step.memory_enough);
	if (sizes.steps.length <= 60) assert.equal(count(rests, (text) => /needs|not enough/.test(text)), lacking, "steps without enough history");
}

/** Of every kind: by input, too small a request, too little history, nothing known. */
function everySize(id) {
	const amount = (name, unit, own) => ({
		[`${name}_requested_${unit}`]: null, [`${name}_highest_${unit}`]: null, [`${name}_advised_${unit}`]: null, [`${name}_intercept_${unit}`]: null, [`${name}_basis`]: "unknown",
		[`${name}_slope`]: null, [`${name}_factor`]: null, [`${name}_risk`]: null, [`${name}_enough`]: false, [`${name}_tasks`]: 0, [`${name}_needs_tasks`]: 3, [`${name}_needs_runs`]: 1, ...own,
	});
	const step = (name, memory, own) => ({
		step: name, tasks: 4, tasks_of_history: 20, ...amount("memory", "bytes", memory), ...amount("time", "ns", {}), ...amount("disk", "bytes", {}), cpus_requested: 8, cpus_used_median: 3.4,
		cpus_used_p95: 3.9, cpus_advised: 4, cpus_slowdown: 1.02, cpus_wants_more: false, second_try_factor: 1.5, third_try_factor: 3, out_of_memory: 0, wasted_now_gb_h: null,
		wasted_then_gb_h: null, program_memory: null, ...own,
	});
	const enough = { memory_enough: true, memory_needs_tasks: 0, memory_needs_runs: 0, memory_risk: 0.004 };
	return {
		id, engine: "snakemake", runs: 5, risk: 0.008,
		steps: [
			step("align", { ...enough, memory_requested_bytes: 16 * GIB, memory_highest_bytes: 5 * GIB, memory_advised_bytes: 6.5 * GIB, memory_basis: "linear in input", memory_intercept_bytes: GIB, memory_slope: 1.25, memory_factor: 1.1 }, { wasted_now_gb_h: 4.5, wasted_then_gb_h: 0.5 }),
			step("sort", { ...enough, memory_requested_bytes: 2 * GIB, memory_highest_bytes: 2 * GIB, memory_advised_bytes: 3 * GIB, memory_basis: "constant" }, { out_of_memory: 2, cpus_wants_more: true, wasted_now_gb_h: 0.1, wasted_then_gb_h: 0.2, program_memory: `samtools sort -m 2G ${HOSTILE}` }),
			step(HOSTILE, { memory_requested_bytes: 8 * GIB, memory_highest_bytes: GIB, memory_advised_bytes: 8 * GIB, memory_basis: "as requested", memory_tasks: 2 }, {}),
			step("report", {}, { cpus_requested: null, cpus_used_median: null, cpus_used_p95: null, cpus_advised: null, cpus_slowdown: null, cpus_wants_more: null }),
		],
		settings: { nextflow: "process { cpus = 4 }\n", snakemake: "set-resources:\n  align:\n    mem_mb: 6656\n", slurm: null },
	};
}

const query = (page) => new URL(page.url()).searchParams;

async function everySizeShown(reader) {
	const { page } = reader.now();
	const cell = (step, column) => page.locator("tbody tr", { has: page.getByRole("button", { name: step }) }).locator(`td[data-column="${column}"]`);
	assert.match(await cell("Details of align", "memory").innerText(), /16\.0 GiB → 6\.50 GiB\s+used 5\.00 GiB/);
	assert.match(await cell("Details of align", "saves").innerText(), /16\.00 GB·h less/);
	assert.match(await cell("Details of sort", "saves").innerText(), /0\.40 GB·h more/, "a request that is too small costs");
	assert.match(await cell("Details of report", "memory").innerText(), /not known\s+use not known/);
	await page.getByRole("button", { name: "Details of sort" }).click();
	const panel = page.locator("[data-step-size=sort]");
	assert.match(await panel.innerText(), /2 of its attempts were killed for lack of memory/);
	assert.match(await panel.locator("[data-program-memory]").innerText(), /samtools sort -m 2G <img src=x onerror=alert\(1\)>⟨U\+202E⟩/);
	assert.equal(query(page).get("step"), "sort", "the address keeps the step");
	await page.getByRole("button", { name: "Details of align" }).click();
	await page.waitForSelector("[data-step-size=align] [data-amount=memory] >> text=1.00 GiB + 1.25 × input, × 1.10");
	const settings = page.locator("[data-settings]");
	assert.equal(await settings.getAttribute("data-settings"), "snakemake", "those of the run's engine first");
	assert.match(await settings.locator("pre").innerText(), /mem_mb: 6656/);
	await page.getByRole("button", { name: "Nextflow" }).click();
	await reader.shows(() => settings.locator("pre").innerText(), "process { cpus = 4 }\n", "those of another engine");
	assert.equal(query(page).get("for"), "nextflow");
	await page.getByRole("button", { name: "Slurm" }).click();
	await settings.locator("text=There are no settings for this engine").waitFor();
}

/** Of each step and task that runs how much it has to go, in its table. */
async function stepsToGo(reader, browser, id, expected) {
	const { page } = reader.now();
	const { steps } = await browser.api(`/runs/${id}`);
	const { tasks } = await browser.api(`/runs/${id}/tasks`);
	const left = { progress: 0.3, remaining_s: 9, remaining_low_s: 5, remaining_high_s: 20 };
	const own = steps.map(({ name }) => ({ ...expected.steps[0], ...left, step: name, usual: "not enough history", runs_missing: 2 }));
	await page.unroute("**/api/v1/runs/*/expected");
	await answering(page, "expected", { ...expected, steps: own, tasks: tasks.map(({ id: task, step, name }) => ({ ...left, id: task, step, name })) });
	await reader.turnTo(`/runs/${id}?tab=steps`);
	const cells = (column) => page.locator(`td[data-column="${column}"]`).allInnerTexts();
	assert.deepEqual(await readUntil(page, () => cells("usual"), (all) => all.length === own.length && all.every((text) => text !== "–")), own.map(() => "needs 2 more runs"));
	assert.deepEqual(await cells("to_go"), own.map(() => "30 %, 9.00 s to go"));
	await reader.turnTo(`/runs/${id}?tab=tasks`);
	await reader.shows(() => cells("to_go").then((all) => all.filter((text) => text.startsWith("30 %")).length), tasks.length, "what its tasks have to go");
	await reader.turnTo(`/runs/${id}`);
}

/** What the API says of a step, and the page with it: where a run was settled while the page was drawn, it is drawn again. */
async function asDrawn(page, ask) {
	const runs = ({ boxes }) => JSON.stringify(boxes.map((box) => [box.run_id, box.figure]));
	for (let before = await ask(), answer; ; before = answer) {
		await page.reload();
		await page.waitForSelector("[data-page=step], [data-page=missing]");
		await settled(page);
		answer = await ask();
		if (runs(answer) === runs(before)) return answer;
	}
}

/** The plots of a step hold what the API says: a box for each run that has the figure, which leads to it. */
async function boxesShown(reader, { boxes }) {
	const { page } = reader.now();
	const known = boxes.filter((box) => box.figure === "wall_ns" && box.run_id !== null && box.tasks > 0);
	const plot = page.locator("[data-plot=wall_ns]");
	if (known.length === 0) return page.waitForSelector("text=there is nothing to draw");
	await plot.waitFor();
	const newest = [...known].sort((a, b) => (a.started_at < b.started_at ? -1 : 1)).slice(-30);
	assert.deepEqual(await plot.locator("[data-run]").evaluateAll((all) => all.map((one) => one.dataset.run)), newest.map((box) => box.run_id), "the newest at the right");
	const last = plot.locator("[data-run]").last();
	await last.focus();
	await plot.locator(".tip").waitFor();
	if (newest.at(-1).host_type) assert.ok((await plot.locator(".tip").innerText()).includes(newest.at(-1).host_type), "its host type");
	if (newest.length > 1) {
		await page.keyboard.press("ArrowLeft");
		await reader.shows(() => page.evaluate(() => document.activeElement.dataset.run), newest.at(-2).run_id, "the arrow keys go from run to run");
	}
	await last.focus();
	return newest.at(-1).run_id;
}

export function tune(browser, world) {
	reading(browser, world, "what the history of a pipeline says", (reader) => {
		test("a run is as usual or not, as far as that is known", async () => {
			const { page, path } = reader.now();
			await browser.visit(page, reader.here("sizes"));
			await judged(reader, await browser.api(`${path}/expected`));
		});

		test("the sizes of a run are those of the API", async () => {
			const { path } = reader.now();
			await sizesShown(reader, await browser.api(`${path}/sizes`));
			await reader.served("run-sizes", HEAD);
		});

		test("a step has a page with its history, each box of which leads to its run", async () => {
			const { page, report } = reader.now();
			const step = report.steps.find((one) => one.name)?.name;
			assert.ok(step && report.run.pipeline, "a run with steps");
			await reader.turnTo(reader.here("steps"));
			await page.getByRole("link", { name: `History of ${step}`, exact: true }).first().click();
			await page.waitForSelector("[data-page=step], [data-page=missing]");
			assert.equal(query(page).get("step"), step);
			const answer = await asDrawn(page, () => browser.api(`/steps?pipeline=${encodeURIComponent(report.run.pipeline)}&step=${encodeURIComponent(step)}`));
			if (answer.steps.length === 0) return page.waitForSelector("text=There is no history of");
			const newest = await boxesShown(reader, answer);
			await reader.served("step");
			await page.locator(".trail a").nth(1).click();
			await page.waitForSelector("[data-page=pipeline]");
			const all = await browser.api(`/steps?pipeline=${encodeURIComponent(report.run.pipeline)}`);
			await reader.shows(() => rowsOf(page, "Steps of the pipeline"), all.steps.length, "a row for each step of the pipeline");
			await reader.served("pipeline");
			if (!newest) return;
			await page.goBack();
			await page.locator("[data-plot=wall_ns] [data-run]").last().focus();
			await page.keyboard.press("Enter");
			await page.waitForSelector(`[data-page=run][data-run="${newest}"]`);
		});

		test("a pipeline that was never seen has no steps, and no page of a step", async () => {
			const { page } = reader.now();
			await reader.turnTo("/steps?pipeline=never-seen");
			await page.waitForSelector("text=No run of this pipeline has shown a step yet.");
			await reader.turnTo("/steps?pipeline=never-seen&step=align");
			await page.waitForSelector("text=There is no history of align");
			await reader.turnTo("/steps");
			await page.waitForSelector("text=There is no such page");
		});
	});

	reading(browser, world, "every kind of size and expectation", (reader) => {
		test("sizes say what they rest on, what they save, and what is not known", async () => {
			const { page, report } = reader.now();
			await answering(page, "sizes", everySize(report.run.id));
			await browser.visit(page, reader.here("sizes"));
			await everySizeShown(reader);
			await reader.served("run-sizes-every", HEAD);
		});

		test("a running run says when it ends, or why that is not known", async () => {
			const { page, runs } = reader.now();
			const running = runs.find((run) => run.status === "running");
			if (!running) return;
			const at = (s) => new Date(Date.now() + s * 1000).toISOString();
			const run = { progress: 0.62, expected_end_at: at(7200), low_at: at(3600), high_at: at(14400), remaining_s: 7200, remaining_low_s: 3600, remaining_high_s: 14400, why_unknown: null };
			const step = (name, usual, own = {}) => ({ step: name, usual, runs_missing: 0, noticeable: 1.2, done: 1, running: 1, expected_tasks: 3, progress: 0.3, remaining_s: 9, remaining_low_s: 5, remaining_high_s: 20, ...own });
			const unusual = [{ kind: "slow", step: "sort", task_id: null, task_name: null, figure: "wall_ns", above: true, so_far: true, value: 9e10, typical_low: 5e10, typical_median: 6e10, typical_high: 7e10, confidence: 0.998, history_runs: 12, text: `\`sort\` takes long ${HOSTILE}` }];
			const expected = { id: running.id, status: "running", runs: 12, run, steps: [step("align", "as usual"), step("sort", "not as usual"), step("report", "not enough history", { runs_missing: 2 })], tasks: [], unusual };
			await answering(page, "expected", expected);
			await browser.visit(page, `/runs/${running.id}`);
			const ends = page.locator("[data-expected-end]");
			await ends.waitFor();
			assert.match(await ends.innerText(), /62 %\s+Ends about .*, between .* and .*/);
			assert.equal(await ends.locator("[role=progressbar]").getAttribute("aria-valuenow"), "62");
			const line = page.locator("[data-usual='not as usual']");
			assert.match(await line.innerText(), /1 step not as usual; of 1 step there is not enough history \(2 more runs needed\): sort/);
			await line.locator("summary").click();
			assert.match(await line.locator("[data-unusual=slow]").innerText(), /sort: sort takes long <img src=x onerror=alert\(1\)>⟨U\+202E⟩ \(so far\) 99\.8 % sure/);
			await reader.served("run-expected", [[".timeline"], [".run-figures"]]);
			await stepsToGo(reader, browser, running.id, expected);
			await page.unroute("**/api/v1/runs/*/expected");
			await answering(page, "expected", { ...expected, run: { ...run, progress: null, expected_end_at: null, low_at: null, high_at: null, why_unknown: "no run of this pipeline has ended yet" } });
			const text = await readUntil(page, () => ends.innerText(), (words) => /not known/.test(words));
			assert.match(text, /^When it ends is not known: no run of this pipeline has ended yet$/, "the page follows while the run goes on");
		});
	});
}
