// SPDX-License-Identifier: Apache-2.0
// Visits each page of a real lake's dashboard, holds it against the API, and takes a picture of it.
// The lake holds a run with two tasks or more, samples among them, and a run that is running.
// TRACER_LOGIN_URL: an unused login link. TRACER_SHOTS: the folder of the pictures; empty for none. TRACER_RUN: the run
// to look at (an id or a name; otherwise the newest one with two tasks).
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser, column, readUntil, rowsOf, settled } from "./browser.mjs";
import { expectedEvents, isExpected, openedOn, openedWith, verdictInList } from "./causes.mjs";
import { widthComplaints } from "./narrow.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const login = process.env.TRACER_LOGIN_URL;
assert.ok(login, "TRACER_LOGIN_URL must hold a login link, as `tracer up` prints one");

const browser = new Browser(login, process.env.TRACER_SHOTS);
let runs;
let report;
let tasks;
let page;

before(async () => {
	await browser.open();
});
after(async () => {
	await browser.close();
});

async function pickRun() {
	runs = (await browser.api("/runs?limit=100")).runs;
	const id = process.env.TRACER_RUN ?? runs.find((run) => run.tasks >= 2)?.id;
	assert.ok(id, "the lake must hold a run of at least two tasks");
	report = await browser.api(`/runs/${encodeURIComponent(id)}`);
	tasks = await browser.all(`/runs/${report.run.id}/tasks`, "tasks");
	assert.ok(tasks.length >= 2, `the run ${id} must have at least two tasks, has ${tasks.length}`);
}

/** The page shows this in the end; `what` it is, for the message. */
const shows = async (read, expected, what) => assert.deepEqual(await readUntil(page, read, (value) => value === expected), expected, what);

const here = (tab = "") => `/runs/${report.run.id}${tab ? `?tab=${tab}` : ""}`;

