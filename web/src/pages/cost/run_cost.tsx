// SPDX-License-Identifier: Apache-2.0
import { runCostAddress } from "../../lib/cost/asked";
import type { CostChange, RunCost } from "../../lib/cost/model_cost";
import { costTexts, money, moneyParts } from "../../lib/cost/money";
import { count, exact, plain, when } from "../../lib/format";
import type { RunFacts } from "../../lib/model";
import { StackedBar, Tile, Unknown } from "../../lib/widgets";
import { PARTS } from "./head";

// What a run cost, on its page: its parts, who of it pays, and why it changed.

const Change = ({ change }: { change: CostChange }) => (
	<span title={`${exact.usd(change.from_usd)} to ${exact.usd(change.to_usd)}`}>
		{when(change.at)}: {money(change.from_usd)} → {money(change.to_usd)}, {plain(change.why)}
	</span>
);

/** The last change is in view, and leads to those before it. */
function Changes({ changes }: { changes: readonly CostChange[] }) {
	const [last, ...before] = [...changes].reverse();
	if (!last) return null;
	return (
		<div class="cost-changes tile-note" data-cost-changes={changes.length}>
			<p>
				<Change change={last} />
			</p>
			{before.length > 0 && (
				<details>
					<summary>{count(before.length)} more</summary>
					<ul>
						{before.map((change, n) => (
							<li key={n}>
								<Change change={change} />
							</li>
						))}
					</ul>
				</details>
			)}
		</div>
	);
}

export function CostTile({ run, cost }: { run: RunFacts; cost: RunCost | null }) {
	if (!cost) {
		return (
			<Tile title="Cost" note="No price is known for its hosts: tracer prices says why.">
				<Unknown />
			</Tile>
		);
	}
	const texts = costTexts({ ...cost, cost_usd: cost.whole_usd });
	const amounts = [cost.used_usd, cost.unused_usd, cost.idle_usd];
	const parts = PARTS.slice(0, amounts.length).map(({ name, help, tone }, n) => ({
		name, value: amounts[n] ?? 0, text: texts[n] ?? "", exact: `${exact.usd(amounts[n])}. ${help}`, tone: `cost-${tone}`,
	}));
	const price = cost.price_usd_hour === null ? "" : `at ${money(cost.price_usd_hour)} an hour`;
	const [tasks, engine] = moneyParts(cost.whole_usd, [cost.tasks_usd, cost.engine_usd]);
	return (
		<div class="tile tile-cost" data-cost={cost.whole_usd}>
			<div class="tile-title">
				<a href={runCostAddress(run)}>Cost</a>
			</div>
			<div class="tile-value" title={exact.usd(cost.whole_usd)}>
				{money(cost.whole_usd)}{" "}
				<span class="tile-aside" title={cost.price_source ? `${price} (${plain(cost.price_source)})` : price}>
					{price}
				</span>
			</div>
			<StackedBar parts={parts} label="Cost, by part" />
			<div class="tile-note">
				tasks {tasks}, the engine itself {engine}
			</div>
			<Changes changes={cost.changes} />
		</div>
	);
}
