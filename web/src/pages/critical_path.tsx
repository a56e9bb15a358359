// SPDX-License-Identifier: Apache-2.0
import { StateBar, StateCell } from "../charts/state_bar";
import { duration, percent, plain } from "../lib/format";
import type { CriticalLink, CriticalPath } from "../lib/model_flow";

// The critical path of a run: a chain of tasks, each of which waited for what the one before it wrote.

/** Of more links than this the shortest are left out. */
const MOST = 16;

const timeOf = (link: CriticalLink): number => link.waiting_s + link.running_s;

/** The longest links, in the order of the path. */
export function longest(links: readonly CriticalLink[], most: number): CriticalLink[] {
	const kept = new Set([...links].sort((a, b) => timeOf(b) - timeOf(a)).slice(0, most));
	return links.filter((link) => kept.has(link));
}

/** A path of one task shows nothing more than the bar of the task. */
export const worthTelling = (path: CriticalPath | null | undefined): path is CriticalPath => (path?.links.length ?? 0) > 1;

interface Stretch {
	kind: "beside" | "waiting" | "running";
	seconds: number;
	link: CriticalLink | null;
	title: string;
}

/** The run as a sequence of running and waiting. */
export function stretches(path: CriticalPath): Stretch[] {
	const beside = (seconds: number, words: string): Stretch => ({ kind: "beside", seconds, link: null, title: `${words}: ${duration(seconds)}` });
	const own = path.links.flatMap((link): Stretch[] => {
		const name = plain(link.name) || link.task_id;
		return [
			{ kind: "waiting", seconds: link.waiting_s, link, title: `${name} waited ${duration(link.waiting_s)} with its input there` },
			{ kind: "running", seconds: link.running_s, link, title: `${name} ran ${duration(link.running_s)}` },
		];
	});
	return [beside(path.before_s, "before the first task"), ...own, beside(path.after_s, "after the last task")].filter((one) => one.seconds > 0);
}

interface Props {
	path: CriticalPath;
	colors: ReadonlyMap<string, string>;
	selected: string | null;
	/** The time of threads is asked for, which is not known of parts of tasks. */
	threads: boolean;
	onSelect: (task: string) => void;
}

function Link({ link, wall, colors, selected, threads, onSelect }: Omit<Props, "path"> & { link: CriticalLink; wall: number }) {
	const file = link.path ? plain(link.path.slice(link.path.lastIndexOf("/") + 1)) : null;
	return (
		<li>
			<button type="button" class="path-link" aria-pressed={link.task_id === selected} title={link.path ? `fed by ${plain(link.path)}` : undefined} onClick={() => onSelect(link.task_id)}>
				<i style={{ background: colors.get(link.step) }} aria-hidden="true" />
				<b>{plain(link.name) || link.task_id}</b>
				<span>
					{link.ready_at !== null && <>waited {duration(link.waiting_s)}{file ? ` with ${file} there` : ""}, </>}
					ran {duration(link.running_s)} <span class="muted">({percent(wall > 0 ? timeOf(link) / wall : null)})</span>
				</span>
				{!threads && <StateCell times={link} threads={false} />}
			</button>
		</li>
	);
}

export function CriticalPathBox({ path, ...props }: Props) {
	const links = longest(path.links, MOST);
	const left = path.links.length - links.length;
	return (
		<section class="path-box" aria-label="Critical path" data-path={path.links.length}>
			<h2>
				Critical path{" "}
				<span class="path-sum">
					{duration(path.running_s)} running, <b class={path.waiting_s > path.running_s ? "warn" : undefined}>{duration(path.waiting_s)} waiting</b> with the input there, of {duration(path.wall_s)}
				</span>
			</h2>
			<div class="path-bar" aria-hidden="true">
				{stretches(path).map((one, n) => (
					<i key={n} class={`path-${one.kind}`} title={one.title} style={{ flexGrow: one.seconds, ...(one.kind === "running" && one.link ? { background: props.colors.get(one.link.step) } : {}) }} />
				))}
			</div>
			<StateBar times={path} title="Where the running time went" threads={props.threads} />
			<ol>
				{links.map((link) => (
					<Link key={link.task_id} link={link} wall={path.wall_s} {...props} />
				))}
			</ol>
			{left > 0 && <p class="muted">and {left} shorter ones between</p>}
		</section>
	);
}
