// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { Chart } from "../charts/chart";
import { bytes, percent, plain, positive, watts } from "../lib/format";
import { gpuCurves, throttledOf } from "../charts/gpu_series";
import type { GpuCurves } from "../charts/gpu_series";
import type { Gpu, GpuSample } from "../lib/model_host";
import { useTheme } from "../lib/theme";
import type { Theme } from "../lib/theme";
import type { Range } from "../charts/timeline";

// The GPUs of one host, or of the hosts that a run used: how busy they were, their memory and power.

interface Axis {
	/** null: all that was sampled. */
	range: Range | null;
	origin: number | null;
	onRange: (range: Range | null) => void;
	tickLabel: (seconds: number, step: number) => string;
}

type Values = readonly (number | null)[];

const added = (below: Values, values: Values) => values.map((value, n) => (value === null ? null : value + (below[n] ?? 0)));

const some = (values: Values) => values.some((value) => value !== null);

/** One curve for tracked and one for other work; one for both, where the driver does not report use by process. */
function parts(theme: Theme, tracked: Values, other: Values, byProcess: boolean) {
	const whole = added(tracked, other);
	const color = theme.series[0] ?? "";
	if (!byProcess) return [{ name: "all work", color, edge: whole, values: whole }];
	return [
		{ name: "tracked work", color, edge: tracked, values: tracked },
		{ name: "anything else", color: theme.engine, edge: whole, values: other },
	];
}

function useCurves(gpu: Gpu, curves: GpuCurves) {
	const theme = useTheme();
	return useMemo(
		() => ({
			busy: parts(theme, curves.tracked, curves.other, gpu.process_busy_known),
			memory: parts(theme, curves.memoryTracked, curves.memoryOther, true),
			power: [{ name: "power", color: theme.series[1] ?? "", edge: curves.watts, values: curves.watts }],
		}),
		[theme, curves, gpu.process_busy_known],
	);
}

function Facts({ gpu, samples }: { gpu: Gpu; samples: readonly GpuSample[] }) {
	const throttled = throttledOf(samples);
	const hottest = samples.reduce((most, sample) => Math.max(most, sample.temperature_peak_celsius ?? 0), 0);
	return (
		<p class="run-facts">
			<span>{bytes(positive(gpu.memory_bytes))} memory</span>
			<span>driver {plain(gpu.driver) || "unknown"}</span>
			{gpu.host && <span>on {plain(gpu.host)}</span>}
			{hottest > 0 && <span>{hottest} °C at most</span>}
			{throttled && (
				<span class="is-held" title="Share of the time in which the driver held it back, and why">
					held back {percent(throttled.share)} of the time: {throttled.reasons.map((reason) => plain(reason).replace(/_/g, " ")).join(", ")}
				</span>
			)}
			{gpu.gone_at && <span class="bad">gone: it fell off the bus, or was taken away</span>}
		</p>
	);
}

function OneGpu({ gpu, samples, axis }: { gpu: Gpu; samples: readonly GpuSample[]; axis: Axis }) {
	const curves = useMemo(() => gpuCurves(samples), [samples]);
	const drawn = useCurves(gpu, curves);
	const first = curves.times[0];
	const last = curves.times[curves.times.length - 1];
	if (first === undefined || last === undefined) return null;
	const common = { ...axis, times: curves.times, range: axis.range ?? { from: first * 1000, to: last * 1000 } };
	return (
		<section class="gpu" data-gpu={gpu.uuid}>
			<h3 title={plain(gpu.uuid)}>
				GPU {gpu.index} · {plain(gpu.name) || "no name"}
			</h3>
			<Facts gpu={gpu} samples={samples} />
			<div class="charts">
				{some(curves.tracked) && <Chart name="gpu-busy" title="Busy" curves={drawn.busy} capacity={1} format={percent} {...common} />}
				{some(curves.memoryTracked) && (
					<Chart name="gpu-memory" title="GPU memory" curves={drawn.memory} capacity={positive(gpu.memory_bytes)} format={bytes} binary {...common} />
				)}
				{some(curves.watts) && <Chart name="gpu-power" title="Power" curves={drawn.power} capacity={null} format={watts} {...common} />}
			</div>
		</section>
	);
}

const keyOf = (gpu: { host_id?: string; uuid: string }) => `${gpu.host_id ?? ""} ${gpu.uuid}`;

/** The GPUs that have samples. In the lists of one host neither samples nor GPUs name the host. */
export function Gpus({ gpus, samples, axis }: { gpus: readonly Gpu[]; samples: readonly GpuSample[]; axis: Axis }) {
	const own = useMemo(() => {
		const hosts = gpus.some((gpu) => gpu.host_id !== undefined);
		const lists = new Map<string, GpuSample[]>();
		for (const sample of samples) {
			const key = keyOf(hosts ? sample : { uuid: sample.uuid });
			const list = lists.get(key);
			if (list) list.push(sample);
			else lists.set(key, [sample]);
		}
		return lists;
	}, [gpus, samples]);
	const seen = gpus.filter((gpu) => own.has(keyOf(gpu)));
	if (seen.length === 0) return null;
	return (
		<div data-gpus={seen.length}>
			<h2 class="gpus-title">GPUs</h2>
			{seen.map((gpu) => (
				<OneGpu key={keyOf(gpu)} gpu={gpu} samples={own.get(keyOf(gpu)) ?? []} axis={axis} />
			))}
		</div>
	);
}
