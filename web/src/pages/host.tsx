// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { useGet } from "../lib/api";
import { Chart } from "../charts/chart";
import { ago, bytes, count, cpus, exact, plain, positive, usd, when } from "../lib/format";
import { busyOf } from "./hosts";
import { useNow } from "../lib/live";
import { HostLosses } from "./losses";
import { Gpus } from "./gpus";
import type { GpuList, Host, HostSample } from "../lib/model_host";
import { Choice, Failure, Loading, Tile, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { hostCurves } from "../charts/series";
import { Badge } from "./status";
import { useTheme } from "../lib/theme";
import type { Range } from "../charts/timeline";
import { Untracked } from "./untracked";
import { hostWaste } from "../lib/waste/waste";

// One host: its description, and its CPUs and memory over time.

type Answer = Host & GpuList & { samples: HostSample[] };

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

function clockLabel(at: number, step: number): string {
	if (step >= 86400) return day.format(at * 1000);
	return (step < 60 ? seconds : clock).format(at * 1000);
}

const added = (below: readonly (number | null)[], values: readonly (number | null)[]) =>
	values.map((value, n) => (value === null ? null : value + (below[n] ?? 0)));

/** What the cloud says of the machine, for the title of its id. */
function cloudOf(host: Host): string {
	const tags = Object.entries(host.tags ?? {}).map(([key, value]) => `${key}=${value}`);
	return ["The instance, as its cloud and its bill call it", host.zone, host.account_id && `account ${host.account_id}`, ...tags]
		.map((text) => plain(text || ""))
		.filter((text) => text !== "")
		.join("; ");
}

function Charts({ answer }: { answer: Answer }) {
	const { samples } = answer;
	const theme = useTheme();
	const [zoom, setZoom] = useState<Range | null>(null);
	const data = useMemo(() => hostCurves(samples), [samples]);
	const drawn = useMemo(() => {
		const untracked = added(data.tracked, data.untracked);
		return {
			cpu: [
				{ name: "tracked work", color: theme.series[0] ?? "", edge: data.tracked, values: data.tracked },
				{ name: "anything else", color: theme.engine, edge: untracked, values: data.untracked },
				{ name: "waiting for disks", color: theme.wait, edge: added(untracked, data.iowait), values: data.iowait, dashed: true },
			],
			memory: [{ name: "used", color: theme.series[0] ?? "", edge: data.memory, values: data.memory }],
		};
	}, [data, theme]);
	const first = data.times[0];
	const last = data.times[data.times.length - 1];
	if (first === undefined || last === undefined || data.times.length < 2) {
		return <div class="empty">Not enough samples of this host yet.</div>;
	}
	const axis = { range: zoom ?? { from: first * 1000, to: last * 1000 }, origin: null, onRange: setZoom, tickLabel: clockLabel };
	const common = { ...axis, times: data.times };
	return (
		<>
			<div class="charts">
				<Chart name="cpu" title="CPUs in use" curves={drawn.cpu} capacity={positive(answer.cpus)} format={cpus} {...common} />
				<Chart name="memory" title="Memory" curves={drawn.memory} capacity={positive(answer.memory_bytes)} format={bytes} binary {...common} />
			</div>
			<Gpus gpus={answer.gpus} samples={answer.gpu_samples} axis={axis} />
		</>
	);
}

const HOURS = [["1", "1 hour"], ["6", "6 hours"], ["24", "1 day"], ["168", "7 days"]] as const;

export function HostPage({ id, query }: { id: string; query: URLSearchParams }) {
	const hours = HOURS.find(([name]) => name === query.get("hours"))?.[0] ?? "1";
	const answer = useGet<Answer>(`/hosts/${encodeURIComponent(id)}?hours=${hours}`, 5000);
	const now = useNow(5000);
	const host = answer.data;
	const name = host ? plain(host.hostname) || host.id : "Host";
	useEffect(() => void (document.title = `${name} · Tracer`), [name]);
	if (answer.error && !host) return <Failure error={answer.error} retry={answer.reload} />;
	if (!host) return <Loading what="the host" />;
	const busy = busyOf(host);
	return (
		<section data-page="host">
			<header class="run-head">
				<p class="trail">
					<a href="/hosts">Hosts</a> <span aria-hidden="true">/</span>
				</p>
				<h1>
					{name} <Badge status={host.status} big />
				</h1>
				<p class="run-facts">
					<span>{plain(host.instance_type) || "machine type unknown"}</span>
					<span>{[host.provider, host.region].map(plain).filter((text) => text !== "").join(" ") || "no cloud recognised"}</span>
					{host.instance_id && (
						<span title={cloudOf(host)}>
							{plain(host.instance_id)}
							{host.purchase === "spot" && " (spot)"}
						</span>
					)}
					<span>Linux {plain(host.kernel)} {plain(host.arch)}</span>
					<span>agent {plain(host.agent_version) || <Unknown />}</span>
					<span title={host.booted_at ?? "unknown"}>booted {when(host.booted_at, now)}</span>
					<span title={host.seen_at ?? "unknown"}>seen {ago(host.seen_at, now)}</span>
					<span>
						<a href={hostWaste(host.id)}>what is wasted of it</a>
					</span>
					<span class="run-id" title="The host's id">{host.id}</span>
				</p>
				<div class="tiles">
					<Tile title="CPUs busy" note={`of ${count(positive(host.cpus))}, ${cpus(busy?.tracked)} with tracked work`}>{cpus(busy?.all)}</Tile>
					<Tile title="Memory used" exact={exact.bytes(positive(host.memory_used_bytes))} note={`of ${bytes(positive(host.memory_bytes))}`}>
						{bytes(positive(host.memory_used_bytes))}
					</Tile>
					<Tile title="Tracked processes">{count(host.tracked_processes)}</Tile>
					<Tile title="Price, an hour" exact={exact.usd(positive(host.price_usd_hour))} note={plain(host.price_source) || "no price is known"}>
						{usd(positive(host.price_usd_hour))}
					</Tile>
					<Tile title="The agent itself" exact={exact.bytes(positive(host.agent_rss_bytes))} note="memory">
						{bytes(positive(host.agent_rss_bytes))}
					</Tile>
				</div>
			</header>
			<HostLosses hosts={[host]} />
			<div class="tools-row">
				<h2>Resources over time</h2>
				<Choice label="How far back" options={HOURS} value={hours} onChange={(value) => setQuery({ hours: value === "1" ? null : value })} />
			</div>
			<Charts key={hours} answer={host} />
			<div class="tools-row">
				<h2>CPU time by owner</h2>
			</div>
			<Untracked host={host.id} hours={hours} />
		</section>
	);
}
