// SPDX-License-Identifier: Apache-2.0
import type { Process, Task } from "../model";
import { divided } from "./money";

// What one task's cost rests on. Pure.

export interface ToolTime {
	tool: string;
	cpu_ns: number;
	/** Of the CPU time of all tools. */
	share: number;
	/** That much of the cost of the task; the parts add up to it. null: not known. */
	cost_usd: number | null;
}

/** The CPU time of each program of a task, the largest first, and that much of the task's cost. */
export function toolTimes(processes: readonly Process[], task_usd: number | null): ToolTime[] {
	const times = new Map<string, number>();
	for (const one of processes) times.set(one.tool, (times.get(one.tool) ?? 0) + one.user_ns + one.kernel_ns);
	const tools = [...times].sort((a, b) => b[1] - a[1]);
	const all = tools.reduce((sum, [, ns]) => sum + ns, 0);
	const amounts = task_usd === null || all <= 0 ? null : divided(task_usd, tools.map(([, ns]) => ns));
	return tools.map(([tool, cpu_ns], n) => ({ tool, cpu_ns, share: all > 0 ? cpu_ns / all : 0, cost_usd: amounts?.[n] ?? null }));
}

/** What the host of the task cost while the task was on it, by the price that it has now; null: not known. */
export function hostCost(task: Pick<Task, "wall_s">, usd_hour: number | null | undefined): number | null {
	if (task.wall_s === null || usd_hour === null || usd_hour === undefined || usd_hour <= 0) return null;
	return (task.wall_s / 3600) * usd_hour;
}
