// SPDX-License-Identifier: Apache-2.0
// The figures of every run of a lake (figures.mjs), by themselves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser, settled } from "./browser.mjs";
import { CAN_REPORT, figures } from "./figures.mjs";

const login = process.env.TRACER_LOGIN_URL;
assert.ok(login && CAN_REPORT, "TRACER_LOGIN_URL, TRACER_PROGRAM and TRACER_TOKEN_FILE name the lake and how to ask it");

const browser = new Browser(login, process.env.TRACER_SHOTS);

before(async () => {
	await browser.open();
	const page = await browser.page();
	await page.goto(login);
	await settled(page);
	await page.close();
});
after(() => browser.close());

figures(browser);

test("nothing went wrong on the pages", () => assert.deepEqual(browser.complaints, []));
