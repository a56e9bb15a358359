// SPDX-License-Identifier: Apache-2.0
// Visits each page of a real lake's dashboard, holds it against the API, and takes a picture of it.
// The lake holds a run with two tasks or more, samples among them, and a run that is running.
// TRACER_LOGIN_URL: an unused login link. TRACER_SHOTS: the folder of the pictures; empty for none. TRACER_RUN: the run
// to look at (an id or a name; otherwise the newest one with two tasks). With TRACER_PROGRAM and TRACER_TOKEN_FILE reports are compared, too.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Browser, settled } from "./browser.mjs";
import { causes } from "./causes.mjs";
import { cost } from "./cost.mjs";
import { CAN_REPORT, figures } from "./figures.mjs";
import { hosts } from "./hosts.mjs";
import { accessible } from "./reader.mjs";
import { recommend } from "./recommend.mjs";
import { runPage } from "./run_page.mjs";
import { runTables } from "./run_tables.mjs";
import { runsList } from "./runs_list.mjs";
import { tabs } from "./tabs.mjs";
import { tune } from "./tune.mjs";
import { waste } from "./waste.mjs";
import { whatif } from "./whatif.mjs";

const login = process.env.TRACER_LOGIN_URL;
assert.ok(login, "TRACER_LOGIN_URL must hold a login link, as `tracer up` prints one");

const browser = new Browser(login, process.env.TRACER_SHOTS);
/** What the tests read of the lake: runs, report, tasks. */
const world = {};

before(() => browser.open());
after(() => browser.close());

async function pickRun() {
	const { runs } = await browser.api("/runs?limit=100");
	const id = process.env.TRACER_RUN ?? runs.find((run) => run.tasks >= 2)?.id;
	assert.ok(id, "the lake must hold a run of at least two tasks");
	const report = await browser.api(`/runs/${encodeURIComponent(id)}`);
	const tasks = await browser.all(`/runs/${report.run.id}/tasks`, "tasks");
	assert.ok(tasks.length >= 2, `the run ${id} must have at least two tasks, has ${tasks.length}`);
	Object.assign(world, { runs, report, tasks });
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
	const page = await browser.page();
	await page.goto(login);
	await settled(page);
	assert.equal(new URL(page.url()).pathname, "/");
	const cookie = (await browser.session.cookies()).find((one) => one.name === `tracer_session_${new URL(login).port}`);
	assert.ok(cookie?.httpOnly && cookie.sameSite === "Strict", "the session's cookie is HttpOnly and SameSite=Strict");
	const loggedOut = await browser.chromium.newContext();
	const second = await browser.page(loggedOut, ["403", "favicon.ico"]);
	await second.goto(login);
	assert.match(await second.innerText("body"), /does not work any more[\s\S]*tracer/);
	await loggedOut.close();
	await page.close();
	await pickRun();
});

// Each of these has a reader of its own; most of the time goes into waiting for the lake and for what a page draws.
describe("the dashboard", { concurrency: 4 }, () => {
	for (const part of [runPage, runTables, tune, whatif, causes, runsList, hosts, cost, waste, recommend, ...(CAN_REPORT ? [figures] : [])]) part(browser, world);
});

// By itself: it takes all connections that a browser has.
describe("many tabs", () => tabs(browser));

test("a browser that logs out must log in again", async () => {
	const page = await browser.page(undefined, ["401"]);
	await browser.visit(page, "/");
	const cookies = await browser.session.cookies();
	await page.click("button.log-out");
	await page.waitForSelector("[data-page=logged-out]");
	assert.equal((await browser.session.cookies()).find((one) => one.name.startsWith("tracer_session")), undefined);
	await browser.session.addCookies(cookies); // a copy of the cookie opens nothing any more
	await page.reload();
	await page.waitForSelector("[data-page=logged-out]");
	await page.close();
});

test("no page complained", () => {
	assert.deepEqual(browser.complaints, []);
});