/** Names, states and contrasts, in the scheme that the page shows. */
async function accessible(where) {
	if (!(await where.evaluate(() => "axe" in globalThis))) await where.evaluate(AXE);
	const found = await where.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
	const words = found.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.target).join("; ")})`);
	assert.deepEqual(words, [], "accessibility");
}

const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 1000 };

/**
 * What holds of each page, as readers have it: wide and light, then narrow and dark. What observed processes are called is text,
 * never markup. The page stays as it is: to load one costs the lake more than to look at it twice.
 */
async function served(name) {
	await browser.shot(page, name);
	await accessible(page);
	assert.equal(await page.locator("#app :is(script, iframe, img, object, embed, style)").count(), 0, `${name}: markup`);
	assert.deepEqual(await widthComplaints(page), [], name);
	await page.emulateMedia({ colorScheme: "dark" });
	await page.setViewportSize(NARROW);
	assert.deepEqual(await widthComplaints(page), [], `${name}, narrow`);
	await browser.shot(page, `narrow-${name}`);
	await accessible(page);
	await page.setViewportSize(WIDE);
	await page.emulateMedia({ colorScheme: "light" });
}

test("a reader who is not logged in reads how to log in", async () => {
	const loggedOut = await browser.chromium.newContext();
	const lost = await browser.page(loggedOut, ["401"]);
	await browser.visit(lost, "/");
	assert.match(await lost.innerText("[data-page=logged-out]"), /Open the link that tracer up printed, or run tracer up again/);
	await browser.shot(lost, "logged-out");
	await accessible(lost);
	await loggedOut.close();
});

test("the login link opens the list of runs, once", async () => {
	page = await browser.page();
	await page.goto(login);
	await settled(page);
	assert.equal(new URL(page.url()).pathname, "/");
	const cookie = (await browser.session.cookies()).find((one) => one.name === "tracer_session");
	assert.ok(cookie?.httpOnly && cookie.sameSite === "Strict", "the session's cookie is HttpOnly and SameSite=Strict");
	const loggedOut = await browser.chromium.newContext();
	const second = await browser.page(loggedOut, ["403", "favicon.ico"]);
	await second.goto(login);
	assert.match(await second.innerText("body"), /does not work any more[\s\S]*tracer/);
	await loggedOut.close();
	await pickRun();
});

test("runs are listed live, with a word and a shape for each status", async () => {
	await page.waitForSelector(".link.is-live");
	await page.waitForSelector(`text=${JSON.stringify(runs[0].name || runs[0].id)}`);
	const listed = await readUntil(page, () => rowsOf(page, "Runs"), (rows) => rows >= runs.length);
	assert.ok(listed >= runs.length, "each run has its row; more may have begun since");
	const badges = page.locator("td .badge");
	assert.equal(await badges.count(), await page.locator("td .badge svg").count());
	for (const word of await badges.allInnerTexts()) {
		assert.match(word.trim(), /^(queued|running|succeeded|succeeded, [\d,]+ failed|failed|killed|stalled|lost)$/);
	}
	for (const run of runs) {
		const row = page.locator("tr", { has: page.locator(`a[href="/runs/${run.id}"]`) });
		if (run.verdict) assert.equal(await row.locator('[data-column="verdict"]').getAttribute("title"), run.verdict, "its verdict");
	}
	await served("runs");
});

test("a running run's duration ticks", async () => {
	const running = runs.find((run) => run.status === "running");
	assert.ok(running, "the lake must hold a run that is running");
	const cell = page.locator("tr", { has: page.locator(`a[href="/runs/${running.id}"]`) }).locator('[data-column="wall_s"]');
	const first = await cell.innerText();
	assert.notEqual(await readUntil(page, () => cell.innerText(), (now) => now !== first), first, "waited for the duration to change");
});

test("runs can be filtered, and the address keeps the filter", async () => {
	await page.fill("input[type=search]", "no such run, surely");
	await page.waitForSelector("text=No run matches the filter.");
	assert.match(page.url(), /filter=/);
	await page.reload();
	await page.waitForSelector("text=No run matches the filter.");
	await page.fill("input[type=search]", "");
	const shown = await readUntil(page, () => rowsOf(page, "Runs"), (rows) => rows >= runs.length);
	assert.ok(shown >= runs.length, "without a filter all runs are listed");
});

test("a run shows its status, figures, cost and findings", async () => {
	await page.click(`a[href="/runs/${report.run.id}"]`);
	await settled(page);
	assert.equal(await page.getAttribute("[data-page=run]", "data-run"), report.run.id);
	const { findings, verdict } = await browser.api(`/runs/${report.run.id}/findings`);
	const failedTools = report.run.status === "succeeded" ? (verdict?.failed_tools ?? 0) : 0;
	await shows(() => page.innerText("h1 .badge").then((words) => words.trim()), report.run.status + (failedTools > 0 ? `, ${failedTools} failed` : ""), "its status");
	if (verdict?.text) await shows(() => page.innerText("[data-verdict]"), verdict.text.replaceAll("`", ""), "its verdict");
	const tile = (name) => page.locator(".tile", { has: page.locator(".tile-title", { hasText: new RegExp(`^${name}$`) }) });
	assert.equal(await tile("Tasks").locator(".tile-value").innerText(), report.totals.tasks.toLocaleString("en-US"));
	await page.waitForFunction((count) => document.querySelectorAll("[data-finding]").length === count, findings.length);
	const { cost } = report;
	if (!cost || cost.whole_usd === null) assert.equal((await tile("Cost").locator(".tile-value").innerText()).trim(), "–");
	else {
		const parts = cost.tasks_usd + cost.engine_usd + cost.idle_usd;
		assert.ok(Math.abs(parts - cost.whole_usd) < 1e-8, `tasks + engine + idle = ${parts}, the whole ${cost.whole_usd}`);
		assert.equal(await page.locator(".parts-legend li").count(), 3);
	}
	const banner = report.totals.lost_records > 0;
	assert.equal((await page.locator("[data-losses]").count()) > 0, banner, "the banner of what is not known");
});

const WALLS = ["computing", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "poll", "other", "child", "sleep", "unknown"].map((name) => `wall_${name}`);
const STATES = ["user", "kernel", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "poll", "other"];

const times = (rows, state) => rows.reduce((sum, row) => sum + (row[`${state}_ns`] ?? 0), 0);

