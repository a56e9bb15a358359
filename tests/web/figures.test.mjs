// SPDX-License-Identifier: Apache-2.0
// The figures at the head of each run that ended: what `tracer report` prints and what the page shows, beside the API.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { Browser, settled } from "./browser.mjs";
import { agrees } from "./shown.mjs";

const { TRACER_LOGIN_URL: login, TRACER_PROGRAM: tracer, TRACER_TOKEN_FILE: token } = process.env;
assert.ok(login && tracer && token, "TRACER_LOGIN_URL, TRACER_PROGRAM and TRACER_TOKEN_FILE name the lake and how to ask it");

const browser = new Browser(login, process.env.TRACER_SHOTS);
let page;

before(async () => {
	await browser.open();
	page = await browser.page();
	await page.goto(login);
	await settled(page);
});
after(async () => {
	await browser.close();
});

/** The head of a report: "storage read 18 MiB    written 3 MiB" as its fields, in order. */
function fieldsOf(report) {
	const blank = report.indexOf("\n\n");
	return report.slice(0, blank < 0 ? undefined : blank).split("\n").flatMap((line) => line.split(/ {2,}/)).map((field) => field.trim());
}

/** The text behind the name, the n-th of that name. */
function fieldOf(fields, name, n = 0) {
	const found = fields.filter((field) => field.startsWith(`${name} `))[n];
	assert.ok(found, `the report has no field "${name}": ${fields.join(" | ")}`);
	return found.slice(name.length + 1);
}

/** The time of a line of "WHERE TIME WENT", or of the section behind it, "TIME OF THREADS"; null: there is no such line. */
const lineOf = (report, name, threads) =>
	report.split(/^TIME OF THREADS/m)[threads ? 1 : 0].match(new RegExp(`^${name} {2,}(\\S.*?) {2,}`, "m"))?.[1] ?? null;

const tile = (name) => page.locator(".tile", { has: page.locator(".tile-title", { hasText: new RegExp(`^${name}$`) }) });
const valueOf = async (name) => (await tile(name).locator(".tile-value").evaluate((one) => one.firstChild?.textContent ?? "")).trim() || textOf(tile(name).locator(".tile-value"));
const textOf = async (where) => ((await where.count()) > 0 ? (await where.first().innerText()).trim() : null);
const second = (name) => textOf(tile(name).locator(".tile-note b"));

