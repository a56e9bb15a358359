// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { Chart } from "./chart";
import { cpus } from "../lib/format";
import { tickLabel } from "./gantt_layout";
import type { SampleList, ShareSample } from "../lib/model";
import { gridOf, stacked, stateCurves } from "./series";
import type { Theme } from "../lib/theme";
import type { Range } from "./timeline";

// A run over time: how many processes, or threads, computed, and how many waited for what.

interface StatesChartProps {
	samples: SampleList<ShareSample>;
	threads: boolean;
	range: Range;
	whole: Range;
	onRange: (range: Range | null) => void;
	theme: Theme;
}

export function StatesChart({ samples, threads, range, whole, onRange, theme }: StatesChartProps) {
	const drawn = useMemo(() => {
		const grid = gridOf(samples);
		const { wall, curves: states } = stateCurves(grid, threads);
		const edges = stacked(states.map((one) => one.values));
		const curves = states.map(({ state, values }, n) => ({
			name: state.name,
			color: theme.states.get(state.tone) ?? theme.other,
			striped: state.striped,
			mark: `state-${state.key}`,
			edge: edges[n] ?? [],
			values,
		}));
		return { times: grid.times, curves, title: `${wall ? "Processes" : "Threads"} of tasks, by what they did` };
	}, [samples, threads, theme]);
	return (
		<Chart
			name="states"
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