/** The bar at the head has a slice for each of these states that occurred in the tasks, `least` of them; gives their number. */
async function barHas(states, least) {
	const slices = await page.locator(".run-figures .state-box .states").first().locator("i").evaluateAll((all) =>
		all.map((one) => [one.className.replace("state-", ""), one.getBoundingClientRect().width, one.title]),
	);
	const all = states.reduce((sum, state) => sum + times(report.steps, state), 0);
	const occurred = states.filter((state) => times(report.steps, state) > 1e-6 * all);
	assert.ok(occurred.includes(states[0]) && occurred.length >= least, `the run was in several states: ${occurred}`);
	assert.deepEqual(slices.map(([state]) => state), occurred);
	const whole = occurred.reduce((sum, state) => sum + times(report.steps, state), 0);
	const width = slices.reduce((sum, [, own]) => sum + own, 0);
	for (const [state, own, title] of slices) {
		const share = times(report.steps, state) / whole;
		assert.ok(Math.abs(own / width - share) < 0.02, `${state}: drawn ${own / width}, is ${share}`);
		assert.match(title, /^[a-z ,()]+ [\d.hmd]+( ?(µs|ms|s|m|h))?.* \((< )?[\d.]+ %\)(, of it .*)?$/i, `${state} in words`);
	}
	return slices.length;
}

test("where the tasks' wall time went is a bar that says what the API says", async () => {
	const box = page.locator(".run-figures .state-box");
	const count = await barHas(WALLS, 2);
	assert.equal(await box.locator("[data-state]").count(), count, "nothing is left out");
	if (times(report.steps, "wall_serial") > 0) assert.match(await box.locator(".state-wall_computing").first().getAttribute("title"), /, of it .* on one CPU$/);
	const assumed = times(report.steps, "wall_assumed");
	const all = WALLS.reduce((sum, state) => sum + times(report.steps, state), 0);
	assert.equal(/may be off by up to/.test(await box.innerText()), assumed > 0.02 * all, "how much may be in a wrong class");
	assert.match(await box.locator(".state-engine").innerText(), /The engine itself/);
});

test("the time of threads is one click away", async () => {
	const box = page.locator(".run-figures .state-box");
	await box.getByRole("button", { name: "Thread time" }).click();
	await box.locator("[data-figure=at-work]").waitFor();
	assert.match(page.url(), /time=threads/, "the address keeps it");
	const count = await barHas(STATES, 4);
	assert.equal(await box.locator("[data-state]").count(), count + ["child", "sleep"].filter((state) => times(report.steps, state) > 0).length);
	await box.getByRole("button", { name: "All", exact: true }).click();
	await box.locator(".states").first().locator(".state-child").waitFor();
	await box.getByRole("button", { name: "At work" }).click();
	await shows(() => box.locator(".states").first().locator(".state-child").count(), 0, "at work leaves out the waiting for children");
	await served("run-threads");
	await box.getByRole("button", { name: "Wall time" }).click();
	await box.locator("[data-figure=wall]").waitFor();
});

/** The bar of each row names its largest wait; it is one of wall time where that is known, until thread time is asked for. */
async function barsOf(rows) {
	const cells = page.locator('tbody td[data-column="times"]');
	assert.ok((await cells.count()) > 0);
	const known = rows.filter((row) => row.threads_ns > 0).length;
	const ofWall = rows.filter((row) => WALLS.slice(0, -1).some((state) => row[`${state}_ns`] > 0)).length;
	const walls = () => cells.locator('.states:has([class^="state-wall_"])').count();
	if (rows.length <= 60) {
		assert.equal(await cells.locator(".states").count(), known, "a bar in each row of which times are known");
		assert.equal(await walls(), ofWall, "a bar of wall time where that is known");
		await page.locator(".run-figures").getByRole("button", { name: "Thread time" }).click();
		await shows(walls, 0, "thread time");
		await page.locator(".run-figures").getByRole("button", { name: "Wall time" }).click();
		await shows(walls, ofWall, "wall time again");
	}
	for (const words of await cells.allInnerTexts()) assert.match(words.trim(), /^$|^–$|^[a-z ()]+ (< )?[\d.]+ %$/i);
}

test("the timeline has a bar for every task", async () => {
	await page.waitForSelector("canvas.gantt");
	assert.equal(Number(await page.getAttribute("canvas.gantt", "data-bars")), tasks.length);
	assert.equal(Number(await page.getAttribute("canvas.gantt", "data-steps")), report.steps.length);
	const colors = await page.evaluate(() => {
		const canvas = document.querySelector("canvas.gantt");
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		return new Set(new Uint32Array(data.buffer)).size;
	});
	assert.ok(colors > 10, `something is drawn: ${colors} colours`);
	await served("run-timeline");
	await page.emulateMedia({ colorScheme: "dark" });
	await browser.shot(page, "run-timeline-dark");
	await accessible(page);
	await page.emulateMedia({ colorScheme: "light" });
});

