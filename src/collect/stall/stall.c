/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stall/stall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/stall/stall_end.h"
#include "collect/output/record.h"
#include "collect/process/agent_clock.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"

#define QUIET_CPU_NS (10 * NS_PER_MS)  /* in a second: a heartbeat is no work */
#define MOST_NS      (500 * NS_PER_MS) /* of a second: what a thread did */
#define GROUPS       64                /* that are looked at in one second */
#define STEPS        50000             /* of all looks into /proc in one second: 0.15 s */

/* The ways to wait: the words of the event, and what is waited for. A wait for STALL_ON_NOTHING is
 * no stall. If threads wait in several ways, the first row counts: a thread that waits for a lock
 * mostly waits for a thread that waits for something else. */
#define STATES(S)                                                                 \
	S(disk_ns, "a disk", STALL_ON_FILE)                                       \
	S(paging_ns, "memory to be read from disk or reclaimed", STALL_ON_MEMORY) \
	S(network_ns, "the network", STALL_ON_SOCKET)                             \
	S(pipe_read_ns, "a pipe to give something", STALL_ON_PIPE)                \
	S(pipe_write_ns, "a pipe to take something", STALL_ON_PIPE)               \
	S(poll_ns, NULL /* by what it polls for */, STALL_ON_POLL)                \
	S(lock_ns, "a lock", STALL_ON_FILE)                                       \
	S(child_ns, NULL, STALL_ON_NOTHING)                                       \
	S(sleep_ns, NULL, STALL_ON_NOTHING)                                       \
	S(other_ns, NULL, STALL_ON_NOTHING)

enum state {
#define S(name, words, on) STATE_##name,
	STATES(S)
#undef S
};

static const struct {
	const char *words;
	enum stall_on on;
} states[] = {
#define S(name, words, on) { words, on },
	STATES(S)
#undef S
};

#define STATE_COUNT (sizeof(states) / sizeof(states[0]))

