// SPDX-License-Identifier: Apache-2.0
// The tabs of a run that are tables, beside what the API says. Two readers share them: neither waits for the other's lists.
import assert from "node:assert/strict";
import { test } from "node:test";
import { column, readUntil, rowsOf } from "./browser.mjs";
import { expectedEvents } from "./causes.mjs";
import { HEAD, NARROW, reading } from "./reader.mjs";
import { barsOf } from "./time_bars.mjs";

export function runTables(browser, world) {
	reading(browser, world, "the tables of a run", (reader) => {
		test("steps and tools say where their time went", async () => {
			const { page, report, path } = reader.now();
			const { tools } = await browser.api(`${path}/tools`);
			await browser.visit(page, reader.here("steps"));
			assert.equal(await rowsOf(page, "Steps"), report.steps.length);
			await barsOf(reader, report.steps);
			await reader.served("run-steps", HEAD);
			await reader.turnTo(reader.here("tools"));
			assert.equal(await rowsOf(page, "Tools"), tools.length);
			const used = report.totals.gpu_busy_ns > 0 || report.totals.gpu_memory_peak_bytes > 0;
			assert.equal((await page.locator("th", { hasText: "GPU time" }).count()) > 0, used, "a column for GPUs, where one was used");
			await barsOf(reader, tools);
			await reader.served("run-tools", HEAD);
		});

		test("processes are listed, and those of one task can be had", async () => {
			const { page, report, tasks } = reader.now();
			await reader.turnTo(reader.here("processes"));
			assert.equal(await rowsOf(page, "Processes"), Math.min(500, report.totals.executions));
			await reader.served("run-processes", HEAD);
			const task = tasks.find((one) => one.executions > 0);
			await reader.turnTo(`${reader.here("processes")}&task=${encodeURIComponent(task.id)}`);
			assert.equal(await rowsOf(page, "Processes"), Math.min(500, task.executions));
		});

		test("the tab that is shown is in sight of a narrow reader", async () => {
			const { page } = reader.now();
			await page.setViewportSize(NARROW);
			await reader.turnTo(reader.here("events"));
			const tab = page.locator(".tabs [aria-current]");
			const box = await readUntil(page, () => tab.boundingBox(), ({ x, width }) => x >= 0 && x + width <= NARROW.width);
			assert.ok(box.x >= 0 && box.x + box.width <= NARROW.width, `from ${box.x}, ${box.width} wide`);
		});
	});

	reading(browser, world, "what a run used", (reader) => {
		test("files are listed, the busiest first", async () => {
			const { page, path } = reader.now();
			const files = await browser.all(`${path}/files`, "files");
			assert.ok(files.some((file) => file.kind === "file"), "the run used files");
			await browser.visit(page, `${reader.here("files")}&kind=all`);
			assert.equal(await rowsOf(page, "Files"), new Set(files.map((file) => `${file.host_id} ${file.kind} ${file.path} ${file.kind === "failed" ? file.error : ""}`)).size);
			await reader.turnTo(reader.here("files"));
			const moved = new Map();
			for (const file of files) if (file.kind === "file") moved.set(file.path, (moved.get(file.path) ?? 0) + file.moved_bytes);
			const [busiest] = [...moved].reduce((most, one) => (most[1] >= one[1] ? most : one));
			assert.equal((await column(page, "name"))[0], busiest, "the file of which most was read or written is first");
			await reader.served("run-files", HEAD);
		});

		test("requests to disks, sockets and containers have their tables", async () => {
			const { page, path } = reader.now();
			await reader.turnTo(reader.here("disks"));
			const { io } = await browser.api(`${path}/io?limit=10000`);
			if (io.length === 0) await page.waitForSelector("text=Nothing of this run waited for a disk");
			else {
				const disks = new Set(io.map((row) => `${row.device} ${row.operation}`));
				await reader.shows(() => rowsOf(page, "Disks"), disks.size, "a row for each disk and operation");
				assert.equal(await page.locator("table[data-table=Disks] svg.histogram").count(), disks.size);
			}
			await reader.served("run-disks", HEAD);
			await reader.turnTo(reader.here("network"));
			const { network } = await browser.api(`${path}/network?limit=10000`);
			if (network.length === 0) await page.waitForSelector("text=Nothing of this run used a socket");
			else {
				const kinds = new Set(network.map((row) => (row.family === "other" ? "other" : `${row.family} ${row.protocol} ${row.loopback}`)));
				assert.equal(await rowsOf(page, "Network"), kinds.size);
				await page.getByRole("button", { name: "By tool" }).click();
				await reader.shows(() => rowsOf(page, "Network"), new Set(network.map((row) => row.tool)).size, "a row for each tool");
			}
			await reader.served("run-network", HEAD);
			await reader.turnTo(reader.here("containers"));
			const { containers } = await browser.api(`${path}/containers`);
			if (containers.length > 0) assert.equal(await rowsOf(page, "Containers"), containers.length);
			else await page.waitForSelector("text=No container, job or service was seen");
			await reader.served("run-containers", HEAD);
		});

		test("an event says who did it, how, and which limit was met; expected ones are folded", async () => {
			const { page, path } = reader.now();
			const all = (await browser.api(`${path}/events`)).events;
			const events = all.filter((event) => !event.expected);
			await reader.turnTo(reader.here("events"));
			if (all.length > 0) assert.equal(Number(await page.getAttribute("[data-events]", "data-events")), events.length);
			else await page.waitForSelector("text=Nothing struck this run");
			await reader.served("run-events", HEAD);
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
			await reader.shows(() => page.getAttribute("[data-events]", "data-events").then(Number), same, "those of one kind");
		});
	});
}
