// SPDX-License-Identifier: Apache-2.0
import type { WasteRow } from "./model_waste";
import { usersOf } from "./waste";

// The lines of waste.yaml that silence a finding (docs/sweep.md). Pure.

const BARE = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
/** Words that YAML reads as something else than text. */
const WORDS = new Set(["true", "false", "yes", "no", "on", "off", "null", "y", "n"]);

/** A text as a scalar of YAML. */
export function scalar(text: string): string {
	if (BARE.test(text) && !WORDS.has(text.toLowerCase())) return text;
	return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As a pattern has at most (sweep_policy.h). */
const MOST_STARS = 8;
const MOST_BYTES = 256;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** As a pattern that matches the text: of a very long one the beginning. */
export function pattern(text: string): string {
	const stars = text.split("*").length - 1;
	const escaped = [...text].map((char) => {
		// What may not be in the file: a place for each of its bytes.
		if (/[\u0000-\u001f\u007f-\u009f\ufffd\ud800-\udfff]/u.test(char)) return "?".repeat(bytesOf(char));
		if (char === "*" && stars > MOST_STARS) return "?";
		return /[\\*?[]/.test(char) ? `\\${char}` : char;
	});
	let length = 0;
	const fit = escaped.findIndex((part) => (length += bytesOf(part)) > MOST_BYTES - 1);
	return fit < 0 ? escaped.join("") : `${escaped.slice(0, fit).join("")}*`;
}

const OF_HOSTS = ["host", "gpu", "machine"];

/** What names it narrowly: its path, its host, or its only user. */
function narrowest(row: WasteRow, hostname: string): [string, string] | null {
	const [user, ...more] = usersOf(row);
	if (row.subject === "folder") return ["path", row.id.startsWith("/") ? row.id : row.name];
	if (OF_HOSTS.includes(row.subject)) return ["host", hostname || row.name];
	if (user !== undefined && more.length === 0) return ["user", user];
	return hostname ? ["host", hostname] : null;
}

/** hostname: of its host; "": not known, or none. */
export function silenceLines(row: WasteRow, hostname: string): string {
	const own = narrowest(row, hostname);
	return ["exempt:", `  - kind: ${scalar(row.kind)}`, ...(own ? [`    ${own[0]}: ${scalar(pattern(own[1]))}`] : [])].join("\n");
}
