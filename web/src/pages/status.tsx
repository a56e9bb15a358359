// SPDX-License-Identifier: Apache-2.0
import type { JSX } from "preact";
import { count, plain } from "../lib/format";

// A status as a shape and a word, so that it can be recognised without colour.

const SHAPES: Record<string, JSX.Element> = {
	queued: <circle cx="8" cy="8" r="5.2" class="line" />,
	running: <path d="M5 3.2v9.6L13 8z" />,
	succeeded: <path d="M3 8.6l3.4 3.4L13.2 4.6" class="line" />,
	failed: <path d="M4 4l8 8M12 4l-8 8" class="line" />,
	killed: <path d="M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3z" />,
	stalled: <path d="M4 3h3v10H4zM9 3h3v10H9z" />,
	lost: <path d="M5.4 6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.1.8-1.1 1.7M8 12.6v.1" class="line" />,
	replaced: <path d="M3 8h9M8.5 4.5L12 8l-3.5 3.5" class="line" />,
	cached: <path d="M3 5h10v8H3zM5.5 2.5h5" class="line" />,
	up: <path d="M8 3l5 9H3z" />,
	down: <path d="M8 13L3 4h10z" />,
	silent: <path d="M3 8h10" class="line" />,
	info: <path d="M8 7v5.4M8 3.6v.1" class="line" />,
	warning: <path d="M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1" class="line" />,
	critical: <path d="M8 2.5v7M8 13v.1" class="line" />,
};

const WORDS: Record<string, string> = {
	queued: "waits to be started",
	running: "running now",
	succeeded: "ended with exit code 0",
	failed: "ended with an exit code other than 0",
	killed: "ended by a signal",
	stalled: "neither uses a CPU nor moves data",
	lost: "ended while no agent ran: how is unknown",
	replaced: "its process went on as another program (exec)",
	cached: "its engine took an earlier result: nothing ran",
	up: "its agent reports",
	down: "its agent was stopped",
	silent: "its agent has not reported for a while",
};

export function Shape({ of }: { of: string }) {
	return (
		<svg class="shape" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
			{SHAPES[of] ?? <circle cx="8" cy="8" r="3" />}
		</svg>
	);
}

/** Tools failed, and the run succeeded all the same: that is no plain success. */
const isMixed = (status: string, failed: number | null | undefined): boolean => status === "succeeded" && (failed ?? 0) > 0;

/** The class that gives something the colour of a status. */
export function statusClass(status: string, failedTools?: number | null): string {
	if (isMixed(status, failedTools)) return "is-mixed";
	return `is-${status in SHAPES ? status : "unknown"}`;
}

interface BadgeProps {
	status: string;
	/** Of a run: how many tools failed though it succeeded. */
	failedTools?: number | null | undefined;
	big?: boolean;
}

export function Badge({ status, failedTools = null, big = false }: BadgeProps) {
	const mixed = isMixed(status, failedTools);
	return (
		<span class={`badge ${statusClass(status, failedTools)}${big ? " big" : ""}`} title={mixed ? "ended with exit code 0, though tools in it failed" : WORDS[status]}>
			<Shape of={mixed ? "warning" : status} />
			{plain(status) || "unknown"}
			{mixed && `, ${count(failedTools)} failed`}
		</span>
	);
}