/** The path, and each of its links, has a bar of the classes that its running time was in; none of threads' time. */
async function pathInClasses(box, path) {
	const known = (figures) => WALLS.slice(0, -1).some((state) => figures[`${state}_ns`] > 0);
	const all = times([path], "wall_unknown") + WALLS.slice(0, -1).reduce((sum, state) => sum + times([path], state), 0);
	assert.ok(Math.abs(all / 1e9 - path.running_s) < 1e-3, `in classes ${all} ns, running ${path.running_s} s`);
	const slices = () => box.locator(".state-box .states i").evaluateAll((of) => of.map((one) => one.className.replace("state-", "")));
	assert.deepEqual(await slices(), known(path) ? WALLS.filter((state) => path[`${state}_ns`] > 1e-6 * all) : []);
	const bars = () => box.locator(".path-link .states").count();
	const count = path.links.length <= 16 ? path.links.filter(known).length : await bars();
	assert.equal(await bars(), count, "a bar in each link of which classes are known");
	if (!known(path)) return;
	await box.getByRole("button", { name: "Thread time" }).click();
	await shows(bars, 0, "the time of threads is not known of a part of a task");
	assert.match(await page.locator(".tabs a").nth(1).getAttribute("href"), /time=threads/, "another tab keeps the kind of time");
	await box.getByRole("button", { name: "Wall time" }).click();
	await shows(bars, count, "wall time again");
}

test("the critical path is a bar of the whole run, and leads to its tasks", async () => {
	const { critical_path: path } = await browser.api(`/runs/${report.run.id}/dataflow?limit=1`);
	if (!path || path.links.length < 2) return assert.equal(await page.locator("[data-path]").count(), 0);
	const box = page.locator("[data-path]");
	await box.waitFor();
	assert.equal(Number(await box.getAttribute("data-path")), path.links.length);
	const widths = await box.locator(".path-bar i").evaluateAll((all) => all.map((one) => [one.className, one.getBoundingClientRect().width]));
	const whole = widths.reduce((sum, [, width]) => sum + width, 0);
	for (const [kind, seconds] of [["path-running", path.running_s], ["path-waiting", path.waiting_s], ["path-beside", path.before_s + path.after_s]]) {
		const drawn = widths.filter(([name]) => name === kind).reduce((sum, [, width]) => sum + width, 0) / whole;
		assert.ok(Math.abs(drawn - seconds / path.wall_s) < 0.02, `${kind}: drawn ${drawn}, is ${seconds / path.wall_s}`);
	}
	assert.equal(await box.locator("ol > li").count(), Math.min(16, path.links.length));
	await pathInClasses(box, path);
	await box.locator("ol button").last().click();
	await page.waitForSelector(`[data-task="${path.links.at(-1).task_id}"]`);
	await page.getByRole("button", { name: "Close this task" }).click();
	await page.waitForFunction(() => !document.querySelector("[data-task]"));
});

test("the timeline describes a bar, opens its tools, and zooms", async () => {
	const canvas = page.locator("canvas.gantt");
	await canvas.focus();
	await page.keyboard.press("ArrowDown");
	await page.waitForSelector("[data-task]");
	const id = new URL(page.url()).searchParams.get("task");
	const task = tasks.find((one) => one.id === id);
	assert.ok(task, "the arrow key picks a task");
	assert.ok((await page.locator("[data-task] .state-box .states i").count()) > 0, "and shows where its time went");
	const rows = () => canvas.getAttribute("data-rows").then(Number);
	const before = await rows();
	await page.keyboard.press("Enter");
	await page.waitForFunction((was) => Number(document.querySelector("canvas.gantt").dataset.rows) > was, before);
	await shows(rows, before + new Set(task.tools).size, "a row for each of the task's tools");
	await canvas.scrollIntoViewIfNeeded();
	const [x, y] = (await canvas.getAttribute("data-at")).split(",").map(Number);
	const box = await canvas.boundingBox();
	await page.mouse.move(box.x + x, box.y + y);
	await page.waitForSelector(".tip");
	assert.match(await page.innerText(".tip"), /peak memory/);
	if (browser.shots) await page.screenshot({ path: `${browser.shots}/run-timeline-task.png` });
	await page.mouse.click(box.x + x, box.y + y);
	await shows(() => new URL(page.url()).searchParams.get("task"), id, "a click on the bar keeps its task");
	const whole = page.getByRole("button", { name: "Whole run" });
	await shows(() => whole.isDisabled(), true, "the whole run is shown already");
	await canvas.focus();
	await page.keyboard.press("+");
	await page.waitForFunction(() => !document.querySelector("button[aria-label='Zoom out']").disabled);
	await whole.click();
	await page.waitForFunction(() => document.querySelector("button[aria-label='Zoom out']").disabled);
	await page.getByRole("button", { name: "Compact" }).click();
	await shows(() => canvas.getAttribute("data-bars"), String(tasks.length), "the compact timeline has a bar for every task");
});

