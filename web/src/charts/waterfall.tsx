// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { exact, nanoseconds, plain } from "../lib/format";
import { placeOf } from "../lib/tune/waterfall";
import type { Waterfall, WaterfallRow } from "../lib/tune/waterfall";

// The parts that lead from the wall time of one run to that of another. A part opens to show its factors.

export const signed = (ns: number): string => (ns > 0 ? `+${nanoseconds(ns)}` : ns < 0 ? `−${nanoseconds(-ns)}` : "0 s");

const toneOf = (row: WaterfallRow): string => (row.kind === "run" ? "is-run" : row.difference_ns > 0 ? "is-more" : "is-less");

interface RowProps {
	row: WaterfallRow;
	chart: Waterfall;
	open: boolean;
	onOpen: (() => void) | null;
}

function Row({ row, chart, open, onOpen }: RowProps) {
	const { left, width } = placeOf(row, chart);
	const name = plain(row.name);
	return (
		<tr class={`is-${row.kind}`} data-part={row.key} data-ns={row.difference_ns}>
			<th scope="row" title={name}>
				{onOpen ? (
					<button type="button" class="fold" aria-expanded={open} onClick={onOpen}>
						<span aria-hidden="true">{open ? "▾" : "▸"}</span> {name}
					</button>
				) : (
					name
				)}
			</th>
			<td class="number waterfall-side">{row.from_ns === null ? "" : nanoseconds(row.from_ns)}</td>
			<td class="number waterfall-side">{row.to_ns === null ? "" : nanoseconds(row.to_ns)}</td>
			<td class="number" title={exact.ns(row.difference_ns)}>
				{row.kind === "run" ? nanoseconds(row.difference_ns) : signed(row.difference_ns)}
			</td>
			<td class="waterfall-track" aria-hidden="true">
				<span class="waterfall-bars">
					<i class={toneOf(row)} data-none={width === 0 ? "" : undefined} style={{ left: `${left}%`, width: `${width}%` }} />
				</span>
			</td>
		</tr>
	);
}

export function WaterfallChart({ chart }: { chart: Waterfall }) {
	const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
	const toggle = (key: string) => {
		const next = new Set(opened);
		if (!next.delete(key)) next.add(key);
		setOpened(next);
	};
	return (
		<div class="table-box waterfall" tabIndex={0} role="region" aria-label="Where the difference is">
			<table data-table="Difference">
				<thead>
					<tr>
						<th scope="col">Part</th>
						<th scope="col" class="number waterfall-side">Before</th>
						<th scope="col" class="number waterfall-side">Now</th>
						<th scope="col" class="number">Difference</th>
						<td class="waterfall-track">{chart.min_ns > 0 && <span class="muted">from {nanoseconds(chart.min_ns)} on</span>}</td>
					</tr>
				</thead>
				<tbody>
					{chart.rows.flatMap((row) => {
						const open = opened.has(row.key);
						const onOpen = row.factors.length > 0 ? () => toggle(row.key) : null;
						return [
							<Row key={row.key} row={row} chart={chart} open={open} onOpen={onOpen} />,
							...(open ? row.factors.map((factor) => <Row key={`${row.key} ${factor.key}`} row={factor} chart={chart} open={false} onOpen={null} />) : []),
						];
					})}
				</tbody>
			</table>
		</div>
	);
}