/** name, what the API says, its unit, what the report prints, what the page shows. */
async function figuresOf(document, report) {
	const { totals, cost } = document;
	const fields = fieldsOf(report);
	return [
		["cost", totals.cost_usd, "usd", fieldOf(fields, "cost").replace(/ \(no price.*/, ""), await valueOf("Cost")],
		["its whole", cost?.whole_usd ?? null, "usd", fieldOf(fields, "cost").replace(/ \(no price.*/, ""), await valueOf("Cost")],
		["CPU", totals.user_ns + totals.kernel_ns, "ns", fieldOf(fields, "CPU"), await valueOf("CPU time")],
		["waited for a CPU", totals.runnable_ns, "ns", fieldOf(fields, "waited for CPU"), await valueOf("Waited for a CPU")],
		["largest process", totals.rss_peak_bytes || null, "bytes", fieldOf(fields, "largest process").replace(/^0 B$/, "–"), await valueOf("Peak memory")],
		["processes", totals.executions, "count", fieldOf(fields, "processes"), await valueOf("Processes")],
		["read from storage", totals.disk_read_bytes, "bytes", fieldOf(fields, "storage read"), await valueOf("Storage")],
		["written to storage", totals.disk_write_bytes, "bytes", fieldOf(fields, "written", 0), await second("Storage")],
		["moved in files", totals.file_bytes, "bytes", fieldOf(fields, "files"), await valueOf("Files")],
		["read by calls", totals.read_chars_bytes, "bytes", fieldOf(fields, "calls read"), await valueOf("Calls")],
		["written by calls", totals.write_chars_bytes, "bytes", fieldOf(fields, "written", 1), await second("Calls")],
		["received", totals.net_rx_bytes, "bytes", fieldOf(fields, "network received"), await valueOf("Network")],
		["sent", totals.net_tx_bytes, "bytes", fieldOf(fields, "sent"), await second("Network")],
	];
}

/** The sum of the classes of wall time; null: no class is known, and bars show the time of threads. */
function wallOf(times) {
	const sum = Object.keys(times).filter((key) => /^wall_(?!serial|assumed).*_ns$/.test(key)).reduce((all, key) => all + (times[key] ?? 0), 0);
	return sum > (times.wall_unknown_ns ?? 0) ? sum : null;
}

/** The same of where time went: wall time, where it is known, or the time of threads. */
async function timesOf({ totals, shares }, report, threads) {
	const exact = (times) => (threads ? null : wallOf(times)) ?? times.work_ns;
	const shown = async (where) => (await textOf(page.locator(where)))?.replace(/ (at work|of wall time)$/, "") ?? null;
	const kind = threads ? "thread time" : "time";
	return [
		[kind, exact(shares.tasks ?? totals), "ns", lineOf(report, shares.tasks ? "The run: all tasks" : "The run", threads),
			await shown(".run-figures .state-head [data-figure]") ?? "–"],
		[`${kind} of the engine itself`, shares.engine && shares.tasks && shares.engine.threads_ns > 0 ? exact(shares.engine) : undefined, "ns",
			lineOf(report, "The engine itself", threads), await shown("[data-figure=engine] > span")],
	];
}

/** Shows thread time, unless the page shows it because no wall time is known. */
async function askForThreads() {
	const button = page.locator(".run-figures").getByRole("button", { name: "Thread time" });
	if ((await button.count()) === 0) return;
	await button.click();
	await page.locator("[data-figure=at-work]").waitFor();
}

const SUMS = ["user_ns", "kernel_ns", "runnable_ns", "child_ns", "threads_ns", "read_chars_bytes", "write_chars_bytes", "disk_read_bytes", "disk_write_bytes", "executions"];

/** What the API itself must not contradict: parts are the whole, and nothing is below nought. */
function contradictions({ run, totals, shares, steps, cost }) {
	const wrong = [];
	for (const key of SUMS) {
		const sum = (shares.tasks?.[key] ?? 0) + (shares.engine?.[key] ?? 0);
		if (sum !== totals[key]) wrong.push(`${run.name}: tasks and engine have ${key} ${sum}, the run ${totals[key]}`);
	}
	for (const key of SUMS.slice(0, -1)) {
		const sum = steps.reduce((all, step) => all + step[key], 0);
		if (sum !== (shares.tasks?.[key] ?? 0)) wrong.push(`${run.name}: steps have ${key} ${sum}, tasks ${shares.tasks?.[key] ?? 0}`);
	}
	for (const [key, value] of Object.entries(totals)) if (value < 0) wrong.push(`${run.name}: ${key} is ${value}`);
	if (cost && Math.abs(cost.tasks_usd + cost.engine_usd + cost.idle_usd - cost.whole_usd) > 1e-8) wrong.push(`${run.name}: the parts of the cost are not the whole`);
	return wrong;
}

function compare(name, figures) {
	const wrong = [];
	for (const [figure, exact, unit, report, shown] of figures) {
		if (exact === undefined) {
			if (report !== null || shown !== null) wrong.push(`${name}: ${figure} is not to be shown, the report has ${report}, the page ${shown}`);
			continue;
		}
		if (!agrees(report, exact, unit)) wrong.push(`${name}: ${figure}: the API has ${exact} ${unit}, the report "${report}"`);
		if (!agrees(shown, exact, unit)) wrong.push(`${name}: ${figure}: the API has ${exact} ${unit}, the page "${shown}"`);
	}
	return wrong;
}

test("report, API and page show the same figures of every run", async () => {
	const runs = (await browser.all("/runs", "runs")).filter((run) => !["running", "queued"].includes(run.status));
	assert.ok(runs.length > 0, "the lake must hold a run that ended");
	const wrong = [];
	for (const { id, name } of runs) {
		const document = await browser.api(`/runs/${encodeURIComponent(id)}`);
		const report = execFileSync(tracer, ["report", id, "--full", "--lake", browser.origin, "--token-file", token], { encoding: "utf8" });
		await browser.visit(page, `/runs/${encodeURIComponent(id)}?tab=steps`);
		if (!document.shares.tasks && /^The run: all tasks/m.test(report)) wrong.push(`${name || id}: the report speaks of tasks, and it has none`);
		wrong.push(...contradictions(document), ...compare(name || id, await figuresOf(document, report)));
		wrong.push(...compare(name || id, await timesOf(document, report, false)));
		await askForThreads();
		wrong.push(...compare(name || id, await timesOf(document, report, true)));
	}
	assert.deepEqual(wrong, []);
	console.log(`${runs.length} runs compared: ${runs.map((run) => run.name || run.id).join(", ")}`);
});

test("no part of a host's time is below nought, and the parts are the whole", async () => {
	for (const { id, hostname } of (await browser.api("/hosts")).hosts) {
		const { untracked } = await browser.api(`/hosts/${encodeURIComponent(id)}/untracked?hours=87600`);
		if (untracked.length === 0) continue;
		for (const row of untracked) assert.ok(row.cpu_ns >= 0 && row.share >= 0, `${hostname}: ${row.kind} ${row.path} is ${row.cpu_ns} ns`);
		const shares = untracked.reduce((sum, row) => sum + row.share, 0);
		if (untracked.length < 100) assert.ok(Math.abs(shares - 1) < 1e-6, `${hostname}: the shares add up to ${shares}`);
	}
});

test("nothing went wrong on the pages", () => assert.deepEqual(browser.complaints, []));
