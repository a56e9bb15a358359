// SPDX-License-Identifier: Apache-2.0
// What the history of a pipeline says, of a lake that holds several runs of one (TRACER_PIPELINE). TRACER_LOGIN_URL and TRACER_SHOTS:
// as for dashboard.test.mjs.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser, DEADLINE_MS, settled } from "./browser.mjs";
import { compare } from "./compare.mjs";
import { tune } from "./tune.mjs";
import { whatif } from "./whatif.mjs";

const LEAST = 4;
const browser = new Browser(process.env.TRACER_LOGIN_URL, process.env.TRACER_SHOTS);
/** What the tests read of the lake: runs, report, tasks. */
const world = {};

before(() => browser.open());
after(() => browser.close());

/** The answer once so many runs have settled: what they had is in no history before. */
async function settledHistory(path, runs) {
	const end = Date.now() + DEADLINE_MS;
	let answer = await browser.api(path);
	while (answer.runs < runs && Date.now() < end) {
		await sleep(200);
		answer = await browser.api(path);
	}
	return answer;
}

test("the lake holds enough runs to say what is usual", async () => {
	const page = await browser.page();
	await page.goto(process.env.TRACER_LOGIN_URL);
	await settled(page);
	await page.close();
	const { runs } = await browser.api("/runs?limit=100");
	const own = runs.filter((run) => run.pipeline === process.env.TRACER_PIPELINE && run.status === "succeeded");
	assert.ok(own.length >= LEAST, `${own.length} runs of ${process.env.TRACER_PIPELINE}`);
	const report = await browser.api(`/runs/${own[0].id}`);
	Object.assign(world, { runs, report, tasks: await browser.all(`/runs/${own[0].id}/tasks`, "tasks") });
	const expected = await settledHistory(`/runs/${own[0].id}/expected`, own.length - 1);
	assert.ok(expected.steps.every((step) => step.usual === "as usual"), `the same run again is as usual: ${JSON.stringify(expected.steps)}`);
	const sizes = await browser.api(`/runs/${own[0].id}/sizes`);
	assert.ok(sizes.steps.some((step) => step.memory_enough && step.memory_advised_bytes > 0), "a size is advised");
});

describe("the pages of its history", { concurrency: 3 }, () => {
	for (const part of [tune, whatif, compare]) part(browser, world);
});

test("no page complained", () => assert.deepEqual(browser.complaints, []));
