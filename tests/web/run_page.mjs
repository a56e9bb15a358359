// SPDX-License-Identifier: Apache-2.0
// The page of a run: its head, its timeline and its tasks, beside what the API says. Two readers share it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { column, readUntil, rowsOf, settled } from "./browser.mjs";
import { gpusOf } from "./hosts.mjs";
import { accessible, HEAD, reading } from "./reader.mjs";
import { barsOf, STATES, times, WALLS } from "./time_bars.mjs";

export function runPage(browser, world) {
	reading(browser, world, "the head and the timeline of a run", (reader) => {
		test("a run shows its status, figures, cost and findings", async () => {
			const { page, report } = reader.now();
			await browser.visit(page, "/");
			await page.click(`a[href="/runs/${report.run.id}"]`);
			await settled(page);
			assert.equal(await page.getAttribute("[data-page=run]", "data-run"), report.run.id);
			const { findings, verdict } = await browser.api(`/runs/${report.run.id}/findings`);
			const failedTools = report.run.status === "succeeded" ? (verdict?.failed_tools ?? 0) : 0;
			await reader.shows(() => page.innerText("h1 .badge").then((words) => words.trim()), report.run.status + (failedTools > 0 ? `, ${failedTools} failed` : ""), "its status");
			if (verdict?.text) await reader.shows(() => page.innerText("[data-verdict]"), verdict.text.replaceAll("`", ""), "its verdict");
			const tile = (name) => page.locator(".tile", { has: page.locator(".tile-title", { hasText: new RegExp(`^${name}$`) }) });
			assert.equal(await tile("Tasks").locator(".tile-value").innerText(), report.totals.tasks.toLocaleString("en-US"));
			await page.waitForFunction((count) => document.querySelectorAll("[data-finding]").length === count, findings.length, { polling: 100 });
			const { cost } = report;
			if (!cost) assert.equal((await tile("Cost").locator(".tile-value").innerText()).trim(), "–");
			else {
				const parts = cost.used_usd + cost.unused_usd + cost.idle_usd;
				assert.ok(Math.abs(parts - cost.whole_usd) < 1e-9, `used + unused + idle = ${parts}, all of it ${cost.whole_usd}`);
				assert.equal(await page.locator(".tile-cost .parts-legend li").count(), 3);
				assert.match(await page.getAttribute(".tile-cost a", "href"), new RegExp(`/cost\\?by=step&run=${report.run.id}&since=`));
			}
			const banner = report.totals.lost_records > 0;
			assert.equal((await page.locator("[data-losses]").count()) > 0, banner, "the banner of what is not known");
		});

		/** The bar at the head has a slice for each of these states that occurred in the tasks, `least` of them; gives their number. */
		async function barHas(states, least) {
			const { page, report } = reader.now();
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
			const { page, report } = reader.now();
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
			const { page, report } = reader.now();
			const box = page.locator(".run-figures .state-box");
			await box.getByRole("button", { name: "Thread time" }).click();
			await box.locator("[data-figure=at-work]").waitFor();
			assert.match(page.url(), /time=threads/, "the address keeps it");
			const count = await barHas(STATES, 4);
			assert.equal(await box.locator("[data-state]").count(), count + ["child", "sleep"].filter((state) => times(report.steps, state) > 0).length);
			await box.getByRole("button", { name: "All", exact: true }).click();
			await box.locator(".states").first().locator(".state-child").waitFor();
			await box.getByRole("button", { name: "At work" }).click();
			await reader.shows(() => box.locator(".states").first().locator(".state-child").count(), 0, "at work leaves out the waiting for children");
			await reader.served("run-threads", [[".findings"], [".more-findings"], [".timeline"]]);
			await box.getByRole("button", { name: "Wall time" }).click();
			await box.locator("[data-figure=wall]").waitFor();
		});

		test("the timeline has a bar for every task", async () => {
			const { page, report, tasks } = reader.now();
			await page.waitForSelector("canvas.gantt");
			assert.equal(Number(await page.getAttribute("canvas.gantt", "data-bars")), tasks.length);
			assert.equal(Number(await page.getAttribute("canvas.gantt", "data-steps")), report.steps.length);
			const colors = await page.evaluate(() => {
				const canvas = document.querySelector("canvas.gantt");
				const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
				return new Set(new Uint32Array(data.buffer)).size;
			});
			assert.ok(colors > 10, `something is drawn: ${colors} colours`);
			await reader.served("run-timeline");
			await page.emulateMedia({ colorScheme: "dark" });
			await browser.shot(page, "run-timeline-dark");
			await accessible(page, HEAD);
			await page.emulateMedia({ colorScheme: "light" });
		});

		/** The path, and each of its links, has a bar of the classes that its running time was in; none of threads' time. */
		async function pathInClasses(box, path) {
			const { page } = reader.now();
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
			await reader.shows(bars, 0, "the time of threads is not known of a part of a task");
			assert.match(await page.locator(".tabs a").nth(1).getAttribute("href"), /time=threads/, "another tab keeps the kind of time");
			await box.getByRole("button", { name: "Wall time" }).click();
			await reader.shows(bars, count, "wall time again");
		}

		test("the critical path is a bar of the whole run, and leads to its tasks", async () => {
			const { page, report } = reader.now();
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
			await page.waitForFunction(() => !document.querySelector("[data-task]"), undefined, { polling: 100 });
		});

		test("the timeline describes a bar, opens its tools, and zooms", async () => {
			const { page, tasks } = reader.now();
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
			await page.waitForFunction((was) => Number(document.querySelector("canvas.gantt").dataset.rows) > was, before, { polling: 100 });
			await reader.shows(rows, before + new Set(task.tools).size, "a row for each of the task's tools");
			await canvas.scrollIntoViewIfNeeded();
			const [x, y] = (await canvas.getAttribute("data-at")).split(",").map(Number);
			const box = await canvas.boundingBox();
			await page.mouse.move(box.x + x, box.y + y);
			await page.waitForSelector(".tip");
			assert.match(await page.innerText(".tip"), /peak memory/);
			if (browser.shots) await page.screenshot({ path: `${browser.shots}/run-timeline-task.png` });
			await page.mouse.click(box.x + x, box.y + y);
			await reader.shows(() => new URL(page.url()).searchParams.get("task"), id, "a click on the bar keeps its task");
			const whole = page.getByRole("button", { name: "Whole run" });
			await reader.shows(() => whole.isDisabled(), true, "the whole run is shown already");
			await canvas.focus();
			await page.keyboard.press("+");
			await page.waitForFunction(() => !document.querySelector("button[aria-label='Zoom out']").disabled, undefined, { polling: 100 });
			await whole.click();
			await page.waitForFunction(() => document.querySelector("button[aria-label='Zoom out']").disabled, undefined, { polling: 100 });
			await page.getByRole("button", { name: "Compact" }).click();
			await reader.shows(() => canvas.getAttribute("data-bars"), String(tasks.length), "the compact timeline has a bar for every task");
		});
	});

	reading(browser, world, "the resources and the tasks of a run", (reader) => {
		test("CPU and memory are drawn over time, by step, tool and task", async () => {
			const { page, report } = reader.now();
			await browser.visit(page, reader.here());
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
					await reader.shows(() => figure.locator("canvas").count(), 1, `${chart}, ${by}: its canvas`);
				}
			}
		});

		test("GPUs are shown over time, where there is something to show", async () => {
			const { page, report } = reader.now();
			await gpusOf(page, await browser.api(`/runs/${report.run.id}/gpus`));
			if (browser.shots && (await page.locator("[data-gpus]").count()) > 0) await page.locator("[data-gpus]").screenshot({ path: `${browser.shots}/run-gpus.png` });
			const used = report.totals.gpu_busy_ns > 0 || report.totals.gpu_memory_peak_bytes > 0;
			assert.equal((await page.locator(".tile-title", { hasText: "GPU time" }).count()) > 0, used);
		});

		test("tasks are listed and sorted by what they used", async () => {
			const { page, tasks } = reader.now();
			await page.click(".tabs a:has-text('Tasks')");
			await page.waitForSelector("table[data-table=Tasks]");
			assert.equal(await rowsOf(page, "Tasks"), tasks.length);
			const header = page.locator("th", { hasText: "Wall" });
			await header.locator("button").click();
			await reader.shows(() => header.getAttribute("aria-sort"), "descending", "the first click sorts down");
			const down = await column(page, "name");
			const longest = Math.max(...tasks.map((task) => task.wall_s ?? 0));
			const names = tasks.filter((task) => task.wall_s === longest).map((task) => task.name || task.id);
			assert.ok(names.some((name) => down[0].startsWith(name.split("\n")[0])), `the longest, ${names}, is first: ${down[0]}`);
			await header.locator("button").press("Enter");
			await reader.shows(() => header.getAttribute("aria-sort"), "ascending", "the second sorts up");
			const up = await column(page, "name");
			if (tasks.length <= 60) assert.deepEqual([...up].sort(), [...down].sort());
			assert.notDeepEqual(up, down, "the order turned");
			await reader.shows(() => /sort=wall_s/.test(page.url()), true, "the address keeps the order");
			await barsOf(reader, tasks);
			await reader.served("run-tasks", HEAD);
		});

		test("requested is shown beside used", async () => {
			const { page, tasks } = reader.now();
			const shown = await page.locator("tbody tr:not(.spacer)").count();
			const asked = tasks.filter((task) => task.memory_requested_bytes > 0).length;
			if (shown === tasks.length) assert.equal(await page.locator('td[data-column="memory"] .asked-bar').count(), asked);
			else assert.ok(tasks.length > 60, "only a long table leaves rows out");
		});
	});
}
