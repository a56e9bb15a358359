// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { Chart } from "./chart";
import { cpus } from "../lib/format";
import { tickLabel } from "./gantt_layout";
import type { SampleList } from "../lib/model";
import { gridOf, stacked, stateCurves } from "./series";
import type { Theme } from "../lib/theme";
import type { Range } from "./timeline";

// The states of the threads of a run over time: how many computed, and how many waited for what.

interface StatesChartProps {
	/** By task. */
	samples: SampleList;
	range: Range;
	whole: Range;
	onRange: (range: Range | null) => void;
	theme: Theme;
}

export function StatesChart({ samples, range, whole, onRange, theme }: StatesChartProps) {
	const drawn = useMemo(() => {
		const grid = gridOf(samples);
		const states = stateCurves(grid);
		const edges = stacked(states.map((one) => one.values));
		const curves = states.map(({ state, values }, n) => ({
			name: state.name,
			color: theme.states.get(state.tone) ?? theme.other,
			striped: state.striped,
			mark: `state-${state.key}`,
			edge: edges[n] ?? [],
			values,
		}));
		return { times: grid.times, curves };
	}, [samples, theme]);
	return (
		<Chart
			name="states"
			title="Threads of tasks, by what they did"
			{...drawn}
			capacity={null}
			format={cpus}
			range={range}
			origin={whole.from}
			onRange={onRange}
			tickLabel={(s, step) => tickLabel(s * 1000, step * 1000)}
		/>
	);
}
