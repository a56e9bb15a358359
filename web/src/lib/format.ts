// SPDX-License-Identifier: Apache-2.0
// Figures for people. Each has a short form for the page and an exact one for the title; an unknown one is a dash.

export const DASH = "–";
type Maybe = number | null | undefined;

const known = (n: Maybe): n is number => typeof n === "number" && Number.isFinite(n);
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 9 });

/** A figure that cannot be 0 (a peak, a request): 0 means unknown. */
export const positive = (n: Maybe): number | null => (known(n) && n > 0 ? n : null);

/** Three significant digits, without an exponent. */
function digits(n: number): string {
	const size = Math.abs(n);
	if (size >= 100) return n.toFixed(0);
	if (size >= 10) return n.toFixed(1);
	return n.toFixed(2);
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

export function bytes(n: Maybe): string {
	if (!known(n)) return DASH;
	let size = n;
	let unit = 0;
	while (Math.abs(size) >= 1024 && unit < BYTE_UNITS.length - 1) {
		size /= 1024;
		unit++;
	}
	return `${unit === 0 ? size.toFixed(0) : digits(size)} ${BYTE_UNITS[unit]}`;
}

const two = (n: number) => String(n).padStart(2, "0");

/** Seconds as 300 µs, 12 ms, 3.21 s, 4m 05s, 2h 03m, 3d 04h. */
export function duration(seconds: Maybe): string {
	if (!known(seconds)) return DASH;
	if (seconds < 0) return `-${duration(-seconds)}`;
	if (seconds === 0) return "0 s";
	if (seconds < 0.0009995) return `${(seconds * 1e6).toFixed(0)} µs`;
	if (seconds < 0.9995) return `${digits(seconds * 1e3)} ms`;
	if (seconds < 59.95) return `${digits(seconds)} s`;
	const whole = Math.round(seconds);
	if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
	const minutes = Math.round(seconds / 60);
	if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
	const hours = Math.round(seconds / 3600);
	return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** A span on a clock that ticks: whole seconds only. */
export const ticking = (seconds: Maybe): string =>
	known(seconds) && seconds >= 1 && seconds < 60 ? `${Math.floor(seconds)} s` : duration(seconds);

export const nanoseconds = (ns: Maybe): string => duration(known(ns) ? ns / 1e9 : null);

export function usd(n: Maybe): string {
	if (!known(n)) return DASH;
	if (n < 0) return `-${usd(-n)}`;
	if (n === 0) return "$0.00";
	if (n < 0.000001) return "< $0.000001";
	if (n < 0.01) return `$${n.toPrecision(2)}`;
	if (n < 1) return `$${n.toFixed(3)}`;
	return `$${n.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export const count = (n: Maybe): string => (known(n) ? grouped.format(n) : DASH);

/** 1234567 as 1.23 M: for places too narrow for all digits. */
export function short(n: Maybe): string {
	if (!known(n)) return DASH;
	const steps: [number, string][] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];
	for (const [size, name] of steps) {
		if (Math.abs(n) >= size) return `${digits(n / (name === "k" ? 1e3 : size))} ${name}`;
	}
	return grouped.format(n);
}

export function percent(part: Maybe): string {
	if (!known(part)) return DASH;
	const p = part * 100;
	if (p > 0 && p < 0.1) return "< 0.1 %";
	return `${p >= 99.95 || p === 0 ? p.toFixed(0) : p.toFixed(1)} %`;
}

/** For an axis: without trailing zeros. */
export const trimmed = (text: string): string => text.replace(/(\.\d*?)0+(?=\s|$)/, "$1").replace(/\.(?=\s|$)/, "");

/** CPUs kept busy: 0.03, 1.25, 12.4. */
export const cpus = (n: Maybe): string => (known(n) ? (n === 0 ? "0" : digits(n)) : DASH);

export const exact = {
	bytes: (n: Maybe) => (known(n) ? `${grouped.format(n)} bytes` : "unknown"),
	seconds: (n: Maybe) => (known(n) ? `${grouped.format(n)} s` : "unknown"),
	ns: (n: Maybe) => (known(n) ? `${grouped.format(n)} ns` : "unknown"),
	usd: (n: Maybe) => (known(n) ? `$${grouped.format(n)}` : "unknown"),
	count: (n: Maybe) => (known(n) ? grouped.format(n) : "unknown"),
};

export const watts = (n: Maybe): string => (known(n) ? `${digits(n)} W` : DASH);

/** An RFC 3339 instant as milliseconds since 1970 with its microseconds, which Date drops. */
export function instant(text: string | null | undefined): number | null {
	if (!text) return null;
	const dot = text.indexOf(".");
	let end = dot + 1;
	while (dot >= 0 && end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
	const whole = Date.parse(dot < 0 ? text : text.slice(0, dot) + text.slice(end));
	if (Number.isNaN(whole)) return null;
	return end > dot + 1 && dot >= 0 ? whole + Number(text.slice(dot, end)) * 1000 : whole;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** In the reader's own time zone: the time today, the day and the time before. */
export function when(text: string | null | undefined, now = Date.now()): string {
	const at = instant(text);
	if (at === null) return DASH;
	const date = new Date(at);
	const sameDay = date.toDateString() === new Date(now).toDateString();
	return sameDay ? clock.format(date) : `${day.format(date)}, ${clock.format(date).slice(0, 5)}`;
}

export function ago(text: string | null | undefined, now: number): string {
	const at = instant(text);
	if (at === null) return DASH;
	const seconds = Math.max(0, (now - at) / 1000);
	if (seconds < 5) return "just now";
	if (seconds < 60) return `${Math.floor(seconds)} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
	return `${Math.floor(seconds / 86400)} d ago`;
}

// Control characters, the ones that turn the direction of text, and lone surrogates: shown, not obeyed.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

function picture(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	if (char === "\n") return "↵";
	if (char === "\t") return "⇥";
	return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Text from observed processes, on one line and with nothing hidden in it. */
export const plain = (text: string | null | undefined): string => (text ?? "").replace(UNSEEN, picture);

/** A word as bash and zsh read it back; with what cannot be seen as an escape. */
function quoted(word: string): string {
	if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
	if (word.search(UNSEEN) < 0) return `'${word.replace(/'/g, `'\\''`)}'`;
	const escaped = word.replace(/[\\']/g, "\\$&").replace(UNSEEN, (char) => {
		if (char === "\n") return "\\n";
		if (char === "\t") return "\\t";
		const code = char.codePointAt(0) ?? 0;
		return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
	});
	return `$'${escaped}'`;
}

/** A command line that could be pasted into a shell. */
export const commandLine = (argv: readonly string[]): string => argv.map(quoted).join(" ");

export const SIGNALS: Record<number, string> = {
	1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 6: "ABRT", 7: "BUS", 8: "FPE", 9: "KILL", 11: "SEGV", 13: "PIPE",
	14: "ALRM", 15: "TERM", 24: "XCPU", 25: "XFSZ", 31: "SYS",
};

/** How something ended: "exit 1", "SIGKILL"; empty while it runs. */
export function ending(exit_code: Maybe, signal: Maybe): string {
	if (known(signal) && signal > 0) return SIGNALS[signal] ? `SIG${SIGNALS[signal]}` : `signal ${signal}`;
	return known(exit_code) ? `exit ${exit_code}` : "";
}

/** An instant: as the API writes it, or nanoseconds since 1970. */
function instantByName(value: unknown): string {
	if (typeof value === "number") return known(value) && Math.abs(value) < 8.64e21 ? when(new Date(value / 1e6).toISOString()) : DASH;
	return typeof value === "string" && instant(value) !== null ? when(value) : plain(JSON.stringify(value));
}

/** A figure by the unit that its name ends in. */
export function byName(name: string, value: unknown): string {
	if (value === null || value === undefined) return DASH;
	if (name.endsWith("_at")) return instantByName(value);
	if (typeof value !== "number") return plain(typeof value === "string" ? value : JSON.stringify(value));
	if (/(^|_)bytes_s$/.test(name)) return `${bytes(value)}/s`;
	if (/(^|_)bytes(_|$)/.test(name)) return bytes(value);
	if (/_ns(_|$)/.test(name)) return nanoseconds(value);
	if (/_usd(_|$)/.test(name)) return usd(value);
	if (name.endsWith("_s")) return duration(value);
	if (name.endsWith("_share") || name.endsWith("_ratio")) return percent(value);
	return Number.isInteger(value) ? count(value) : digits(value);
}

/** "memory_requested_bytes" as "memory requested". */
export function label(name: string): string {
	const words = name.replace(/_usd_hour$/, "_an_hour").replace(/_(bytes|ns|usd)(?=_|$)/, "").replace(/_(s|at|share|ratio)$/, "");
	return plain(words.replace(/_/g, " "));
}