test("CPU and memory are drawn over time, by step, tool and task", async () => {
	const { samples } = await browser.api(`/runs/${report.run.id}/samples?by=task`);
	assert.ok(samples.length > 0, "the run has samples");
	for (const by of ["By tool", "By task", "By step"]) {
		await page.getByRole("button", { name: by }).click();
		await page.waitForSelector("[data-chart=cpu]");
		for (const chart of ["cpu", "memory", "disk", "states"]) {
			const figure = page.locator(`[data-chart=${chart}]`);
			const drawn = async () => [Number(await figure.getAttribute("data-points")), Number(await figure.getAttribute("data-curves"))];
			const [points, curves] = await readUntil(page, drawn, (read) => read[0] >= 2 && read[1] >= 1);
			assert.ok(points >= 2 && curves >= 1, `${chart}, ${by}: ${points} points in ${curves} curves`);
			await shows(() => figure.locator("canvas").count(), 1, `${chart}, ${by}: its canvas`);
		}
	}
});

test("tasks are listed and sorted by what they used", async () => {
	await page.click(".tabs a:has-text('Tasks')");
	await page.waitForSelector("table[data-table=Tasks]");
	assert.equal(await rowsOf(page, "Tasks"), tasks.length);
	const header = page.locator("th", { hasText: "Wall" });
	await header.locator("button").click();
	await shows(() => header.getAttribute("aria-sort"), "descending", "the first click sorts down");
	const down = await column(page, "name");
	const longest = Math.max(...tasks.map((task) => task.wall_s ?? 0));
	const names = tasks.filter((task) => task.wall_s === longest).map((task) => task.name || task.id);
	assert.ok(names.some((name) => down[0].startsWith(name.split("\n")[0])), `the longest, ${names}, is first: ${down[0]}`);
	await header.locator("button").press("Enter");
	await shows(() => header.getAttribute("aria-sort"), "ascending", "the second sorts up");
	const up = await column(page, "name");
	if (tasks.length <= 60) assert.deepEqual([...up].sort(), [...down].sort());
	assert.notDeepEqual(up, down, "the order turned");
	await shows(() => /sort=wall_s/.test(page.url()), true, "the address keeps the order");
	await barsOf(tasks);
	await served("run-tasks");
});

test("requested is shown beside used", async () => {
	const shown = await page.locator("tbody tr:not(.spacer)").count();
	const asked = tasks.filter((task) => task.memory_requested_bytes > 0).length;
	if (shown === tasks.length) assert.equal(await page.locator('td[data-column="memory"] .asked-bar').count(), asked);
	else assert.ok(tasks.length > 60, "only a long table leaves rows out");
});

