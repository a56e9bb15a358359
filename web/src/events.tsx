import { count, plain, when } from "./format";
import type { Loss, Task, TracerEvent } from "./model";
import { runAddress } from "./route";

// What struck a run, and what is not known about it.

function LossLine({ loss }: { loss: Loss }) {
	const number = loss.count === null || loss.count === 0 ? "an unknown number of" : count(loss.count);
	return (
		<li>
			{number} <b>{plain(loss.what)}</b> record{loss.count === 1 ? "" : "s"}, {when(loss.since_at)} to {when(loss.until_at)}:{" "}
			{plain(loss.why)}
		</li>
	);
}

export function Losses({ count: lost, losses }: { count: number; losses: readonly Loss[] }) {
	return (
		<section class="notice is-warning" role="note" data-losses={lost}>
			<b>What is not known about this run</b>
			<p>
				{lost > 0 ? `${count(lost)} record${lost === 1 ? " was" : "s were"} lost` : "An unknown number of records was lost"}{" "}
				while it ran. Figures below may be too small; none is made up.
			</p>
			{losses.length > 0 && (
				<ul>
					{losses.slice(0, 20).map((loss, n) => (
						<LossLine key={n} loss={loss} />
					))}
				</ul>
			)}
		</section>
	);
}

export function Events({ events, tasks, id }: { events: readonly TracerEvent[]; tasks: readonly Task[]; id: string }) {
	const names = new Map(tasks.map((task) => [task.id, task.name || task.id]));
	if (events.length === 0) return <div class="empty">Nothing struck this run: no failure, no kill.</div>;
	return (
		<ol class="events" tabIndex={0} aria-label="Events" data-events={events.length}>
			{events.map((event, n) => (
				<li key={n}>
					<time dateTime={event.happened_at ?? ""} title={event.happened_at ?? "unknown"}>
						{when(event.happened_at)}
					</time>
					<span class="chip">{plain(event.kind).replace(/_/g, " ")}</span>
					<span class="event-text">{plain(event.summary)}</span>
					{event.task_id && (
						<a href={runAddress(id, { tab: "tasks", task: event.task_id })}>
							{plain(names.get(event.task_id) ?? event.task_id)}
						</a>
					)}
					{event.pid > 0 && <span class="muted">pid {event.pid}</span>}
				</li>
			))}
		</ol>
	);
}
