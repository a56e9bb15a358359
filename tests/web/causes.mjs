// SPDX-License-Identifier: Apache-2.0
// What the page makes of a verdict and of findings (docs/findings.md): where they stand, and where their evidence leads. The answer
// of the lake is replaced by one that has every kind of evidence, about real tasks and processes of the run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readUntil, settled } from "./browser.mjs";
import { widthComplaints } from "./narrow.mjs";
import { NARROW, WIDE } from "./reader.mjs";

const HOSTILE = "<img src=x onerror=alert(1)>\u202e";

const finding = (kind, severity, evidence, more = {}) => ({
	kind, severity, subject: "run of a test", summary: `It was \`samtools ${HOSTILE}\`.`, evidence, advice: "Give it 6 GiB:\nmemory = '6 GB'", saves_usd: null,
	saves_s: null, confidence: "high", ...more,
});

/** A verdict and findings about this task, the least important finding first. */
async function invented(browser, report, task) {
	const { processes } = await browser.api(`/runs/${report.run.id}/processes?task=${encodeURIComponent(task.id)}&limit=1000`);
	const [first, last] = [processes[0], processes.at(-1)];
	const of = ({ pid, start_ns, tool }) => ({ pid, start_ns, tool });
	const chain = [{ ...of(first), exit_code: 137 }, { ...of(last), signal: 9 }];
	return {
		verdict: { text: `Failed after 12 min: \`samtools sort\` of ${HOSTILE} was killed at its memory limit of 4 GiB`, short: "out of memory", failed_tools: 0 },
		findings: [
			finding("slot_wait", "warning", { since_at: task.started_at, until_at: task.ended_at, tasks: [task.name], tasks_concerned: 9, waited_s: 3 }, { confidence: "medium" }),
			finding("out_of_memory", "critical", { task_id: task.id, at: task.ended_at, ...of(last), chain, limit_bytes: 4 * 2 ** 30, command: `samtools ${HOSTILE}` }),
		],
		asked: true,
	};
}

const FINDINGS = "**/api/v1/runs/*/findings";

async function withAnswer(browser, report, answer, use) {
	const page = await browser.ownPage();
	await page.route(FINDINGS, (route) => route.fulfill({ json: answer }));
	await page.setViewportSize(NARROW);
	await browser.visit(page, `/runs/${report.run.id}`);
	await page.waitForSelector("[data-verdict]");
	await use(page);
	await page.close();
}

/** A reader of a narrow screen need not scroll to it. */
async function onFirstScreen(page, selector) {
	const box = await page.locator(selector).first().boundingBox();
	assert.ok(box && box.y >= 0 && box.y + box.height <= NARROW.height, `${selector} is on the first screen: ${JSON.stringify(box)}`);
}

const query = (page) => new URL(page.url()).searchParams;

/** The card of what failed is the first; it has the chain, and its links lead to the place in the timeline and to the process. */
async function linksOf(page, task, process) {
	assert.deepEqual(await page.locator("[data-finding]").evaluateAll((all) => all.map((one) => one.dataset.finding)), ["out_of_memory", "slot_wait"], "what failed is first");
	const card = page.locator("[data-finding=out_of_memory]");
	assert.equal(await card.locator("[data-chain] li").count(), 2);
	assert.match(await card.locator("[data-chain]").innerText(), /exit 137[\s\S]*SIGKILL/);
	assert.deepEqual(await page.locator("[data-confidence]").allInnerTexts(), ["medium confidence"], "only what is not sure says so");
	assert.match(await card.innerText(), /⟨U\+202E⟩/, "nothing is hidden");
	await card.locator(".places a", { hasText: "Timeline" }).click();
	await page.waitForSelector(`[data-task="${task.id}"] [data-cause=out_of_memory]`);
	assert.equal(query(page).get("zoom"), task.ended_at);
	await page.waitForSelector(".gantt-mark");
	assert.equal(await page.locator("button[aria-label='Zoom out']").isDisabled(), false, "the timeline is zoomed");
	const top = await readUntil(page, () => page.locator(".timeline").evaluate((one) => one.getBoundingClientRect().top), (y) => Math.abs(y) < 60);
	assert.ok(Math.abs(top) < 60, `the timeline is at the top of the window: ${top}`);
	await page.getByRole("button", { name: "Whole run" }).click();
	await readUntil(page, () => query(page).get("zoom"), (zoom) => zoom === null);
	assert.equal(query(page).get("task"), task.id, "who zooms keeps the task");
	await page.locator("[data-finding=slot_wait] .places a").click();
	await readUntil(page, () => page.locator(".gantt-mark").count(), (marks) => marks === 2);
	assert.equal(await page.locator(".gantt-mark").count(), 2, "a span is marked at both ends");
	await card.locator(".places a", { hasText: "Process" }).click();
	await settled(page);
	const pids = await readUntil(page, () => page.locator('tbody td[data-column="pid"]').allInnerTexts(), (all) => all.length > 0);
	assert.deepEqual([...new Set(pids)], [String(process.pid)], "the list has only that process");
	await page.getByRole("button", { name: `Only pid ${process.pid}` }).click();
	await readUntil(page, () => query(page).get("pid"), (pid) => pid === null);
	await page.locator("[data-finding=slot_wait] .concerned a").click();
	await page.waitForSelector("table[data-table=Tasks]");
	assert.equal(query(page).get("filter"), task.name);
}

