/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* From where something is waste: a table (sweep_threshold.c) with unit and reason of each; the
 * policy (waste.yaml, `thresholds`) changes them. Times are seconds, shares are 0 to 1. A
 * "patience" is how long something goes on before it is reported. */
#define SWEEP_THRESHOLD_TABLE(ROW)                                                                \
	ROW(FRESH_S, "fresh_s", 180, "s",                                                         \
	    "a host that sent nothing for longer may be down: nothing is known of it")            \
	ROW(GONE_S, "gone_s", 900, "s",                                                           \
	    "a host that sends nothing for so long was stopped, or lost its agent")               \
	ROW(COVERED, "covered", 0.8, "of the time",                                               \
	    "with samples for less, what happened is not known")                                  \
	ROW(IDLE_PATIENCE_S, "idle_patience_s", 900, "s",                                         \
	    "a person needs a quarter of an hour to look at a result and to start the next run")  \
	ROW(IDLE_PAUSES, "idle_pauses", 3, "pauses",                                              \
	    "within 6 h: a host that worked again after so many is used in bursts")               \
	ROW(IDLE_FACTOR, "idle_factor", 1.25, "× the longest of these pauses",                    \
	    "a host that is used in bursts is idle if it rests longer than it ever did")          \
	ROW(IDLE_CPU, "idle_cpu", 0.05, "of the host's CPUs",                                     \
	    "daemons of a system take less; more is work that is not tracked")                    \
	ROW(IDLE_CPUS, "idle_cpus", 0.9, "CPUs",                                                  \
	    "one busy thread takes more: of many CPUs it is a small share")                       \
	ROW(IDLE_DISK_BYTES_S, "idle_disk_bytes_s", 1e6, "bytes/s", "logs take less")             \
	ROW(IDLE_NET_BYTES_S, "idle_net_bytes_s", 1e6, "bytes/s",                                 \
	    "monitoring takes less; a server or a transfer takes more")                           \
	ROW(LOW_PATIENCE_S, "low_patience_s", 7200, "s", "shorter phases are ordinary")           \
	ROW(LOW_CPU, "low_cpu", 0.05, "of the host's CPUs", "on average")                         \
	ROW(LOW_CPU_PEAK, "low_cpu_peak", 0.2, "of the host's CPUs",                              \
	    "a minute above it is a phase of work")                                               \
	ROW(LOW_MEMORY, "low_memory", 0.5, "of the host's memory",                                \
	    "who needs more memory needs the host")                                               \
	ROW(WORKER_PATIENCE_S, "worker_patience_s", 600, "s",                                     \
	    "batch services stop an empty worker within minutes")                                 \
	ROW(GPU_PATIENCE_S, "gpu_patience_s", 900, "s",                                           \
	    "data is loaded and checkpoints are written")                                         \
	ROW(STUCK_PATIENCE_S, "stuck_patience_s", 900, "s", "beyond what its step ever waited")   \
	ROW(STUCK_UNKNOWN_S, "stuck_unknown_s", 3600, "s", "where the step has no history")       \
	ROW(STUCK_HISTORY, "stuck_history", 3, "tasks", "fewer say little of what is usual")      \
	ROW(STUCK_FACTOR, "stuck_factor", 1.5, "× the longest wait of the step", "tasks differ")  \
	ROW(ENGINE_PATIENCE_S, "engine_patience_s", 120, "s",                                     \
	    "an engine that is ended ends its tasks within seconds")                              \
	ROW(SESSION_PATIENCE_S, "session_patience_s", 3600, "s", "a meeting, or lunch")           \
	ROW(SESSION_SHORT_S, "session_short_s", 1800, "s", "who began so lately is still there")  \
	ROW(SLOTS_PATIENCE_S, "slots_patience_s", 600, "s",                                       \
	    "a scheduler starts what fits within minutes")                                        \
	ROW(SLOTS_CPU, "slots_cpu", 0.5, "of the host's CPUs",                                    \
	    "an engine that leaves more than half of them idle could start more")                 \
	ROW(SIZE_HOURS, "size_hours", 24, "h", "with work: fewer say little of what it needs")    \
	ROW(SIZE_SHARE, "size_share", 0.5, "of CPUs and memory", "what half the size would hold") \
	ROW(SPOT_HOURS, "spot_hours", 8, "h", "of work: fewer say little")                        \
	ROW(SPOT_TASK_S, "spot_task_s", 7200, "s",                                                \
	    "95 % of its tasks end within; longer ones lose much when they are interrupted")      \
	ROW(REPEAT_WALL_S, "repeat_wall_s", 60, "s", "less is not worth a person's time")         \
	ROW(UNREAD_PATIENCE_S, "unread_patience_s", 7 * 86400, "s",                               \
	    "results are read within a week")                                                     \
	ROW(UNREAD_SCRATCH_S, "unread_scratch_s", 2 * 86400, "s",                                 \
	    "of work folders and temporary files")                                                \
	ROW(UNREAD_BYTES, "unread_bytes", 1e9, "bytes", "less costs next to nothing")             \
	ROW(AGENT_PATIENCE_S, "agent_patience_s", 900, "s",                                       \
	    "a machine that starts installs first")                                               \
	ROW(VOLUME_PATIENCE_S, "volume_patience_s", 86400, "s",                                   \
	    "volumes move from machine to machine")

#define SWEEP_THRESHOLD_NAME(name, text, value, unit, reason) SWEEP_##name,
enum sweep_threshold { SWEEP_THRESHOLD_TABLE(SWEEP_THRESHOLD_NAME) SWEEP_THRESHOLDS };
#undef SWEEP_THRESHOLD_NAME

struct sweep_threshold_row {
	const char *name;
	double value; /* preset */
	const char *unit, *reason;
};

extern const struct sweep_threshold_row SWEEP_THRESHOLD_ROWS[SWEEP_THRESHOLDS];
