// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { bytes, count, duration, exact, percent, plain, usd } from "../../lib/format";
import { Prose } from "../../lib/prose";
import { setQuery } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import type { Candidate, MeasuredHosts, RecommendAnswer } from "../../lib/waste/model_recommend";
import { changeText, choiceText, costInterval, csvOf, hostsText, keyOf, listed, placeText, purchaseText, risksOf, wallInterval } from "../../lib/waste/recommend";
import type { Asked } from "../../lib/waste/recommend";
import { Choice, Copy, Unknown } from "../../lib/widgets";

// The candidates as a table, what was measured first: all that the plot shows, as text.

const MEASURED = "measured";

/** What was measured, or a candidate. */
interface Row extends MeasuredHosts {
	key: string;
	one: Candidate | null;
}

const rowOf = (one: Candidate): Row => ({ ...one, key: keyOf(one), one });

function Name({ row, open }: { row: Row; open: boolean }) {
	if (!row.one) return <b>{plain(hostsText(row))}</b>;
	return (
		<button type="button" class="as-link waste-name" aria-expanded={open} onClick={() => setQuery({ mark: open ? null : row.key })}>
			<span class="waste-fold" aria-hidden="true">
				{open ? "▾" : "▸"}
			</span>{" "}
			{plain(hostsText(row))}
		</button>
	);
}

function Mark({ row }: { row: Row }) {
	if (!row.one) return <span class="badge">Measured</span>;
	const text = choiceText(row.one);
	if (text) return <span class="badge is-succeeded">{text}</span>;
	return row.one.front ? <span class="muted">front</span> : null;
}

/** A figure with its interval. */
const Between = ({ text, interval }: { text: string; interval: string | null }) => (
	<>
		{text} {interval && <span class="muted">{interval}</span>}
	</>
);

/** What speaks against it; how much more is to be known of it is below its row. */
function Risk({ one }: { one: Candidate }) {
	const n = one.notes.length;
	return (
		<>
			{plain(risksOf(one).join("; "))} {n > 0 && <span class="muted">{count(n)} note{n === 1 ? "" : "s"}</span>}
		</>
	);
}

const rank = ({ one }: Row): number => (one?.choice ? 0 : one?.front ? 1 : 2);

const columnsOf = (measured: MeasuredHosts | null, mark: string | null): Column<Row>[] => [
	{ key: "type", title: "Machines", wide: true, value: (r) => r.type, cell: (r) => <Name row={r} open={r.key === mark} />, exact: (r) => hostsText(r) },
	{ key: "choice", title: "", help: "Chosen, or of the front: no other one is both faster and cheaper", value: rank, cell: (r) => <Mark row={r} /> },
	{
		key: "cost_usd", title: "Cost", number: true, help: "And what 90 of 100 runs stay within", value: (r) => r.cost_usd,
		cell: (r) => (r.cost_usd === null ? <Unknown why="no price is known" /> : <Between text={usd(r.cost_usd)} interval={r.one && costInterval(r.one)} />), exact: (r) => exact.usd(r.cost_usd),
	},
	{
		key: "wall_s", title: "Wall time", number: true, help: "And what 90 of 100 runs stay within", value: (r) => r.wall_s,
		cell: (r) => <Between text={duration(r.wall_s)} interval={r.one && wallInterval(r.one)} />, exact: (r) => exact.seconds(r.wall_s),
	},
	{
		key: "saves", title: "Cost, to measured", number: true, value: (r) => (r.one && measured?.cost_usd ? (r.cost_usd ?? NaN) / measured.cost_usd : null),
		cell: (r) => (r.one ? changeText(measured?.cost_usd, r.cost_usd) || <Unknown /> : ""),
	},
	{ key: "purchase", title: "Purchase", value: (r) => (r.one ? r.one.purchase : r.purchase), cell: (r) => purchaseText(plain(r.one ? r.one.purchase : r.purchase)) },
	{ key: "region", title: "Region", value: (r) => r.region, cell: (r) => (r.one ? plain(placeText(r.one)) : plain(r.region) || <Unknown />) },
	{ key: "risk", title: "Risk", wide: true, value: (r) => (r.one ? risksOf(r.one).length : null), cell: (r) => r.one && <Risk one={r.one} />, exact: (r) => (r.one ? [...risksOf(r.one), ...r.one.notes].map(plain).join("\n") : "") },
];

function factsOf(one: Candidate): [string, string][] {
	return [
		["CPUs", `${one.hosts > 1 ? `${count(one.hosts)} × ` : ""}${count(one.cpus)}${one.arch ? `, ${plain(one.arch)}` : ""}`],
		["price of each, an hour", `${usd(one.usd_hour)}${one.price_exact ? "" : ", estimated"}`],
		["memory", `${one.hosts > 1 ? `${count(one.hosts)} × ` : ""}${bytes(one.memory_bytes)}`],
		["memory free at the peak", percent(one.memory_headroom)],
		...(one.interruption === null ? [] : [["interrupted a month", plain(one.interruption)] as [string, string], ["lost on average", duration(one.interruption_loss_s)] as [string, string]]),
		["data to move there", one.move_bytes === 0 ? "none" : bytes(one.move_bytes)],
	];
}

function Detail({ one }: { one: Candidate }) {
	return (
		<article class="waste-detail" data-detail={keyOf(one)}>
			<dl class="evidence">
				{factsOf(one).map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			{one.notes.length > 0 && (
				<ul class="recommend-notes">
					{one.notes.map((note, n) => (
						<li key={n}>
							<Prose text={note} />
						</li>
					))}
				</ul>
			)}
		</article>
	);
}

const SHOWN = [["front", "The front"], ["all", "All"]] as const;

export function CandidateTable({ answer, asked, query }: { answer: RecommendAnswer; asked: Asked; query: URLSearchParams }) {
	const { measured } = answer;
	const rows = useMemo(() => listed(answer, asked.all || answer.candidates.every((one) => !one.front)), [answer, asked.all]);
	const first = useMemo<Row[]>(() => (measured ? [{ ...measured, key: MEASURED, one: null }] : []), [measured]);
	const columns = useMemo(() => columnsOf(measured, asked.mark), [measured, asked.mark]);
	const ordered = useMemo(() => rows.map(rowOf), [rows]);
	return (
		<>
			<div class="tools-row">
				<Choice label="Which candidates" options={SHOWN} value={asked.all ? "all" : "front"} onChange={(show) => setQuery({ show: show === "all" ? show : null })} />
				<span class="muted">
					{count(rows.length)} of {count(answer.candidates.length)} candidates
				</span>
				<Copy text={csvOf(measured, rows)} title="Copy as CSV" />
			</div>
			<Table
				name="Candidates"
				columns={columns}
				rows={ordered}
				first={first}
				keyOf={(row) => row.key}
				order={parseOrder(query.get("sort"), { key: "cost_usd", down: false })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={asked.mark}
				detail={(row) => row.one && <Detail one={row.one} />}
				empty={<h2>No machine fits</h2>}
			/>
		</>
	);
}
