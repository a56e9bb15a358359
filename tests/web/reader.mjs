// SPDX-License-Identifier: Apache-2.0
// A reader of the dashboard: one page of a browser, and what holds of whatever it shows.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, describe } from "node:test";
import { readUntil, settled } from "./browser.mjs";
import { widthComplaints } from "./narrow.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const NARROW = { width: 390, height: 844 };
export const WIDE = { width: 1440, height: 1000 };

/** Above the tabs of a run: the same on each of them. */
export const HEAD = [["header.top"], [".run-head"], [".findings"], [".more-findings"], [".notice"], [".run-figures"]];

/** Names, states and contrasts, in the scheme that the page shows. Nothing on it has sounds, for which files would be loaded again. */
export async function accessible(page, without = []) {
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
	const found = await page.evaluate((exclude) => globalThis.axe.run(exclude.length > 0 ? { exclude } : document, { resultTypes: ["violations"], preload: false }), without);
	const words = found.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.target).join("; ")})`);
	assert.deepEqual(words, [], "accessibility");
}

export class Reader {
	/** @param world what the tests read of the lake: runs, report, tasks */
	constructor(browser, world) {
		this.browser = browser;
		this.world = world;
	}

	async begin() {
		this.page = await this.browser.ownPage();
	}

	/** The page, and what the tests read of the lake before. */
	now() {
		return { page: this.page, path: `/runs/${this.world.report.run.id}`, ...this.world };
	}

	/** The address of the run, or of one of its tabs. */
	here(tab = "") {
		return `/runs/${this.world.report.run.id}${tab ? `?tab=${tab}` : ""}`;
	}

	/** The page shows this in the end; `what` it is, for the message. */
	async shows(read, expected, what) {
		assert.deepEqual(await readUntil(this.page, read, (value) => value === expected), expected, what);
	}

	/** Opens an address as a link within the page does, without loading the page again. */
	async turnTo(address) {
		await this.page.evaluate((to) => {
			history.pushState(null, "", to);
			dispatchEvent(new PopStateEvent("popstate"));
		}, address);
		await settled(this.page);
	}

	/**
	 * What holds of each page, as readers have it: wide and light, then narrow and dark. What observed processes are called is text,
	 * never markup. The page stays as it is: to load one costs the lake more than to look at it twice. `without`: what is not looked
	 * at again, as it was with another name.
	 */
	async served(name, without = []) {
		const { browser, page } = this;
		await browser.shot(page, name);
		await accessible(page, without);
		assert.equal(await page.locator("#app :is(script, iframe, img, object, embed, style, audio, video)").count(), 0, `${name}: markup`);
		assert.deepEqual(await widthComplaints(page), [], name);
		await page.emulateMedia({ colorScheme: "dark" });
		await page.setViewportSize(NARROW);
		assert.deepEqual(await widthComplaints(page), [], `${name}, narrow`);
		await browser.shot(page, `narrow-${name}`);
		await accessible(page, without);
		await page.setViewportSize(WIDE);
		await page.emulateMedia({ colorScheme: "light" });
	}
}

/** A reader and its tests, one after another. */
export function reading(browser, world, name, tests) {
	describe(name, { concurrency: 1 }, () => {
		const reader = new Reader(browser, world);
		before(() => reader.begin());
		after(() => reader.page.close());
		tests(reader);
	});
}
