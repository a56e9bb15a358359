// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { useKept } from "../../lib/api";
import { useNow } from "../../lib/live";
import { askedOf, chosen, wastePath } from "../../lib/waste/waste";
import type { WasteAnswer } from "../../lib/waste/model_waste";
import { Failure, Loading } from "../../lib/widgets";
import { Findings } from "../findings";
import { Filters } from "./filters";
import { WasteHead } from "./head";
import { Sections } from "./sections";
import { WasteTable } from "./table";

// What costs money now and does no work, what it cost so far, and what was saved since it ended.

/** The lake looks each minute. */
const EVERY = 60_000;

export function WastePage({ query }: { query: URLSearchParams }) {
	const asked = askedOf(query);
	const { data: answer, error, busy, reload } = useKept<WasteAnswer>(wastePath(asked), EVERY);
	const now = useNow(30_000);
	const { state, kind, user, host } = asked;
	const rows = useMemo(() => chosen(answer?.waste ?? [], { state, kind, user, host }), [answer, state, kind, user, host]);
	useEffect(() => void (document.title = "Waste · Tracer"), []);
	return (
		<section data-page="waste" data-waste={busy ? "" : rows.length} aria-busy={busy}>
			<h1 class="unseen">Waste</h1>
			<Sections here="waste" />
			{error && <Failure error={error} retry={reload} />}
			{!answer && busy && <Loading what="what is wasted" />}
			{answer && (
				<div class={busy ? "waste-body is-old" : "waste-body"}>
					<WasteHead {...{ answer, now }} days={asked.days} />
					<Findings findings={answer.findings} />
					<Filters {...{ asked, answer, rows }} />
					<WasteTable {...{ asked, answer, rows, query, now }} />
				</div>
			)}
		</section>
	);
}
