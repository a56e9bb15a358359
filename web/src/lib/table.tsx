// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { sorted } from "./sort";
import type { Order, Value } from "./sort";

// A sortable table. A long one draws only the visible rows, so that ten thousand scroll as smoothly as ten.

export interface Column<R> {
	key: string;
	title: string;
	/** The title of the heading. */
	help?: string;
	number?: boolean;
	value: (row: R) => Value;
	cell: (row: R) => ComponentChildren;
	/** The exact value. */
	exact?: (row: R) => string;
	wide?: boolean;
}

export interface TableProps<R> {
	name: string;
	columns: readonly Column<R>[];
	rows: readonly R[];
	keyOf: (row: R) => string;
	order: Order;
	onOrder: (order: Order) => void;
	selected?: string | null;
	onSelect?: (row: R) => void;
	/** Each row has two lines. */
	tall?: boolean;
	/** Rows above the others, in whatever order those are. */
	first?: readonly R[];
	/** What is shown below the selected row. All rows of such a table are drawn. */
	detail?: (row: R) => ComponentChildren;
	empty: ComponentChildren;
}

const LONG = 60;
const ROW = 33;
const TALL = 52;
const SPARE = 12;

function Heading<R>({ column, order, onOrder }: { column: Column<R>; order: Order; onOrder: (order: Order) => void }) {
	const here = order.key === column.key;
	const sort = here ? (order.down ? "descending" : "ascending") : "none";
	// The first click shows what people look for: the largest figure, the first word.
	const next = here ? !order.down : column.number === true;
	return (
		<th scope="col" aria-sort={sort} class={column.number ? "number" : column.wide ? "wide" : ""}>
			<button type="button" title={column.help} onClick={() => onOrder({ key: column.key, down: next })}>
				<span>{column.title}</span>
				<span class="arrow" aria-hidden="true">
					{here ? (order.down ? "▼" : "▲") : "△"}
				</span>
			</button>
		</th>
	);
}

function useWindow(long: boolean, count: number, height: number) {
	const box = useRef<HTMLDivElement>(null);
	const [range, setRange] = useState({ first: 0, last: 60 });
	useLayoutEffect(() => {
		const element = box.current;
		if (!long || !element) return;
		const update = () => {
			const first = Math.max(0, Math.floor(element.scrollTop / height) - SPARE);
			const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + SPARE;
			setRange((was) => (was.first === first && was.last === last ? was : { first, last }));
		};
		update();
		element.addEventListener("scroll", update, { passive: true });
		return () => element.removeEventListener("scroll", update);
	}, [long, count, height]);
	return { box, first: long ? range.first : 0, last: long ? Math.min(count, range.last) : count };
}

const Spacer = ({ rows, columns, row }: { rows: number; columns: number; row: number }) =>
	rows > 0 ? (
		<tr class="spacer" aria-hidden="true">
			<td colSpan={columns} style={{ height: `${rows * row}px` }} />
		</tr>
	) : null;

export function Table<R>(props: TableProps<R>) {
	const { name, columns, rows, keyOf, order, onOrder, selected, onSelect } = props;
	const { detail, first: top } = props;
	const ordered = useMemo(() => {
		const column = columns.find((candidate) => candidate.key === order.key);
		return [...(top ?? []), ...(column ? sorted(rows, column.value, order.down) : rows)];
	}, [columns, rows, top, order.key, order.down]);
	const long = ordered.length > LONG && !detail;
	const height = props.tall ? TALL : ROW;
	const { box, first, last } = useWindow(long, ordered.length, height);
	if (ordered.length === 0) return <div class="empty">{props.empty}</div>;
	return (
		<div class={`table-box${long ? " long" : ""}${props.tall ? " tall" : ""}${detail ? " has-detail" : ""}`} ref={box} tabIndex={0} role="region" aria-label={name}>
			<table aria-rowcount={ordered.length + 1} data-table={name} data-rows={ordered.length}>
				<thead>
					<tr>
						{columns.map((column) => (
							<Heading key={column.key} column={column} order={order} onOrder={onOrder} />
						))}
					</tr>
				</thead>
				<tbody>
					<Spacer rows={first} columns={columns.length} row={height} />
					{ordered.slice(first, last).map((row, n) => (
						<BodyRow
							key={keyOf(row)}
							row={row}
							index={first + n + 2}
							columns={columns}
							selected={selected !== undefined && selected !== null && keyOf(row) === selected}
							onSelect={onSelect}
							detail={detail}
						/>
					))}
					<Spacer rows={ordered.length - last} columns={columns.length} row={height} />
				</tbody>
			</table>
		</div>
	);
}

interface BodyRowProps<R> {
	row: R;
	index: number;
	columns: readonly Column<R>[];
	selected: boolean;
	onSelect: ((row: R) => void) | undefined;
	detail: ((row: R) => ComponentChildren) | undefined;
}

function BodyRow<R>({ row, index, columns, selected, onSelect, detail }: BodyRowProps<R>) {
	const classes = [selected ? "selected" : "", onSelect ? "clickable" : ""].join(" ").trim();
	return (
		<>
			<tr class={classes} aria-rowindex={index} onClick={onSelect && (() => onSelect(row))}>
				{columns.map((column) => (
					<td
						key={column.key}
						class={column.number ? "number" : column.wide ? "wide" : ""}
						title={column.exact?.(row)}
						data-column={column.key}
					>
						{column.cell(row)}
					</td>
				))}
			</tr>
			{selected && detail && (
				<tr class="detail">
					<td colSpan={columns.length}>
						<div class="detail-box">{detail(row)}</div>
					</td>
				</tr>
			)}
		</>
	);
}
