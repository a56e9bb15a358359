// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { address, get, useLoad } from "../lib/api";
import { bytes, count, exact, nanoseconds, plain } from "../lib/format";
import { differing, groupsOf, sumBy } from "../lib/groups";
import type { NetworkList, NetworkRow } from "../lib/model";
import { Choice, Failure, Loading } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The traffic of a run through sockets: by protocol, tool or task.

const MOST = 10_000;

/** "TCP with other hosts", "UDP (IPv6) within the host", "UNIX stream". */
export function protocolOf(row: Pick<NetworkRow, "family" | "protocol" | "loopback">): string {
	if (row.family === "unix") return `UNIX ${plain(row.protocol)}`;
	if (row.family !== "inet" && row.family !== "inet6") return "other sockets (raw, netlink, …)";
	const version = row.family === "inet6" ? " (IPv6)" : "";
	return `${plain(row.protocol).toUpperCase()}${version} ${row.loopback ? "within the host" : "with other hosts"}`;
}

type Sum = "rx_bytes" | "tx_bytes" | "rx_calls" | "tx_calls" | "connects" | "accepts" | "connect_failures" | "resets" | "retransmits" | "connect_ns";
const SUMS: readonly Sum[] = ["rx_bytes", "tx_bytes", "rx_calls", "tx_calls", "connects", "accepts", "connect_failures", "resets", "retransmits", "connect_ns"];

export type NetworkGroup = Record<Sum, number | null> & { name: string; tools: string[] };

/** The most bytes first. */
export function networkGroups(rows: readonly NetworkRow[], nameOf: (row: NetworkRow) => string): NetworkGroup[] {
	const groups = groupsOf(rows, nameOf).map(({ key, rows: own }): NetworkGroup => {
		const sums = Object.fromEntries(SUMS.map((name) => [name, sumBy(own, (row) => row[name])])) as Record<Sum, number | null>;
		return { name: key, tools: differing(own.map((row) => row.tool)), ...sums };
	});
	return groups.sort((a, b) => (b.rx_bytes ?? 0) + (b.tx_bytes ?? 0) - (a.rx_bytes ?? 0) - (a.tx_bytes ?? 0));
}

const amount = (key: Sum, title: string, help: string): Column<NetworkGroup> => ({
	key,
	title,
	number: true,
	help,
	value: (g) => g[key],
	cell: (g) => bytes(g[key]),
	exact: (g) => exact.bytes(g[key]),
});

const tally = (key: Sum, title: string, help: string, bad = false): Column<NetworkGroup> => ({
	key,
	title,
	number: true,
	help,
	value: (g) => g[key],
	cell: (g) => (bad && (g[key] ?? 0) > 0 ? <b class="bad">{count(g[key])}</b> : count(g[key])),
});

const BY = [["protocol", "By protocol"], ["tool", "By tool"], ["task", "By task"]] as const;
type By = (typeof BY)[number][0];

const columnsOf = (by: By): Column<NetworkGroup>[] => [
	{ key: "name", title: by === "protocol" ? "Protocol" : by === "tool" ? "Tool" : "Task", wide: true, value: (g) => g.name, cell: (g) => plain(g.name), exact: (g) => plain(g.name) },
	amount("rx_bytes", "Received", "What calls returned: no headers, nothing that failed"),
	amount("tx_bytes", "Sent", "What calls took: no headers, nothing that failed"),
	tally("connects", "Connected", "TCP connections that it made"),
	tally("accepts", "Accepted", "TCP connections that came in"),
	tally("connect_failures", "Failed", "TCP connections that were refused, timed out or given up", true),
	tally("resets", "Reset", "TCP connections that either side broke off", true),
	tally("retransmits", "Sent again", "What TCP had to send again"),
	{
		key: "connect_ns",
		title: "To connect",
		number: true,
		help: "How long a connection took to be made, on average",
		value: (g) => meanConnect(g),
		cell: (g) => nanoseconds(meanConnect(g)),
		exact: (g) => exact.ns(meanConnect(g)),
	},
	...(by === "tool" ? [] : [{ key: "tools", title: "Tools", value: (g: NetworkGroup) => g.tools.join(" "), cell: (g: NetworkGroup) => g.tools.map(plain).join(" · "), exact: (g: NetworkGroup) => g.tools.map(plain).join("\n") }]),
];

const meanConnect = (g: NetworkGroup): number | null => (g.connects && g.connect_ns !== null ? Math.round(g.connect_ns / g.connects) : null);

interface NetworkProps {
	path: string;
	names: ReadonlyMap<string, string>;
	query: URLSearchParams;
	every: number;
}

export function Network({ path, names, query, every }: NetworkProps) {
	const list = useLoad(`${path}/network`, (signal) => get<NetworkList>(address(`${path}/network`, { limit: MOST }), signal), every);
	const by = BY.find(([name]) => name === query.get("by"))?.[0] ?? "protocol";
	const rows = list.data?.network ?? [];
	const groups = useMemo(() => {
		const taskOf = (row: NetworkRow) => (row.task_id ? (names.get(row.task_id) ?? row.task_id) : "the engine itself");
		return networkGroups(rows, by === "protocol" ? protocolOf : by === "tool" ? (row) => row.tool : taskOf);
	}, [rows, by, names]);
	if (list.error && !list.data) return <Failure error={list.error} retry={list.reload} />;
	if (!list.data) return <Loading what="the network" />;
	return (
		<>
			<div class="tools-row">
				<Choice label="Rows" options={BY} value={by} onChange={(value) => setQuery({ by: value === "protocol" ? null : value })} />
				{rows.length >= MOST && <span class="muted">Only the {count(MOST)} that moved most are summed here.</span>}
			</div>
			<Table
				name="Network"
				columns={columnsOf(by)}
				rows={groups}
				keyOf={(group) => group.name}
				order={parseOrder(query.get("sort"), { key: "rx_bytes", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty="Nothing of this run used a socket, as far as was seen."
			/>
		</>
	);
}
