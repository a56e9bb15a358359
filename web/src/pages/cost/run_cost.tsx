// SPDX-License-Identifier: Apache-2.0
import { runCostAddress } from "../../lib/cost/asked";
import type { CostChange, RunCost } from "../../lib/cost/model_cost";
import { costTexts, money, moneyParts } from "../../lib/cost/money";
import { exact, plain, when } from "../../lib/format";
import type { RunFacts } from "../../lib/model";
import { StackedBar, Tile, Unknown } from "../../lib/widgets";
import { PARTS } from "./head";

// What a run cost, on its page: its parts, who of it pays, and why it changed.

function Changes({ changes }: { changes: readonly CostChange[] }) {
	return (
		<details class="cost-changes" data-cost-changes={changes.length}>
			<summary>changed after the run was over</summary>
			<ul>
				{changes.map((one, n) => (
					<li key={n} title={`${exact.usd(one.from_usd)} to ${exact.usd(one.to_usd)}`}>
						{when(one.at)}: {money(one.from_usd)} → {money(one.to_usd)}, {plain(one.reason)}
					</li>
				))}
			</ul>
		</details>
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
			{(cost.changes?.length ?? 0) > 0 && <Changes changes={cost.changes ?? []} />}
		</div>
	);
}
