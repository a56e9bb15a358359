// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { address, useLoad } from "../lib/api";
import type { ApiError } from "../lib/api";
import { cpuColumn, peakColumn } from "../lib/columns";
import { ago, count, duration, exact, instant, nanoseconds, plain, ticking, usd, when } from "../lib/format";
import { takeList, useLive, useNow } from "../lib/live";
import type { RunRow } from "../lib/model";
import { useAtMost, useNarrow } from "../lib/media";
import { briefly } from "../lib/tune/expected";
import { Prose } from "../lib/prose";
import { Choice, Failure, Loading, Progress, Tile, Unknown } from "../lib/widgets";
import { runAddress, setQuery } from "../lib/route";
import { matches, orderText, parseOrder } from "../lib/sort";
import { Badge } from "./status";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

export const secondsOf = (run: { started_at: string | null; ended_at: string | null; wall_s: number | null; status: string }, now: number): number | null => {
	const started = instant(run.started_at);
	if (run.ended_at === null && run.status === "running" && started !== null) return Math.max(0, (now - started) / 1000);
	return run.wall_s;
};

const NOT_KNOWN = "not known yet";

/** When a running run ends, as far as that is known. */
const endsOf = (run: RunRow, now: number): string =>
	run.status === "running" ? briefly({ progress: run.progress, expected_end_at: run.expected_end_at ?? null }, now) : "";

/** What there is to say about a run, in a few words. */
function Words({ run, now }: { run: RunRow; now: number }) {
	const ends = endsOf(run, now);
	if (ends) return <span data-ends={run.expected_end_at ?? ""}>{ends}</span>;
	return run.verdict === null ? <Unknown why={NOT_KNOWN} /> : <Prose text={run.verdict} />;
}

/** Columns for which there is no room on a window of this width. */
const NO_ROOM: readonly [number, readonly string[]][] = [
	[1600, ["rss_peak_bytes"]],
	[1440, ["cpu", "user"]],
	[1300, ["engine"]],
	[760, ["verdict", "status"]],
];

function useRoom(): ReadonlySet<string> {
	const within = NO_ROOM.map(([width]) => useAtMost(width));
	return useMemo(() => new Set(NO_ROOM.flatMap(([, keys], n) => (within[n] ? keys : []))), within);
}

/** `narrow`: status, name and verdict share a column. */
function columnsOf(now: number, narrow: boolean): Column<RunRow>[] {
	return [
		{
			key: "status",
			title: "Status",
			value: (r) => ((r.failed_tools ?? 0) > 0 && r.status === "succeeded" ? "succeeded, failed" : r.status),
			cell: (r) => <Badge status={r.status} failedTools={r.failed_tools} />,
		},
		{
			key: "name",
			title: "Run",
			wide: true,
			value: (r) => r.name || r.id,
			cell: (r) => (
				<>
					{narrow && (
						<>
							<Badge status={r.status} failedTools={r.failed_tools} />{" "}
						</>
					)}
					{r.parent_run && <span title="started in another run">↳ </span>}
					<a href={runAddress(r.id)}>{plain(r.name) || r.id}</a>
					{narrow && (
						<span class="row-verdict" data-verdict={r.verdict ?? ""}>
							<Words run={r} now={now} />
						</span>
					)}
				</>
			),
			exact: (r) => `${plain(r.name)}\n${r.id}${r.parent_run ? `\nstarted in ${r.parent_run}` : ""}`,
		},
		{
			key: "verdict",
			title: "Verdict",
			help: "What there is to say about it, in a few words; while it runs, when it ends",
			wide: true,
			value: (r) => r.verdict ?? null,
			cell: (r) => <Words run={r} now={now} />,
			exact: (r) => endsOf(r, now) || (r.verdict === null ? NOT_KNOWN : plain(r.verdict)),
		},
		{
			key: "pipeline",
			title: "Pipeline",
			value: (r) => r.pipeline,
			cell: (r) => plain(r.pipeline) || <Unknown />,
			exact: (r) => plain(r.pipeline),
		},
		{ key: "engine", title: "Engine", value: (r) => r.engine, cell: (r) => plain(r.engine) || <Unknown /> },
		{ key: "user", title: "User", value: (r) => r.user, cell: (r) => plain(r.user) || <Unknown /> },
		{
			key: "started_at",
			title: "Started",
			number: true,
			value: (r) => instant(r.started_at),
			cell: (r) => when(r.started_at, now),
			exact: (r) => (r.started_at ? `${r.started_at}, ${ago(r.started_at, now)}` : "unknown"),
		},
		{
			key: "wall_s",
			title: "Duration",
			number: true,
			value: (r) => secondsOf(r, now),
			cell: (r) => (r.status === "running" ? ticking(secondsOf(r, now)) : duration(r.wall_s)),
			exact: (r) => exact.seconds(secondsOf(r, now)),
		},
		{
			key: "tasks",
			title: "Tasks",
			number: true,
			help: "Tasks that ended, of those seen so far",
			value: (r) => r.tasks,
			cell: (r) => <Progress all={r.tasks} failed={r.tasks_failed} lost={r.tasks_lost} running={r.tasks_running} />,
		},
		cpuColumn<RunRow>(),
		peakColumn<RunRow>(),
		{
			key: "cost_usd",
			title: "Cost",
			number: true,
			help: "What it held of its hosts, and what was idle beside it",
			value: (r) => r.cost_usd,
			cell: (r) => (r.cost_usd === null ? <Unknown why="unknown: no price is known for its hosts" /> : usd(r.cost_usd)),
			exact: (r) => (r.cost_usd === null ? "unknown: no price is known for its hosts" : exact.usd(r.cost_usd)),
		},
	];
}

