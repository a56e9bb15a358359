// SPDX-License-Identifier: Apache-2.0
// What a narrow screen must not do to a page: parts beyond its edge, or words cut off without a sign.
import { readUntil } from "./browser.mjs";

/** Complaints in words; what scrolls by itself (a table, the tabs) may be wider. Runs in the page. */
function tooWide() {
	const own = (element) => `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} "${element.textContent.slice(0, 40)}"`;
	const scrolls = (element) => {
		for (let one = element.parentElement; one; one = one.parentElement) {
			if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return true;
		}
		return false;
	};
	const found = [];
	const over = document.documentElement.scrollWidth - innerWidth;
	if (over > 0) found.push(`the page is ${over} pixels too wide`);
	for (const element of document.querySelectorAll("#app *")) {
		const box = element.getBoundingClientRect();
		const unseen = box.width <= 1 || box.right < 0; // for readers who listen
		if (unseen || scrolls(element)) continue;
		if (box.right > innerWidth + 1 || box.left < -1) found.push(`${own(element)} from ${box.left} to ${box.right}`);
		const style = getComputedStyle(element);
		const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
		const cut = style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1;
		if (words && cut && !["auto", "scroll"].includes(style.overflowX)) found.push(`${own(element)} is cut`);
	}
	return found;
}

/** The complaints that are left once the page is laid out: a chart takes its new width in the frame after the page does. */
export const widthComplaints = (page) => readUntil(page, () => page.evaluate(tooWide), (found) => found.length === 0);
