// SPDX-License-Identifier: Apache-2.0
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bytes, count, cpus } from "../../lib/format";
import { setQuery } from "../../lib/route";
import type { WhatIfMeasured } from "../../lib/tune/model_whatif";
import { ASKED, asksNothing, memoryOf, memoryStops, memoryText, mostCores, stopOf } from "../../lib/tune/whatif";
import type { Asked } from "../../lib/tune/whatif";

// What is to be otherwise: cores, memory, the queue. The address has it.

interface SliderProps {
	id: string;
	title: string;
	min: number;
	max: number;
	value: number;
	/** What a value means, also for readers who listen. */
	words: (value: number) => string;
	/** The reader has let go of it. */
	onChange: (value: number) => void;
	children?: JSX.Element | false;
}

/** While it moves it changes its own words only: an answer is asked for once it rests. */
function Slider({ id, title, min, max, value, words, onChange, children }: SliderProps) {
	const [held, setHeld] = useState<number | null>(null);
	useEffect(() => setHeld(null), [value]);
	const shown = held ?? value;
	return (
		<div class="slider">
			<label for={id}>{title}</label>
			<input
				id={id}
				type="range"
				{...{ min, max }}
				step="1"
				value={shown}
				aria-valuetext={words(shown)}
				onInput={(event) => setHeld(Number(event.currentTarget.value))}
				onChange={(event) => onChange(Number(event.currentTarget.value))}
			/>
			<output for={id}>{words(shown)}</output>
			{children}
		</div>
	);
}

function Cores({ asked, measured }: { asked: Asked; measured: WhatIfMeasured }) {
	const had = measured.cores ?? measured.host_cpus ?? 1;
	const value = Number(asked.cores) || had;
	const most = mostCores(measured, asked.cores);
	const number = (n: number) => (Number.isInteger(n) ? count(n) : cpus(n));
	// Where the run had a part of a core, that is a place between two marks of the slider.
	const words = (n: number) => (asked.cores === null && n === Math.round(had) ? `${number(had)}, as it had` : number(n === Math.round(value) ? value : n));
	return (
		<Slider
			id="whatif-cores"
			title="Cores"
			min={1}
			max={most}
			value={Math.max(1, Math.round(value))}
			words={words}
			onChange={(n) => setQuery({ cores: n === had ? null : String(n) })}
		/>
	);
}

function Memory({ asked, measured }: { asked: Asked; measured: WhatIfMeasured }) {
	const size = memoryOf(asked.memory);
	const stops = memoryStops(measured.host_memory_bytes, size);
	const words = (n: number) => (n >= stops.length ? "as much as its tasks need" : bytes(stops[n]));
	return (
		<Slider
			id="whatif-memory"
			title="Memory"
			min={0}
			max={stops.length}
			value={size === null ? stops.length : stopOf(stops, size)}
			words={words}
			onChange={(n) => setQuery({ memory: n >= stops.length ? null : memoryText(stops[n] ?? 0) })}
		/>
	);
}

export const AsItWas = ({ asked }: { asked: Asked }) => (
	<button type="button" disabled={asksNothing(asked)} onClick={() => setQuery(Object.fromEntries(ASKED.map((key) => [key, null])))}>
		As it was
	</button>
);

export function Controls({ asked, measured }: { asked: Asked; measured: WhatIfMeasured }) {
	return (
		<form class="whatif-controls" aria-label="What is to be otherwise" onSubmit={(event) => event.preventDefault()}>
			<Cores {...{ asked, measured }} />
			<Memory {...{ asked, measured }} />
			<label class="check">
				<input type="checkbox" checked={asked.no_queue !== null} onChange={(event) => setQuery({ no_queue: event.currentTarget.checked ? "true" : null })} />
				No queue: each task begins when its inputs are there
			</label>
			<AsItWas asked={asked} />
		</form>
	);
}
