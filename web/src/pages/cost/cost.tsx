// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { useGet, useKept } from "../../lib/api";
import { askedOf, costPath, isAsked, overOf } from "../../lib/cost/asked";
import { LABEL } from "../../lib/cost/keys";
import type { Budget } from "../../lib/cost/budget";
import type { CostAnswer } from "../../lib/cost/model_cost";
import { Failure, Loading } from "../../lib/widgets";
import { Budgets } from "./budgets";
import { CostCharts } from "./charts";
import { Controls, Trail } from "./controls";
import { Head } from "./head";
import { Invoices } from "./invoices";
import { CostTable } from "./table";

// What everything costs: by any key, over any time, down to one task.

const EVERY = 60_000;

export function CostPage({ query }: { query: URLSearchParams }) {
	// The beginning of this month does not change with every second.
	const [now] = useState(Date.now);
	const asked = askedOf(query);
	// Budgets and bills are for all costs: beside a part of them they would be in the way.
	const everything = asked.filters.length === 0;
	const path = isAsked(asked) ? costPath(asked, now) : null;
	const { data: answer, error, busy, reload } = useKept<CostAnswer>(path, EVERY);
	const budgets = useGet<{ budgets: Budget[] }>("/budgets", EVERY);
	useEffect(() => void (document.title = "Cost · Tracer"), []);
	return (
		<section data-page="cost" data-asked={busy ? "" : (path ?? "")} aria-busy={busy}>
			<h1 class="unseen">Cost</h1>
			<Controls {...{ asked, query, now }} split={answer?.split ?? null} />
			<Trail {...{ asked, query }} />
			{asked.by === LABEL && <p class="empty">Name the label by which costs are divided.</p>}
			{error && <Failure error={error} retry={reload} />}
			{((!answer && busy) || budgets.loading) && <Loading what="costs" />}
			{answer && !budgets.loading && (
				<div class={busy ? "cost-body is-old" : "cost-body"}>
					<Head {...{ answer, asked, now }} />
					{everything && <Budgets budgets={budgets.data?.budgets ?? []} all={query.get("budgets") === "all"} />}
					<CostCharts answer={answer} query={query} over={overOf(asked, now)} />
					<CostTable answer={answer} {...{ asked, query, now }} />
				</div>
			)}
			{answer && everything && <Invoices query={query} />}
		</section>
	);
}
