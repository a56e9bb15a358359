// SPDX-License-Identifier: Apache-2.0
// What a figure that is shown to people may stand for.

const BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50, EiB: 2 ** 60 };
const TIMES = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9, d: 86400e9 };

const decimals = (text) => (text.includes(".") ? text.length - text.indexOf(".") - 1 : 0);

/** { value, step }: what the text says, and the worth of its last digit; null: it is no figure. */
function read(text, units) {
	let value = 0;
	let step = 0;
	const parts = [...text.matchAll(/([\d.,]+)\s?([A-Za-zµ]+)/g)];
	for (const [, digits, unit] of parts) {
		if (!(unit in units)) return null;
		value += Number(digits.replaceAll(",", "")) * units[unit];
		step = units[unit] / 10 ** decimals(digits);
	}
	return parts.length > 0 ? { value, step } : null;
}

function dollars(text) {
	const digits = text.replace(/[$,]/g, "");
	return /^[\d.]+$/.test(digits) ? { value: Number(digits), step: 10 ** -decimals(digits) } : null;
}

const READERS = {
	bytes: (text) => read(text, BYTES),
	ns: (text) => read(text, TIMES),
	usd: dollars,
	count: (text) => (/^[\d,]+$/.test(text) ? { value: Number(text.replaceAll(",", "")), step: 0 } : null),
};

/** Whether the text is this figure, cut or rounded at its last digit. An unknown figure is a dash, and no other is. */
export function agrees(text, exact, unit) {
	if (text === null || text === undefined) return false;
	if (exact === null) return text === "–";
	if (unit === "usd" && text.startsWith("< ")) return exact > 0 && exact <= 0.000001;
	const shown = READERS[unit](text);
	return shown !== null && Math.abs(shown.value - exact) <= shown.step * 1.0001;
}
