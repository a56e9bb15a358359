// SPDX-License-Identifier: Apache-2.0
// Many tabs of one browser: it keeps six connections to one lake, and the tabs share one stream of events.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const TABS = 8;

/** TRACER_SEND_RUN: a program and its arguments, to which an id is added; it sends a run with that id to the lake. */
const [program, ...before] = (process.env.TRACER_SEND_RUN ?? "").split(" ");

export function tabs(browser) {
	test("eight tabs are live, and all of them see a run that begins", { skip: program === "" }, async () => {
		const pages = [];
		for (let i = 0; i < TABS; i++) {
			const page = await browser.page();
			await browser.visit(page, "/");
			await page.waitForSelector(".link.is-live");
			pages.push(page);
		}
		execFileSync(program, [...before, "begun-while-they-looked"]);
		for (const page of pages) await page.waitForSelector('a[href="/runs/begun-while-they-looked"]');
		await browser.visit(pages[TABS - 1], "/hosts"); // other requests go through, too
		for (const page of pages) await page.close();
		assert.deepEqual(browser.complaints, []);
	});
}