/* A bit for each way in which a thread spent most of the second. */
static uint16_t waits_in(const struct counters *before, const struct counters *now)
{
	uint16_t waits = 0;

#define S(name, words, on)                       \
	if (now->name - before->name >= MOST_NS) \
		waits |= (uint16_t)(1U << STATE_##name);
	STATES(S)
#undef S
	return waits;
}

/* What goes through sockets by other calls than read and write: send, recv, sendmsg. What TCP sends
 * again to a peer that is gone is none of the process's doing. */
static uint64_t socket_bytes(const struct counters *counters)
{
	return counters->net_rx_bytes + counters->net_tx_bytes + counters->net_loopback_rx_bytes +
	       counters->net_loopback_tx_bytes + counters->net_unix_rx_bytes +
	       counters->net_unix_tx_bytes;
}

static bool is_quiet(const struct counters *before, const struct counters *now)
{
	return counters_cpu_ns(now) - counters_cpu_ns(before) <= QUIET_CPU_NS &&
	       socket_bytes(now) == socket_bytes(before) &&
	       now->read_chars_bytes == before->read_chars_bytes &&
	       now->write_chars_bytes == before->write_chars_bytes &&
	       now->disk_read_bytes == before->disk_read_bytes &&
	       now->disk_write_bytes == before->disk_write_bytes;
}

/* The process does something again, or has ended: reports it if its stall was. at is wall-clock. */
static void end_stall(const struct stalls *stalls, struct process *process, int64_t at)
{
	char summary[256], name[128];

	if (process->stall != STALL_REPORTED)
		return;
	process->stall = STALL_NONE;
	(void)snprintf(summary, sizeof(summary), "%s %s",
		       process_words(process, name, sizeof(name)),
		       process_is_alive(process) ? "goes on" : "ended while it hung");
	record_event(stalls->recorder, process, "stall_end", at, summary);
}

/* Whether it is quiet by design is not known any more. */
static void look_again(struct process *process)
{
	if (process->stall == STALL_ASLEEP)
		process->stall = STALL_NONE;
}

void stall_reading(const struct stalls *stalls, struct process *process,
		   const struct counters *before, const struct counters *now)
{
	if (!is_quiet(before, now)) {
		process->quiet_s = 0;
		look_again(process);
		end_stall(stalls, process, stalls->clock->read_at);
		return;
	}
	process->waits = waits_in(before, now);
	if (process->quiet_s < UINT16_MAX)
		process->quiet_s++;
	/* Looked at again, but not each second. */
	if (stalls->after_s && process->quiet_s % stalls->after_s == 0)
		look_again(process);
}

static bool sleeps(const struct process *process)
{
	return process->waits & 1U << STATE_sleep_ns;
}

static bool waits_so(const struct process *process, size_t state)
{
	return process->waits >> state & 1 && states[state].on != STALL_ON_NOTHING;
}

static bool may_hang(const struct process *process)
{
	bool may = false;

	for (size_t i = 0; i < STATE_COUNT; i++)
		may |= waits_so(process, i);
	return may && process->stall != STALL_ASLEEP;
}

/* What belongs together: a task, else a run. */
static const void *group_of(const struct process *process)
{
	return process->attribution.task ? (const void *)process->attribution.task
					 : (const void *)process->attribution.run;
}

struct check {
	const struct stalls *stalls;
	size_t left; /* of STEPS */
	struct group {
		const void *of;
		bool moves;
	} groups[GROUPS];
	size_t count;
};

static struct group *group_find(struct check *check, const void *of)
{
	for (size_t i = 0; i < check->count; i++)
		if (check->groups[i].of == of)
			return &check->groups[i];
	return NULL;
}

static bool is_candidate(const struct stalls *stalls, const struct process *process)
{
	return process->stall != STALL_REPORTED && process->executed && group_of(process) &&
	       process->quiet_s >= stalls->after_s && may_hang(process);
}

static void gather(struct process *process, void *context)
{
	struct check *check = context;

	if (check->count < GROUPS && is_candidate(check->stalls, process) &&
	    !group_find(check, group_of(process)))
		check->groups[check->count++] = (struct group){ .of = group_of(process) };
}

/* A process that does something, or that sleeps because it asked to, keeps its group from counting
 * as stalled. */
static void excuse(struct process *process, void *context)
{
	struct check *check = context;
	struct group *group;

	if (process->quiet_s >= check->stalls->after_s && !sleeps(process))
		return;
	group = group_of(process) ? group_find(check, group_of(process)) : NULL;
	if (group)
		group->moves = true;
}

struct child {
	const struct process *of;
	bool lives;
};

static void look_for_child(struct process *process, void *context)
{
	struct child *child = context;

	child->lives |= process->parent.pid == child->of->key.pid &&
			process->parent.start_ns == child->of->key.start_ns;
}

/* An engine polls until its children have news; what these do is reported for them. */
static bool has_child(const struct stalls *stalls, const struct process *process)
{
	struct child child = { .of = process };

	process_table_visit(stalls->processes, look_for_child, &child);
	return child.lives;
}

/* A text of what it hangs on, and how that ends; NULL: nothing that is known now. */
static const char *hangs_on(struct check *check, struct process *process, struct stall_end *end)
{
	for (size_t i = 0; i < STATE_COUNT; i++) {
		bool polls = states[i].on == STALL_ON_POLL;

		if (!waits_so(process, i))
			continue;
		if (polls && has_child(check->stalls, process)) {
			process->stall = STALL_ASLEEP;
			continue;
		}
		stall_end_find(check->stalls->processes, process, states[i].on, &check->left, end);
		if (end->by_design)
			process->stall = STALL_ASLEEP;
		if (!end->by_design && (states[i].words || end->words))
			return polls ? end->words : states[i].words;
	}
	return NULL;
}

static void report(const struct stalls *stalls, struct process *process, const char *words,
		   const struct stall_end *end)
{
	char summary[512], name[128], took[64];

	process->stall = STALL_REPORTED;
	(void)snprintf(summary, sizeof(summary), "%s has done nothing for %s: it waits for %s%s",
		       process_words(process, name, sizeof(name)),
		       text_duration(process->quiet_s * (uint64_t)NS_PER_S, took, sizeof(took)),
		       words, end->text);
	record_event(stalls->recorder, process, "stall_begin",
		     stalls->clock->read_at - process->quiet_s * NS_PER_S, summary);
}

static void report_candidate(struct process *process, void *context)
{
	struct check *check = context;
	const struct group *group;
	struct stall_end end;
	const char *words;

	if (!is_candidate(check->stalls, process))
		return;
	group = group_find(check, group_of(process));
	if (!group || group->moves)
		return;
	words = hangs_on(check, process, &end);
	if (words)
		report(check->stalls, process, words, &end);
}

void stall_check(const struct stalls *stalls)
{
	struct check check = { .stalls = stalls, .left = STEPS };

	if (!stalls->after_s)
		return;
	process_table_visit(stalls->processes, gather, &check);
	if (!check.count)
		return;
	process_table_visit(stalls->processes, excuse, &check);
	process_table_visit(stalls->processes, report_candidate, &check);
}

static void on_reading(void *context, struct process *process,
		       const struct process_reading *reading)
{
	if (process_is_alive(process))
		stall_reading(context, process, reading->before, reading->now);
}

static void on_tick(void *context)
{
	stall_check(context);
}

static void on_end(void *context, struct process *process, enum process_end end)
{
	if (end == PROCESS_EXITED || end == PROCESS_LEFT)
		end_stall(context, process, process_ended_at(process));
}

const struct listener stall_listener = { .reading = on_reading, .tick = on_tick, .end = on_end };
