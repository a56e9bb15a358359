// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { Chart } from "../../charts/chart";
import type { ChartCurve } from "../../charts/chart";
import { stacked } from "../../charts/series";
import type { CostAnswer } from "../../lib/cost/model_cost";
import { keyOf } from "../../lib/cost/keys";
import { money } from "../../lib/cost/money";
import { costCurves, hoursOf, NO_KEY, OTHER_KEYS, utcLabel } from "../../lib/cost/series";
import type { CostCurve } from "../../lib/cost/series";
import { plain } from "../../lib/format";
import { setQuery } from "../../lib/route";
import { useTheme } from "../../lib/theme";
import type { Theme } from "../../lib/theme";
import { Choice } from "../../lib/widgets";
import { PARTS } from "./head";

// Costs over time: what was used and what was not, or by the keys of the table.

const WAYS = [
	["part", "Used and unused"],
	["key", "By the rows below"],
] as const;

type Look = Omit<ChartCurve, "edge" | "values">;

function partLook(curve: CostCurve, theme: Theme): Look {
	const part = PARTS.find(({ key }) => key === curve.key);
	const colors: Record<string, string> = { used: theme.series[0] ?? "", unused: theme.wait, idle: theme.other, none: theme.engine };
	return { name: part?.name ?? "", color: colors[curve.key] ?? theme.other, striped: curve.key === "none" || curve.key === "unused", mark: `tone-cost-${part?.tone}` };
}

function keyLook(curve: CostCurve, n: number, none: string, theme: Theme): Look {
	if (curve.key === NO_KEY) return { name: "hosts without tasks", color: theme.engine, striped: true, mark: "tone-cost-none" };
	if (curve.key === OTHER_KEYS) return { name: "others", color: theme.other };
	const color = theme.series[n % theme.series.length] ?? "";
	return { name: plain(curve.key) || `(${none})`, color, striped: n >= theme.series.length };
}

export function CostCharts({ answer, query, over }: { answer: CostAnswer; query: URLSearchParams; over: "hour" | "day" }) {
	const theme = useTheme();
	const way = query.get("chart") === "key" ? "key" : "part";
	const drawn = useMemo(() => costCurves(answer, over, way), [answer, over, way]);
	const curves = useMemo(() => {
		const edges = stacked(drawn.curves.map((curve) => curve.values));
		const none = keyOf(answer.by)?.none ?? "";
		return drawn.curves.map((curve, n): ChartCurve => ({
			...(way === "part" ? partLook(curve, theme) : keyLook(curve, n, none, theme)),
			edge: edges[n] ?? [],
			values: curve.values,
		}));
	}, [drawn, theme, way, answer.by]);
	const first = drawn.times[0];
	const last = drawn.times[drawn.times.length - 1];
	if (first === undefined || last === undefined || curves.length === 0) return null;
	return (
		<div class={way === "key" ? "cost-chart is-by-key" : "cost-chart"}>
			<div class="tools-row">
				<Choice label="Curves" options={WAYS} value={way} onChange={(next) => setQuery({ chart: next === "part" ? null : next })} />
				<span class="muted hint">Drag over the chart to look at a part of the time; days and hours are those of UTC.</span>
			</div>
			<div class="charts">
				<Chart
					name="cost"
					title={over === "hour" ? "Cost an hour" : "Cost a day"}
					times={drawn.times}
					curves={curves}
					capacity={null}
					format={money}
					range={{ from: first * 1000, to: last * 1000 }}
					origin={null}
					onRange={(range) => setQuery(range ? hoursOf(range.from, range.to) : { since: null, until: null }, false)}
					tickLabel={utcLabel}
				/>
			</div>
		</div>
	);
}
