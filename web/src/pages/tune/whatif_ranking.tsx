// SPDX-License-Identifier: Apache-2.0
import { count, duration, exact, percent, plain } from "../../lib/format";
import { setQuery } from "../../lib/route";
import { canBeAsked, withFactor } from "../../lib/tune/whatif";
import type { Asked } from "../../lib/tune/whatif";
import { Unknown } from "../../lib/widgets";

// Which step to attack first: what the run gains if a step takes half, and a choice of how much shorter it is to be.

const FACTORS = [["", "all of its time"], ["0.75", "× 0.75"], ["0.5", "× 0.5"], ["0.25", "× 0.25"], ["0.1", "× 0.1"]] as const;

interface RankedStep {
	name: string;
	tasks: number;
	saves_s: number | null;
}

function Factor({ step, asked, factor }: { step: string; asked: Asked; factor: string }) {
	const known = FACTORS.some(([value]) => value === factor);
	return (
		<select
			aria-label={`The part of its time that ${plain(step)} takes`}
			value={factor}
			disabled={!canBeAsked(step)}
			title={canBeAsked(step) ? undefined : "Its name has a comma, which separates steps in an address"}
			onChange={(event) => setQuery({ step: withFactor(asked.step, step, event.currentTarget.value) })}
		>
			{FACTORS.map(([value, title]) => (
				<option key={value} value={value}>
					{title}
				</option>
			))}
			{!known && <option value={factor}>× {plain(factor)}</option>}
		</select>
	);
}

interface RankingProps {
	rows: readonly RankedStep[];
	/** Of the prediction. */
	wall_s: number | null;
	asked: Asked;
	factors: ReadonlyMap<string, string>;
	/** Of the timelines. */
	colors: ReadonlyMap<string, string>;
}

export function Ranking({ rows, wall_s, asked, factors, colors }: RankingProps) {
	if (rows.length === 0) return null;
	const most = Math.max(0, ...rows.map((row) => row.saves_s ?? 0));
	return (
		<section class="ranking" aria-label="Which step to attack first">
			<h2>Which step to attack first</h2>
			<p class="muted">What the run gains if this step took half of its time, all else as chosen above.</p>
			<div class="table-box" tabIndex={0} role="region" aria-label="Steps by what they gain">
				<table data-table="Ranking" data-rows={rows.length}>
					<thead>
						<tr>
							<th scope="col">Step</th>
							<th scope="col" class="number">Tasks</th>
							<th scope="col">Gain if it takes half</th>
							<th scope="col">It takes</th>
						</tr>
					</thead>
					<tbody>
						{rows.map((row) => (
							<tr key={row.name} data-gain={row.name}>
								<td class="wide" title={plain(row.name)}>
									<i class="swatch" style={{ background: colors.get(row.name) }} aria-hidden="true" />
									{plain(row.name)}
								</td>
								<td class="number">{row.tasks > 0 ? count(row.tasks) : <Unknown />}</td>
								<td title={exact.seconds(row.saves_s)}>
									{row.saves_s === null ? (
										<Unknown />
									) : (
										<span class="gain">
											<span class="gain-bar" aria-hidden="true">
												<i style={{ width: `${most > 0 ? (Math.max(0, row.saves_s) / most) * 100 : 0}%` }} />
											</span>
											{duration(Math.max(0, row.saves_s))}{" "}
											{wall_s !== null && wall_s > 0 && <span class="muted">{percent(Math.max(0, row.saves_s) / wall_s)}</span>}
										</span>
									)}
								</td>
								<td>
									<Factor step={row.name} asked={asked} factor={factors.get(row.name) ?? ""} />
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</section>
	);
}
