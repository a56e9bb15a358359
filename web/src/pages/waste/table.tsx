// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { ago, count, duration, exact, plain, usd, when } from "../../lib/format";
import { useNarrow } from "../../lib/media";
import { setQuery } from "../../lib/route";
import { orderText, parseOrder, sorted } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import type { WasteAnswer, WasteRow } from "../../lib/waste/model_waste";
import { besideName, commandHost, CONFIDENCE, hostNames, isFiltered, isOpen, keyOf, lengthOf, OUTCOMES, placeOf, titleOf, usersOf } from "../../lib/waste/waste";
import type { Asked } from "../../lib/waste/waste";
import { Unknown } from "../../lib/widgets";
import { Detail } from "./detail";

// The findings, the most expensive one first; each opens below its row.

const noPrice = (row: WasteRow): string =>
	row.subject === "folder" ? "what storage costs is not set: storage_usd_gb_month in waste.yaml" : "no price is known: see tracer prices";

type Names = ReadonlyMap<string, string>;
const hostOf = (names: Names, row: WasteRow): string => names.get(row.host_id ?? "") ?? "";

function Name({ row, open }: { row: WasteRow; open: boolean }) {
	return (
		<button
			type="button"
			class="as-link waste-name"
			aria-expanded={open}
			data-finding={row.kind}
			onClick={() => setQuery({ finding: open ? null : keyOf(row) })}
		>
			<span class="waste-fold" aria-hidden="true">
				{open ? "▾" : "▸"}
			</span>{" "}
			{titleOf(row)}
		</button>
	);
}

function Subject({ row, hostname }: { row: WasteRow; hostname: string }) {
	const name = plain(row.name) || plain(row.id);
	const place = placeOf(row);
	const host = besideName(row, hostname);
	return (
		<>
			{place ? <a href={place}>{name}</a> : name}
			{host && <span class="muted"> on {host}</span>}
		</>
	);
}

function Price({ row }: { row: WasteRow }) {
	if (row.usd_hour === null) return <Unknown why={noPrice(row)} />;
	return row.counted ? <>{usd(row.usd_hour)}</> : <span class="muted">({usd(row.usd_hour)})</span>;
}

const priceWords = (row: WasteRow): string =>
	row.usd_hour === null ? noPrice(row) : `${exact.usd(row.usd_hour)} an hour${row.counted ? "" : ": not in the sum, another finding has the price of this host"}`;

const ENDED: readonly Column<WasteRow>[] = [
	{
		key: "outcome", title: "Ended", value: (w) => w.ended_at,
		cell: (w) => (isOpen(w) ? <span class="muted">goes on</span> : `${OUTCOMES[w.outcome ?? ""]?.[0] ?? (plain(w.outcome) || "Ended")}, ${when(w.ended_at)}`),
		exact: (w) => (isOpen(w) ? "goes on" : `${w.ended_at ?? ""}. ${OUTCOMES[w.outcome ?? ""]?.[1] ?? ""}`),
	},
	{
		key: "saved_usd", title: "Saved since", number: true, help: "What it would have cost since it was stopped, for 30 days at most", value: (w) => w.saved_usd,
		cell: (w) => (isOpen(w) ? "" : w.saved_usd === null ? <Unknown /> : usd(w.saved_usd)), exact: (w) => (isOpen(w) ? "" : exact.usd(w.saved_usd)),
	},
];

const CONFIDENT: Column<WasteRow> = {
	key: "confidence", title: "Confidence", value: (w) => ["low", "medium", "high"].indexOf(w.confidence), cell: (w) => plain(w.confidence), exact: (w) => CONFIDENCE[w.confidence] ?? "",
};

const PRICE: Column<WasteRow> = { key: "usd_hour", title: "Price, an hour", number: true, value: (w) => w.usd_hour, cell: (w) => <Price row={w} />, exact: priceWords };
const subjectColumn = (names: Names): Column<WasteRow> => ({
	key: "name", title: "What", wide: true, value: (w) => w.name, cell: (w) => <Subject row={w} hostname={hostOf(names, w)} />, exact: (w) => `${plain(w.subject)} ${plain(w.id)}`,
});

