// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from "preact/hooks";
import { Lanes } from "../../charts/lanes";
import { colorsOf } from "../../charts/timeline";
import { address, useGet } from "../../lib/api";
import type { ApiError } from "../../lib/api";
import { bytes, count, duration, exact, percent, usd } from "../../lib/format";
import { useTheme } from "../../lib/theme";
import type { WhatIf, WhatIfPredicted } from "../../lib/tune/model_whatif";
import { askedOf, asksNothing, coresText, costText, differenceText, factorsOf, intervalText, peakText, ranked, slotsText, spansOf } from "../../lib/tune/whatif";
import type { Asked } from "../../lib/tune/whatif";
import { Prose } from "../../lib/prose";
import { Failure, Loading, Tile, Unknown } from "../../lib/widgets";
import { AsItWas, Controls } from "./whatif_controls";
import { Ranking } from "./whatif_ranking";

// What a run would have taken on other cores, with less memory, with a shorter step, without a queue.

function Figures({ answer: { measured, predicted } }: { answer: WhatIf }) {
	return (
		<div class="tiles" data-predicted={predicted?.wall_s ?? ""}>
			<Tile title="Measured" exact={exact.seconds(measured.wall_s)} note={coresText(measured)}>
				{duration(measured.wall_s)}
			</Tile>
			<Tile title="Predicted" exact={exact.seconds(predicted?.wall_s)} note={predicted ? intervalText(predicted) : "not known"}>
				{predicted ? duration(predicted.wall_s) : <Unknown />}
			</Tile>
			{predicted && <Tiles measured={measured} predicted={predicted} />}
		</div>
	);
}

function Tiles({ measured, predicted }: { measured: WhatIf["measured"]; predicted: WhatIfPredicted }) {
	const change = measured.wall_s > 0 ? predicted.wall_s / measured.wall_s - 1 : 0;
	return (
		<>
			<Tile title="Difference" note={differenceText(measured, predicted)}>
				{Math.abs(change) < 0.0005 ? "none" : `${change > 0 ? "+" : "−"}${percent(Math.abs(change))}`}
			</Tile>
			<Tile title="Cost measured" exact={exact.usd(measured.cost_usd)} note="the whole host for its time">
				{usd(measured.cost_usd)}
			</Tile>
			<Tile title="Cost predicted" exact={exact.usd(predicted.cost_usd)} note={costText(predicted)}>
				{usd(predicted.cost_usd)}
			</Tile>
			<Tile title="Memory of its tasks" exact={exact.bytes(predicted.memory_peak_bytes)} note="at once, at most">
				{peakText(predicted)}
			</Tile>
			<Tile title="Slots of its engine" note={`measured ${slotsText(measured.slots)}`}>
				{slotsText(predicted.slots)}
			</Tile>
		</>
	);
}

/** The lake gives no more of them. */
const MOST_TASKS = 10_000;

function Timelines({ answer, colors }: { answer: WhatIf; colors: ReadonlyMap<string, string> }) {
	const { measured, predicted, tasks } = answer;
	const was = useMemo(() => spansOf(tasks, false), [tasks]);
	const then = useMemo(() => spansOf(tasks, true), [tasks]);
	if (!predicted || tasks.length === 0) return null;
	const to = Math.max(measured.wall_s, predicted.wall_high_s) * 1.01;
	return (
		<section class="lanes-both" aria-label="Timelines, measured and predicted">
			<Lanes name="measured" title="Measured" words={duration(measured.wall_s)} spans={was} wall_s={measured.wall_s} {...{ to, colors }} />
			<Lanes
				name="predicted"
				title="Predicted"
				words={`${duration(predicted.wall_s)}; the end is expected within the shaded stretch`}
				spans={then}
				wall_s={predicted.wall_s}
				range={[predicted.wall_low_s, predicted.wall_high_s]}
				{...{ to, colors }}
			/>
			{tasks.length >= MOST_TASKS && <p class="muted">Only the first {count(MOST_TASKS)} tasks are drawn.</p>}
		</section>
	);
}

function Assumptions({ answer }: { answer: WhatIf }) {
	if (answer.assumptions.length === 0) return null;
	return (
		<section class="assumptions" aria-label="What is assumed">
			<h2>What is assumed, and what is not known</h2>
			<ul>
				{answer.assumptions.map(({ text }, n) => (
					<li key={n}>
						<Prose text={text} />
					</li>
				))}
			</ul>
		</section>
	);
}

const Refused = ({ why }: { why: string }) => (
	<div class="notice" role="status" data-refused>
		<b>There is no prediction.</b> <Prose text={why} />
	</div>
);

/** The address asks for what cannot be read. */
const NotUnderstood = ({ error, asked, reload }: { error: ApiError; asked: Asked; reload: () => void }) => (
	<>
		<Failure error={error} retry={reload} />
		<AsItWas asked={asked} />
	</>
);

/** The last answer stays until the next one is there: the page does not jump while a slider moves. */
function useAnswer(path: string, asked: Asked) {
	const loaded = useGet<WhatIf>(address(`${path}/whatif`, asked));
	const last = useRef<WhatIf | null>(null);
	if (loaded.data) last.current = loaded.data;
	return { answer: loaded.error ? null : (loaded.data ?? last.current), known: last.current, ...loaded };
}

interface WhatIfTabProps {
	path: string;
	/** Names of the run's steps. */
	steps: readonly string[];
	query: URLSearchParams;
}

export function WhatIfTab({ path, steps, query }: WhatIfTabProps) {
	const asked = askedOf(query);
	const { answer, known, error, loading, reload } = useAnswer(path, asked);
	const theme = useTheme();
	const colors = useMemo(() => colorsOf(steps, theme), [steps, theme]);
	if (!known) return error ? <NotUnderstood {...{ error, asked, reload }} /> : <Loading what="the replay of the run" />;
	const { measured } = known;
	const factors = factorsOf(asked.step);
	return (
		<div class="whatif" aria-busy={loading} data-asked={asksNothing(asked) ? "" : "something"}>
			<Controls asked={asked} measured={measured} />
			{error && <Failure error={error} retry={reload} />}
			{answer?.refused && <Refused why={answer.refused} />}
			{answer && <Figures answer={answer} />}
			{answer && <Timelines answer={answer} colors={colors} />}
			<Ranking rows={ranked(answer ?? { steps: [] }, steps, factors)} wall_s={answer?.predicted?.wall_s ?? null} {...{ asked, factors, colors }} />
			{answer && <Assumptions answer={answer} />}
			<p class="muted">
				The run is replayed by its own graph: its tasks, the files between them, the slots of its engine. {measured.host_memory_bytes !== null && `Its host has ${bytes(measured.host_memory_bytes)} of memory`}
				{measured.host_cpus !== null && ` and ${count(measured.host_cpus)} CPUs.`}
			</p>
		</div>
	);
}