test("steps, tools, processes, files, network, containers and events have their tables", async () => {
	const path = `/runs/${report.run.id}`;
	const tools = (await browser.api(`${path}/tools`)).tools;
	const { events } = await browser.api(`${path}/events`);
	await browser.visit(page, here("steps"));
	assert.equal(await rowsOf(page, "Steps"), report.steps.length);
	await barsOf(report.steps);
	await served("run-steps");
	await browser.visit(page, here("tools"));
	assert.equal(await rowsOf(page, "Tools"), tools.length);
	await barsOf(tools);
	await served("run-tools");
	await browser.visit(page, here("processes"));
	assert.equal(await rowsOf(page, "Processes"), Math.min(500, report.totals.executions));
	await served("run-processes");
	const files = await browser.all(`${path}/files`, "files");
	assert.ok(files.some((file) => file.kind === "file"), "the run used files");
	await browser.visit(page, `${here("files")}&kind=all`);
	assert.equal(await rowsOf(page, "Files"), new Set(files.map((file) => `${file.host_id} ${file.kind} ${file.path} ${file.kind === "failed" ? file.error : ""}`)).size);
	await browser.visit(page, here("files"));
	const moved = new Map();
	for (const file of files) if (file.kind === "file") moved.set(file.path, (moved.get(file.path) ?? 0) + file.moved_bytes);
	const [busiest] = [...moved].reduce((most, one) => (most[1] >= one[1] ? most : one));
	assert.equal((await column(page, "name"))[0], busiest, "the file of which most was read or written is first");
	await served("run-files");
	await browser.visit(page, here("disks"));
	const { io } = await browser.api(`${path}/io?limit=10000`);
	if (io.length === 0) await page.waitForSelector("text=Nothing of this run waited for a disk");
	else {
		const disks = new Set(io.map((row) => `${row.device} ${row.operation}`));
		await page.waitForFunction((count) => document.querySelector("table[data-table=Disks]")?.dataset.rows === String(count), disks.size);
		assert.equal(await page.locator("table[data-table=Disks] svg.histogram").count(), disks.size);
	}
	await served("run-disks");
	await browser.visit(page, here("network"));
	const { network } = await browser.api(`${path}/network?limit=10000`);
	if (network.length === 0) await page.waitForSelector("text=Nothing of this run used a socket");
	else {
		const kinds = new Set(network.map((row) => (row.family === "other" ? "other" : `${row.family} ${row.protocol} ${row.loopback}`)));
		assert.equal(await rowsOf(page, "Network"), kinds.size);
		await page.getByRole("button", { name: "By tool" }).click();
		await page.waitForFunction((count) => document.querySelector("table[data-table=Network]").dataset.rows === String(count), new Set(network.map((row) => row.tool)).size);
	}
	await served("run-network");
	await browser.visit(page, here("containers"));
	const { containers } = await browser.api(`${path}/containers`);
	if (containers.length > 0) assert.equal(await rowsOf(page, "Containers"), containers.length);
	else await page.waitForSelector("text=No container, job or service was seen");
	await served("run-containers");
	await browser.visit(page, here("events"));
	if (events.length > 0) assert.equal(Number(await page.getAttribute("[data-events]", "data-events")), events.filter((event) => !isExpected(event)).length);
	else await page.waitForSelector("text=Nothing struck this run");
	await served("run-events");
});

test("the verdict comes first, and each finding leads to its place", () => openedWith(browser, report, tasks));

test("a failed run opens on the task that failed, until the reader closes it", () => openedOn(browser, report, tasks));

test("the list has each run's verdict, and no plain success where tools failed", () => verdictInList(browser, runs));

test("an event says who did it, how, and which limit was met", async () => {
	const all = (await browser.api(`/runs/${report.run.id}/events`)).events;
	const events = all.filter((event) => !isExpected(event));
	await browser.visit(page, here("events"));
	if (all.length > events.length) await expectedEvents(page, all);
	const lines = await page.locator(".events li").allInnerTexts();
	for (const [n, event] of events.slice(0, lines.length).entries()) {
		if (event.sender_pid) assert.ok(lines[n].includes(`(pid ${event.sender_pid}, uid ${event.sender_uid})`), lines[n]);
		if (event.limit_bytes) assert.match(lines[n], /limit\s+[\d.]+ [KMGT]iB\s+used\s+[\d.]+ [KMGT]iB/);
		if (event.kind === "exit_failed" && event.code && !event.detail) assert.match(lines[n], new RegExp(`exit code\\s+${event.code}\\b`));
		if (event.kind === "oom_kill") assert.ok(/full\s+\S/.test(lines[n]), "which cgroup was full, or that the host was");
	}
	if (events.length === 0) return;
	await page.selectOption("select[aria-label='Kind of event']", events[0].kind);
	const same = events.filter((event) => event.kind === events[0].kind).length;
	await page.waitForFunction((count) => document.querySelector("[data-events]").dataset.events === String(count), same);
});

