// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { STATES } from "./states";

// The colours of the style sheet, for what is drawn on a canvas.

export interface Theme {
	text: string;
	muted: string;
	faint: string;
	line: string;
	surface: string;
	raised: string;
	accent: string;
	bad: string;
	wait: string;
	other: string;
	engine: string;
	series: string[];
	/** By the tone of a state. */
	states: ReadonlyMap<string, string>;
	font: string;
}

export const SERIES = 10;

export function readTheme(): Theme {
	const style = getComputedStyle(document.documentElement);
	const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
	return {
		text: get("text"),
		muted: get("muted"),
		faint: get("faint"),
		line: get("line"),
		surface: get("surface"),
		raised: get("raised"),
		accent: get("accent"),
		bad: get("bad"),
		wait: get("wait"),
		other: get("other"),
		engine: get("engine"),
		series: Array.from({ length: SERIES }, (_, n) => get(`series-${n}`)),
		states: new Map(STATES.map(({ tone }) => [tone, get(`state-${tone}`)])),
		font: getComputedStyle(document.body).fontFamily,
	};
}

/** The theme now, and again when the reader's system turns dark or light. */
export function useTheme(): Theme {
	const [theme, setTheme] = useState(readTheme);
	useEffect(() => {
		const dark = matchMedia("(prefers-color-scheme: dark)");
		const update = () => setTheme(readTheme());
		dark.addEventListener("change", update);
		return () => dark.removeEventListener("change", update);
	}, []);
	return theme;
}

/** Diagonal stripes, so that waiting for a CPU can be recognised without colour. */
export function stripes(context: CanvasRenderingContext2D, color: string, ground: string): CanvasPattern | string {
	const size = 6;
	const tile = document.createElement("canvas");
	tile.width = tile.height = size;
	const pen = tile.getContext("2d");
	if (!pen) return color;
	pen.fillStyle = ground;
	pen.fillRect(0, 0, size, size);
	pen.strokeStyle = color;
	pen.lineWidth = 2;
	pen.beginPath();
	for (const shift of [-size, 0, size]) {
		pen.moveTo(shift, size);
		pen.lineTo(shift + size, 0);
	}
	pen.stroke();
	return context.createPattern(tile, "repeat") ?? color;
}