function Nothing() {
	return (
		<div data-empty="runs">
			<h2>No run was seen yet</h2>
			<p>
				Start a pipeline on a host where Tracer runs, as you always do: nothing in it needs to change. Workflow
				engines are recognised; anything else becomes a run with
			</p>
			<pre class="code">tracer run --pipeline my-pipeline -- ./my-script.sh</pre>
			<p>
				It appears here while it runs. Nothing appears? <code>tracer status</code> says whether the agent runs,{" "}
				<code>tracer doctor</code> what this host lacks.
			</p>
		</div>
	);
}

const FILTERS = [
	["", "All"],
	["running", "Running"],
	["succeeded", "Succeeded"],
	["failed", "Failed"],
	["lost", "Lost"],
] as const;

/** "failed" also shows killed and stalled runs. How a lost run ended is unknown. */
const inGroup = (group: string, status: string): boolean =>
	group === "" || status === group || (group === "failed" && ["killed", "stalled"].includes(status));

function Summary({ rows, now }: { rows: readonly RunRow[]; now: number }) {
	const recent = rows.filter((row) => now - (instant(row.started_at) ?? 0) < 7 * 86400e3);
	const priced = recent.filter((row) => row.cost_usd !== null);
	const mixed = rows.filter((row) => row.status === "succeeded" && (row.failed_tools ?? 0) > 0).length;
	const number = (group: string) => rows.filter((row) => group !== "" && inGroup(group, row.status)).length;
	return (
		<div class="tiles">
			<Tile title="Running now">{count(number("running"))}</Tile>
			<Tile title="Runs shown" note={`${count(number("succeeded"))} succeeded${mixed > 0 ? ` (${count(mixed)} with failures)` : ""}, ${count(number("failed"))} did not`}>
				{count(rows.length)}
			</Tile>
			<Tile
				title="CPU time, 7 days"
				exact={exact.ns(recent.reduce((sum, row) => sum + row.user_ns + row.kernel_ns, 0))}
			>
				{nanoseconds(recent.reduce((sum, row) => sum + row.user_ns + row.kernel_ns, 0))}
			</Tile>
			<Tile
				title="Cost, 7 days"
				exact={priced.length > 0 ? exact.usd(priced.reduce((sum, row) => sum + (row.cost_usd ?? 0), 0)) : "unknown"}
				note={priced.length < recent.length ? `without a price: ${recent.length - priced.length}` : undefined}
			>
				{usd(priced.length > 0 ? priced.reduce((sum, row) => sum + (row.cost_usd ?? 0), 0) : null)}
			</Tile>
		</div>
	);
}

function Older({ cursor, onCursor }: { cursor: string; onCursor: (next: string | null) => void }) {
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<string>("");
	const more = async () => {
		setBusy(true);
		try {
			const page = await takeList(address("/runs", { limit: 100, cursor }));
			onCursor(page.next ?? null);
			setError("");
		} catch (cause) {
			setError((cause as ApiError).message);
		}
		setBusy(false);
	};
	return (
		<p class="more">
			<button type="button" onClick={more} disabled={busy}>
				{busy ? "Loading …" : "Older runs"}
			</button>{" "}
			{error}
		</p>
	);
}

export function RunsPage({ query }: { query: URLSearchParams }) {
	const live = useLive();
	const list = useLoad("/runs", (signal) => takeList("/runs?limit=100", signal));
	const [cursor, setCursor] = useState<string | null>(null);
	useEffect(() => {
		if (list.data) setCursor(list.data.next ?? null);
	}, [list.data]);
	const all = useMemo(() => [...live.runs.values()], [live.runs]);
	const now = useNow(all.some((run) => run.status === "running") ? 1000 : 30_000);
	const filter = query.get("filter") ?? "";
	const group = query.get("status") ?? "";
	const rows = all.filter(
		(run) => inGroup(group, run.status) && matches(filter, [run.name, run.verdict ?? "", run.id, run.pipeline, run.engine, run.user, ...run.hosts, ...Object.entries(run.labels).map(([k, v]) => `${k}=${v}`)]),
	);
	const narrow = useNarrow();
	const without = useRoom();
	const columns = useMemo(() => columnsOf(now, narrow).filter((column) => !without.has(column.key)), [now, narrow, without]);
	const order = parseOrder(query.get("sort"), { key: "started_at", down: true });
	useEffect(() => void (document.title = "Runs · Tracer"), []);
	if (list.error && !live.arrived) return <Failure error={list.error} retry={list.reload} />;
	if (list.loading && !live.arrived) return <Loading what="runs" />;
	return (
		<section data-page="runs">
			<h1 class="unseen">Runs</h1>
			{all.length > 0 && <Summary rows={all} now={now} />}
			{all.length > 0 && (
				<div class="tools-row">
					<input
						type="search"
						placeholder="Filter by name, pipeline, user, host, label"
						aria-label="Filter runs"
						value={filter}
						onInput={(event) => setQuery({ filter: event.currentTarget.value })}
					/>
					<Choice label="Status" options={FILTERS} value={group} onChange={(status) => setQuery({ status })} />
				</div>
			)}
			<Table
				name="Runs"
				columns={columns}
				rows={rows}
				keyOf={(run) => run.id}
				order={order}
				tall={narrow}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty={all.length === 0 ? <Nothing /> : <p>No run matches the filter.</p>}
			/>
			{cursor !== null && <Older cursor={cursor} onCursor={setCursor} />}
		</section>
	);
}