/** The verdict and the first card, at 390 pixels and wide, and what the card leads to. */
async function openedWith(browser, { report, tasks }) {
	const task = tasks.find((one) => ["failed", "killed"].includes(one.status)) ?? tasks.find((one) => one.executions > 0);
	const answer = await invented(browser, report, task);
	await withAnswer(browser, report, answer, async (page) => {
		assert.equal(await page.innerText("[data-verdict]"), answer.verdict.text.replaceAll("`", "").replace("\u202e", "⟨U+202E⟩"));
		assert.equal(await page.innerText("[data-verdict] code"), "samtools sort", "what is between backticks is code");
		assert.ok(await page.locator(`[data-verdict].is-${report.run.status}`).count(), "in the colour of its status");
		await onFirstScreen(page, "[data-verdict]");
		await onFirstScreen(page, "[data-finding] h2");
		assert.deepEqual(await widthComplaints(page), []);
		assert.equal(await page.locator("#app :is(script, img)").count(), 0, "markup");
		await browser.shot(page, "narrow-run-verdict");
		await page.setViewportSize(WIDE);
		await browser.shot(page, "run-verdict");
		await linksOf(page, task, answer.findings[1].evidence);
	});
}

async function openedOn(browser, { report, tasks }) {
	const failed = tasks.filter((task) => ["failed", "killed"].includes(task.status));
	const answer = await invented(browser, report, failed[0] ?? tasks[0]);
	await withAnswer(browser, report, answer, async (page) => {
		if (!["failed", "killed"].includes(report.run.status)) {
			await page.waitForSelector("canvas.gantt, .empty");
			assert.equal(await page.locator("[data-task]").count(), 0, "a run that did not fail opens on no task");
			return;
		}
		const panel = page.locator(`[data-task="${answer.findings[1].evidence.task_id}"]`);
		await panel.waitFor();
		await panel.locator("[data-cause=out_of_memory]").waitFor();
		await panel.locator("[data-command]").waitFor();
		const { events } = await browser.api(`/runs/${report.run.id}/events`);
		const own = events.filter((event) => event.task_id === failed[0].id && !event.expected);
		if (own.length > 0) assert.equal(await panel.locator("[data-task-events]").getAttribute("data-task-events"), String(own.length), "its events");
		await page.getByRole("button", { name: "Close this task" }).click();
		await panel.waitFor({ state: "detached" });
		await page.click(".tabs a:has-text('Steps')");
		await page.waitForSelector("table[data-table=Steps]");
		await page.click(".tabs a:has-text('Timeline')");
		await page.waitForSelector("canvas.gantt");
		assert.equal(await panel.count(), 0, "closed is closed");
	});
}