/** The page shows each GPU that has a sample, with the curves of the figures that its driver reports. */
async function gpusOf({ gpus, gpu_samples: samples }) {
	const seen = gpus.filter((gpu) => samples.some((sample) => sample.uuid === gpu.uuid));
	if (seen.length === 0) return assert.equal(await page.locator("[data-gpus]").count(), 0);
	await page.waitForSelector(`[data-gpus="${seen.length}"]`);
	for (const gpu of seen) {
		const own = samples.filter((sample) => sample.uuid === gpu.uuid);
		const reported = (key) => (own.some((sample) => sample[key] !== null) ? 1 : 0);
		const section = page.locator(`[data-gpu="${gpu.uuid}"]`);
		assert.equal(await section.locator("[data-chart=gpu-busy]").count(), reported("busy_ns"));
		assert.equal(await section.locator("[data-chart=gpu-memory]").count(), reported("memory_used_bytes"));
		assert.equal(await section.locator("[data-chart=gpu-power]").count(), reported("power_mean_mw"));
		assert.equal(/held back/.test(await section.innerText()), own.some((sample) => sample.throttled_ns > 0));
	}
}

test("GPUs are shown over time, and what each tool did on them, where there is something to show", async () => {
	await browser.visit(page, here());
	await page.waitForSelector("[data-chart=memory]");
	await gpusOf(await browser.api(`/runs/${report.run.id}/gpus`));
	if (browser.shots && (await page.locator("[data-gpus]").count()) > 0) await page.locator("[data-gpus]").screenshot({ path: `${browser.shots}/run-gpus.png` });
	const used = report.totals.gpu_busy_ns > 0 || report.totals.gpu_memory_peak_bytes > 0;
	assert.equal((await page.locator(".tile-title", { hasText: "GPU time" }).count()) > 0, used);
	await browser.visit(page, here("tools"));
	assert.equal((await page.locator("th", { hasText: "GPU time" }).count()) > 0, used);
	for (const { id } of (await browser.api("/hosts")).hosts) {
		const host = await browser.api(`/hosts/${encodeURIComponent(id)}?hours=1`);
		await browser.visit(page, `/hosts/${encodeURIComponent(id)}`);
		if (host.samples.length >= 2) await gpusOf(host);
		await browser.shot(page, host.gpu_samples.length > 0 ? "host-gpus" : "host-plain");
		await accessible(page);
	}
});

test("the processes of one task can be had", async () => {
	const task = tasks.find((one) => one.executions > 0);
	await browser.visit(page, `${here("processes")}&task=${encodeURIComponent(task.id)}`);
	assert.equal(await rowsOf(page, "Processes"), Math.min(500, task.executions));
});

test("hosts show their use and price", async () => {
	const { hosts } = await browser.api("/hosts");
	await browser.visit(page, "/hosts");
	assert.equal(await rowsOf(page, "Hosts"), hosts.length);
	const losses = hosts.flatMap((host) => host.losses);
	assert.equal(await page.locator("[data-host-losses] li").count(), Math.min(losses.length, 20), "what is not known of the hosts");
	for (const { why } of losses.slice(0, 3)) assert.ok((await page.innerText("[data-host-losses]")).includes(why), why);
	const waste = await browser.api("/waste?days=7");
	const idle = waste.hosts.filter((host) => host.idle_s !== null).length;
	await page.waitForFunction(
		(count) => [...document.querySelectorAll('td[data-column="idle"]')].filter((cell) => cell.innerText !== "–").length === count,
		idle,
	);
	await served("hosts");
	await page.click('td[data-column="hostname"] a');
	await settled(page);
	await page.waitForSelector("[data-page=host]");
	await page.waitForSelector("[data-chart=cpu], .empty");
	await served("host");
});

test("an unknown run and an unknown page say so", async () => {
	const lost = await browser.page(browser.session, ["404"]);
	await browser.visit(lost, "/runs/no-such-run");
	assert.match(await lost.innerText("[data-page=missing]"), /There is no run/);
	await browser.visit(lost, "/nowhere/at/all");
	assert.match(await lost.innerText("[data-page=missing]"), /There is no such page/);
	await lost.close();
});

test("the tab that is shown is in sight of a narrow reader", async () => {
	await page.setViewportSize(NARROW);
	await browser.visit(page, here("events"));
	const tab = page.locator(".tabs [aria-current]");
	const box = await readUntil(page, () => tab.boundingBox(), ({ x, width }) => x >= 0 && x + width <= NARROW.width);
	assert.ok(box.x >= 0 && box.x + box.width <= NARROW.width, `from ${box.x}, ${box.width} wide`);
	await page.setViewportSize(WIDE);
});

test("no page complained", () => {
	assert.deepEqual(browser.complaints, []);
});
