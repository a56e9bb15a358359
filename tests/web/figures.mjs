// SPDX-License-Identifier: Apache-2.0
// The figures at the head of each run that ended: what `tracer report` prints and what the page shows, beside the API.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { Reader } from "./reader.mjs";
import { agrees } from "./shown.mjs";

const { TRACER_PROGRAM: tracer, TRACER_TOKEN_FILE: token } = process.env;
const run = promisify(execFile);

/** Whether the tests know how to print a report. */
export const CAN_REPORT = !!tracer && !!token;

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

/** What a page shows: of the tiles at the head of a run, and elsewhere. */
const tile = (page, name) => page.locator(".tile", { has: page.locator(".tile-title", { hasText: new RegExp(`^${name}$`) }) });
const valueOf = async (page, name) => (await tile(page, name).locator(".tile-value").evaluate((one) => one.firstChild?.textContent ?? "")).trim() || textOf(tile(page, name).locator(".tile-value"));
const textOf = async (where) => ((await where.count()) > 0 ? (await where.first().innerText()).trim() : null);
const second = (page, name) => textOf(tile(page, name).locator(".tile-note b"));

/** name, what the API says, its unit, what the report prints, what the page shows. */
async function figuresOf(page, document, report) {
	const { totals, cost } = document;
	const fields = fieldsOf(report);
	return [
		["cost", totals.cost_usd, "usd", fieldOf(fields, "cost").replace(/ \(no price.*/, ""), await valueOf(page, "Cost")],
		["its whole", cost?.whole_usd ?? null, "usd", fieldOf(fields, "cost").replace(/ \(no price.*/, ""), await valueOf(page, "Cost")],
		["CPU", totals.user_ns + totals.kernel_ns, "ns", fieldOf(fields, "CPU"), await valueOf(page, "CPU time")],
		["waited for a CPU", totals.runnable_ns, "ns", fieldOf(fields, "waited for CPU"), await valueOf(page, "Waited for a CPU")],
		["largest process", totals.rss_peak_bytes || null, "bytes", fieldOf(fields, "largest process").replace(/^0 B$/, "–"), await valueOf(page, "Peak memory")],
		["processes", totals.executions, "count", fieldOf(fields, "processes"), await valueOf(page, "Processes")],
		["read from storage", totals.disk_read_bytes, "bytes", fieldOf(fields, "storage read"), await valueOf(page, "Storage")],
		["written to storage", totals.disk_write_bytes, "bytes", fieldOf(fields, "written", 0), await second(page, "Storage")],
		["moved in files", totals.file_bytes, "bytes", fieldOf(fields, "files"), await valueOf(page, "Files")],
		["read by calls", totals.read_chars_bytes, "bytes", fieldOf(fields, "calls read"), await valueOf(page, "Calls")],
		["written by calls", totals.write_chars_bytes, "bytes", fieldOf(fields, "written", 1), await second(page, "Calls")],
		["received", totals.net_rx_bytes, "bytes", fieldOf(fields, "network received"), await valueOf(page, "Network")],
		["sent", totals.net_tx_bytes, "bytes", fieldOf(fields, "sent"), await second(page, "Network")],
	];
}

/** The sum of the classes of wall time; null: no class is known, and bars show the time of threads. */
function wallOf(times) {
	const sum = Object.keys(times).filter((key) => /^wall_(?!serial|assumed).*_ns$/.test(key)).reduce((all, key) => all + (times[key] ?? 0), 0);
	return sum > (times.wall_unknown_ns ?? 0) ? sum : null;
}

/** The same of where time went: wall time, where it is known, or the time of threads. */
async function timesOf(page, { totals, shares }, report, threads) {
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
async function askForThreads(page) {
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
	for (const parts of [["tasks_usd", "engine_usd"], ["used_usd", "unused_usd", "idle_usd"]]) {
		if (cost && Math.abs(parts.reduce((sum, part) => sum + cost[part], 0) - cost.whole_usd) > 1e-9) wrong.push(`${run.name}: ${parts.join(", ")} are not the cost`);
	}
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

/** The page of a run, and the answer of the API from which it is drawn. */
async function opened(reader, id) {
	const { page } = reader;
	const path = `/api/v1/runs/${encodeURIComponent(id)}`;
	const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path && response.ok());
	await reader.turnTo(`/runs/${encodeURIComponent(id)}?tab=steps`);
	await page.waitForSelector(`[data-run="${id}"]`);
	return (await answered).json();
}

async function faultsOf(browser, reader, { id, name }) {
	const [document, { stdout: report }] = await Promise.all([
		opened(reader, id),
		run(tracer, ["report", id, "--full", "--lake", browser.origin, "--token-file", token], { encoding: "utf8", maxBuffer: 2 ** 26 }),
	]);
	const { page } = reader;
	const who = name || id;
	const wrong = [];
	if (!document.shares.tasks && /^The run: all tasks/m.test(report)) wrong.push(`${who}: the report speaks of tasks, and it has none`);
	wrong.push(...contradictions(document), ...compare(who, await figuresOf(page, document, report)));
	wrong.push(...compare(who, await timesOf(page, document, report, false)));
	await askForThreads(page);
	wrong.push(...compare(who, await timesOf(page, document, report, true)));
	return wrong;
}

/** Readers who share the runs: each takes the next one. */
const READERS = 3;

export function figures(browser) {
	describe("figures", { concurrency: 1 }, () => {
		test("report, API and page show the same figures of every run", async () => {
			const runs = (await browser.all("/runs", "runs")).filter((one) => !["running", "queued"].includes(one.status));
			assert.ok(runs.length > 0, "the lake must hold a run that ended");
			const left = [...runs];
			const read = async () => {
				const reader = new Reader(browser, {});
				await reader.begin();
				await browser.visit(reader.page, "/hosts");
				const wrong = [];
				for (let next = left.shift(); next; next = left.shift()) wrong.push(...(await faultsOf(browser, reader, next)));
				await reader.page.close();
				return wrong;
			};
			const wrong = await Promise.all(Array.from({ length: Math.min(READERS, runs.length) }, read));
			assert.deepEqual(wrong.flat(), []);
			console.log(`${runs.length} runs compared: ${runs.map((one) => one.name || one.id).join(", ")}`);
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
	});
}
