// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { getAll, useLoad } from "../lib/api";
import { bytes, count, exact, instant, plain, when } from "../lib/format";
import { differing, groupsOf, sumBy } from "../lib/groups";
import type { FileList, FileRow } from "../lib/model";
import { Choice, Failure, Loading, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { matches, orderText, parseOrder } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The files of a run: one row for each, whichever tasks used it.

const MOST = 20_000;

export interface FileGroup {
	key: string;
	/** A path, or what kind of thing it is. */
	name: string;
	kind: string;
	how: string;
	moved_bytes: number | null;
	opens: number | null;
	failures: number | null;
	size_bytes: number | null;
	tools: string[];
	tasks: string[];
	first_at: string | null;
	last_at: string | null;
}

const KINDS: Record<string, string> = {
	system: "libraries and settings of the system",
	pseudo: "what the kernel makes up (/proc, /sys)",
	directory: "folders",
	pipe: "pipes",
	socket: "sockets",
	device: "devices",
	other: "events and timers",
	more: "more files, beyond those kept one by one",
};

const ERRORS: Record<number, string> = {
	1: "not permitted (EPERM)",
	2: "not there (ENOENT)",
	5: "the disk failed (EIO)",
	13: "no permission (EACCES)",
	20: "not a folder (ENOTDIR)",
	21: "a folder (EISDIR)",
	24: "too many open files (EMFILE)",
	28: "the disk is full (ENOSPC)",
	30: "read-only (EROFS)",
	116: "the file server lost it (ESTALE)",
	122: "over the quota (EDQUOT)",
};

function nameOf(row: FileRow): string {
	if (row.path) return plain(row.path);
	if (row.kind !== "failed") return KINDS[row.kind] ?? plain(row.kind);
	const why = row.error === null ? "unknown why" : (ERRORS[row.error] ?? `error ${row.error}`);
	return `could not be opened: ${why}`;
}

/** "read, written, mapped" */
const howOf = (rows: readonly FileRow[]): string =>
	[
		...(rows.some((row) => row.reads) ? ["read"] : []),
		...(rows.some((row) => row.writes) ? ["written"] : []),
		...(rows.some((row) => row.mapped) ? ["mapped"] : []),
	].join(", ");

const latest = (rows: readonly FileRow[]): FileRow | undefined =>
	rows.reduce<FileRow | undefined>((last, row) => (last && (instant(last.last_at) ?? 0) >= (instant(row.last_at) ?? 0) ? last : row), undefined);

function groupOf(key: string, rows: readonly FileRow[], names: ReadonlyMap<string, string>): FileGroup {
	const one = rows[0] as FileRow;
	const sized = rows.filter((row) => row.size_bytes !== null);
	const instants = (pick: (row: FileRow) => string | null) => rows.map(pick).filter((at): at is string => at !== null).sort();
	return {
		key,
		name: nameOf(one),
		kind: one.kind,
		how: howOf(rows),
		moved_bytes: sumBy(rows, (row) => row.moved_bytes),
		opens: sumBy(rows, (row) => row.opens),
		failures: sumBy(rows, (row) => row.failures),
		size_bytes: latest(sized)?.size_bytes ?? null,
		tools: differing(rows.map((row) => row.tool)),
		tasks: differing(rows.map((row) => (row.task_id ? (names.get(row.task_id) ?? row.task_id) : null))),
		first_at: instants((row) => row.first_at)[0] ?? null,
		last_at: instants((row) => row.last_at).pop() ?? null,
	};
}

export const fileGroups = (rows: readonly FileRow[], names: ReadonlyMap<string, string>): FileGroup[] =>
	groupsOf(rows, (row) => [row.host_id, row.kind, row.path ?? "", row.kind === "failed" ? row.error : ""].join("\u0000")).map(({ key, rows: own }) => groupOf(key, own, names));

const COLUMNS: Column<FileGroup>[] = [
	{ key: "name", title: "File", wide: true, value: (f) => f.name, cell: (f) => (f.kind === "file" ? <code>{f.name || <Unknown />}</code> : f.name), exact: (f) => f.name },
	{ key: "how", title: "How", value: (f) => f.how, cell: (f) => f.how || <Unknown why="opened, neither to read nor to write" /> },
	{
		key: "moved_bytes",
		title: "Read or written",
		number: true,
		help: "How far the positions of its descriptors moved; mapped parts are not in it",
		value: (f) => f.moved_bytes,
		cell: (f) => bytes(f.moved_bytes),
		exact: (f) => exact.bytes(f.moved_bytes),
	},
	{ key: "size_bytes", title: "Size", number: true, help: "When it was last looked at", value: (f) => f.size_bytes, cell: (f) => bytes(f.size_bytes), exact: (f) => exact.bytes(f.size_bytes) },
	{ key: "opens", title: "Opened", number: true, value: (f) => f.opens, cell: (f) => count(f.opens) },
	{ key: "failures", title: "Failed", number: true, help: "Failures to open it, or to read and write", value: (f) => f.failures, cell: (f) => ((f.failures ?? 0) > 0 ? <b class="bad">{count(f.failures)}</b> : count(f.failures)) },
	{ key: "tools", title: "Tools", value: (f) => f.tools.join(" "), cell: (f) => f.tools.map(plain).join(" · "), exact: (f) => f.tools.map(plain).join("\n") },
	{ key: "tasks", title: "Tasks", number: true, value: (f) => f.tasks.length, cell: (f) => count(f.tasks.length), exact: (f) => f.tasks.map(plain).slice(0, 40).join("\n") },
	{ key: "first_at", title: "First used", number: true, value: (f) => instant(f.first_at), cell: (f) => when(f.first_at), exact: (f) => f.first_at ?? "unknown" },
	{ key: "last_at", title: "Last used", number: true, value: (f) => instant(f.last_at), cell: (f) => when(f.last_at), exact: (f) => f.last_at ?? "unknown" },
];

const SHOWN = [["", "Files"], ["all", "All, pipes and the like too"], ["failed", "Failed"]] as const;

interface FilesProps {
	path: string;
	names: ReadonlyMap<string, string>;
	query: URLSearchParams;
	every: number;
}

export function Files({ path, names, query, every }: FilesProps) {
	const list = useLoad(
		`${path}/files`,
		(signal) => getAll<FileList, FileRow>(`${path}/files`, {}, (page) => page.files, MOST, signal),
		every,
	);
	const filter = query.get("filter") ?? "";
	const shown = SHOWN.find(([name]) => name === query.get("kind"))?.[0] ?? "";
	const groups = useMemo(() => fileGroups(list.data?.rows ?? [], names), [list.data, names]);
	const rows = useMemo(
		() =>
			groups.filter((file) => {
				if (shown === "" && file.kind !== "file") return false;
				if (shown === "failed" && (file.failures ?? 0) === 0) return false;
				return matches(filter, [file.name, file.how, ...file.tools, ...file.tasks]);
			}),
		[groups, filter, shown],
	);
	if (list.error && !list.data) return <Failure error={list.error} retry={list.reload} />;
	if (!list.data) return <Loading what="files" />;
	return (
		<>
			<div class="tools-row">
				<input
					type="search"
					placeholder="Filter by path, tool, task"
					aria-label="Filter files"
					value={filter}
					onInput={(event) => setQuery({ filter: event.currentTarget.value })}
				/>
				<Choice label="Kind" options={SHOWN} value={shown} onChange={(kind) => setQuery({ kind })} />
				<span class="muted">
					{count(rows.length)} of {count(groups.length)}
					{list.data.complete ? "" : " (of the first uses; the run has more)"}
				</span>
			</div>
			<Table
				name="Files"
				columns={COLUMNS}
				rows={rows}
				keyOf={(file) => file.key}
				order={parseOrder(query.get("sort"), { key: "moved_bytes", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty={groups.length === 0 ? "No file was seen in use in this run." : "No file matches."}
			/>
		</>
	);
}