/** Rows as the stream of a lake sends them; the list itself is not asked for them. */
export async function verdictInList(browser, runs) {
	const page = await browser.ownPage();
	const [run] = runs;
	// What a shared worker asks for cannot be answered from here: the page asks by itself.
	await page.addInitScript(() => delete window.SharedWorker);
	const unknown = { ...run, verdict: null, progress: null, expected_end_at: null };
	const rows = [
		{ ...unknown, id: "told-1", name: "told", status: "succeeded", failed_tools: 3, verdict: "19 of 24 s `waiting`" },
		{ ...unknown, id: "told-2", name: "untold" },
		{ ...unknown, id: "told-3", name: "ends", status: "running", progress: 0.629, expected_end_at: new Date(Date.now() + 3_600_000).toISOString() },
	];
	await page.route("**/api/v1/live", (route) => route.fulfill({ contentType: "text/event-stream", body: `event: runs\ndata: ${JSON.stringify({ runs: rows, next: null })}\n\n` }));
	await page.route("**/api/v1/runs?*", (route) => route.fulfill({ json: { runs: [], next: null } }));
	await browser.visit(page, "/");
	const row = page.locator("tr", { has: page.locator('a[href="/runs/told-1"]') });
	assert.equal((await row.locator(".badge").innerText()).trim(), "succeeded, 3 failed");
	assert.equal(await row.locator(".badge.is-succeeded").count(), 0, "not as a plain success");
	assert.equal(await row.locator('[data-column="verdict"]').innerText(), "19 of 24 s waiting");
	const untold = page.locator("tr", { has: page.locator('a[href="/runs/told-2"]') });
	assert.equal(await untold.locator('[data-column="verdict"]').innerText(), "–");
	const running = page.locator("tr", { has: page.locator('a[href="/runs/told-3"]') });
	assert.match(await running.locator('[data-column="verdict"]').innerText(), /^62 % done, ends about \S+/, "when a run ends that runs");
	await page.setViewportSize(NARROW);
	await row.locator(".row-verdict").waitFor();
	await onFirstScreen(page, ".row-verdict");
	const box = await row.locator(".row-verdict").boundingBox();
	assert.ok(box.x >= 0 && box.x < NARROW.width / 2, `the verdict begins in sight: ${box.x}`);
	assert.deepEqual(await widthComplaints(page), []);
	await page.close();
}

/** Those on which nothing depended are folded to a line until they are asked for, which the address keeps. */
export async function expectedEvents(page, events) {
	const folded = events.filter((event) => event.expected).length;
	const line = page.locator("[data-expected]");
	assert.equal(await line.getAttribute("data-expected"), String(folded));
	assert.match(await line.innerText(), new RegExp(`${folded} expected failures? (is|are) folded: show`));
	await line.getByRole("button").click();
	await page.waitForFunction((count) => document.querySelector("[data-events]").dataset.events === String(count), events.length, { polling: 100 });
	assert.equal(query(page).get("expected"), "show");
	await page.reload();
	await settled(page);
	await page.waitForFunction((count) => document.querySelector("[data-events]").dataset.events === String(count), events.length, { polling: 100 });
	await line.getByRole("button").click();
	await page.waitForFunction((count) => document.querySelector("[data-events]").dataset.events === String(count), events.length - folded, { polling: 100 });
}

/** The list has the verdict of each run that ended, as soon as the lake has it. */
export async function verdictsOf(browser, page, runs) {
	const listed = new Map();
	for (const { id } of runs.filter((run) => !["running", "queued"].includes(run.status)).slice(0, 20)) {
		const cell = page.locator("tr", { has: page.locator(`a[href="/runs/${id}"]`) }).locator('[data-column="verdict"]');
		const said = await readUntil(page, () => cell.getAttribute("title"), (title) => title !== "not known yet");
		assert.notEqual(said, "not known yet", "waited for the verdict");
		listed.set(id, said);
	}
	for (const { id, verdict } of (await browser.api("/runs?limit=100")).runs) if (listed.has(id)) assert.equal(listed.get(id), verdict, `the verdict of ${id}`);
}

export function causes(browser, world) {
	describe("verdict and findings", { concurrency: 1 }, () => {
		test("the verdict comes first, and each finding leads to its place", () => openedWith(browser, world));
		test("a failed run opens on the task that failed, until the reader closes it", () => openedOn(browser, world));
	});
}
