// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { failedColumn, figureColumns } from "../lib/columns";
import { count, duration, exact, plain } from "../lib/format";
import type { Tool } from "../lib/model";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The programs that a run executed.

const FOLDED = "shells, launchers and helpers (the solver of an engine, mkdir, …); tracer tools --all shows each";

const columnsOf = (tools: readonly Tool[], threads: boolean): Column<Tool>[] => [
	{ key: "name", title: "Tool", wide: true, value: (t) => t.name, cell: (t) => (t.kind === "helpers" ? <i>helpers</i> : plain(t.name) || "(no name)"), exact: (t) => (t.kind === "helpers" ? FOLDED : plain(t.name)) },
	...(tools.some((tool) => tool.versions.length > 0)
		? [{ key: "versions", title: "Version", value: (t: Tool) => t.versions.join(" "), cell: (t: Tool) => t.versions.map(plain).join(", ") }]
		: []),
	{ key: "executions", title: "Executions", number: true, value: (t) => t.executions, cell: (t) => count(t.executions) },
	failedColumn<Tool>(),
	{
		key: "wall_s",
		title: "Wall, summed",
		number: true,
		help: "The lives of all its executions added up",
		value: (t) => t.wall_s,
		cell: (t) => duration(t.wall_s),
		exact: (t) => exact.seconds(t.wall_s),
	},
	...figureColumns(tools, threads),
];

export function Tools({ tools, query }: { tools: readonly Tool[]; query: URLSearchParams }) {
	const threads = wantsThreads(query);
	const columns = useMemo(() => columnsOf(tools, threads), [tools, threads]);
	return (
		<Table
			name="Tools"
			columns={columns}
			rows={tools}
			keyOf={(tool) => tool.name}
			order={parseOrder(query.get("sort"), { key: "cpu", down: true })}
			onOrder={(next) => setQuery({ sort: orderText(next) })}
			empty="No process was seen in this run yet."
		/>
	);
}