/** On a narrow screen the price comes into view first. */
const columnsOf = (asked: Asked, names: Names, now: number, narrow: boolean): Column<WasteRow>[] => [
	{ key: "kind", title: "Finding", wide: true, value: titleOf, cell: (w) => <Name row={w} open={keyOf(w) === asked.open} />, exact: (w) => plain(w.summary) },
	...(narrow ? [PRICE, subjectColumn(names)] : [subjectColumn(names), PRICE]),
	{
		key: "wasted_usd", title: `Wasted, ${asked.days} days`, number: true, value: (w) => w.wasted_usd,
		cell: (w) => (w.wasted_usd === null ? <Unknown why={noPrice(w)} /> : usd(w.wasted_usd)), exact: (w) => exact.usd(w.wasted_usd),
	},
	{
		key: "since_at", title: asked.state === "open" ? "Since" : "For", number: true, value: (w) => lengthOf(w, now), cell: (w) => duration(lengthOf(w, now)),
		exact: (w) => `since ${w.since_at ?? "unknown"}, found ${ago(w.found_at, now)}`,
	},
	{ key: "who", title: "User", value: (w) => w.who, cell: (w) => (usersOf(w).length > 0 ? plain(w.who) : <Unknown />), exact: (w) => plain(w.who) || "unknown" },
	...(asked.state === "open" ? [CONFIDENT] : ENDED),
];

function Empty({ asked, answer, now }: { asked: Asked; answer: WasteAnswer; now: number }) {
	if (isFiltered(asked)) {
		return (
			<>
				<h2>No such finding</h2>
				<p>
					<button type="button" onClick={() => setQuery({ kind: null, user: null, host: null })}>
						Show all findings
					</button>
				</p>
			</>
		);
	}
	const hosts = `${count(answer.hosts.length)} host${answer.hosts.length === 1 ? "" : "s"}`;
	return (
		<>
			<h2>{asked.state === "ended" ? "Nothing ended in this time" : "No waste found"}</h2>
			<p>
				Looked at {ago(answer.at, now)}: {hosts} with their GPUs, sessions, workers and queues; running tasks; the work of the last days and the
				files that it wrote; what is rented in the cloud, where the lake may list it.
			</p>
		</>
	);
}

/** So many rows are drawn at first, and with each click. */
const MOST = 200;
const mostOf = (query: URLSearchParams): number => Math.max(MOST, Math.min(100_000, Number(query.get("rows")) || 0));

interface WasteTableProps {
	asked: Asked;
	answer: WasteAnswer;
	rows: readonly WasteRow[];
	query: URLSearchParams;
	now: number;
}

export function WasteTable({ asked, answer, rows, query, now }: WasteTableProps) {
	const narrow = useNarrow();
	const names = useMemo(() => hostNames(answer), [answer]);
	const columns = useMemo(() => columnsOf(asked, names, now, narrow), [asked.state, asked.days, asked.open, names, now, narrow]);
	const order = parseOrder(query.get("sort"), { key: "usd_hour", down: true });
	const most = mostOf(query);
	const shown = useMemo(() => {
		const column = columns.find((one) => one.key === order.key);
		return (column ? sorted(rows, column.value, order.down) : [...rows]).slice(0, most);
	}, [columns, rows, order.key, order.down, most]);
	return (
		<>
			<Table
				name="Waste"
				columns={columns}
				rows={shown}
				keyOf={keyOf}
				order={order}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={asked.open}
				detail={(row) => <Detail row={row} hostname={hostOf(names, row)} runOn={commandHost(row, names)} now={now} />}
				empty={<Empty {...{ asked, answer, now }} />}
			/>
			{shown.length < rows.length && (
				<p class="more">
					<button type="button" onClick={() => setQuery({ rows: String(most + MOST) })}>
						Show more: {count(shown.length)} of {count(rows.length)}
					</button>
				</p>
			)}
		</>
	);
}
