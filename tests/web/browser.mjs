// SPDX-License-Identifier: Apache-2.0
// A browser that notes whatever a page should not do, and the lake's API with the same session.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

/** Nothing moves by itself: a drawn frame costs more than all else that a page does while it waits. */
const CONTEXT = { viewport: { width: 1440, height: 1000 }, reducedMotion: "reduce" };

/** How long a page may take to show something: many times what a busy machine needs. */
export const DEADLINE_MS = 120_000;

export class Browser {
	/** @param {string} login an unused login link @param {string} shots the folder of screenshots; empty for none */
	constructor(login, shots) {
		this.login = login;
		this.origin = new URL(login).origin;
		this.shots = shots;
		/** What went wrong on any page: console errors, violations of the content security policy, foreign requests. */
		this.complaints = [];
		if (shots) mkdirSync(shots, { recursive: true });
	}

	async open() {
		this.chromium = await chromium.launch({ executablePath: process.env.TRACER_CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: FLAGS });
		this.session = await this.chromium.newContext(CONTEXT);
	}

	async close() {
		await this.chromium?.close();
	}

	/** A page with connections of its own: a browser keeps six to one lake, and each page holds one for as long as it is open. */
	async ownPage() {
		const context = await this.chromium.newContext({ ...CONTEXT, storageState: await this.session.storageState() });
		const page = await this.page(context);
		page.on("close", () => context.close().catch(() => {}));
		return page;
	}

	/** A page that is watched. `expected` are parts of console errors that belong to the case. */
	async page(context = this.session, expected = []) {
		const page = await context.newPage();
		page.setDefaultTimeout(DEADLINE_MS);
		const complain = (text) => {
			if (!expected.some((part) => text.includes(part))) this.complaints.push(`${page.url()}: ${text}`);
		};
		page.on("pageerror", (error) => complain(`exception: ${error.message}`));
		page.on("console", (message) => {
			if (message.type() === "error" || message.type() === "warning") complain(`console: ${message.text()} (${message.location().url})`);
		});
		page.on("request", (request) => {
			if (new URL(request.url()).origin !== this.origin) complain(`foreign request: ${request.url()}`);
		});
		await page.addInitScript(() => {
			document.addEventListener("securitypolicyviolation", (event) => {
				console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
			});
		});
		return page;
	}

	/** Opens an address and waits until nothing says that it is loading. */
	async visit(page, address) {
		await page.goto(this.origin + address);
		await settled(page);
	}

	async api(path) {
		// A connection that it kept may end just then: a browser asks again by itself.
		const answer = await this.session.request.get(`${this.origin}/api/v1${path}`, { maxRetries: 1 });
		if (!answer.ok()) throw new Error(`GET ${path}: ${answer.status()} ${await answer.text()}`);
		return answer.json();
	}

	/** All rows of a list. */
	async all(path, name) {
		const rows = [];
		let cursor = null;
		do {
			const page = await this.api(`${path}?limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
			rows.push(...page[name]);
			cursor = page.next;
		} while (cursor);
		return rows;
	}

	async shot(page, name) {
		if (!this.shots) return;
		await page.mouse.move(0, 0);
		await page.screenshot({ path: join(this.shots, `${name}.png`), fullPage: true });
	}
}

/** Until the page has its content. (Without an interval a page is asked, and draws, 60 times a second.) */
export async function settled(page) {
	await page.waitForSelector("[data-page], [role=alert]");
	await page.waitForFunction(() => !document.querySelector(".loading"), undefined, { polling: 100 });
}

/** Reads again until what is read passes, or until the deadline: a page draws a frame after it was clicked. Gives what was read last. */
export async function readUntil(page, read, passes) {
	const end = Date.now() + DEADLINE_MS;
	let value = await read();
	while (!passes(value) && Date.now() < end) {
		await page.waitForTimeout(50);
		value = await read();
	}
	return value;
}

/** The texts of a column of the first table, from top to bottom, as far as its rows are drawn. */
export const column = (page, name) => page.locator(`tbody td[data-column="${name}"]`).allInnerTexts();

export const rowsOf = (page, table) => page.getAttribute(`table[data-table="${table}"]`, "data-rows").then(Number);
