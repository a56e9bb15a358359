// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { useGet } from "../lib/api";
import { Findings } from "./findings";
import { ago, bytes, count, cpus, duration, exact, instant, percent, plain, positive, usd } from "../lib/format";
import { useNow } from "../lib/live";
import { HostLosses } from "./losses";
import type { Host, HostWaste, Waste } from "../lib/model_host";
import { Asked, Failure, Loading, Tile, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { Badge } from "./status";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The hosts: what they have, what is used of it now, and what was idle.

export const DAYS = 7;

interface Row extends Host {
	waste: HostWaste | undefined;
}

/** CPUs busy in the last interval, and how many of them with tracked work. */
export function busyOf(host: Host): { all: number; tracked: number } | null {
	const since = instant(host.since_at);
	const until = instant(host.until_at);
	if (since === null || until === null || until <= since || host.status !== "up") return null;
	const ns = (until - since) * 1e6;
	const all = ((host.cpu_user_ns ?? 0) + (host.cpu_kernel_ns ?? 0)) / ns;
	return { all, tracked: (host.cpu_tracked_ns ?? 0) / ns };
}

const memoryOf = (host: Host): number | null => (host.status === "up" ? positive(host.memory_used_bytes) : null);

function columnsOf(now: number): Column<Row>[] {
	return [
		{ key: "status", title: "Status", value: (h) => h.status, cell: (h) => <Badge status={h.status} />, exact: (h) => `seen ${h.seen_at ?? "never"}` },
		{
			key: "hostname",
			title: "Host",
			wide: true,
			value: (h) => h.hostname || h.id,
			cell: (h) => <a href={`/hosts/${encodeURIComponent(h.id)}`}>{plain(h.hostname) || h.id}</a>,
			exact: (h) => h.id,
		},
		{
			key: "instance_type",
			title: "Machine",
			value: (h) => h.instance_type ?? "",
			cell: (h) => plain(h.instance_type) || <span class="muted">{plain(h.arch)}</span>,
			exact: (h) => [h.provider, h.region, h.kernel, h.arch].map(plain).filter((text) => text !== "").join(", "),
		},
		{
			key: "cpus",
			title: "CPUs busy / all",
			number: true,
			help: "In its last interval",
			value: (h) => busyOf(h)?.all ?? null,
			cell: (h) => (
				<Asked
					judge={false}
					used={busyOf(h)?.all ?? null}
					asked={positive(h.cpus)}
					text={`${cpus(busyOf(h)?.all)} / ${count(positive(h.cpus))}`}
					title={`tracked work: ${cpus(busyOf(h)?.tracked)} CPUs`}
				/>
			),
		},
		{
			key: "memory",
			title: "Memory used / all",
			number: true,
			value: memoryOf,
			cell: (h) => (
				<Asked
					judge={false}
					used={memoryOf(h)}
					asked={positive(h.memory_bytes)}
					text={`${bytes(memoryOf(h))} / ${bytes(positive(h.memory_bytes))}`}
					title={`${exact.bytes(memoryOf(h))} of ${exact.bytes(positive(h.memory_bytes))}`}
				/>
			),
		},
		{
			key: "tracked_processes",
			title: "Tracked processes",
			number: true,
			value: (h) => (h.status === "up" ? h.tracked_processes : null),
			cell: (h) => count(h.status === "up" ? h.tracked_processes : null),
		},
		{
			key: "idle",
			title: `Idle, ${DAYS} days`,
			number: true,
			help: "Time it was up while no tracked work ran",
			value: (h) => h.waste?.idle_s ?? null,
			cell: (h) => idleText(h.waste),
			exact: (h) => `${exact.seconds(h.waste?.idle_s)} of ${exact.seconds(h.waste?.up_s)} up`,
		},
		{
			key: "idle_usd",
			title: "Idle cost",
			number: true,
			value: (h) => h.waste?.idle_usd ?? null,
			cell: (h) => usd(h.waste?.idle_usd),
			exact: (h) => exact.usd(h.waste?.idle_usd),
		},
		{
			key: "price_usd_hour",
			title: "Price, an hour",
			number: true,
			value: (h) => positive(h.price_usd_hour),
			cell: (h) => usd(positive(h.price_usd_hour)),
			exact: (h) => `${exact.usd(positive(h.price_usd_hour))}${h.price_source ? `, ${plain(h.price_source)}` : ""}`,
		},
		{
			key: "seen_at",
			title: "Seen",
			number: true,
			value: (h) => instant(h.seen_at),
			cell: (h) => ago(h.seen_at, now),
			exact: (h) => `${h.seen_at ?? "never"}, agent ${plain(h.agent_version) || "unknown"}`,
		},
	];
}

function idleText(waste: HostWaste | undefined) {
	if (!waste || waste.idle_s === null) return <Unknown />;
	const share = waste.up_s !== null && waste.up_s > 0 ? ` (${percent(waste.idle_s / waste.up_s)})` : "";
	return `${duration(waste.idle_s)}${share}`;
}

const sum = (values: (number | null | undefined)[]): number | null => {
	const known = values.filter((value): value is number => typeof value === "number");
	return known.length > 0 ? known.reduce((total, value) => total + value, 0) : null;
};

function Summary({ rows }: { rows: readonly Row[] }) {
	const up = rows.filter((row) => row.status === "up");
	return (
		<div class="tiles">
			<Tile title="Hosts up" note={`of ${count(rows.length)} known`}>{count(up.length)}</Tile>
			<Tile title="CPUs busy" note={`of ${count(sum(up.map((row) => row.cpus)))}`}>{cpus(sum(up.map((row) => busyOf(row)?.all)))}</Tile>
			<Tile title="Price, an hour" note="hosts that are up">{usd(sum(up.map((row) => positive(row.price_usd_hour))))}</Tile>
			<Tile title={`Idle, ${DAYS} days`} note={<>up, but without tracked work: <a href="/waste">what is wasted</a></>}>{usd(sum(rows.map((row) => row.waste?.idle_usd)))}</Tile>
		</div>
	);
}

export function HostsPage({ query }: { query: URLSearchParams }) {
	const hosts = useGet<{ hosts: Host[] }>("/hosts", 5000);
	const waste = useGet<Waste>(`/waste?days=${DAYS}`, 60_000);
	const now = useNow(5000);
	useEffect(() => void (document.title = "Hosts · Tracer"), []);
	const rows = useMemo<Row[]>(() => {
		const own = (host: Host) => waste.data?.hosts.find((one) => (one.host_id ?? one.id) === host.id);
		return (hosts.data?.hosts ?? []).map((host) => ({ ...host, waste: own(host) }));
	}, [hosts.data, waste.data]);
	const columns = useMemo(() => columnsOf(now), [now]);
	if (hosts.error && !hosts.data) return <Failure error={hosts.error} retry={hosts.reload} />;
	if (!hosts.data) return <Loading what="hosts" />;
	return (
		<section data-page="hosts">
			<h1 class="unseen">Hosts</h1>
			{rows.length > 0 && <Summary rows={rows} />}
			<HostLosses hosts={hosts.data.hosts} />
			{waste.data && <Findings findings={waste.data.findings} />}
			<Table
				name="Hosts"
				columns={columns}
				rows={rows}
				keyOf={(host) => host.id}
				order={parseOrder(query.get("sort"), { key: "hostname", down: false })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty={
					<>
						<h2>No host reports yet</h2>
						<p>Start the agent on one:</p>
						<pre class="code">sudo tracer up</pre>
					</>
				}
			/>
		</section>
	);
}
